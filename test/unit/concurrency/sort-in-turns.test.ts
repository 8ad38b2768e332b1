import { expect, it } from 'vitest';
import { sortInTurns } from '../../../electron/core/concurrency/sort-in-turns.ts';

/** Items with few different values, so that most are equal to others; the same in each run. */
const items = (count: number) => Array.from({ length: count }, (_, place) => ({ value: (place * 7919) % 101, place }));
const byValue = (a: { value: number }, b: { value: number }) => a.value - b.value;

it.each([0, 1, 9, 10, 11, 95, 1000, 1001])('sorts %i items like toSorted, equal ones in their order', async (count) => {
  const given = items(count);
  expect(await sortInTurns(given, byValue, 10)).toEqual(given.toSorted(byValue));
  expect(given).toEqual(items(count));
});

it('yields its turn after few comparisons', async () => {
  let compared = 0;
  let most = 0;
  let over = false;
  const look = () => {
    most = Math.max(most, compared);
    compared = 0;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  const size = 100;
  await sortInTurns(
    items(20_000),
    (a, b) => {
      compared += 1;
      return byValue(a, b);
    },
    size,
  );
  over = true;
  // A slice takes its length times the power of two that it is, at most; the end of one and the start of the next may meet.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2 * size * Math.ceil(Math.log2(size)));
});
