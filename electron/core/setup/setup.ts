import { canTryKey } from '../../../shared/domain/connection.ts';
import { capNames } from '../../../shared/domain/credits/credits.ts';
import type { SetupFile, SetupRow, WantedKey } from '../../../shared/domain/setup-file.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { isSecretField } from '../../../shared/secret-fields.ts';
import { type Clock, isoNow } from '../../ports.ts';
import { checkServiceAddress } from '../connections/check-service-address.ts';
import { checkCaps, checkConnection } from '../policy/apply-policy.ts';
import type { Policy } from '../policy/policy-schema.ts';
import type { Settings } from '../settings/settings.ts';
import { noCaps } from '../spend/caps.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { type ComparedRow, compareSetup, findWithoutRoom, isSameValue } from './compare-setup.ts';
import { type ReadSetup, refuseSetup } from './read-setup.ts';
import {
  connectionEntryId,
  describeEntry,
  entriesOf,
  entryId,
  type SetupEntry,
  textsOf,
  withoutEntries,
} from './setup-entries.ts';
import { openSetupStore } from './setup-store.ts';

export interface SetupParts {
  db: Database;
  clock: Clock;
  settings: Settings;
  policy: Policy;
  /** Who sets what is imported. */
  userName: string;
  /** The question to be asked about what a person typed; null: it holds no key known here. */
  findTyped(texts: readonly string[]): AppError | null;
}

/** What a file and this data folder have in common, and the keys that the file's connections had. */
export interface SetupPreview {
  rows: ComparedRow[];
  keys: WantedKey[];
}

export interface SetupExport {
  file: SetupFile;
  rows: ComparedRow[];
  /** Where a key was typed in a place that must not hold one. */
  leftOut: string[];
}

export interface LastImport {
  at: string;
  fileName: string;
  /** Entries that were taken; many may have shared one line. */
  changes: number;
}

const undoableDays = 30;
const dayMs = 24 * 60 * 60 * 1000;
const looksLikeKey = 'It contains what looks like a key. A set-up contains none.';

const isCap = (entry: SetupEntry): entry is SetupEntry & { kind: (typeof capNames)[number] } =>
  capNames.some((kind) => kind === entry.kind);

