import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConnections } from '../../../electron/core/connections/connections.ts';
import {
  entryName,
  passphraseEntry,
  serviceName,
  signInEntry,
} from '../../../electron/core/connections/secret-names.ts';
import { createSecrets } from '../../../electron/core/connections/secrets.ts';
import { createClientCertificates } from '../../../electron/core/network/client-certificates.ts';
import { createProxySignIns } from '../../../electron/core/network/proxy-sign-ins.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Keychain } from '../../../electron/ports.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';
import { clientPem, passphrase } from '../transport/client-certificates.ts';

// What a kill between the writes to keychain and database leaves behind is removed, and nothing else is.

/** A keychain whose entries outlast a start. The one of a run without a keychain is `createMemoryVault` itself. */
const createKeychain = (): Keychain => ({ ...createMemoryVault(), kind: 'keychain' });

let folder: string;
let vault: Keychain;
let close = () => {};
let sql: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-orphans-'));
  vault = createKeychain();
});
afterEach(() => {
  close();
  removeFolder(folder);
});

/** Begins anew with an empty keychain and no files. */
function clear(): void {
  vault = createKeychain();
  close();
  removeFolder(folder);
}

const clock = { now: () => Date.parse('2026-03-01T10:00:00Z') };

/** The next start of the program: the same files, the same keychain. */
function start(keychain: Keychain = vault) {
  close();
  const db = unwrap(openDatabase({ folder, clock }));
  close = db.close;
  sql = db.sql;
  const secrets = createSecrets({ db, keychain, clock, demoSecrets: () => undefined });
  const settings = createSettings(db);
  return {
    secrets,
    connections: createConnections({ db, secrets, clock }),
    signIns: createProxySignIns({ db, settings, keychain, clock, secrets }),
    certificates: createClientCertificates({ db, settings, keychain, clock, policyFiles: new Map(), secrets }),
  };
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

/** A new secret whose run is killed at its write. */
async function loseWrite(connectionId: string, before: boolean): Promise<void> {
  const { keychain, dead } = dying(1, before);
  const { secrets } = start(keychain);
  void secrets.put({ connectionId, role: 'licence-id', label: 'Lost', value: 'a value that was lost' });
  await dead;
}

test.each([false, true])(
  'a kill at the write of a new secret (before it: %s): the next start leaves no entry without a handle',
  async (before) => {
    const { id } = await prepare();
    await loseWrite(id, before);
    expect((await accounts('Wyebank')).includes('Lost (licence-id)')).toBe(!before);
    await start().secrets.clearOrphans();
    expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'One (lookup-key)', 'Two (lookup-key)']);
  },
);

test('removing the connection removes what a kill left, and not entries that a person made', async () => {
  const { id } = await prepare();
  await loseWrite(id, false);
  unwrap(await start().connections.remove(id, () => {}));
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)']);
});

