import { expect, it } from 'vitest';
import { moveEnd } from '../../../renderer/features/credits/charts/brush-handles.tsx';

const day = 86_400_000;
const domain = [0, 30 * day] as const;

it.each([
  ['ArrowRight', 0, [0, 30], [1, 30]],
  ['ArrowLeft', 1, [0, 30], [0, 29]],
  ['PageUp', 0, [0, 30], [7, 30]],
  ['PageDown', 1, [0, 30], [0, 23]],
  ['Home', 1, [3, 20], [3, 4]],
  ['End', 0, [3, 20], [19, 20]],
  ['ArrowLeft', 0, [0, 30], [0, 30]],
  ['ArrowRight', 0, [9, 10], [9, 10]],
] as const)('%s on end %i', (key, which, ends, expected) => {
  expect(moveEnd([ends[0] * day, ends[1] * day], which, key, domain)).toEqual(expected.map((one) => one * day));
});

it('leaves other keys alone', () => expect(moveEnd([0, day], 0, 'Tab', domain)).toBeNull());

it('moves by days of the calendar over a change of the clocks', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/London';
  try {
    const at = (date: number) => new Date(2026, 2, date).getTime();
    const week = [at(26), at(31)] as const;
    // The clocks go forward on 29 March: that day has 23 hours.
    const [moved = 0] = moveEnd([at(29), at(31)], 0, 'ArrowRight', week) ?? [];
    expect(new Date(moved)).toEqual(new Date(2026, 2, 30));
    expect(moveEnd([at(26), at(30)], 1, 'ArrowLeft', week)).toEqual([at(26), at(29)]);
    expect(moveEnd([at(26), at(30)], 0, 'End', week)).toEqual([at(29), at(30)]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
