import { expect, test } from 'vitest';
import { activePlace } from '../../../renderer/app/palette/palette-match.ts';

const lines = (...ids: string[]) => ids.map((id) => ({ id }));

test('Enter in the palette runs the line that the arrow keys were moved to, though others have come above it since', () => {
  const marked = { id: 'b', place: 1 };
  expect(activePlace(lines('a', 'b', 'c'), marked)).toBe(1);
  expect(activePlace(lines('new', 'a', 'b', 'c'), marked)).toBe(2);
  expect(activePlace(lines('b', 'c'), marked)).toBe(0);
  // Gone itself, it leaves its place to the next, or to the last.
  expect(activePlace(lines('a', 'c'), marked)).toBe(1);
  expect(activePlace(lines('a'), marked)).toBe(0);
  expect(activePlace([], marked)).toBe(0);
  // Of two with one id it stays the second.
  expect(activePlace(lines('a', 'b', 'b'), { id: 'b', place: 2 })).toBe(2);
  // As long as none was chosen, the best one, also if it is found late.
  expect(activePlace(lines('new', 'a'), null)).toBe(0);
});