test('a kill at any step of a rename: no secret is lost, and each is in the keychain once', async () => {
  let last = 0;
  for (let step = 1; last === 0; step += 1)
    for (const before of [true, false]) {
      clear();
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
  await loseWrite(id, false);
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
  const inner = createKeychain();
  const low = ({ service, account }: { service: string; account: string }) => ({
    service: service.toLowerCase(),
    account: account.toLowerCase(),
  });
  vault = {
    ...inner,
    ignoresCase: true,
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

// A run without a keychain, between two that have one.

const one = entryName('Wyebank', 'lookup-key', 'One');
const handleOf = ({ secrets }: ReturnType<typeof start>, id: string, label: string) =>
  unwrap(secrets.list(id)).find((handle) => handle.label === label)?.id ?? '';

test('a start without a keychain forgets nothing of a write that was killed', async () => {
  const { id } = await prepare();
  await loseWrite(id, false);
  await start(createMemoryVault()).secrets.clearOrphans();
  await start().secrets.clearOrphans();
  expect(await accounts('Wyebank')).not.toContain('Lost (licence-id)');
});

test('a key that is removed without the keychain leaves it at the next start with it, and no other does', async () => {
  const { id } = await prepare();
  const without = start(createMemoryVault());
  unwrap(await without.secrets.remove(handleOf(without, id, 'One')));
  expect(await accounts('Wyebank')).toContain('One (lookup-key)');
  await start(createMemoryVault()).secrets.clearOrphans();
  await start().secrets.clearOrphans();
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'Two (lookup-key)']);
});

test('so do those of a connection that is removed', async () => {
  const { id } = await prepare();
  expect(unwrap(await start(createMemoryVault()).connections.remove(id, () => {}))).toEqual({ secretsRemoved: 2 });
  await start().secrets.clearOrphans();
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)']);
});

test.each(['replaced', 'removed and added again'])(
  'the old value of a key that was %s without the keychain is never used again',
  async (how) => {
    const connection = await prepare();
    const without = start(createMemoryVault());
    const handle = handleOf(without, connection.id, 'One');
    const value = 'the new value 0002';
    if (how === 'replaced') unwrap(await without.secrets.replace(handle, value));
    else {
      unwrap(await without.secrets.remove(handle));
      unwrap(await without.secrets.put({ connectionId: connection.id, role: 'lookup-key', label: 'One', value }));
    }
    expect(unwrap(await without.secrets.read(connection, 'lookup-key', 'One'))?.secret).toBe(value);
    // Not even while the keychain will not remove it, as when it is locked at the start and is unlocked later.
    const stubborn = start({ ...vault, delete: async () => fail(appError('keychain-unreadable')) });
    await stubborn.secrets.clearOrphans();
    const absent = { ok: false, error: { code: 'keychain-absent' } };
    expect(await stubborn.secrets.read(connection, 'lookup-key', 'One')).toMatchObject(absent);
    // It is masked where an answer holds it, and does not stand for the key in sums and caps.
    expect(await stubborn.secrets.readAll(connection)).toContain('value of One 0001');
    const listed = unwrap(stubborn.secrets.list(connection.id));
    expect(listed.find(({ label }) => label === 'One')?.lastFour).toBe('0002');
    const next = start();
    await next.secrets.clearOrphans();
    expect(unwrap(await vault.get(one))).toBeNull();
    expect(await next.secrets.read(connection, 'lookup-key', 'One')).toMatchObject(absent);
    unwrap(await next.secrets.replace(handleOf(next, connection.id, 'One'), value));
    const last = start();
    await last.secrets.clearOrphans();
    expect(unwrap(await last.secrets.read(connection, 'lookup-key', 'One'))?.secret).toBe(value);
  },
);

test('a key that is replaced before the keychain removed its old value stays', async () => {
  const connection = await prepare();
  const without = start(createMemoryVault());
  unwrap(await without.secrets.replace(handleOf(without, connection.id, 'One'), 'the new value 0002'));
  const next = start();
  unwrap(await next.secrets.replace(handleOf(next, connection.id, 'One'), 'the newest value 0003'));
  await next.secrets.clearOrphans();
  expect(unwrap(await next.secrets.read(connection, 'lookup-key', 'One'))?.secret).toBe('the newest value 0003');
});

test('a replacement that cannot be stored without the keychain leaves the old value in it', async () => {
  const connection = await prepare();
  const without = start(createMemoryVault());
  sql.exec(
    `CREATE TEMP TRIGGER refused BEFORE UPDATE ON secret_handles BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`,
  );
  expect((await without.secrets.replace(handleOf(without, connection.id, 'One'), 'the new value 0002')).ok).toBe(false);
  const next = start();
  await next.secrets.clearOrphans();
  expect(unwrap(await next.secrets.read(connection, 'lookup-key', 'One'))?.secret).toBe('value of One 0001');
});

test('a connection is not renamed while a key of it is not here, and nothing of it is lost', async () => {
  const { id, ...draft } = await prepare();
  const without = start(createMemoryVault());
  unwrap(await without.secrets.put({ connectionId: id, role: 'licence-id', label: 'Here', value: 'entered now 0001' }));
  expect(await without.connections.update(id, { ...draft, name: 'Renamed' })).toMatchObject({
    ok: false,
    error: { code: 'keychain-unreadable', message: expect.stringContaining('nothing was renamed') },
  });
  const next = start();
  await next.secrets.clearOrphans();
  const connection = unwrap(next.connections.find(id));
  expect(connection.name).toBe('Wyebank');
  expect(unwrap(await next.secrets.read(connection, 'lookup-key', 'One'))?.secret).toBe('value of One 0001');
});

test('a connection is not renamed over a key that a person keeps under the new name, and that key stays', async () => {
  const { id, ...draft } = await prepare();
  const byHand = entryName('Live', 'lookup-key', 'Two');
  unwrap(await vault.set(byHand, 'kept by hand 0002'));
  const here = start();
  expect(await here.connections.update(id, { ...draft, name: 'Live' })).toMatchObject({
    error: { code: 'bad-input', field: 'name', message: expect.stringMatching(/“Two \(lookup-key\)”.*“.*Live”/) },
  });
  await here.secrets.clearOrphans();
  expect(unwrap(await vault.get(byHand))).toBe('kept by hand 0002');
  expect(await accounts('Live')).toEqual(['Two (lookup-key)']);
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'One (lookup-key)', 'Two (lookup-key)']);
  const connection = unwrap(here.connections.find(id));
  expect(unwrap(await here.secrets.read(connection, 'lookup-key', 'Two'))?.secret).toBe('value of Two 0001');
  // What is left of an own move that could not be removed is no obstacle to the way back.
  const keeping: Keychain = {
    ...vault,
    delete: async (entry) =>
      entry.service.endsWith('Wyebank') ? fail(appError('keychain-locked')) : vault.delete(entry),
  };
  const moving = start(keeping);
  unwrap(await moving.connections.update(id, { ...draft, name: 'Renamed' }));
  unwrap(await moving.connections.update(id, draft));
  expect(await accounts('Renamed')).toEqual([]);
});

