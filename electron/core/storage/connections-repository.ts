import type { DatabaseSync } from 'node:sqlite';
import {
  type Connection,
  type ConnectionDraft,
  connectionDraftSchema,
  emptyConnectionDraft,
  placeOfLicences,
  type SecretHandle,
  secretHandleSchema,
} from '../../../shared/domain/connection.ts';
import { attempt } from './database/errors.ts';
import { inTransaction } from './in-transaction.ts';

type Row = Record<string, unknown>;

/** Replaces settings that damage on the disk made unreadable. Without addresses nothing is sent with it. */
const unreadable: ConnectionDraft = {
  ...emptyConnectionDraft,
  colour: '#808080',
  accountName: 'Its settings are damaged on the disk: enter them again',
};

/** null: damage on the disk made it unreadable. */
function parseDraft(row: Row): ConnectionDraft | null {
  try {
    return connectionDraftSchema.parse(JSON.parse(String(row.draft)));
  } catch {
    return null;
  }
}

const readDraft = (row: Row): ConnectionDraft => parseDraft(row) ?? { ...unreadable, name: String(row.name) };

/** By the name in its column, under which its secrets are stored in the keychain. */
const readConnection = (row: Row): Connection => ({ ...readDraft(row), name: String(row.name), id: String(row.id) });

/** What was read of licences. The inventory, the changes and the journal are the administrator's own. */
const tablesOfReads = ['licence_reading', 'machine_holding', 'machine_history', 'machine_failure', 'machine_scan'];

/** In a condition on a table of what was read of licences: what is a connection's, `:id`, and what was put aside of it. */
export const ofConnection = "(connection_id = :id OR connection_id GLOB :id || ' *')";

/** Rows of connections. Throws where SQLite does. */
export function openConnectionsRepository(sql: DatabaseSync) {
  const list = sql.prepare('SELECT id, name, draft FROM connections ORDER BY name');
  const find = sql.prepare('SELECT id, name, draft FROM connections WHERE id = ?');
  const findByName = sql.prepare('SELECT id, name, draft FROM connections WHERE name = ?');
  const insert = sql.prepare(
    'INSERT INTO connections (id, name, draft, created_at, updated_at) VALUES (:id, :name, :draft, :at, :at)',
  );
  const update = sql.prepare('UPDATE connections SET name = :name, draft = :draft, updated_at = :at WHERE id = :id');
  const remove = sql.prepare('DELETE FROM connections WHERE id = ?');
  const values = (id: string, draft: ConnectionDraft, at: string) => ({
    id,
    name: draft.name,
    draft: JSON.stringify(draft),
    at,
  });

  const all = (): Connection[] => list.all().map(readConnection);
  const byName = (name: string): Connection | undefined => {
    const row = findByName.get(name);
    return row && readConnection(row);
  };

  return {
    /** By name. */
    list: all,
    find(id: string): Connection | undefined {
      const row = find.get(id);
      return row && readConnection(row);
    },
    /** A to Z compare ignoring case, since two such names could not be distinguished in a keychain's list. */
    findByName: byName,
    /**
     * The same in any script: Windows' keychain has one entry for “Städte” and “STÄDTE”. In capitals, as Windows compares: “οδος” and
     * “οδοσ” differ in small letters alone.
     */
    findAlike: (name: string): Connection | undefined =>
      byName(name) ?? all().find((one) => one.name.toUpperCase() === name.toUpperCase()),
    insert: (id: string, draft: ConnectionDraft, at: string): void => void insert.run(values(id, draft, at)),
    /**
     * What was read of licences at another address or with another account is put aside, under a name that has that place, and comes back
     * when the connection leads there again. Of settings that are damaged nobody knows the place.
     */
    update: (id: string, draft: ConnectionDraft, at: string): void =>
      inTransaction(sql, () => {
        const row = find.get(id);
        update.run(values(id, draft, at));
        if (!row) return;
        const before = parseDraft(row);
        const [from, to] = [before ? placeOfLicences(before) : '?', placeOfLicences(draft)];
        if (from === to) return;
        for (const table of tablesOfReads) {
          const move = sql.prepare(`UPDATE ${table} SET connection_id = :to WHERE connection_id = :from`);
          sql.prepare(`DELETE FROM ${table} WHERE connection_id = ?`).run(`${id} ${from}`);
          move.run({ from: id, to: `${id} ${from}` });
          move.run({ from: `${id} ${to}`, to: id });
        }
      }),
    remove: (id: string): boolean => remove.run(id).changes > 0,
  };
}

const readHandle = (row: Row): SecretHandle =>
  secretHandleSchema.parse({
    id: row.id,
    connectionId: row.connection_id,
    role: row.role,
    label: row.label,
    lastFour: row.last_four,
    preferred: row.preferred === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  });

/** What is known of a stored secret without its value. `fingerprint` null: it has not been read since an earlier version stored it. */
export interface StoredTrace {
  name: string;
  lastFour: string;
  fingerprint: string | null;
}

