import { beforeEach, expect, test } from 'vitest';
import { createWindowStates } from '../../../electron/core/settings/window-states.ts';

// The state of each window, and the state with which the next start begins.

let stored: Record<string, unknown>;
let writes: string[];
const settings = {
  read: (key: string) => ({ ok: true, value: stored[key] }),
  write: (key: string, value: unknown) => {
    writes.push(key);
    stored[key] = value;
    return { ok: true, value: undefined };
  },
} as never;
const start = (version = '1.0.0') => createWindowStates(settings, version);

beforeEach(() => {
  stored = { lastPlaces: { version: '', places: {} }, selectedConnectionId: null };
  writes = [];
});

test('the next start of the same version begins where the window was; what was typed stays in memory', () => {
  const first = start();
  first.keep(1, 'screen', 'licences');
  first.keep(1, 'screen', 'licences');
  first.keep(1, 'licences/tab', '"journal"');
  first.keep(1, 'draft/lookup', 'HR10 2DT');
  first.keep(1, 'lookup/tab', 'x'.repeat(65));
  expect(JSON.stringify(stored)).not.toContain('HR10');
  expect(writes.length).toBe(2);
  expect(start().kept(1)).toEqual([
    { name: 'licences/tab', text: '"journal"' },
    { name: 'screen', text: 'licences' },
  ]);
  start().keep(1, 'licences/tab', null);
  expect(start().kept(1)).toEqual([{ name: 'screen', text: 'licences' }]);
  expect(start('1.1.0').kept(1)).toEqual([]);
});

test('a second window begins with only the connection of the one used last, and neither changes the other', () => {
  const states = start();
  states.keep(1, 'screen', 'credits');
  states.keep(1, 'draft/lookup', 'HR10 2DT');
  states.chooseConnection(1, 'production');
  expect(states.kept(2)).toEqual([]);
  expect(states.connection(2, ['demo', 'production'])).toEqual({ ok: true, value: 'production' });
  states.use(2);
  states.chooseConnection(2, 'demo');
  states.keep(2, 'screen', 'licences');
  expect(states.connection(1, ['demo', 'production'])).toEqual({ ok: true, value: 'production' });
  expect(states.kept(1)).toContainEqual({ name: 'draft/lookup', text: 'HR10 2DT' });
  expect(stored.selectedConnectionId).toBe('demo');
});

test('the next start begins where the window used last was, whichever wrote last', () => {
  const states = start();
  states.keep(1, 'screen', 'credits');
  states.chooseConnection(1, 'production');
  states.use(2);
  states.keep(2, 'screen', 'licences');
  // The first window, which is in the background, saves something.
  states.keep(1, 'screen', 'activity');
  expect(start().kept(1)).toEqual([{ name: 'screen', text: 'licences' }]);
  states.close(2);
  states.use(1);
  expect(start().kept(1)).toEqual([{ name: 'screen', text: 'activity' }]);
  expect(stored.selectedConnectionId).toBe('production');
});

test('after its connection is removed a window uses the chosen one, or the first', () => {
  const states = start();
  states.chooseConnection(1, 'gone');
  stored.selectedConnectionId = 'b';
  expect(states.connection(1, ['a', 'b'])).toEqual({ ok: true, value: 'b' });
  stored.selectedConnectionId = null;
  expect(states.connection(2, ['a'])).toEqual({ ok: true, value: 'a' });
  expect(states.connection(1, [])).toEqual({ ok: true, value: null });
});

test('a second window does not affect the next start, nor the crash of another', () => {
  const states = start();
  states.kept(1);
  states.kept(2);
  states.crash(2);
  expect([states.isBeside(1), states.isBeside(2)]).toEqual([false, true]);
  expect([states.hasCrashed(1), states.hasCrashed(2)]).toEqual([false, true]);
});

test('if the program runs on without a window, the next window takes over the last one’s state', () => {
  const states = start();
  states.keep(1, 'draft/lookup', 'first');
  states.keep(2, 'draft/lookup', 'second');
  states.close(1);
  states.close(2);
  expect(states.kept(3)).toEqual([{ name: 'draft/lookup', text: 'second' }]);
  expect(states.kept(4)).toEqual([]);
});
