import { hash } from 'node:crypto';
import { addressOf, type Connection, keyAddresses, type Protocol } from '../../shared/domain/connection.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { createActivityLog } from '../core/activity/activity-log.ts';
import type { FileConnection } from '../core/answers/accounts.ts';
import { type Caller, type CallerParts, createCaller } from '../core/calls/caller.ts';
import { withKnownEntries, withoutOutdated } from '../core/connections/keychain-entries.ts';
import { openMasterKeys } from '../core/connections/master-keys.ts';
import type { CallProfile } from '../core/connections/profile.ts';
import { entryName } from '../core/connections/secret-names.ts';
import { findTypedKey } from '../core/connections/typed-keys.ts';
import { capsWithPolicy } from '../core/policy/enforce-policy.ts';
import { createCapsStore } from '../core/spend/caps-store.ts';
import { createLedger } from '../core/spend/ledger.ts';
import { originOf } from '../core/spend/origins.ts';
import { openConnectionsRepository, openHandlesRepository } from '../core/storage/connections-repository.ts';
import { type Database, openDatabase } from '../core/storage/database/database.ts';
import { attempt } from '../core/storage/database/errors.ts';
import { openFingerprints } from '../core/storage/fingerprints.ts';
import { openKeychainJournal } from '../core/storage/keychain-journal.ts';
import { systemClock } from '../platform/clock.ts';
import { findUser } from '../platform/user.ts';
import type { DetectedKeychain, KeychainEntry } from '../ports.ts';
import { environmentSecrets, type FoundSecrets, findSecrets } from './connection-secrets.ts';
import { findSpendFolder } from './data-folder.ts';
import type { Session } from './session.ts';

/** Makes calls for one connection file as the window makes them: under its caps, and entered in its ledger and activity log. */
export interface CallingDesk {
  folder: string;
  db: Database;
  /** The file's connection, with the id that it has in the window's database. */
  connection: Connection;
  /** The same if the window's database has none of this name and address, with whose its saved answers are; otherwise null. */
  file: FileConnection | null;
  connections: { find(id: string): Result<Connection> };
  /** The error of a call that fails because a credential is missing says where to put it. */
  caller: Caller;
  /** The keychain as the window’s data says that it is to be read. */
  findKeychain(): Promise<DetectedKeychain>;
  /** Sets what reads the balance before and after calls that cost credits. Until this is called, nothing does. */
  watchSpending(watch: Pick<CallerParts, 'beforeSpend' | 'onSpent'>): void;
  close(): void;
}

/**
 * Errors: `policy-forbids`, `storage-failed`, `looks-like-key`. Without a ledger no call is made: a charge that is not entered would later
 * be reported as somebody else's.
 */
