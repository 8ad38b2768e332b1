import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { isBusy, StorageFailure } from './errors.ts';

/** Longer than any opening with its copies; the system releases the lock of a process that died. */
const waitMs = 60_000;
/** How often a waiting start checks whether the process in front of it is still running. */
const lookMs = 1000;

/**
 * Creates the file if missing, with mode 0600. SQLite gives its companion files the mode of the database. One that exists is not opened:
 * closing it would take off the locks that SQLite has on it in this process (POSIX).
 */
export function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Runs `work` while no other process runs it on this folder, which is created with mode 0700 if missing. SQLite alone does not order what
 * an opening does: the switch to its write-ahead log answers "locked" without waiting, and a file that another process has just created
 * looks like one that was emptied. The lock is SQLite's own, on an empty file, because only that works alike on every system; who holds it
 * is written beside it. Throws `storage-failed` naming the process if that is stopped, or has not ended after a minute.
 */
export function withFileLock<T>(folder: string, work: () => T): T {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const file = join(folder, 'opening.lock');
  const holder = join(folder, 'opening.pid');
  makePrivate(file);
  // Nobody writes into it. What something else has put there, SQLite would take for a damaged database, and no start would get past it.
  if (statSync(file).size > 0) truncateSync(file);
  const lock = new DatabaseSync(file, { timeout: lookMs });
  try {
    takeLock(lock, holder);
    writeFileSync(holder, String(process.pid), { mode: 0o600 });
    return work();
  } finally {
    lock.close();
  }
}

function takeLock(lock: DatabaseSync, holder: string): void {
  for (let waited = lookMs; ; waited += lookMs) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return;
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      const id = readHolder(holder);
      const stopped = id !== null && isStopped(id);
      if (stopped || waited >= waitMs) throw new StorageFailure(describeHolder(id, stopped));
    }
  }
}

/** The process that has the lock or had it last; null: not known. */
function readHolder(file: string): number | null {
  try {
    const id = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(id) && id > 0 && id !== process.pid ? id : null;
  } catch {
    return null;
  }
}

/** Stopped by Ctrl-Z or a debugger: it releases nothing until somebody resumes it. Windows has no such state. */
function isStopped(id: number): boolean {
  try {
    if (process.platform === 'win32') return false;
    const state =
      process.platform === 'linux'
        ? readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /s, '')
        : execFileSync('/bin/ps', ['-o', 'state=', '-p', String(id)], { encoding: 'utf8', timeout: lookMs });
    return /^T/i.test(state.trim());
  } catch {
    return false;
  }
}

function describeHolder(id: number | null, stopped: boolean): AppError {
  const who = id === null ? 'Another process' : `Process ${id}`;
  return appError('storage-failed', {
    message: stopped
      ? `${who} was stopped (Ctrl-Z, for example) while it opened the database.`
      : `${who} is still opening the database after ${waitMs / 1000} seconds.`,
    next: stopped
      ? `Let it go on (fg, or kill -CONT ${id}) or end it, then try again.`
      : 'Wait for it or end it, then try again.',
    charge: 'not-applicable',
  });
}
