import { type BigIntStats, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** SQLite opens the three together; a write may be in the log alone for a while. */
const parts = ['', '-wal', '-shm'];
interface Opened {
  files: { path: string; identity: string }[];
  version: StatementSync;
  knows: number;
}
const opened = new WeakMap<DatabaseSync, Opened>();

const identify = (stats: BigIntStats | undefined): string => (stats ? `${stats.dev} ${stats.ino}` : 'none');
const look = (path: string): string => identify(statSync(path, { bigint: true, throwIfNoEntry: false }));

const read = (version: StatementSync): number => Number(version.get()?.user_version);

/** Notes which files an open database writes into, and its version. On Windows an open file cannot be removed or replaced. */
export function rememberFile(sql: DatabaseSync): void {
  const file = sql.location();
  const named = file === null || process.platform === 'win32' ? [] : parts.map((part) => file + part);
  const version = sql.prepare('PRAGMA user_version');
  opened.set(sql, { files: named.map((path) => ({ path, identity: look(path) })), version, knows: read(version) });
}

/**
 * Whether writes still go into the files that bear the database's name, and mean there what this program means. If the folder was deleted or
 * replaced while the program ran, SQLite continues writing into files that nobody will find again; and a command of a newer version may have
 * changed the tables under an open window. `storage-failed` then, and nothing may be sent on the strength of such an entry. Throws where
 * SQLite does.
 */
export function checkFile(sql: DatabaseSync): Result<void> {
  const at = opened.get(sql);
  if (at && read(at.version) > at.knows) {
    return fail(
      appError('storage-failed', {
        message: 'A newer Address Console has changed the database while this one was open.',
        next: 'Close this one and start the newer one.',
        charge: 'not-applicable',
      }),
    );
  }
  const gone = at?.files.some(({ path, identity }) => look(path) !== identity) ?? false;
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
