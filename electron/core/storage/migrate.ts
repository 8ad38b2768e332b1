import type { DatabaseSync } from 'node:sqlite';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { attempt } from './errors.ts';
import type { Migration } from './migrations.ts';

/** Number of the last migration applied; 0 for a new file. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function apply(database: DatabaseSync, migration: Migration): void {
  // Outside the transaction, where SQLite takes notice: a table that others refer to may have to be rebuilt.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    database.exec('BEGIN IMMEDIATE');
    // A second process may have applied it while this one waited for the lock.
    if (schemaVersion(database) >= migration.number) {
      database.exec('ROLLBACK');
      return;
    }
    if (migration.sql !== undefined) database.exec(migration.sql);
    migration.up?.(database);
    const orphan = database.prepare('PRAGMA foreign_key_check').get();
    if (orphan)
      throw new Error(`Migration ${migration.number} leaves a row of ${String(orphan.table)} without its parent.`);
    database.exec(`PRAGMA user_version = ${migration.number}`);
    database.exec('COMMIT');
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}

/**
 * Brings the schema up to the last of `migrations`, calling `backUp` before each one that changes a file with content. A file
 * of a newer program is refused untouched.
 */
export function migrate(
  database: DatabaseSync,
  migrations: readonly Migration[],
  backUp: (before: Migration) => void,
): Result<void> {
  const newest = migrations.at(-1)?.number ?? 0;
  const version = attempt(() => schemaVersion(database));
  if (!version.ok) return version;
  if (version.value > newest) {
    return fail(
      appError('storage-failed', {
        message: `The database was written by a newer Address Console (schema ${version.value}, this one knows ${newest}).`,
        next: 'Install the newer program, or start this one with another data folder.',
        charge: 'not-applicable',
      }),
    );
  }
  for (const migration of migrations) {
    if (migration.number <= version.value) continue;
    const applied = attempt(() => {
      // A file that was empty a moment ago holds nothing worth a copy.
      if (version.value > 0) backUp(migration);
      apply(database, migration);
    });
    if (!applied.ok) return applied;
  }
  return ok(undefined);
}
