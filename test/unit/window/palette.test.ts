import { expect, test } from 'vitest';
import { activePlace, findCommands } from '../../../renderer/app/palette/palette-match.ts';
import type { Command } from '../../../renderer/lib/window/commands.ts';
import { markWords } from '../../../shared/domain/text/search-words.ts';

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

test('a saved address is found by its postcode typed without the blank, and marked where it stands', () => {
  const address: Command = { id: 'a', group: 'Saved addresses', label: '10 Kiln Close, G16 3RN', run: () => {} };
  const found = (typed: string) => findCommands([() => [address]], typed).flatMap(({ commands }) => commands);
  expect(found('g163rn')).toEqual([address]);
  expect(found('G163RX')).toEqual([]);
  expect(markWords(address.label, 'G163RN kiln').filter(({ hit }) => hit)).toEqual(
    ['Kiln', 'G16', '3RN'].map((text) => ({ text, hit: true })),
  );
});
