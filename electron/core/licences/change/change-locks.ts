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
  /** Shows until the end of this process that it is alive. A window does so from its start; otherwise the first `take` does. */
  show(): void;
  /** Whether a window is open, in any process: it reads in time what any process leaves on its way. */
  isWindowOpen(): boolean;
  close(): void;
}

/**
 * Locks in a database that has migration 3, and a folder beside it in which each process shows that it is alive (run-locks.ts): a killed
 * process is never taken for one at work.
 */
export function openChangeLocks(db: DatabaseSync, folder: string, kind: 'window' | 'command' = 'command'): ChangeLocks {
  // A name of its own for each: one that is asked whether it is alive must not be taken anew meanwhile.
  const run = `${kind}-${crypto.randomUUID()}`;
  const runs = openRunLocks(folder, run);
  const find = db.prepare('SELECT run FROM licence_change_worker WHERE change_id = ?');
  const put = db.prepare('INSERT OR REPLACE INTO licence_change_worker (change_id, run) VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM licence_change_worker WHERE change_id = ? AND run = ?');

  function isRunElsewhere(changeId: string): boolean {
    const worker = find.get(changeId)?.run;
    return worker !== undefined && worker !== run && runs.isAlive(String(worker));
  }

  let isShown = false;

  function show(): void {
    if (isShown) return;
    // Never the data folder itself: if that was deleted, nothing is created in its place.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    runs.acquire();
    isShown = true;
  }

  return {
    isRunElsewhere,
    show,
    isWindowOpen: () => runs.isAnotherAlive('window-'),
    take(changeId) {
      show();
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
    close: () => runs.close(),
  };
}
