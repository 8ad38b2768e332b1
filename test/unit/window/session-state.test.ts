import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSessionState, type SessionState } from '../../../electron/core/settings/session-state.ts';
import { flushSession, saveSessionText } from '../../../renderer/lib/session/session-state.ts';
import { ok } from '../../../shared/result.ts';

let kept: SessionState;
beforeEach(() => {
  kept = createSessionState();
  const keep = async (_: string, { name, text }: { name: string; text: string | null }) => ok(kept.keep(name, text));
  vi.stubGlobal('window', { api: { call: { 'app.save-session': keep } } });
});
afterEach(() => vi.unstubAllGlobals());

test('a text that has grown too long to be stored leaves no older one behind, which would come back as if it were current', async () => {
  saveSessionText('draft/paste', 'x'.repeat(200_000));
  await flushSession();
  expect(kept.list().map(({ text }) => text.length)).toEqual([200_000]);
  saveSessionText('draft/paste', 'x'.repeat(200_001));
  await flushSession();
  expect(kept.list()).toEqual([]);
  saveSessionText('draft/paste', 'short again');
  await flushSession();
  expect(kept.list()).toEqual([{ name: 'draft/paste', text: 'short again' }]);
});
