import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Which process works on which change, across every window and command that shares the database. */
export interface ChangeLocks {
  /** False where another process that is alive works on it. */
  take(changeId: string): boolean;
  release(changeId: string): void;
  /** Whether another process that is alive works on it. */
  isElsewhere(changeId: string): boolean;
  close(): void;
}

/**
 * Locks in a database that has migration 3, and a folder beside it. Each process holds one lock file as long as it lives: the
 * system takes that lock away at its end, however it ends, so a killed process is never taken for one at work. A process id
 * would not do: it is given to another program later.
 */
export function openChangeLocks(db: DatabaseSync, folder: string): ChangeLocks {
  const run = crypto.randomUUID();
  const fileOf = (name: string): string => join(folder, `${name}.lock`);
  const find = db.prepare('SELECT run FROM licence_change_worker WHERE change_id = ?');
  const put = db.prepare('INSERT OR REPLACE INTO licence_change_worker (change_id, run) VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM licence_change_worker WHERE change_id = ? AND run = ?');
  let held: DatabaseSync | undefined;

  function isAlive(name: string): boolean {
    const file = fileOf(name);
    if (!existsSync(file)) return false;
    const probe = tryLock(file);
    if (!probe) return true;
    probe.close();
    rmSync(file, { force: true });
    return false;
  }

  function isElsewhere(changeId: string): boolean {
    const worker = find.get(changeId)?.run;
    return worker !== undefined && worker !== run && isAlive(String(worker));
  }

  return {
    isElsewhere,
    take(changeId) {
      if (!held) {
        // Never the data folder itself: where that was deleted, nothing is made in its place.
        if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
        held = tryLock(fileOf(run));
      }
      db.exec('BEGIN IMMEDIATE');
      try {
        const free = !isElsewhere(changeId);
        if (free) put.run(changeId, run);
        db.exec('COMMIT');
        return free;
      } catch (thrown) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw thrown;
      }
    },
    release: (changeId) => void drop.run(changeId, run),
    close() {
      if (!held) return;
      held.close();
      held = undefined;
      rmSync(fileOf(run), { force: true });
    },
  };
}

/** The file locked for this process, undefined where another has it. */
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