test('nor over one whose name differs in case alone, where a keychain tells them apart', async () => {
  const { id, ...draft } = await prepare();
  const byHand = entryName('WYEBANK', 'lookup-key', 'Two');
  unwrap(await vault.set(byHand, 'kept by hand 0002'));
  const { connections, secrets } = start();
  expect(await connections.update(id, { ...draft, name: 'WYEBANK' })).toMatchObject({
    error: { code: 'bad-input', field: 'name' },
  });
  await secrets.clearOrphans();
  expect(unwrap(await vault.get(byHand))).toBe('kept by hand 0002');
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)', 'One (lookup-key)', 'Two (lookup-key)']);
  unwrap(await vault.delete(byHand));
  unwrap(await connections.update(id, { ...draft, name: 'WYEBANK' }));
  expect(await accounts('WYEBANK')).toEqual(['One (lookup-key)', 'Two (lookup-key)']);
});

test('what a run without a keychain replaced is not moved to a new name', async () => {
  const { id, ...draft } = await prepare();
  const without = start(createMemoryVault());
  unwrap(await without.secrets.replace(handleOf(without, id, 'One'), 'the new value 0002'));
  const next = start();
  unwrap(await next.connections.update(id, { ...draft, name: 'Renamed' }));
  expect(await accounts('Renamed')).toEqual(['Two (lookup-key)']);
  expect(await accounts('Wyebank')).toEqual(['By hand (master-key)']);
});

test('a proxy’s password and a certificate’s passphrase that are forgotten or replaced without the keychain leave it, too', async () => {
  const { signIns, certificates } = start();
  const path = join(folder, 'kim.pem');
  writeFileSync(path, clientPem);
  const proxies = ['one.example:8080', 'two.example:8080'];
  const servers = ['https://one.example', 'https://two.example'];
  for (const proxy of proxies) unwrap(await signIns.put({ proxy, user: 'kim', value: 'an old password' }));
  for (const address of servers) unwrap(await certificates.put({ address, path, passphrase }));
  const entries = [
    ...proxies.map((proxy) => ({ service: 'Address Console proxy', account: `kim at http://${proxy}` })),
    ...servers.map(passphraseEntry),
  ];
  const present = async () => {
    const values = await Promise.all(entries.map((entry) => vault.get(entry)));
    return values.map((value) => unwrap(value) !== null);
  };
  expect(await present()).toEqual([true, true, true, true]);
  const without = start(createMemoryVault());
  unwrap(await without.signIns.forget(unwrap(without.signIns.list())[0]?.id ?? ''));
  unwrap(await without.signIns.put({ proxy: 'two.example:8080', user: 'kim', value: 'a new password' }));
  unwrap(await without.certificates.forget(unwrap(without.certificates.list())[0]?.id ?? ''));
  unwrap(await without.certificates.put({ address: 'https://two.example', path, passphrase }));
  const next = start();
  const absent = { ok: false, error: { code: 'keychain-absent' } };
  expect(await next.signIns.find('http://two.example:8080')).toMatchObject(absent);
  expect(await next.certificates.find('https://two.example')).toMatchObject(absent);
  // Entered again before the start's clearing reaches it: it stays.
  unwrap(await next.signIns.put({ proxy: 'two.example:8080', user: 'kim', value: 'the newest' }));
  await next.secrets.clearOrphans();
  expect(await present()).toEqual([false, true, false, false]);
  expect(unwrap(await next.signIns.find('http://two.example:8080'))).toMatchObject({ value: 'the newest' });
});

