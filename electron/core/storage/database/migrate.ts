import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { serviceAt } from '../../../../shared/domain/connection.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { attempt } from './errors.ts';
import type { Migration } from './migrations/migration.ts';

/** Number of the last migration applied; 0 for a new file. */
function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** "AC" and the version once more, in another field of the header: a damaged version is not taken for a newer program's. */
const markOf = (version: number): number => 0x41430000 + version;
const readMark = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA application_id').get()?.application_id);

const wordsOf = new WeakMap<Migration, ReadonlySet<string>>();
/** Whether a migration names a table. Its words are found once: a database is opened often in a test run, and twice in a start. */
function names(migration: Migration, table: string): boolean {
  let words = wordsOf.get(migration);
  if (words === undefined) {
    words = new Set(migration.sql?.match(/\w+/g));
    wordsOf.set(migration, words);
  }
  return words.has(table);
}

/**
 * What a migration's `tables` is compared with: the tables that the migrations name, and their columns, whatever text created them. Another
 * SQLite may write blanks, and the inner tables of a search index, differently; a table added by somebody else is ignored.
 */
export function describeTables(database: DatabaseSync, migrations: readonly Migration[]): string {
  const columns = database
    .prepare(
      `SELECT l.name AS tableName, c.name, upper(c.type) AS type, c."notnull", c.pk
       FROM pragma_table_list l, pragma_table_xinfo(l.name) c
       WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite_%' ORDER BY 1, 2`,
    )
    .all()
    .filter(({ tableName }) => migrations.some((migration) => names(migration, String(tableName))));
  return hash('sha256', JSON.stringify(columns)).slice(0, 16);
}

/**
 * Whether a file's tables are those of its version. They are not if its version or the text of its schema was damaged, which SQLite's own
 * check overlooks. A file of a newer program is not judged.
 */
export function hasOwnSchema(database: DatabaseSync, migrations: readonly Migration[]): boolean {
  const version = schemaVersion(database);
  const mark = readMark(database);
  if (mark !== 0 && mark !== markOf(version)) return false;
  if (version > (migrations.at(-1)?.number ?? 0)) return true;
  const passed = migrations.filter(({ number }) => number <= version);
  const tables = passed.at(-1)?.tables;
  return tables === undefined || tables === describeTables(database, passed);
}

function apply(database: DatabaseSync, migration: Migration): void {
  // Outside the transaction, where SQLite respects it: a table that others refer to may have to be rebuilt.
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    database.exec('BEGIN IMMEDIATE');
    // A second process may have applied it while this one waited for the lock.
    if (schemaVersion(database) >= migration.number) {
      database.exec('ROLLBACK');
      return;
    }
    database.exec(migration.sql);
    const orphan = database.prepare('PRAGMA foreign_key_check').get();
    if (orphan)
      throw new Error(`Migration ${migration.number} leaves a row of ${String(orphan.table)} without its parent.`);
    database.exec(`PRAGMA user_version = ${migration.number}; PRAGMA application_id = ${markOf(migration.number)}`);
    database.exec('COMMIT');
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}

/**
 * Brings the schema up to the last of `migrations`, calling `backUp` before the first of them that changes a file with content: copies
 * between would push out the earlier ones, which alone an earlier program can open. A file of a newer program is refused untouched. Errors:
 * `storage-failed`; the steps before the one that failed stay.
 */
export function migrate(
  database: DatabaseSync,
  migrations: readonly Migration[],
  backUp: (before: Migration) => void,
): Result<void> {
  const newest = migrations.at(-1)?.number ?? 0;
  // What they write anew is found by what is asked for now.
  database.function('service_at', { deterministic: true }, (address) => serviceAt(String(address)));
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
  const pending = migrations.filter(({ number }) => number > version.value);
  for (const migration of pending) {
    const applied = attempt(() => {
      // A file that was empty a moment ago holds nothing worth copying.
      if (version.value > 0 && migration === pending[0]) backUp(migration);
      apply(database, migration);
    });
    if (!applied.ok) return applied;
  }
  return attempt(() => {
    // A file of before there was such a mark.
    if (newest > 0 && readMark(database) === 0) database.exec(`PRAGMA application_id = ${markOf(newest)}`);
  });
}
