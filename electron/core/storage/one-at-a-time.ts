import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Longer than any opening with its copies; the system frees the lock of a process that died. */
const waitMs = 60_000;

/** Makes the file where it is missing, with mode 0600. SQLite gives its companion files the mode of the database. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Runs `work` while no other process runs it on this folder, which is made with mode 0700 where missing. SQLite alone does not order
 * what an opening does: the change to its write-ahead log answers "locked" without waiting, and a file that another process has just
 * made looks like one that was emptied. The lock is SQLite's own, on an empty file, because that one works alike on every system.
 */
export function oneAtATime<T>(folder: string, work: () => T): T {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const file = join(folder, 'opening.lock');
  makePrivate(file);
  const lock = new DatabaseSync(file, { timeout: waitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}
