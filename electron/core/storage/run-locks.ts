import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Which runs of the program are alive, over all processes on a data folder. Throws what SQLite or the file system throws. */
export interface RunLocks {
  /** Shows from now on, until the end of this process, that its run is alive. */
  acquire(): void;
  /** Removes the lock file of a run that has ended. */
  isAlive(run: string): boolean;
  /** Whether any run is alive whose name begins so. */
  isAnyAlive(start: string): boolean;
  close(): void;
}

/** Locks the file for as long as it is open; undefined: another process has it. */
function tryLock(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (thrown) {
    lock.close();
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message)) return undefined;
    throw thrown;
  }
}

/**
 * One lock file per run: the system removes the lock when the process ends, however it ends. A process id would not do, since it is later
 * given to another program. `folder` null: a database in memory, which no other process sees.
 */
export function openRunLocks(folder: string | null, run: string): RunLocks {
  let ownLock: DatabaseSync | undefined;
  const fileOf = (name: string): string => join(folder ?? '', `${name}.lock`);

  function isAlive(name: string): boolean {
    if (name === run) return true;
    if (folder === null || !existsSync(fileOf(name))) return false;
    const probe = tryLock(fileOf(name));
    if (!probe) return true;
    probe.close();
    rmSync(fileOf(name), { force: true });
    return false;
  }

  return {
    acquire() {
      if (folder === null || ownLock) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      ownLock = tryLock(fileOf(run));
    },
    isAlive,
    isAnyAlive(start) {
      if (folder === null || !existsSync(folder)) return false;
      return readdirSync(folder).some(
        (file) => file.startsWith(start) && file.endsWith('.lock') && isAlive(basename(file, '.lock')),
      );
    },
    close() {
      if (!ownLock) return;
      ownLock.close();
      ownLock = undefined;
      if (folder !== null) rmSync(fileOf(run), { force: true });
    },
  };
}
