import type { DatabaseSync } from 'node:sqlite';
import {
  type Connection,
  type ConnectionDraft,
  connectionDraftSchema,
  type SecretHandle,
  secretHandleSchema,
} from '../../../shared/domain/connection.ts';

type Row = Record<string, unknown>;

const readConnection = (row: Row): Connection => ({
  ...connectionDraftSchema.parse(JSON.parse(String(row.draft))),
  id: String(row.id),
});

/** Rows of connections. Throws where SQLite does, and where a stored row no longer fits the schema. */
export function openConnectionsRepository(sql: DatabaseSync) {
  const list = sql.prepare('SELECT id, draft FROM connections ORDER BY name');
  const find = sql.prepare('SELECT id, draft FROM connections WHERE id = ?');
  const findByName = sql.prepare('SELECT id, draft FROM connections WHERE name = ?');
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

  return {
    /** By name. */
    list: (): Connection[] => list.all().map(readConnection),
    find(id: string): Connection | undefined {
      const row = find.get(id);
      return row && readConnection(row);
    },
    /** Latin letters compare without case, as two such names could not be told apart in a keychain's list. */
    findByName(name: string): Connection | undefined {
      const row = findByName.get(name);
      return row && readConnection(row);
    },
    insert: (id: string, draft: ConnectionDraft, at: string): void => void insert.run(values(id, draft, at)),
    update: (id: string, draft: ConnectionDraft, at: string): void => void update.run(values(id, draft, at)),
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

/** Rows of secret handles: everything about a secret but the secret. Throws where SQLite does. */
export function openHandlesRepository(sql: DatabaseSync) {
  const list = sql.prepare('SELECT * FROM secret_handles WHERE connection_id = ? ORDER BY role, created_at, rowid');
  const count = sql.prepare('SELECT count(*) AS handles FROM secret_handles');
  const find = sql.prepare('SELECT * FROM secret_handles WHERE id = ?');
  const preferred = sql.prepare('SELECT * FROM secret_handles WHERE connection_id = ? AND role = ? AND preferred = 1');
  const insert = sql.prepare(
    `INSERT INTO secret_handles (id, connection_id, role, label, last_four, preferred, created_at, last_used_at)
     VALUES (:id, :connectionId, :role, :label, :lastFour, :preferred, :createdAt, :lastUsedAt)`,
  );
  const replace = sql.prepare(
    'UPDATE secret_handles SET last_four = ?, created_at = ?, last_used_at = NULL WHERE id = ?',
  );
  const remove = sql.prepare('DELETE FROM secret_handles WHERE id = ?');
  const demote = sql.prepare('UPDATE secret_handles SET preferred = 0 WHERE connection_id = ? AND role = ?');
  const promote = sql.prepare('UPDATE secret_handles SET preferred = 1 WHERE id = ?');
  const touch = sql.prepare('UPDATE secret_handles SET last_used_at = ? WHERE id = ?');

  return {
    list: (connectionId: string): SecretHandle[] => list.all(connectionId).map(readHandle),
    count: (): number => Number(count.get()?.handles),
    find(id: string): SecretHandle | undefined {
      const row = find.get(id);
      return row && readHandle(row);
    },
    findPreferred(connectionId: string, role: string): SecretHandle | undefined {
      const row = preferred.get(connectionId, role);
      return row && readHandle(row);
    },
    insert: (handle: SecretHandle): void => void insert.run({ ...handle, preferred: handle.preferred ? 1 : 0 }),
    /** A new value under the same label. */
    replace: (id: string, lastFour: string, at: string): void => void replace.run(lastFour, at, id),
    remove: (id: string): void => void remove.run(id),
    prefer(handle: SecretHandle): void {
      demote.run(handle.connectionId, handle.role);
      promote.run(handle.id);
    },
    touch: (id: string, at: string): void => void touch.run(at, id),
  };
}
export type ConnectionsRepository = ReturnType<typeof openConnectionsRepository>;
export type HandlesRepository = ReturnType<typeof openHandlesRepository>;
