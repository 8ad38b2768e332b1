import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConnections } from '../../../electron/core/connections/connections.ts';
import { entryName, serviceName } from '../../../electron/core/connections/secret-names.ts';
import { createSecrets } from '../../../electron/core/connections/secrets.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Keychain } from '../../../electron/ports.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

// What a kill between the writes to keychain and database leaves behind is removed, and nothing else is.

let folder: string;
let vault: Keychain;
let close = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-orphans-'));
  vault = createMemoryVault();
});
afterEach(() => {
  close();
  removeFolder(folder);
});

const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') };

/** The next start of the program: the same files, the same keychain. */
function start(keychain: Keychain = vault) {
  close();
  const db = unwrap(openDatabase({ folder, clock }));
  close = db.close;
  const secrets = createSecrets({ db, keychain, clock, demoSecrets: () => undefined });
  return { secrets, connections: createConnections({ db, secrets, clock }) };
}

/** The keychain of a program that dies at its nth write or removal: it is done without an answer or, with `before`, not done. */
function dying(step: number, before: boolean) {
  let steps = 0;
  let die = () => {};
  const dead = new Promise<void>((resolve) => {
    die = resolve;
  });
  const mortal =
    <A extends unknown[], T>(work: (...input: A) => Promise<T>) =>
    async (...input: A): Promise<T> => {
      steps += 1;
      if (steps < step) return work(...input);
      if (steps === step && !before) await work(...input);
      die();
      return new Promise<T>(() => {});
    };
  return { keychain: { ...vault, set: mortal(vault.set), delete: mortal(vault.delete) } as Keychain, dead };
}

const accounts = async (name: string) => unwrap(await vault.list(serviceName(name))).sort();

async function prepare() {
  const { secrets, connections } = start();
  const connection = unwrap(connections.add(connectionDraft('Wyebank')));
  for (const label of ['One', 'Two'])
    unwrap(
      await secrets.put({ connectionId: connection.id, role: 'lookup-key', label, value: `value of ${label} 0001` }),
    );
  // An entry that a person made for the command line, which no handle names.
  unwrap(await vault.set(entryName('Wyebank', 'master-key', 'By hand'), 'by hand 0001'));
  return connection;
}

test.each([false, true])(
  'a kill at the write of a new secret (before it: %s): the next start leaves no entry without a handle',
  async (before) => {
    const { id } = await prepare();
    const { keychain, dead } = dying(1, before);
    const { secrets } = start(keychain);
    void secrets.put({ connectionId: id, role: 'licence-id', label: 'Lost', value: 'a value that was lost' });
    await dead;
    expect((await accounts('Wyebank')).includes('Lost (licence-id)')).toBe(!before);
    await start().secrets.clearOrphans();
    expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'One (lookup-key)', 'Two (lookup-key)']);
  },
);

test('removing the connection removes what a kill left, and not entries that a person made', async () => {
  const { id } = await prepare();
  const { keychain, dead } = dying(1, false);
  void start(keychain).secrets.put({
    connectionId: id,
    role: 'licence-id',
    label: 'Lost',
    value: 'a value that was lost',
  });
  await dead;
  unwrap(await start().connections.remove(id));
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)']);
});

test('a kill at any step of a rename: no secret is lost, and each is in the keychain once', async () => {
  let last = 0;
  for (let step = 1; last === 0; step += 1)
    for (const before of [true, false]) {
      vault = createMemoryVault();
      close();
      removeFolder(folder);
      const connection = await prepare();
      const { keychain, dead } = dying(step, before);
      const { id: _, ...draft } = connection;
      const running = start(keychain).connections.update(connection.id, { ...draft, name: 'Renamed' });
      const ended = await Promise.race([running.then(() => true), dead.then(() => false)]);
      const { secrets, connections } = start();
      await secrets.clearOrphans();
      const { name } = unwrap(connections.find(connection.id));
      const other = name === 'Wyebank' ? 'Renamed' : 'Wyebank';
      expect(
        (await accounts(name)).filter((one) => one.includes('lookup')),
        `${step}`,
      ).toEqual(['One (lookup-key)', 'Two (lookup-key)']);
      expect(
        (await accounts(other)).filter((one) => one.includes('lookup')),
        `${step}`,
      ).toEqual([]);
      expect(await accounts('Wyebank')).toContain('By hand (master-key)');
      const values = await secrets.readAll(unwrap(connections.find(connection.id)));
      expect(values.sort(), `${step}`).toEqual(['value of One 0001', 'value of Two 0001']);
      if (ended) last = step;
    }
  expect(last).toBeGreaterThan(4);
});

test('an entry that cannot be removed now is removed at a later start; one that cannot be read is not removed', async () => {
  const { id } = await prepare();
  const { keychain, dead } = dying(1, false);
  void start(keychain).secrets.put({
    connectionId: id,
    role: 'licence-id',
    label: 'Lost',
    value: 'a value that was lost',
  });
  await dead;
  const locked = async () => fail(appError('keychain-locked'));
  await start({ ...vault, get: locked, set: locked, delete: locked } as Keychain).secrets.clearOrphans();
  expect(await accounts('Wyebank')).toContain('Lost (licence-id)');
  await start().secrets.clearOrphans();
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'One (lookup-key)', 'Two (lookup-key)']);
});

test('a failed write under a name that a person used by hand restores the old value', async () => {
  const { id } = await prepare();
  const broken: Keychain = {
    ...vault,
    set: async (entry, value) => vault.set(entry, value === 'new value 0001' ? 'something else' : value),
  };
  const entry = entryName('Wyebank', 'master-key', 'By hand');
  const put = await start(broken).secrets.put({
    connectionId: id,
    role: 'master-key',
    label: 'By hand',
    value: 'new value 0001',
  });
  expect(put.ok).toBe(false);
  expect(unwrap(await vault.get(entry))).toBe('by hand 0001');
});

test('a name that differs only in case is the same entry on some systems: clearing it keeps the secret', async () => {
  const inner = createMemoryVault();
  const low = ({ service, account }: { service: string; account: string }) => ({
    service: service.toLowerCase(),
    account: account.toLowerCase(),
  });
  vault = {
    ...inner,
    get: (entry) => inner.get(low(entry)),
    set: (entry, value) => inner.set(low(entry), value),
    delete: (entry) => inner.delete(low(entry)),
  };
  const connection = await prepare();
  const { id: _, ...draft } = connection;
  // Two writes come first, then the removal of the old names; the kill is at the first removal.
  const { keychain, dead } = dying(3, true);
  void start(keychain).connections.update(connection.id, { ...draft, name: 'WYEBANK' });
  await dead;
  const { secrets, connections } = start();
  await secrets.clearOrphans();
  const found = unwrap(connections.find(connection.id));
  expect(found.name).toBe('WYEBANK');
  expect((await secrets.readAll(found)).sort()).toEqual(['value of One 0001', 'value of Two 0001']);
});
