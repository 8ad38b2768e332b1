import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attempt } from './errors.ts';

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

/**
 * Removes copies that a kill left incomplete. Only while nobody else opens the database, and so makes one. What cannot be removed, because
 * another program reads it, is tried again at the next start.
 */
export function sweepUnfinished(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.includes(unfinished)) attempt(() => rmSync(join(folder, name)));
}

/** When the copy was made, from its name; undefined: the name is not one of ours. */
export function backupTime(file: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)/.exec(basename(file));
  return match ? `${match[1]}:${match[2]}:${match[3]}` : undefined;
}

/** Tables of saved answers. No copy has any: whoever removes them, or limits how long they stay, would not reach it. */
const leftOut = `tbl_name IN ('held_answers', 'held_pieces') AND sql IS NOT NULL`;

function hasAnswers(file: string): boolean {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = copy.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${leftOut}`).all();
    return tables.some(({ name }) => copy.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined);
  } finally {
    copy.close();
  }
}

/** Removes saved answers from a file that nobody else has open. Throws what SQLite throws. */
export function removeAnswers(file: string): void {
  if (!hasAnswers(file)) return;
  const copy = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    const parts = copy.prepare(`SELECT type, name, sql FROM sqlite_schema WHERE ${leftOut} ORDER BY rowid`).all();
    // Made anew: removing row by row takes several times as long.
    for (const { type, name } of parts) if (type === 'table') copy.exec(`DROP TABLE ${name}`);
    for (const { sql } of parts) copy.exec(String(sql));
    // What was removed still stands in pages that nothing uses.
    copy.exec('VACUUM');
  } finally {
    copy.close();
  }
}

/** The file has its final name only once it is complete, so a truncated copy is never taken for a good one. */
function complete(draft: string, file: string): void {
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/**
 * Removes saved answers from copies of earlier versions. One that cannot be read or written anew stays as it is until the next start; none of
 * its answers comes back with it all the same (`restore`).
 */
export function cleanCopies(folder: string, now: number): void {
  for (const file of listBackups(folder, now))
    attempt(() => {
      if (!hasAnswers(file)) return;
      const draft = file + unfinished;
      copyFileSync(file, draft);
      removeAnswers(draft);
      complete(draft, file);
    });
}

/**
 * Writes a complete, compacted copy without saved answers, removes all but the newest five and the answers in those, and returns its path.
 * Throws what SQLite or the file system throws if it cannot be written.
 */
export function writeBackup(database: DatabaseSync, folder: string, reason: string, milliseconds: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${fileTime(milliseconds)}-${reason}${extension}`);
  const draft = file + unfinished;
  rmSync(draft, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(draft);
    removeAnswers(draft);
    complete(draft, file);
  } catch (cause) {
    // A part of one has taken the last of a full disk, which the database itself needs.
    attempt(() => rmSync(draft));
    throw cause;
  }
  // One that another program reads cannot be removed on Windows: the next copy tries again.
  for (const old of listBackups(folder, milliseconds).slice(kept)) attempt(() => rmSync(old));
  cleanCopies(folder, milliseconds);
  return file;
}
