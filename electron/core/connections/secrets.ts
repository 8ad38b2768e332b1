import {
  type Connection,
  roleNames,
  type SecretHandle,
  type SecretRole,
  type SecretStore,
} from '../../../shared/domain/connection.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { lastFour } from '../../../shared/secret-fields.ts';
import { type Clock, isoNow, type Keychain, type KeychainEntry } from '../../ports.ts';
import { createMutex } from '../concurrency/mutex.ts';
import { createSettings } from '../settings/settings.ts';
import { openConnectionsRepository, openHandlesRepository } from '../storage/connections-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openFingerprints } from '../storage/fingerprints.ts';
import { openKeychainJournal } from '../storage/keychain-journal.ts';
import { checkLabel, checkSecretValue } from './check-secret.ts';
import { type DemoSecrets, demoHandles, demoValues } from './demo-secrets.ts';
import { readWritten, withoutOutdated, writeThen } from './keychain-entries.ts';
import { openMasterKeys } from './master-keys.ts';
import { deleteKeeping, type EntryMove, type MovedEntries, moveEntries } from './move-entries.ts';
import { secretFieldOf } from './profile.ts';
import { entryKey, entryKeyIn, entryName, passphraseEntry, serviceName, signInEntry } from './secret-names.ts';
import { findTypedKey } from './typed-keys.ts';

export interface NewSecret {
  connectionId: string;
  role: SecretRole;
  label: string;
  value: string;
}

export type Secrets = ReturnType<typeof createSecrets>;

/**
 * The secrets of all connections: values in the keychain only, handles in the database. Errors are `keychain-…`,
 * `bad-input`, `no-connection`, `storage-failed`; none carries a value.
 */
