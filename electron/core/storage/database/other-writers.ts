import type { DatabaseSync } from 'node:sqlite';
import { attempt } from './errors.ts';

/**
 * Calls `onWrite` when another process has written to the database, such as a command in a terminal: looked for each `everyMs` milliseconds
 * by `PRAGMA data_version`, which changes with commits of other connections only. This program has no second one that writes. A look that
 * fails is made up for by the next. Returns how to stop.
 */
export function watchOtherWriters(sql: DatabaseSync, everyMs: number, onWrite: () => void): () => void {
  const version = sql.prepare('PRAGMA data_version');
  const look = () => attempt(() => version.get()?.data_version);
  let last = look();
  const timer = setInterval(() => {
    const now = look();
    if (!now.ok) return;
    const isSame = last.ok && last.value === now.value;
    last = now;
    if (!isSame) onWrite();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
