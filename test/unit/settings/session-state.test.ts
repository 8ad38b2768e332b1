import { expect, test } from 'vitest';
import { createSessionState, withLastPlaces } from '../../../electron/core/settings/session-state.ts';

test('keeps the last of each piece, and lets go of what is over', () => {
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

test('the next start of the same version begins where the window was; what was typed stays in memory', () => {
  let stored: unknown = { version: '', places: {} };
  let writes = 0;
  const settings = {
    read: () => ({ ok: true, value: stored }),
    write: (_: string, value: unknown) => {
      writes += 1;
      stored = value;
      return { ok: true, value: undefined };
    },
  } as never;
  const start = (version: string) => withLastPlaces(createSessionState(), settings, version);
  const first = start('1.0.0');
  first.keep('screen', 'licences');
  first.keep('screen', 'licences');
  first.keep('licences/tab', '"journal"');
  first.keep('draft/lookup', 'HR10 2DT');
  first.keep('lookup/tab', 'x'.repeat(65));
  expect(JSON.stringify(stored)).not.toContain('HR10');
  expect(writes).toBe(3);
  expect(start('1.0.0').list()).toEqual([
    { name: 'screen', text: 'licences' },
    { name: 'licences/tab', text: '"journal"' },
  ]);
  start('1.0.0').keep('licences/tab', null);
  expect(start('1.0.0').list()).toEqual([{ name: 'screen', text: 'licences' }]);
  expect(start('1.1.0').list()).toEqual([]);
});
