import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** How many copies are kept beside the database; older ones are removed when a new one is complete. */
const kept = 5;
const extension = '.sqlite';
const unfinished = '.unfinished';

/** A time in a form that file names can carry on every system, and that sorts by time. */
export const fileTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replaceAll(':', '-');

/**
 * Copies, newest first, as full paths. Those dated after `now` come last: a clock was ahead when they were made, and one with an earlier
 * date may be newer.
 */
export function listBackups(folder: string, now: number): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .reverse()
    .sort((a, b) => Number(isAhead(a, now)) - Number(isAhead(b, now)))
    .map((name) => join(folder, name));
}

const isAhead = (name: string, now: number): boolean => Date.parse(backupTime(name) ?? '') > now;

/** Removes copies that a kill or a full disk left incomplete. Only while nobody else opens the database, and so makes one. */
export function sweepUnfinished(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.includes(unfinished)) rmSync(join(folder, name), { force: true });
}

/** When the copy was made, from its name; undefined: the name is not one of ours. */
export function backupTime(file: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)/.exec(basename(file));
  return match ? `${match[1]}:${match[2]}:${match[3]}` : undefined;
}

/**
 * Writes a complete, compacted copy, removes all but the newest five, and returns its path. It has its final name only once it is complete,
 * so a truncated copy is never taken for a good one. Throws what SQLite or the file system throws.
 */
export function writeBackup(database: DatabaseSync, folder: string, reason: string, milliseconds: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${fileTime(milliseconds)}-${reason}${extension}`);
  const draft = file + unfinished;
  rmSync(draft, { force: true });
  database.prepare('VACUUM INTO ?').run(draft);
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  for (const old of listBackups(folder, milliseconds).slice(kept)) rmSync(old, { force: true });
  return file;
}
