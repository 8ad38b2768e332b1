import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createConnections } from '../../../electron/core/connections/connections.ts';
import { findSecret } from '../../../electron/core/connections/find-secret.ts';
import { type CallSecrets, maskedValues } from '../../../electron/core/connections/profile.ts';
import { createProfiles } from '../../../electron/core/connections/profiles.ts';
import { entryName, serviceName } from '../../../electron/core/connections/secret-names.ts';
import { createSecrets } from '../../../electron/core/connections/secrets.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { detectKeychain } from '../../../electron/platform/system-keychain.ts';
import type { Keychain } from '../../../electron/ports.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { keychainMissing, startTestKeychain, type TestKeychain } from '../../helpers/secret-service.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

const linuxOnly = process.platform === 'linux';
const canary = 'canary-lookup-4b1f-7f3a';

describe.skipIf(keychainMissing() !== undefined)('secrets of connections', () => {
  let system: TestKeychain;
  let keychain: Keychain;
  let folder: string;
  let close: () => void;
  let time = Date.parse('2026-03-01T10:00:00Z');
  let demo: CallSecrets | undefined;
  let parts: ReturnType<typeof build>;
  const name = `Wyebank ${crypto.randomUUID()}`;

  function build(chain: Keychain) {
    const clock = { now: () => time };
    const db = unwrap(openDatabase({ folder, clock }));
    close = db.close;
    const demoSecrets = () => demo;
    const secrets = createSecrets({ db, keychain: chain, clock, demoSecrets });
    const connections = createConnections({ db, secrets, clock });
    return { db, secrets, connections, profileFor: createProfiles({ secrets, demoSecrets }) };
  }

  /** The real keychain, except that one operation on one account fails. */
  const failing = (operation: 'set' | 'delete', account: string): Keychain => {
    const refused = {
      ok: false as const,
      error: {
        code: 'keychain-unreadable' as const,
        message: 'Refused.',
        money: '',
        next: '',
        charge: 'not-charged' as const,
      },
    };
    return {
      ...keychain,
      set: async (entry, value) =>
        operation === 'set' && entry.account === account && entry.service.includes('renamed')
          ? refused
          : keychain.set(entry, value),
      delete: async (entry) => (operation === 'delete' && entry.account === account ? refused : keychain.delete(entry)),
    };
  };

  async function setUp() {
    const connection = unwrap(parts.connections.add(connectionDraft(name)));
    const put = async (role: 'lookup-key' | 'master-key', label: string, value: string) =>
      unwrap(await parts.secrets.put({ connectionId: connection.id, role, label, value }));
    const lookup = await put('lookup-key', 'Contact centre', ` ${canary}\n`);
    const second = await put('lookup-key', 'Web shop', 'web-shop-key-0001');
    const master = await put('master-key', 'Owner', 'master-key-value-9999');
    return { connection, lookup, second, master };
  }

  beforeAll(async () => {
    system = await startTestKeychain();
    keychain = (await detectKeychain()).keychain;
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'address-console-secrets-'));
    time = Date.parse('2026-03-01T10:00:00Z');
    demo = undefined;
    parts = build(keychain);
  });
  afterEach(async () => {
    close();
    for (const service of [serviceName(name), serviceName(`${name} renamed`)]) {
      for (const account of unwrap(await keychain.list(service))) await keychain.delete({ service, account });
    }
    removeFolder(folder);
  });
  afterAll(() => system.stop());

  it('keeps the value in the keychain, a handle in the database, and the value nowhere in the folder', async () => {
    const { connection, lookup, second } = await setUp();
    expect(lookup).toMatchObject({ label: 'Contact centre', lastFour: '7f3a', preferred: true, lastUsedAt: null });
    expect(second.preferred).toBe(false);
    expect(unwrap(await keychain.list(serviceName(name)))).toEqual([
      'Contact centre (lookup-key)',
      'Owner (master-key)',
      'Web shop (lookup-key)',
    ]);
    expect(unwrap(parts.secrets.list(connection.id))).toHaveLength(3);
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((found) =>
      found.isFile(),
    )) {
      expect(readFileSync(join(file.parentPath, file.name)).includes(canary), file.name).toBe(false);
    }
    expect(unwrap(await parts.secrets.store())).toEqual({
      kind: 'keychain',
      name: keychain.name,
      state: 'unlocked',
      entries: 3,
      elsewhere: 0,
    });
  });

  it('reads only the roles that a call needs, the preferred key of each, and records the use', async () => {
    const { connection, second } = await setUp();
    time += 60_000;
    expect(unwrap(await parts.profileFor(connection, ['lookup-key', 'licence-key']))).toEqual({
      connection,
      secrets: { lookupKey: canary },
      keys: [expect.objectContaining({ role: 'lookup-key', label: 'Contact centre', lastFour: '7f3a' })],
      // Secrets of the connection that are not sent but may be in an answer.
      alsoMask: [canary, 'web-shop-key-0001', 'master-key-value-9999'],
    });
    unwrap(parts.secrets.prefer(second.id));
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets).toEqual({
      lookupKey: 'web-shop-key-0001',
    });
    const used = unwrap(parts.secrets.list(connection.id)).map(({ label, lastUsedAt }) => [label, lastUsedAt]);
    expect(used).toEqual([
      ['Contact centre', '2026-03-01T10:01:00.000Z'],
      ['Web shop', '2026-03-01T10:01:00.000Z'],
      ['Owner', null],
    ]);
  });

  it('refuses a value or label that cannot be stored, without repeating it', async () => {
    const { connection } = await setUp();
    const put = (label: string, value: string) =>
      parts.secrets.put({ connectionId: connection.id, role: 'lookup-key', label, value });
    for (const [label, value, field] of [
      ['New', '   ', 'value'],
      ['New', 'one-line\u0000two', 'value'],
      ['New', 'k'.repeat(4097), 'value'],
      ['  ', 'good-value', 'label'],
      ['a\nb', 'good-value', 'label'],
      ['CONTACT centre', 'good-value', 'label'],
    ] as const) {
      const result = await put(label, value);
      expect(result).toMatchObject({ ok: false, error: { code: 'bad-input', field } });
      expect(value.trim() !== '' && JSON.stringify(result).includes(value)).toBe(false);
    }
    expect(unwrap(parts.secrets.list(connection.id))).toHaveLength(3);
    const guid = { connectionId: connection.id, role: 'account-guid', value: 'good-value' } as const;
    unwrap(await parts.secrets.put({ ...guid, label: 'Main' }));
    expect(await parts.secrets.put({ ...guid, label: 'main' })).toMatchObject({
      error: { message: 'Another account GUID is already called “main”.' },
    });
  });

  it('stores two secrets added at once under one label separately', async () => {
    const { connection } = await setUp();
    const put = (value: string) =>
      parts.secrets.put({ connectionId: connection.id, role: 'licence-key', label: 'Desk', value });
    const [first, other] = await Promise.all([put('first-of-two-0001'), put('second-of-two-02')]);
    expect([first.ok, other.ok]).toEqual([true, false]);
    expect(unwrap(await parts.profileFor(connection, ['licence-key'])).secrets.licenceKey).toBe('first-of-two-0001');
  });

  it('replaces a value under its label, and passes preference on when a key is removed', async () => {
    const { connection, lookup } = await setUp();
    expect(unwrap(await parts.secrets.replace(lookup.id, 'renewed-key-abcd'))).toMatchObject({ lastFour: 'abcd' });
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets.lookupKey).toBe('renewed-key-abcd');
    unwrap(await parts.secrets.remove(lookup.id));
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets.lookupKey).toBe('web-shop-key-0001');
    expect(unwrap(await keychain.get(entryName(name, 'lookup-key', 'Contact centre')))).toBeNull();
  });

  it('tells of a lookup key that it is a master key too, without reading that one', async () => {
    const { connection, lookup, master } = await setUp();
    const other = unwrap(parts.connections.add(connectionDraft(`${name} renamed`)));
    const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const denying: Keychain = {
      ...keychain,
      get: async (entry) =>
        entry.account === 'Owner (master-key)' ? fail(appError('keychain-locked')) : keychain.get(entry),
    };
    for (const entered of [guid, guid.toUpperCase(), `{${guid.replaceAll('-', '')}}`]) {
      unwrap(await parts.secrets.replace(master.id, entered));
      unwrap(await parts.secrets.replace(lookup.id, guid));
      close();
      // The next run, in which macOS is not allowed to hand the master key over.
      parts = build(denying);
      expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets).toEqual({
        lookupKey: guid,
        masterKey: guid,
      });
      close();
      parts = build(keychain);
    }
    // The key is the same, whichever connection it was entered for.
    const put = { connectionId: other.id, role: 'lookup-key', label: 'Desk', value: guid } as const;
    unwrap(await parts.secrets.put(put));
    expect(unwrap(await parts.profileFor(other, ['lookup-key'])).secrets.masterKey).toBe(guid);
    unwrap(await parts.secrets.replace(master.id, 'master-key-value-9999'));
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets).toEqual({ lookupKey: guid });
  });

  it('names a key by the value that is read, if a person edited the entry or the handle is of an older copy', async () => {
    const { connection, lookup, master } = await setUp();
    unwrap(await parts.secrets.replace(lookup.id, 'renewed-key-2222'));
    unwrap(await keychain.set(entryName(name, 'master-key', 'Owner'), 'edited-by-hand-3333'));
    // As in a database that was opened from a copy of the day before.
    parts.db.sql.exec(
      `UPDATE secret_handles SET last_four = '7f3a', fingerprint = 'of the old key' WHERE id = '${lookup.id}'`,
    );
    close();
    parts = build(keychain);
    const { secrets, keys } = unwrap(await parts.profileFor(connection, ['lookup-key']));
    expect([secrets.lookupKey, keys?.[0]?.lastFour]).toEqual(['renewed-key-2222', '2222']);
    const listed = unwrap(parts.secrets.list(connection.id));
    expect(listed.find(({ id }) => id === lookup.id)?.lastFour).toBe('2222');
    // Read beside it, to be masked.
    expect(listed.find(({ id }) => id === master.id)?.lastFour).toBe('3333');
  });

  it('leaves nothing of a value that could not be entered, whether or not its entry was there', async () => {
    const { lookup } = await setUp();
    const entry = entryName(name, 'lookup-key', 'Contact centre');
    parts.db.sql.exec(`CREATE TEMP TRIGGER refused BEFORE UPDATE ON secret_handles
      BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
    for (const before of [canary, null]) {
      if (before === null) unwrap(await keychain.delete(entry));
      expect((await parts.secrets.replace(lookup.id, 'renewed-key-abcd')).ok).toBe(false);
      expect(unwrap(await keychain.get(entry))).toBe(before);
    }
  });

  it('moves the entries when a connection is renamed', async () => {
    const { connection } = await setUp();
    const updated = unwrap(await parts.connections.update(connection.id, connectionDraft(`${name} renamed`)));
    expect(updated.secrets).toEqual({ moved: 3, absent: 0, leftBehind: [] });
    expect(unwrap(await keychain.list(serviceName(name)))).toEqual([]);
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets.lookupKey).toBe(canary);
  });

  it('loses nothing when a rename fails half way, and keeps the old name', async () => {
    const { connection } = await setUp();
    close();
    parts = build(failing('set', 'Owner (master-key)'));
    const updated = await parts.connections.update(connection.id, connectionDraft(`${name} renamed`));
    expect(updated).toMatchObject({ ok: false, error: { code: 'keychain-unreadable' } });
    expect(unwrap(parts.connections.find(connection.id)).name).toBe(name);
    expect(unwrap(await keychain.list(serviceName(name)))).toHaveLength(3);
    expect(unwrap(await keychain.list(serviceName(`${name} renamed`)))).toEqual([]);
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets.lookupKey).toBe(canary);
  });

  it('says which old entry stayed when only its removal fails', async () => {
    const { connection } = await setUp();
    close();
    parts = build(failing('delete', 'Web shop (lookup-key)'));
    const updated = unwrap(await parts.connections.update(connection.id, connectionDraft(`${name} renamed`)));
    expect(updated.secrets?.leftBehind).toEqual([entryName(name, 'lookup-key', 'Web shop')]);
    expect(unwrap(await keychain.list(serviceName(`${name} renamed`)))).toHaveLength(3);
  });

  it('survives a rename that changes only the case, if the keychain ignores case', async () => {
    const { connection } = await setUp();
    close();
    // The real keychain, with names without letter case as in the Windows Credential Manager.
    const lower = (entry: { service: string; account: string }) => ({ ...entry, service: entry.service.toLowerCase() });
    const ignoringCase: Keychain = {
      ...keychain,
      ignoresCase: true,
      get: (entry) => keychain.get(lower(entry)),
      set: (entry, value) => keychain.set(lower(entry), value),
      delete: (entry) => keychain.delete(lower(entry)),
    };
    for (const role of ['lookup-key', 'master-key'] as const) {
      for (const label of ['Contact centre', 'Web shop', 'Owner']) {
        const value = unwrap(await keychain.get(entryName(name, role, label)));
        if (value !== null) unwrap(await ignoringCase.set(entryName(name, role, label), value));
      }
    }
    parts = build(ignoringCase);
    unwrap(await parts.connections.update(connection.id, connectionDraft(name.toUpperCase())));
    expect(unwrap(await parts.profileFor(connection, ['lookup-key', 'master-key'])).secrets).toEqual({
      lookupKey: canary,
      masterKey: 'master-key-value-9999',
    });
    expect(unwrap(await parts.connections.remove(connection.id, () => {}))).toEqual({ secretsRemoved: 3 });
  });

  it('removes a connection’s secrets with it and says how many', async () => {
    const { connection } = await setUp();
    expect(unwrap(await parts.connections.remove(connection.id, () => {}))).toEqual({ secretsRemoved: 3 });
    expect(unwrap(await keychain.list(serviceName(name)))).toEqual([]);
    expect(unwrap(parts.connections.list())).toEqual([]);
  });

  it('keeps the connection while one of its secrets cannot be removed', async () => {
    const { connection } = await setUp();
    close();
    parts = build(failing('delete', 'Web shop (lookup-key)'));
    expect(await parts.connections.remove(connection.id, () => {})).toMatchObject({
      ok: false,
      error: { code: 'keychain-unreadable', message: expect.stringContaining('left') },
    });
    expect(unwrap(parts.secrets.list(connection.id)).map(({ label }) => label)).toContain('Web shop');
  });

  it('reports an entry removed outside the program as "absent", and keeps its handle', async () => {
    const { connection } = await setUp();
    await keychain.delete(entryName(name, 'lookup-key', 'Contact centre'));
    expect(await parts.profileFor(connection, ['lookup-key'])).toMatchObject({
      ok: false,
      error: { code: 'keychain-absent', field: 'lookup-key' },
    });
    expect(unwrap(parts.secrets.list(connection.id))).toHaveLength(3);
  });

  it.runIf(linuxOnly)('reports "locked" while locked, and has everything when it is unlocked', async () => {
    const { connection, lookup } = await setUp();
    await system.lock();
    expect(await parts.profileFor(connection, ['lookup-key'])).toMatchObject({
      ok: false,
      error: { code: 'keychain-locked' },
    });
    expect(await parts.secrets.remove(lookup.id)).toMatchObject({ ok: false, error: { code: 'keychain-locked' } });
    expect(unwrap(await parts.secrets.store())).toMatchObject({ state: 'locked', entries: 3 });
    await system.unlock();
    expect(unwrap(await parts.profileFor(connection, ['lookup-key'])).secrets.lookupKey).toBe(canary);
  });

  it('finds a secret by connection name and role alone, and chooses none at random', async () => {
    await setUp();
    expect(unwrap(await findSecret(keychain, name, 'master-key'))).toBe('master-key-value-9999');
    expect(unwrap(await findSecret(keychain, name, 'licence-key'))).toBeNull();
    expect(unwrap(await findSecret(keychain, name, 'lookup-key', 'Contact centre'))).toBe(canary);
    const several = await findSecret(keychain, name, 'lookup-key');
    expect(several).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect(JSON.stringify(several)).not.toContain(canary);
  });

  it('takes a demo connection’s credentials from the running demo service and stores none', async () => {
    const connection = unwrap(parts.connections.add(connectionDraft(name, { kind: 'demo' })));
    expect(await parts.profileFor(connection, ['lookup-key'])).toMatchObject({
      ok: false,
      error: { code: 'demo-failed' },
    });
    // The demo service's values that are not credentials are shown unmasked in its answers.
    const handedOver = {
      lookupKey: 'demo-lookup-key-1234',
      guid: 'demo-guid-5678',
      accountName: 'demo63502',
      yourReference: 'address-console demo',
    };
    demo = handedOver;
    // Nor are they looked for in what is typed, or in a file that is saved.
    expect(parts.secrets.findTyped(['for the address-console demo'])).toBeNull();
    expect(unwrap(await parts.secrets.readEvery()).values).toEqual(['demo-lookup-key-1234', 'demo-guid-5678']);
    expect(parts.secrets.findTyped(['demo-lookup-key-1234'])).toMatchObject({ code: 'looks-like-key' });
    const masked = maskedValues(unwrap(await parts.profileFor(connection, ['lookup-key'])));
    expect([...new Set(masked)].sort()).toEqual(['demo-guid-5678', 'demo-lookup-key-1234']);
    expect(unwrap(await parts.profileFor(connection, ['lookup-key', 'master-key'])).secrets).toEqual({
      lookupKey: 'demo-lookup-key-1234',
    });
    expect(unwrap(parts.secrets.list(connection.id)).map(({ role, lastFour }) => [role, lastFour])).toEqual([
      ['lookup-key', '1234'],
      ['account-guid', '5678'],
    ]);
    const refused = await parts.secrets.put({
      connectionId: connection.id,
      role: 'lookup-key',
      label: 'Own',
      value: canary,
    });
    expect(refused).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect(unwrap(await keychain.list(serviceName(name)))).toEqual([]);
  });

  it('refuses a second connection of a name, a broken address and a change to or from demo', async () => {
    const { connection } = await setUp();
    for (const own of ['Städte', 'οδος']) unwrap(parts.connections.add(connectionDraft(own)));
    for (const taken of [name.toUpperCase(), 'STÄDTE', 'οδοσ'])
      expect(parts.connections.add(connectionDraft(taken))).toMatchObject({ ok: false, error: { field: 'name' } });
    const broken = connectionDraft('Other', { restBaseUrl: 'ftp://lookup.example' });
    expect(parts.connections.add(broken)).toMatchObject({
      ok: false,
      error: { code: 'bad-input', field: 'restBaseUrl' },
    });
    const changed = await parts.connections.update(connection.id, connectionDraft(name, { kind: 'demo' }));
    expect(changed).toMatchObject({ ok: false, error: { code: 'bad-input', field: 'kind' } });
  });
});