/** Rows of secret handles: everything about a secret except the secret. Throws where SQLite does. */
export function openHandlesRepository(sql: DatabaseSync) {
  const list = sql.prepare('SELECT * FROM secret_handles WHERE connection_id = ? ORDER BY role, created_at, rowid');
  const count = sql.prepare('SELECT count(*) AS handles FROM secret_handles');
  const find = sql.prepare('SELECT * FROM secret_handles WHERE id = ?');
  const named = sql.prepare(
    `SELECT h.*, c.name AS connection_name FROM secret_handles h JOIN connections c ON c.id = h.connection_id
     WHERE h.connection_id = ? ORDER BY h.role, h.created_at, h.rowid`,
  );
  const insert = sql.prepare(
    `INSERT INTO secret_handles (id, connection_id, role, label, last_four, preferred, created_at, last_used_at, fingerprint)
     VALUES (:id, :connectionId, :role, :label, :lastFour, :preferred, :createdAt, :lastUsedAt, :fingerprint)`,
  );
  const replace = sql.prepare(
    'UPDATE secret_handles SET last_four = ?, created_at = ?, last_used_at = NULL, fingerprint = ? WHERE id = ?',
  );
  const remove = sql.prepare('DELETE FROM secret_handles WHERE id = ?');
  const demote = sql.prepare('UPDATE secret_handles SET preferred = 0 WHERE connection_id = ? AND role = ?');
  const promote = sql.prepare('UPDATE secret_handles SET preferred = 1 WHERE id = ?');
  const note = sql.prepare(
    `UPDATE secret_handles SET last_four = :lastFour, fingerprint = :fingerprint WHERE id = :id AND fingerprint IS NOT :fingerprint`,
  );
  const traces = sql.prepare(
    `SELECT h.label, c.name AS connection, h.last_four AS lastFour, h.fingerprint
     FROM secret_handles h JOIN connections c ON c.id = h.connection_id`,
  );
  const masters = sql.prepare(
    `SELECT fingerprint FROM secret_handles WHERE role = 'master-key' AND fingerprint IS NOT NULL`,
  );
  // Runs with each call: it is written, which waits for the disk, only if the minute, which is all that is shown, has changed.
  const touch = sql.prepare(
    `UPDATE secret_handles SET last_used_at = :at, last_four = :lastFour, fingerprint = :fingerprint
     WHERE id = :id AND (last_used_at IS NULL OR substr(last_used_at, 1, 16) != substr(:at, 1, 16) OR fingerprint IS NOT :fingerprint)`,
  );

  return {
    list: (connectionId: string): SecretHandle[] => list.all(connectionId).map(readHandle),
    count: (): number => Number(count.get()?.handles),
    find(id: string): SecretHandle | undefined {
      const row = find.get(id);
      return row && readHandle(row);
    },
    /**
     * With the name that the connection has now, under which the entries are: it may have been renamed since a call began, a licence's
     * change takes minutes.
     */
    listNamed: (connectionId: string): { handle: SecretHandle; connectionName: string }[] =>
      named.all(connectionId).map((row) => ({ handle: readHandle(row), connectionName: String(row.connection_name) })),
    insert: (handle: SecretHandle, fingerprint: string): void =>
      void insert.run({ ...handle, fingerprint, preferred: handle.preferred ? 1 : 0 }),
    /** A new value under the same label. */
    replace: (id: string, lastFour: string, at: string, fingerprint: string): void =>
      void replace.run(lastFour, at, fingerprint, id),
    remove: (id: string): void => void remove.run(id),
    prefer(handle: SecretHandle): void {
      demote.run(handle.connectionId, handle.role);
      promote.run(handle.id);
    },
    /**
     * What a typed text is compared with; a fingerprint is null until the value has been read. Throws nothing: if none can be read, none is
     * found.
     */
    traces(): StoredTrace[] {
      const read = attempt(() => traces.all());
      return (read.ok ? read.value : []).map((row) => ({
        name: `“${row.label}” of ${row.connection}`,
        lastFour: String(row.lastFour),
        fingerprint: row.fingerprint === null ? null : String(row.fingerprint),
      }));
    },
    /** Of the master keys of all connections. One that has not been read since an earlier version stored it has none. */
    masterFingerprints: (): string[] => masters.all().map((row) => String(row.fingerprint)),
    /** What is known of a value that was read to be masked. */
    note: (id: string, lastFour: string, fingerprint: string): void => void note.run({ id, lastFour, fingerprint }),
    /**
     * It was read for a call. Last four and fingerprint are stored anew: handles of an earlier version have none, and a handle from a copy
     * of the database, or of an entry that a person edited in the keychain, has those of another value.
     */
    touch: ({ id, lastFour }: SecretHandle, at: string, fingerprint: string): void =>
      void touch.run({ id, lastFour, at, fingerprint }),
  };
}
