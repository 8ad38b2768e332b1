import { existsSync, mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openRunLocks } from '../../storage/run-locks.ts';

/** Which process works on which change, across every window and command that shares the database, and whether one of them is a window. */
export interface ChangeLocks {
  /** False if another living process works on it. */
  take(changeId: string): boolean;
  release(changeId: string): void;
  /** Whether another living process works on it. */
  isRunElsewhere(changeId: string): boolean;
  /** Shows until the end of this process that a window is open: it reads in time what any process leaves on its way. */
  showWindow(): void;
  isWindowOpen(): boolean;
  close(): void;
}

/**
 * Locks in a database that has migration 3, and a folder beside it in which each process shows that it is alive (run-locks.ts): a killed
 * process is never taken for one at work.
 */
export function openChangeLocks(db: DatabaseSync, folder: string): ChangeLocks {
  const run = crypto.randomUUID();
  const runs = openRunLocks(folder, run);
  const window = openRunLocks(folder, 'window');
  const find = db.prepare('SELECT run FROM licence_change_worker WHERE change_id = ?');
  const put = db.prepare('INSERT OR REPLACE INTO licence_change_worker (change_id, run) VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM licence_change_worker WHERE change_id = ? AND run = ?');
  let isShown = false;

  function isRunElsewhere(changeId: string): boolean {
    const worker = find.get(changeId)?.run;
    return worker !== undefined && worker !== run && runs.isAlive(String(worker));
  }

  /** Never the data folder itself: if that was deleted, nothing is created in its place. */
  function makeFolder(): void {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  }

  return {
    isRunElsewhere,
    showWindow() {
      makeFolder();
      window.acquire();
    },
    isWindowOpen: () => runs.isAlive('window'),
    take(changeId) {
      if (!isShown) {
        makeFolder();
        runs.acquire();
        isShown = true;
      }
      db.exec('BEGIN IMMEDIATE');
      try {
        const free = !isRunElsewhere(changeId);
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
      runs.close();
      window.close();
    },
  };
}
