import { expect, test } from 'vitest';
import { keyWay, ownerOfKey } from '../../../renderer/app/notices/key-owner.ts';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';

const view = (id: string, keys: string[], kind: 'demo' | 'test' = 'test') =>
  ({ connection: { id, kind }, secrets: keys.map((key) => ({ id: key })) }) as unknown as ConnectionView;
const sent = (id: string) => ({ sentWith: { id, label: 'Web forms', lastFour: '4f2a' } });

test('a refused key is replaced in its own connection, whichever is in use; a removed one is not replaced by another', () => {
  const [rehearsal, production] = [view('rehearsal', ['a']), view('production', ['b', 'c'])];
  const all = [rehearsal, production];
  expect(ownerOfKey(sent('c'), all, rehearsal)).toBe(production);
  expect(ownerOfKey(sent('gone'), all, rehearsal)).toBeNull();
  // If no key could be read, it is not known which one was sent.
  expect(ownerOfKey({}, all, rehearsal)).toBe(rehearsal);
  expect(ownerOfKey({}, all, null)).toBeNull();
  expect(ownerOfKey({}, all, view('empty', []))).toBeNull();
  expect(ownerOfKey(sent('d'), [view('demo', ['d'], 'demo')], null)).toBeNull();
});

test('a missing key is requested beside the failure; an existing one is replaced; the demo connection needs none', () => {
  const having = (...roles: SecretRole[]) =>
    ({ connection: { id: 'own', kind: 'test' }, secrets: roles.map((role) => ({ id: role, role })) }) as ConnectionView;
  const way = (error: Parameters<typeof keyWay>[0], current: ConnectionView | null) => keyWay(error, [], current);
  const lacking = (field: string) => appError('no-credential', { field });

  expect(way(lacking('key'), having())).toMatchObject({ kind: 'complete', missing: { key: 'lookup-key' } });
  expect(way(lacking('sGUID'), having('lookup-key'))).toMatchObject({ missing: { key: 'account-guid' } });
  // GetAvailableCredits spells it in its own way, and the map key has a provider’s name in it.
  expect(way(lacking('sGuid'), having('licence-id'))).toMatchObject({ missing: { key: 'account-guid' } });
  expect(way(lacking('sAtlasMapKey'), having())).toMatchObject({ missing: { key: 'web-map-key' } });
  expect(way(lacking('LicenceID'), having())).toMatchObject({ missing: { key: 'licence-id' } });
  // A missing account name or address is not a missing key.
  expect(way(lacking('sAccountName'), having())).toMatchObject({ kind: 'complete', missing: { key: null } });
  expect(way(appError('not-configured'), having())).toMatchObject({ kind: 'complete', missing: { key: null } });
  // This connection has one, so the failure is of another, and it does not say which.
  expect(way(lacking('sGUID'), having('account-guid'))).toBeNull();
  expect(way(lacking('key'), view('demo', [], 'demo'))).toBeNull();
  expect(way(lacking('key'), null)).toBeNull();
  // With only a master key, a lookup key is added; if both are the same, the lookup key is replaced.
  const role = appError('wrong-key-role', { field: 'key' });
  expect(way(role, having('master-key'))).toMatchObject({ kind: 'complete', missing: { key: 'lookup-key' } });
  expect(way(role, having('master-key', 'lookup-key'))).toMatchObject({ kind: 'replace', key: { role: 'lookup-key' } });
  expect(way(appError('keychain-absent', { field: 'account-guid' }), having('account-guid'))).toMatchObject({
    kind: 'replace',
    key: { role: 'account-guid' },
  });
  expect(way(appError('no-credits'), having('lookup-key'))).toBeNull();
});
