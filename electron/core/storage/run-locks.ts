import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Which runs of the program are alive, over all processes on a data folder. Throws what SQLite or the file system throws. */
export interface RunLocks {
  /** Shows from now on, until the end of this process, that its run is alive. Throws if that cannot be shown. */
  acquire(): void;
  /** Removes the lock file of a run that has ended. */
  isAlive(run: string): boolean;
  /** Whether a run other than this one is alive whose name begins so. */
  isAnotherAlive(start: string): boolean;
  close(): void;
}

/** How long a run waits for its own lock, which whoever asks whether it is alive holds for an instant. */
const longestWaitMs = 50;

/** A file that was made less long ago may be of a run that is about to lock it: who looks through all files does not remove it. */
const startGraceMs = 60_000;

/** Locks the file for as long as it is open; undefined: another process has it, after so long. */
function tryLock(file: string, timeoutMs = 0): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: timeoutMs });
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
 * given to another program.
 */
export function openRunLocks(folder: string, run: string): RunLocks {
  let ownLock: DatabaseSync | undefined;
  const fileOf = (name: string): string => join(folder, `${name}.lock`);

  /** `graceMs`: a file that was made less long ago is not removed. */
  function isAlive(name: string, graceMs = 0): boolean {
    if (name === run) return true;
    if (!existsSync(fileOf(name))) return false;
    const probe = tryLock(fileOf(name));
    if (!probe) return true;
    probe.close();
    const made = statSync(fileOf(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made >= graceMs) rmSync(fileOf(name), { force: true });
    return false;
  }

  return {
    acquire() {
      if (ownLock) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      ownLock = tryLock(fileOf(run), longestWaitMs);
      if (!ownLock) throw new Error('Another process holds the lock of this run.');
    },
    isAlive: (name) => isAlive(name),
    isAnotherAlive(start) {
      if (!existsSync(folder)) return false;
      return readdirSync(folder)
        .filter((file) => file.startsWith(start) && file.endsWith('.lock'))
        .map((file) => basename(file, '.lock'))
        .some((name) => name !== run && isAlive(name, startGraceMs));
    },
    close() {
      if (!ownLock) return;
      ownLock.close();
      ownLock = undefined;
      rmSync(fileOf(run), { force: true });
    },
  };
}