export function createSecrets(parts: { db: Database; keychain: Keychain; clock: Clock; demoSecrets: DemoSecrets }) {
  const { db, keychain, clock, demoSecrets } = parts;
  const handles = openHandlesRepository(db.sql);
  const fingerprints = openFingerprints(db.sql);
  const connections = openConnectionsRepository(db.sql);
  const journal = openKeychainJournal(db.sql, keychain);
  const noting = { keychain, journal };
  const current = withoutOutdated(keychain, journal);
  const settings = createSettings(db);
  const startedAt = isoNow(clock);

  // Changes wait for each other, those of sign-ins and certificates with them: two at once between keychain and database, or one while entries
  // without a handle are removed, could remove what the other has just written.
  const mutex = createMutex();

  function findConnection(id: string): Result<Connection> {
    const found = attempt(() => connections.find(id));
    if (!found.ok) return found;
    return found.value ? ok(found.value) : fail(appError('no-connection', { charge: 'not-applicable' }));
  }

  function findHandle(id: string): Result<{ handle: SecretHandle; entry: KeychainEntry; connection: Connection }> {
    const found = attempt(() => handles.find(id));
    if (!found.ok) return found;
    const handle = found.value;
    if (!handle) {
      return fail(appError('bad-input', { message: 'This key is no longer listed.', charge: 'not-applicable' }));
    }
    const connection = findConnection(handle.connectionId);
    return connection.ok
      ? ok({
          handle,
          entry: entryName(connection.value.name, handle.role, handle.label),
          connection: connection.value,
        })
      : connection;
  }

  /** When a credential of the demo account was last used by a call of this run. */
  const demoUses = new Map<SecretRole, string>();

  /** Handles of one connection, by role, then age. `of`: a connection, or its id if it has not been read. */
  function list(of: Connection | string): Result<SecretHandle[]> {
    const connection = typeof of === 'string' ? findConnection(of) : ok(of);
    if (!connection.ok) return connection;
    const { id, kind } = connection.value;
    if (kind === 'demo') return ok(demoHandles(id, demoSecrets(), startedAt, demoUses));
    return attempt(() => handles.list(id));
  }

  // Values of this run by connection, then by handle and age: a renewed key is read anew, and the old one stays masked.
  const seen = new Map<string, Map<string, { name: string; value: string }>>();
  const seenOf = (connectionId: string) => {
    const known = seen.get(connectionId) ?? new Map<string, { name: string; value: string }>();
    seen.set(connectionId, known);
    return known;
  };
  const versionOf = ({ id, createdAt }: SecretHandle): string => `${id} ${createdAt}`;
  const remember = (connection: Connection, handle: SecretHandle, value: string): void =>
    void seenOf(connection.id).set(versionOf(handle), { name: `“${handle.label}” of ${connection.name}`, value });

  // What calls have tried to read to mask it, under way or done: those that begin together wait for the same read.
  const triedByCalls = new Map<string, Promise<void>>();

  /** Adds a secret under a label not yet used for this role. The first secret of a role is the one that calls use. */
  async function put(secret: NewSecret): Promise<Result<SecretHandle>> {
    const connection = findConnection(secret.connectionId);
    if (!connection.ok) return connection;
    if (connection.value.kind === 'demo') {
      const message = 'The demo connection brings its own credentials.';
      return fail(appError('bad-input', { message, next: 'Add a connection for your own service.' }));
    }
    const label = checkLabel(secret.label);
    if (!label.ok) return label;
    const value = checkSecretValue(secret.value);
    if (!value.ok) return value;
    const listed = attempt(() => handles.list(secret.connectionId).filter(({ role }) => role === secret.role));
    if (!listed.ok) return listed;
    // Ignoring case: Windows does not tell such names apart.
    if (listed.value.some((handle) => handle.label.toLowerCase() === label.value.toLowerCase())) {
      const message = `Another ${roleNames[secret.role]} is already called “${label.value}”.`;
      return fail(
        appError('bad-input', { message, field: 'label', next: 'Choose another label, or replace that key.' }),
      );
    }
    const handle: SecretHandle = {
      id: crypto.randomUUID(),
      connectionId: secret.connectionId,
      role: secret.role,
      label: label.value,
      lastFour: lastFour(value.value),
      preferred: !listed.value.some(({ preferred }) => preferred),
      createdAt: isoNow(clock),
      lastUsedAt: null,
    };
    const entry = entryName(connection.value.name, secret.role, label.value);
    const stored = await writeThen(noting, { entry, value: value.value, isListed: false }, () =>
      db.transaction(() => {
        handles.insert(handle, fingerprints.of(value.value));
        journal.remove(entry);
        return ok(undefined);
      }),
    );
    if (!stored.ok) return stored;
    remember(connection.value, handle, value.value);
    return ok(handle);
  }

  /** A new value under the same label, for a renewed key. The old value is restored if the new one cannot be stored. */
  async function replace(id: string, newValue: string): Promise<Result<SecretHandle>> {
    const found = findHandle(id);
    if (!found.ok) return found;
    const value = checkSecretValue(newValue);
    if (!value.ok) return value;
    const { entry, handle, connection } = found.value;
    const renewed = { ...handle, lastFour: lastFour(value.value), createdAt: isoNow(clock), lastUsedAt: null };
    const stored = await writeThen(noting, { entry, value: value.value, isListed: true }, (old) => {
      // A late answer may still name the old value: it stays masked for this run.
      if (old !== null) remember(connection, handle, old);
      return db.transaction(() => {
        handles.replace(id, renewed.lastFour, renewed.createdAt, fingerprints.of(value.value));
        if (old === null) journal.outdate(entry);
        journal.remove(entry);
        return ok(undefined);
      });
    });
    if (!stored.ok) return stored;
    remember(connection, renewed, value.value);
    return ok(renewed);
  }

  /**
   * Removes entry and handle. An entry that is already gone counts as removed; one that cannot be removed keeps its handle; one that a run
   * without a keychain does not have is removed from the keychain by the next run that has one.
   */
  async function remove(id: string): Promise<Result<void>> {
    const found = findHandle(id);
    if (!found.ok) return found;
    const { entry } = found.value;
    const deleted = await keychain.delete(entry);
    if (!deleted.ok) return deleted;
    return db.transaction(() => {
      if (!deleted.value) journal.outdate(entry);
      // Read again: while the keychain was waited for, a person may have chosen another one to be used first.
      const now = handles.find(id);
      if (!now) return ok(undefined);
      const { connectionId, role, preferred } = now;
      handles.remove(id);
      const heir = handles.list(connectionId).find((handle) => handle.role === role);
      if (preferred && heir) handles.prefer(heir);
      return ok(undefined);
    });
  }

  /** Makes this the secret that calls use for its role. */
  function prefer(id: string): Result<void> {
    const found = findHandle(id);
    if (!found.ok) return found;
    return db.transaction(() => {
      handles.prefer(found.value.handle);
      return ok(undefined);
    });
  }

  /** The preferred secret of a role, or the one with that label; null: none is set up. A handle without its entry is `keychain-absent`. */
  async function read(
    connection: Connection,
    role: SecretRole,
    label?: string,
  ): Promise<Result<{ secret: string; handle: SecretHandle } | null>> {
    if (connection.kind === 'demo') return readDemo(connection, role);
    const listed = attempt(() => handles.listNamed(connection.id));
    if (!listed.ok) return listed;
    const found = listed.value.find(
      ({ handle }) => handle.role === role && (label === undefined ? handle.preferred : handle.label === label),
    );
    if (!found) return ok(null);
    const { label: name } = found.handle;
    const what = `The ${roleNames[role]} “${name}”`;
    const entry = entryName(found.connectionName, role, name);
    const value = await readWritten(current, entry, what, { field: role });
    if (!value.ok) return value;
    const secret = value.value;
    const handle = { ...found.handle, lastFour: lastFour(secret) };
    remember(connection, handle, secret);
    const touched = attempt(() => handles.touch(handle, isoNow(clock), fingerprints.of(secret)));
    return touched.ok ? ok({ secret, handle }) : touched;
  }

  function readDemo({ id }: Connection, role: SecretRole): Result<{ secret: string; handle: SecretHandle } | null> {
    const known = demoSecrets();
    const secret = known?.[secretFieldOf[role]];
    if (secret === undefined) return ok(null);
    demoUses.set(role, isoNow(clock));
    const handle = demoHandles(id, known, startedAt, demoUses).find((one) => one.role === role);
    return ok(handle ? { secret, handle } : null);
  }

  /**
   * Every secret of a connection that the keychain returns, to be masked in answers; each is read once per run. Call it after a successful
   * read, when the keychain is open and does not prompt. One that cannot be read is skipped and not tried again by a call: macOS may prompt
   * for each entry, and whoever refuses one would be prompted with every call.
   */
  async function readAll(connection: Connection, tried = triedByCalls): Promise<string[]> {
    const known = seenOf(connection.id);
    const listed = attempt(() => handles.listNamed(connection.id));
    if (!listed.ok) return [];
    const readOne = async (handle: SecretHandle, connectionName: string): Promise<void> => {
      const entry = entryName(connectionName, handle.role, handle.label);
      const value = await keychain.get(entry);
      if (!value.ok || value.value === null) return;
      const secret = value.value;
      remember(connection, handle, secret);
      attempt(() =>
        journal.isOutdated(entry) ? undefined : handles.note(handle.id, lastFour(secret), fingerprints.of(secret)),
      );
    };
    for (const { handle, connectionName } of listed.value) {
      const version = versionOf(handle);
      if (known.has(version)) continue;
      const read = tried.get(version) ?? readOne(handle, connectionName);
      tried.set(version, read);
      await read;
    }
    return [...new Set([...known.values()].map(({ value }) => value))];
  }

  /**
   * Every secret of every connection, to search what is about to leave the program, those replaced or removed in this run and the demo's
   * own with them; `keys`: how many of those that are listed are among them; `unread`: how many the keychain does not return.
   */
  async function readEvery(): Promise<Result<{ values: string[]; keys: number; unread: number }>> {
    const listed = attempt(() => connections.list().map((one) => ({ connection: one, keys: handles.list(one.id) })));
    if (!listed.ok) return listed;
    let [read, unread] = [0, 0];
    for (const { connection, keys } of listed.value) {
      // The keychain may be locked: what is not returned now counts as not tried, for calls and for the next file.
      await readAll(connection, new Map());
      const known = seenOf(connection.id);
      const missing = keys.filter((key) => !known.has(versionOf(key))).length;
      unread += missing;
      read +=
        connection.kind === 'demo'
          ? demoHandles(connection.id, demoSecrets(), startedAt, demoUses).length
          : keys.length - missing;
    }
    return ok({ values: [...new Set(seenValues().map(({ value }) => value))], keys: read, unread });
  }

  /** What is known of this run, of every connection, and the demo's own. */
  function seenValues(): { name: string; value: string }[] {
    const ofRun = [...seen.values()].flatMap((known) => [...known.values()]);
    return [...ofRun, ...demoValues(demoSecrets()).map((value) => ({ name: 'the demo account’s', value }))];
  }

  /** The question to ask about what a person typed; null: it holds no secret known here. */
  function findTyped(texts: readonly string[]): AppError | null {
    return findTypedKey(texts, {
      values: seenValues(),
      traces: handles.traces,
      fingerprints: fingerprints.ofSpellings,
    });
  }

  /** Removes all secrets of a connection and returns how many; stops at the first that cannot be removed. */
  async function removeAll(connectionId: string): Promise<Result<number>> {
    const listed = attempt(() => handles.list(connectionId));
    if (!listed.ok) return listed;
    let removed = 0;
    for (const handle of listed.value) {
      const result = await remove(handle.id);
      if (!result.ok) {
        const left = listed.value.length - removed;
        return fail({
          ...result.error,
          message: `${result.error.message} ${left} of ${listed.value.length} secrets are left.`,
        });
      }
      removed += 1;
    }
    await clearOrphans();
    return ok(removed);
  }

  /**
   * Whether each key finds its new name free: an entry there that no write of ours has left is a person's, made for the command line, and not
   * ours to replace, or to remove if the move fails. Errors: `bad-input` with the name as the field, and the keychain's.
   */
  async function checkFree(moves: readonly EntryMove[]): Promise<Result<void>> {
    const nameOf = (entry: KeychainEntry) => entryKeyIn(keychain, entry);
    const ours = attempt(() => new Set(journal.list().map(nameOf)));
    if (!ours.ok) return ours;
    for (const { from, to } of moves) {
      if (nameOf(from) === nameOf(to) || ours.value.has(nameOf(to))) continue;
      const before = await keychain.get(to);
      if (!before.ok) return before;
      if (before.value === null) continue;
      return fail(
        appError('bad-input', {
          message: `The keychain already has an entry “${to.account}” under “${to.service}”, which a key of this connection would replace.`,
          next: 'Remove it in the system’s keychain program, or choose another name.',
          field: 'name',
          charge: 'not-applicable',
        }),
      );
    }
    return ok(undefined);
  }

  /** Moves the entries to a renamed connection; `commit` stores the new name once every entry is verified at its new place. */
  async function rename(
    connection: Connection,
    newName: string,
    commit: () => Result<void>,
  ): Promise<Result<MovedEntries>> {
    // What a run without a keychain replaced is not moved along: it is removed below.
    const listed = attempt(() =>
      handles
        .list(connection.id)
        .map(({ role, label }) => ({
          from: entryName(connection.name, role, label),
          to: entryName(newName, role, label),
        }))
        .filter(({ from }) => !journal.isOutdated(from)),
    );
    if (!listed.ok) return listed;
    const moves = listed.value;
    const free = await checkFree(moves);
    if (!free.ok) return free;
    const noted = db.transaction(() => {
      for (const { from, to } of moves) {
        journal.add(from);
        journal.add(to);
      }
      return ok(undefined);
    });
    if (!noted.ok) return noted;
    const moved = await moveEntries(keychain, moves, commit);
    await clearOrphans();
    return moved;
  }

  /**
   * Removes entries that an earlier write or move left in the keychain without a handle: after a kill, or where the keychain would not
   * remove one, those of sign-ins and certificates among them; and those that a run without a keychain replaced or removed. Only what the
   * journal of our own writes lists is touched, since people keep entries of the same service by hand; what cannot be read or removed now
   * stays listed.
   */
  async function clearOrphans(): Promise<void> {
    // Memory has none of them, and would take each for removed.
    if (keychain.kind === 'memory') return;
    const listed = attempt(() => journal.list());
    const live = listLive();
    if (!listed.ok || !live.ok) return;
    for (const entry of listed.value) {
      if (await clear(entry, live.value)) attempt(() => journal.remove(entry));
    }
  }

  /** Every entry that something refers to: a key, a sign-in to a proxy, a client certificate. */
  function listLive(): Result<KeychainEntry[]> {
    const keys = attempt(() =>
      connections
        .list()
        .flatMap(({ id, name }) => handles.list(id).map(({ role, label }) => entryName(name, role, label))),
    );
    if (!keys.ok) return keys;
    const signIns = settings.read('proxySignIns');
    if (!signIns.ok) return signIns;
    const certificates = settings.read('clientCertificates');
    if (!certificates.ok) return certificates;
    return ok([
      ...keys.value,
      ...signIns.value.map(signInEntry),
      ...certificates.value.filter(({ locked }) => locked).map(({ origin }) => passphraseEntry(origin)),
    ]);
  }

  /** True: nothing is left to do about this entry. */
  async function clear(entry: KeychainEntry & { outdated: boolean }, live: readonly KeychainEntry[]): Promise<boolean> {
    if (entry.outdated) return (await keychain.delete(entry)).ok;
    const name = entryKeyIn(keychain, entry);
    if (live.some((one) => entryKeyIn(keychain, one) === name)) return true;
    const twin = live.find((one) => entryKey(one).toLowerCase() === name.toLowerCase());
    if (!twin) return (await keychain.delete(entry)).ok;
    const value = await keychain.get(twin);
    if (!value.ok) return false;
    return value.value === null || (await deleteKeeping(keychain, entry, twin, value.value)).ok;
  }

  /** How many of the keys that are listed memory does not have: they were entered in an earlier run. */
  async function countElsewhere(): Promise<Result<number>> {
    const listed = attempt(() => connections.list().flatMap(({ id }) => handles.listNamed(id)));
    if (!listed.ok) return listed;
    let elsewhere = 0;
    for (const { handle, connectionName } of listed.value) {
      const value = await keychain.get(entryName(connectionName, handle.role, handle.label));
      if (value.ok && value.value === null) elsewhere += 1;
    }
    return ok(elsewhere);
  }

  /** Where secrets are kept now and how many, for the window's foot. Does not prompt the user. */
  async function store(): Promise<Result<SecretStore>> {
    const counted = attempt(() => ({
      entries: handles.count(),
      // A service with entries, because only one with entries can report "locked".
      known: connections.list().find(({ id }) => handles.list(id).length > 0),
    }));
    if (!counted.ok) return counted;
    const { entries, known } = counted.value;
    const state = await keychain.state(known && serviceName(known.name));
    const elsewhere = keychain.kind === 'memory' ? await countElsewhere() : ok(0);
    if (!elsewhere.ok) return elsewhere;
    return ok({
      kind: keychain.kind,
      name: keychain.name,
      state,
      entries: entries - elsewhere.value,
      elsewhere: elsewhere.value,
    });
  }

  return {
    list,
    prefer,
    read,
    readAll,
    readEvery,
    findTyped,
    withMasterKey: openMasterKeys(db.sql),
    store,
    mutex,
    clearOrphans: mutex(clearOrphans),
    put: mutex(put),
    replace: mutex(replace),
    remove: mutex(remove),
    removeAll: mutex(removeAll),
    rename: mutex(rename),
  };
}