test('only the keys that a run without a keychain was given are counted as in memory', async () => {
  const { id } = await prepare();
  const { secrets } = start(createMemoryVault());
  expect(unwrap(await secrets.store())).toMatchObject({ kind: 'memory', entries: 0, elsewhere: 2 });
  unwrap(await secrets.put({ connectionId: id, role: 'licence-id', label: 'Here', value: 'entered now 0001' }));
  expect(unwrap(await secrets.store())).toMatchObject({ entries: 1, elsewhere: 2 });
  expect(unwrap(await start().secrets.store())).toMatchObject({ kind: 'keychain', entries: 3, elsewhere: 0 });
});

// Sign-ins to a proxy and client certificates.

const proxy = 'http://one.example:8080';
const server = 'https://one.example';
const signInTo = (user: string) => signInEntry({ proxy, user });
const entriesOfNetwork = async () =>
  (
    await Promise.all(['Address Console proxy', 'Address Console client certificate'].map((one) => vault.list(one)))
  ).flatMap((listed) => unwrap(listed));

/** Each entry that is referred to is there and no other is: what a start is to leave. */
async function expectNoOrphans({ signIns, certificates }: ReturnType<typeof start>, where: string): Promise<void> {
  const listed = [
    ...unwrap(signIns.list()).map(({ user }) => signInTo(user).account),
    ...unwrap(certificates.list()).map(({ origin }) => origin),
  ];
  expect((await entriesOfNetwork()).sort(), where).toEqual(listed.sort());
}

test.each(['new', 'another user', 'the same user', 'the same user, of whom the keychain has nothing'])(
  'a kill at any step of a sign-in to a proxy (%s) leaves no password without a handle, and removes none that is used',
  async (what) => {
    let last = 0;
    for (let step = 1; last === 0; step += 1)
      for (const before of [true, false]) {
        clear();
        if (what !== 'new') unwrap(await start().signIns.put({ proxy, user: 'kim', value: 'of kim' }));
        if (what.includes('nothing')) unwrap(await vault.delete(signInTo('kim')));
        const { keychain, dead } = dying(step, before);
        const user = what === 'another user' ? 'sam' : 'kim';
        const running = start(keychain).signIns.put({ proxy, user, value: 'the new one' });
        const ended = await Promise.race([running.then(() => true), dead.then(() => false)]);
        const next = start();
        await next.secrets.clearOrphans();
        const where = `${what}, step ${step}, before ${before}`;
        const [listed] = unwrap(next.signIns.list());
        // Not written when the run was killed, and there was nothing before.
        const isAbsent = what.includes('nothing') && step === 1 && before;
        if (!isAbsent) await expectNoOrphans(next, where);
        if (listed && !isAbsent)
          expect(await next.signIns.find(proxy), where).toMatchObject({ ok: true, value: { user: listed.user } });
        expect(sql.prepare('SELECT count(*) AS noted FROM keychain_journal').get(), where).toEqual({ noted: 0 });
        if (ended) last = step;
      }
    expect(last).toBe(what === 'another user' ? 3 : 2);
  },
);