export function openCallingDesk(
  file: Connection,
  { env, folderName, findKeychain, policy, secretLabel, labelledRoles, typed }: Session,
): Result<CallingDesk> {
  const found = findSpendFolder({ env, folderName }, policy);
  if (!found.ok) return found;
  const folder = found.value;
  const clock = systemClock;
  const opened = openDatabase({ folder, clock, recovers: false });
  if (!opened.ok) return opened;
  const db = opened.value;
  const asked = findTypedKey(typed, {
    values: environmentSecrets(env),
    traces: openHandlesRepository(db.sql).traces,
    fingerprints: openFingerprints(db.sql).ofSpellings,
  });
  if (asked) {
    db.close();
    return fail({
      ...asked,
      next: 'Take it out, or add --send-anyway. It would be in the activity log and on the disk.',
    });
  }
  const known = findKnown(db, file);
  if (!known.ok) {
    db.close();
    return known;
  }
  const connection = { ...file, id: known.value ?? idOf(file) };
  // A window that is about to be replaced by a newer version waits for it. Errors are ignored: what may cost something takes the lock again.
  attempt(() => db.acquireRunLock());
  const withMasterKey = openMasterKeys(db.sql);
  const explains = new WeakMap<CallProfile, FoundSecrets['explain']>();
  const connections = {
    find: (id: string): Result<Connection> =>
      id === connection.id ? ok(connection) : fail(appError('no-connection', { charge: 'not-applicable' })),
  };
  const findCurrent = async (): Promise<DetectedKeychain> => {
    const { keychain, missing } = await findKeychain();
    // What the window has in a keychain that cannot be reached is not missing: it cannot be read.
    const reached = missing ? { ...keychain, get: async () => fail(appError('keychain-unreadable')) } : keychain;
    const current = withoutOutdated(reached, openKeychainJournal(db.sql, keychain));
    return { keychain: withKnownEntries(current, () => findEntries(db, file.name)), missing };
  };
  let watching: Partial<Pick<CallerParts, 'beforeSpend' | 'onSpent'>> = {};
  const caller = createCaller({
    async profileFor(_, roles, keyLabel, protocol) {
      const choice = { secretLabel, labelledRoles, keyLabel };
      const found = await findSecrets({ env, findKeychain: findCurrent }, connection, roles, choice);
      if (!found.ok) return found;
      const secrets = withMasterKey(found.value.profile.secrets);
      if (!secrets.ok) return secrets;
      const profile = { ...found.value.profile, secrets: secrets.value };
      explains.set(profile, found.value.explain);
      if (found.value.fromKeychain) {
        const own = checkServer(db, connection, protocol);
        if (!own.ok) return own;
      }
      return ok(profile);
    },
    log: createActivityLog(db, clock, { person: findUser().name, source: 'command line' }),
    ledger: createLedger(db, clock),
    caps: capsWithPolicy(createCapsStore(db), policy),
    fingerprint: openFingerprints(db.sql).of,
    clock,
    onRunning() {},
    beforeSpend: async (connectionId, protocol) => watching.beforeSpend?.(connectionId, protocol),
    onSpent: (connection, paidBy) => watching.onSpent?.(connection, paidBy),
  });
  return ok({
    folder,
    db,
    connection,
    file: known.value === null ? { connection, payers: { rest: null, soap: null } } : null,
    connections,
    caller: {
      ...caller,
      // Before the caller has the error, so that the activity log has its reason too.
      execute: (apiCall, context) =>
        caller.execute(
          {
            ...apiCall,
            async send(profile, ...rest) {
              const sent = await apiCall.send(profile, ...rest);
              return sent.ok ? sent : fail(explains.get(profile)?.(sent.error) ?? sent.error);
            },
          },
          context,
        ),
    },
    findKeychain: findCurrent,
    watchSpending(watch) {
      watching = watch;
    },
    close() {
      caller.writeEnds();
      db.close();
    },
  });
}

/** The interface by whose address a connection file is known. */
const mainProtocolOf = ({ soapUrl }: Connection): Protocol => (soapUrl === '' ? 'rest' : 'soap');

/** The id of the window's connection with the same name and address, so that both are one in the ledger; null: it has none. */
function findKnown(db: Database, file: Connection): Result<string | null> {
  const protocol = mainProtocolOf(file);
  const address = addressOf(file, protocol);
  return attempt(() => {
    const same = openConnectionsRepository(db.sql)
      .list()
      .find((known) => known.name.toLowerCase() === file.name.toLowerCase() && addressOf(known, protocol) === address);
    return same?.id ?? null;
  });
}

/** An id derived from the settings. */
const idOf = (file: Connection): string =>
  `file-${hash('sha256', JSON.stringify([addressOf(file, mainProtocolOf(file)), file.accountName])).slice(0, 24)}`;

/** The entries that the window has written for its connection of this name. */
const findEntries = (db: Database, name: string): Result<KeychainEntry[]> =>
  attempt(() => {
    const known = openConnectionsRepository(db.sql).findAlike(name);
    const handles = known ? openHandlesRepository(db.sql).list(known.id) : [];
    return handles.map(({ role, label }) => entryName(name, role, label));
  });

/**
 * Whether the window's keys of this name are for the server that a call goes to: a file from elsewhere could name a known connection and a
 * server of its own. Of keys that a person keeps in the keychain by hand nothing is known. Errors: `wrong-origin`, `storage-failed`.
 */
function checkServer(db: Database, file: Connection, protocol: Protocol): Result<void> {
  const read = attempt(() => {
    const known = openConnectionsRepository(db.sql).findAlike(file.name);
    const hasKeys = known !== undefined && openHandlesRepository(db.sql).list(known.id).length > 0;
    return hasKeys ? keyAddresses(known, protocol).map(originOf) : null;
  });
  if (!read.ok) return read;
  const own = read.value;
  const server = originOf(addressOf(file, protocol));
  if (own === null || server === '' || own.includes(server)) return ok(undefined);
  return fail(
    appError('wrong-origin', {
      message: `The keys that the window has for “${file.name}” are for ${own.join(' and ') || 'no server yet'}, and the connection file names ${server}.`,
      next: 'Correct the address in the file; or give the file another name, and a key for it in the environment or the keychain.',
    }),
  );
}
