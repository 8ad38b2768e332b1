import { type BigIntStats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** SQLite opens the three together; a write may be in the log alone for a while. */
const parts = ['', '-wal', '-shm'];
const opened = new WeakMap<DatabaseSync, { path: string; identity: string }[]>();

const identify = (stats: BigIntStats | undefined): string => (stats ? `${stats.dev} ${stats.ino}` : 'none');
const look = (path: string): string => identify(statSync(path, { bigint: true, throwIfNoEntry: false }));

/** Notes which files an open database writes into. On Windows an open file cannot be removed or replaced. */
export function rememberFile(sql: DatabaseSync): void {
  const file = sql.location();
  if (file === null || process.platform === 'win32') return;
  opened.set(
    sql,
    parts.map((part) => ({ path: file + part, identity: look(file + part) })),
  );
}

/**
 * Whether writes still go into the files that bear the database's name. If the folder was deleted or replaced while the program ran, SQLite
 * continues writing into files that nobody will find again: `storage-failed`, and nothing may be sent on the strength of such an entry.
 */
export function checkFile(sql: DatabaseSync): Result<void> {
  const gone = opened.get(sql)?.some(({ path, identity }) => look(path) !== identity) ?? false;
  return gone
    ? fail(
        appError('storage-failed', {
          message: 'The program’s database was deleted or replaced while the program ran, so nothing more is written.',
          next: 'Close the program, put its data folder back, then start it again.',
          charge: 'not-applicable',
        }),
      )
    : ok(undefined);
}
