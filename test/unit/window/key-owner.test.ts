import { expect, test } from 'vitest';
import { ownerOfKey } from '../../../renderer/app/notices/key-owner.ts';
import type { ConnectionView } from '../../../shared/contract/connections.ts';

const view = (id: string, keys: string[], kind: 'demo' | 'test' = 'test') =>
  ({ connection: { id, kind }, secrets: keys.map((key) => ({ id: key })) }) as unknown as ConnectionView;
const sent = (id: string) => ({ sentWith: { id, label: 'Web forms', lastFour: '4f2a' } });

test('a refused key is replaced where it is, whichever connection is in use; one that is gone is not replaced by another', () => {
  const [rehearsal, production] = [view('rehearsal', ['a']), view('production', ['b', 'c'])];
  const all = [rehearsal, production];
  expect(ownerOfKey(sent('c'), all, rehearsal)).toBe(production);
  expect(ownerOfKey(sent('gone'), all, rehearsal)).toBeNull();
  // Which key was sent is not known where none could be read.
  expect(ownerOfKey({}, all, rehearsal)).toBe(rehearsal);
  expect(ownerOfKey({}, all, null)).toBeNull();
  expect(ownerOfKey({}, all, view('empty', []))).toBeNull();
  expect(ownerOfKey(sent('d'), [view('demo', ['d'], 'demo')], null)).toBeNull();
});
