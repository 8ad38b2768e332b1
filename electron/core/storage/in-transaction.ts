import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from './database/errors.ts';
import { checkFile } from './database/named-file.ts';

/**
 * All or nothing; one write to the disk instead of many. Joins a running transaction. Throws where SQLite does, and if the file of the
 * program's database was deleted or replaced since it was opened, or changed by a newer version: a licence write is not sent on such an
 * entry.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    const named = checkFile(db);
    if (!named.ok) throw new StorageFailure(named.error);
    db.exec('COMMIT');
    return value;
  } catch (thrown) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw thrown;
  }
}
