import type { Result } from '../../../shared/result.ts';
import type { Database } from './database/database.ts';
import { attempt } from './database/errors.ts';

export interface StoredDescription {
  /** As it was passed to `save`; readers parse it. */
  description: unknown;
  readAt: string;
}

/** The service description (WSDL) last seen of each connection, so that it can be read offline. Errors: `storage-failed`. */
export function openServiceDescriptions(db: Database) {
  const find = db.sql.prepare('SELECT description, read_at FROM service_descriptions WHERE connection_id = ?');
  const save = db.sql.prepare(
    `INSERT INTO service_descriptions (connection_id, description, read_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET description = excluded.description, read_at = excluded.read_at`,
  );
  const remove = db.sql.prepare('DELETE FROM service_descriptions WHERE connection_id = ?');
  return {
    find: (connectionId: string): Result<StoredDescription | undefined> =>
      attempt(() => {
        const row = find.get(connectionId);
        return row && { description: JSON.parse(String(row.description)), readAt: String(row.read_at) };
      }),
    save: (connectionId: string, description: unknown, readAt: string): Result<void> =>
      attempt(() => void save.run(connectionId, JSON.stringify(description), readAt)),
    remove: (connectionId: string): Result<void> => attempt(() => void remove.run(connectionId)),
  };
}