test.each(['new', 'of another file'])(
  'a kill at any step of a client certificate (%s) leaves no passphrase without a handle, and removes none that is used',
  async (what) => {
    for (const step of [1, 2])
      for (const before of [true, false]) {
        clear();
        const first = start();
        const path = join(folder, 'kim.pem');
        writeFileSync(path, clientPem);
        if (what !== 'new') unwrap(await first.certificates.put({ address: server, path, passphrase }));
        const { keychain, dead } = dying(step, before);
        const running = start(keychain).certificates.put({ address: server, path, passphrase });
        await Promise.race([running, dead]);
        const next = start();
        await next.secrets.clearOrphans();
        const where = `${what}, step ${step}, before ${before}`;
        await expectNoOrphans(next, where);
        if (unwrap(next.certificates.list()).length > 0)
          expect(await next.certificates.find(server), where).toMatchObject({ ok: true, value: { passphrase } });
      }
  },
);

test('the password of a user who is replaced leaves the keychain at a later start if it will not remove it now', async () => {
  unwrap(await start().signIns.put({ proxy, user: 'kim', value: 'of kim' }));
  const keeping = start({ ...vault, delete: async () => fail(appError('keychain-locked')) });
  unwrap(await keeping.signIns.put({ proxy, user: 'sam', value: 'of sam' }));
  expect((await entriesOfNetwork()).sort()).toEqual([signInTo('kim').account, signInTo('sam').account]);
  const next = start();
  await next.secrets.clearOrphans();
  expect(await entriesOfNetwork()).toEqual([signInTo('sam').account]);
  expect(unwrap(await next.signIns.find(proxy))).toEqual({ user: 'sam', value: 'of sam' });
});

test('a sign-in that is entered again while the start removes what was left of it stays, whenever it is entered', async () => {
  for (let wait = 0; wait < 12; wait += 1) {
    clear();
    unwrap(await start().signIns.put({ proxy, user: 'kim', value: 'of kim' }));
    const keeping = start({ ...vault, delete: async () => fail(appError('keychain-locked')) });
    unwrap(await keeping.signIns.put({ proxy, user: 'sam', value: 'of sam' }));
    let turns = 0;
    // Each request takes its time, so that the other's come in between; one at a time, as the system's keychain does.
    let previous: Promise<unknown> = Promise.resolve();
    const slow =
      <A extends unknown[], T>(work: (...input: A) => Promise<T>) =>
      (...input: A): Promise<T> => {
        const answer = previous.then(async () => {
          for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
          turns += 1;
          return work(...input);
        });
        previous = answer;
        return answer;
      };
    const next = start({ ...vault, get: slow(vault.get), set: slow(vault.set), delete: slow(vault.delete) });
    const putting = async () => {
      for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
      return next.signIns.put({ proxy, user: 'kim', value: 'entered again' });
    };
    const [put] = await Promise.all(
      wait % 2 ? [putting(), next.secrets.clearOrphans()] : [next.secrets.clearOrphans(), putting()].reverse(),
    );
    expect(put, `${wait}`).toEqual({ ok: true, value: undefined });
    await next.secrets.clearOrphans();
    expect(turns).toBeGreaterThan(2);
    expect(await entriesOfNetwork(), `${wait}`).toEqual([signInTo('kim').account]);
    expect(unwrap(await next.signIns.find(proxy)), `${wait}`).toEqual({ user: 'kim', value: 'entered again' });
  }
});

test('an entry that a person made by hand is not removed with a sign-in or certificate that could not be stored, nor after it', async () => {
  const path = join(folder, 'kim.pem');
  const here = start();
  writeFileSync(path, clientPem);
  const entries = [signInTo('kim'), passphraseEntry(server)];
  const trigger = `CREATE TEMP TRIGGER refused BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`;
  sql.exec(trigger);
  const putBoth = async () => {
    expect((await here.signIns.put({ proxy, user: 'kim', value: 'of kim' })).ok).toBe(false);
    expect((await here.certificates.put({ address: server, path, passphrase })).ok).toBe(false);
  };
  await putBoth();
  expect(await entriesOfNetwork()).toEqual([]);
  for (const entry of entries) unwrap(await vault.set(entry, 'by hand'));
  await putBoth();
  const next = start();
  await next.secrets.clearOrphans();
  for (const entry of entries) expect(unwrap(await vault.get(entry))).toBe('by hand');
});
