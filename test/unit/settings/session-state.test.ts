import { expect, test } from 'vitest';
import { createSessionState } from '../../../electron/core/settings/session-state.ts';

test('keeps the last text of each piece, and removes ended ones', () => {
  const kept = createSessionState();
  kept.keep('a', 'one');
  kept.keep('b', 'two');
  kept.keep('a', 'three');
  kept.keep('b', null);
  expect(kept.list()).toEqual([{ name: 'a', text: 'three' }]);
});

test('is bounded: past its bounds the pieces that were not touched for longest go, never the newest', () => {
  const kept = createSessionState();
  for (let nth = 0; nth < 400; nth += 1) kept.keep(`piece ${nth}`, 'x');
  expect(kept.list().length).toBe(300);
  expect(kept.list().at(-1)?.name).toBe('piece 399');
  for (let nth = 0; nth < 30; nth += 1) kept.keep(`long ${nth}`, 'x'.repeat(200_000));
  const characters = kept.list().reduce((sum, { text }) => sum + text.length, 0);
  expect(characters).toBeLessThanOrEqual(4_000_000);
  expect(kept.list().at(-1)?.name).toBe('long 29');
});