/** The set-up of this data folder as one file, out and in. Errors: `bad-input`, `plan-outdated`, `storage-failed`. */
export function createSetup({ db, clock, settings, policy, userName, findTyped }: SetupParts) {
  const store = openSetupStore({ db, clock, settings, policy, userName });

  /** Entries with a text that holds a key. All texts are checked together first: there is seldom one. */
  function findWithKeys(entries: readonly SetupEntry[]): ReadonlySet<SetupEntry> {
    const texts = ({ connection, name, value }: SetupEntry) => [connection, name, ...textsOf(value)];
    if (!findTyped(entries.flatMap(texts))) return new Set();
    return new Set(entries.filter((entry) => findTyped(texts(entry)) !== null));
  }

  function refusalOf(entry: SetupEntry, withKeys: ReadonlySet<SetupEntry>): string {
    if (withKeys.has(entry)) return looksLikeKey;
    const texts = [entry.name, entry.connection, ...textsOf(entry.value)];
    if (texts.some((text) => showInvisible(text) !== text))
      return 'It contains characters that draw nothing or steer what is drawn.';
    if (entry.kind === 'connection') {
      for (const address of [entry.value.restBaseUrl, entry.value.soapUrl]) {
        const usable = checkServiceAddress(address);
        if (!usable.ok) return usable.error.message;
      }
      const allowed = checkConnection(policy, entry.value);
      if (!allowed.ok) return allowed.error.message;
    }
    if (isCap(entry)) {
      const allowed = checkCaps(policy, { ...noCaps, [entry.kind]: entry.value }, entry.kind);
      if (!allowed.ok) return allowed.error.message;
    }
    if (entry.kind === 'lookup' && entry.value.fields.some(({ name }) => isSecretField(name))) return looksLikeKey;
    return '';
  }

  /** What is in a file, compared with what is here now. Throws where SQLite does. */
  function compare({ entries }: ReadSetup): ComparedRow[] {
    const withKeys = findWithKeys(entries);
    const keyed = new Set(
      store
        .connections()
        .filter(({ id }) => store.keysOf(id).length > 0)
        .map(({ name }) => connectionEntryId(name)),
    );
    // A demo connection is not part of a set-up, and its name is taken.
    const taken = new Set(store.demoNames().map((name) => connectionEntryId(name)));
    const here = entriesOf(store.readInForce());
    const withoutRoom = findWithoutRoom(entries, here);
    return compareSetup(entries, here, {
      refusal: (entry) =>
        entry.connection !== '' && taken.has(connectionEntryId(entry.connection))
          ? 'The demo connection here has this name.'
          : refusalOf(entry, withKeys) || (withoutRoom.get(entry) ?? ''),
      hasKeys: (connection) => keyed.has(connectionEntryId(connection)),
    });
  }

  /** The keys of connections that are here or can be taken. */
  function keysOf({ file }: ReadSetup, rows: readonly SetupRow[]): WantedKey[] {
    const here = store.connections();
    const refused = new Set(rows.filter(({ state }) => state === 'refused').map(({ id }) => id));
    return file.connections.flatMap(({ name, settings, keys }) => {
      const found = here.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (!found && refused.has(connectionEntryId(name))) return [];
      const saved = found ? store.keysOf(found.id) : [];
      const connection = found ?? settings;
      const servers = [connection.restBaseUrl, connection.soapUrl].flatMap((one) => URL.parse(one)?.host ?? []);
      return keys.map(({ role, label, lastFour }): WantedKey => {
        const ofRole = saved.filter((one) => one.role === role);
        const alike = ofRole.find((one) => one.label.toLowerCase() === label.toLowerCase());
        const same = ofRole.find((one) => one.lastFour !== '' && one.lastFour === lastFour);
        const match = same ?? alike;
        return {
          connection: found?.name ?? name,
          servers: [...new Set(servers)],
          connectionId: found?.id ?? null,
          role,
          label,
          lastFour,
          isTried: canTryKey(role, connection),
          state: same ? 'here' : alike ? 'other' : 'wanted',
          secretId: match?.id ?? null,
          hereLastFour: match?.lastFour ?? '',
        };
      });
    });
  }

  const preview = (read: ReadSetup): Result<SetupPreview> =>
    attempt(() => {
      const rows = compare(read);
      return { rows, keys: keysOf(read, rows) };
    });

  /** What would be in the file, as lines, and what is left out of it because it holds what looks like a key. Throws where SQLite does. */
  function describeOwn(file: SetupFile): SetupExport {
    const entries = entriesOf(file);
    const withKeys = findWithKeys(entries);
    const labelled = file.connections.flatMap(({ name, keys }) =>
      keys.filter(({ label }) => findTyped([label])).map((key) => ({ name, key })),
    );
    const whole = withKeys.size === 0 ? file : withoutEntries(file, new Set([...withKeys].map(entryId)));
    return {
      file: {
        ...whole,
        connections: whole.connections.map((one) => ({
          ...one,
          keys: one.keys.filter((key) => !labelled.some((other) => other.key === key)),
        })),
      },
      rows: compareSetup(
        entries.filter((entry) => !withKeys.has(entry)),
        [],
        {
          refusal: () => '',
          hasKeys: () => false,
        },
      ),
      leftOut: [
        ...[...withKeys].map(describeEntry),
        ...labelled.map(({ name, key }) => `the label of a key of ${name} (ends ${key.lastFour})`),
      ],
    };
  }

  const readOwn = (): Result<SetupExport> => attempt(() => describeOwn(store.readForFile()));

  /** null: none, or one more than 30 days ago. */
  const lastImport = (): Result<LastImport | null> => {
    const stored = settings.read('setupUndo');
    if (!stored.ok) return stored;
    const { value } = stored;
    if (value === null || clock.now() - Date.parse(value.at) > undoableDays * dayMs) return ok(null);
    return ok({ at: value.at, fileName: value.fileName, changes: value.changes.length });
  };

  /**
   * Takes over the chosen lines, all or none. `shown` are the lines as they were shown: if what is here has changed since, nothing is taken
   * (`plan-outdated`).
   */
  function apply(
    read: ReadSetup,
    shown: readonly SetupRow[],
    chosen: readonly string[],
    fileName: string,
  ): Result<{ changes: number }> {
    return db.transaction(() => {
      const rows = compare(read);
      if (signatureOf(rows) !== signatureOf(shown))
        return fail(
          appError('plan-outdated', {
            message: 'What is set up here has changed since the preview was made.',
            next: 'Look at the new preview, then import.',
            charge: 'not-applicable',
            money: 'Nothing was changed.',
          }),
        );
      const wanted = new Set(chosen);
      const entries = rows.filter(({ id, open }) => open && wanted.has(id)).flatMap((row) => row.entries);
      // The last one that changed something can still be undone.
      if (entries.length === 0) return ok({ changes: 0 });
      const before = new Map(entriesOf(store.read()).map((entry) => [entryId(entry), entry]));
      const added = new Set(entries.filter(({ kind }) => kind === 'connection').map(({ connection }) => connection));
      const has = (connection: string): boolean =>
        connection === '' || added.has(connection) || before.has(connectionEntryId(connection));
      const missing = entries.find(({ connection }) => !has(connection));
      if (missing)
        return refuseSetup(
          `${missing.connection} itself is not taken, so nothing that belongs to it can be.`,
          'Tick the connection too, or leave out what is its own.',
        );
      // Connections first: what belongs to them needs them.
      const ordered = entries.toSorted((a, b) => Number(b.kind === 'connection') - Number(a.kind === 'connection'));
      for (const entry of ordered) store.write(entry);
      const changes = ordered.map((entry) => ({
        after: entry,
        before: before.get(entryId(entry)) ?? null,
        connectionId: idOf(entry.connection),
      }));
      const noted = settings.write('setupUndo', { at: isoNow(clock), fileName, changes });
      return noted.ok ? ok({ changes: entries.length }) : noted;
    });
  }

  /**
   * Reverts what the last import changed, all or none; what was changed again since, or is in use, stays and is counted. If that is all of
   * it, it is refused, and can be asked for again.
   */
  function undo(): Result<{ undone: number; left: number }> {
    return db.transaction(() => {
      const stored = settings.read('setupUndo');
      if (!stored.ok) return stored;
      if (stored.value === null) return refuseSetup('There is no import to undo.', 'Change what you want by hand.');
      const changes = stored.value.changes as {
        after: SetupEntry;
        before: SetupEntry | null;
        connectionId?: string;
      }[];
      const now = new Map(entriesOf(store.read()).map((entry) => [entryId(entry), entry]));
      // What came with a connection that is in use by now stays with it, above all its caps.
      const inUse = new Set(
        changes
          .filter(({ after, before }) => after.kind === 'connection' && before === null && isUsed(after.connection))
          .map(({ after }) => after.connection),
      );
      let undone = 0;
      // A connection goes last, once nothing that belongs to it is left.
      for (const { after, before, connectionId } of changes.toReversed()) {
        // The name may be another connection's by now.
        if (connectionId !== undefined && connectionId !== idOf(after.connection)) continue;
        const current = now.get(entryId(after));
        if (inUse.has(after.connection) || !current || !isSameValue(current, after)) continue;
        if (after.kind === 'connection' && before === null && holdsMore(after.connection)) continue;
        store.write(before ?? after, before === null);
        undone += 1;
      }
      if (undone === 0)
        return refuseSetup(
          'Nothing was undone: all of it was changed again since, or is in use.',
          'Change what you want by hand.',
        );
      const forgotten = settings.write('setupUndo', null);
      return forgotten.ok ? ok({ undone, left: changes.length - undone }) : forgotten;
    });
  }

  const isOf = (connection: string, name: string): boolean => connectionEntryId(connection) === connectionEntryId(name);
  const findNamed = (name: string) => store.connections().find((one) => isOf(one.name, name));

  /** Empty: none has this name. */
  const idOf = (name: string): string => findNamed(name)?.id ?? '';

  function isUsed(name: string): boolean {
    const found = findNamed(name);
    return found !== undefined && !store.isUnused(found.id);
  }

  const holdsMore = (name: string): boolean =>
    entriesOf(store.read()).some(({ kind, connection }) => kind !== 'connection' && isOf(connection, name));

  return { readOwn, preview, apply, undo, lastImport, connections: store.connections };
}

/** Everything that a person saw of the lines. */
const signatureOf = (rows: readonly SetupRow[]): string =>
  JSON.stringify(
    rows.map(({ id, state, count, file, here, differences, note }) => [
      id,
      state,
      count,
      file,
      here,
      differences,
      note,
    ]),
  );
