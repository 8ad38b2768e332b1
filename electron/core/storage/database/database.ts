import { chmodSync, copyFileSync, renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { lazy } from '../../../../shared/lazy.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { Clock } from '../../../ports.ts';
import { openRunLocks } from '../run-locks.ts';
import {
  backupTime,
  cleanCopies,
  fileTime,
  listBackups,
  removeAnswers,
  sweepUnfinished,
  writeBackup,
} from './backups.ts';
import { keepDaysInZone } from './day-zone.ts';
import { attempt, isCorruption, isLogicError, StorageFailure, storageError } from './errors.ts';
import { makePrivate, withFileLock } from './file-lock.ts';
import { addFoldCase } from './fold-case.ts';
import { hasOwnSchema, migrate } from './migrate.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations as published } from './migrations.ts';
import { checkFile, rememberFile } from './named-file.ts';
import { liesOnNetwork } from './network-folder.ts';
import { goesWithProgram } from './program-folder.ts';
import { type Recovery, readRecovery, removeRecovery, writeRecovery } from './recovery.ts';

export const databaseName = 'address-console.sqlite';
export const backupFolder = 'backups';
const dayMilliseconds = 24 * 60 * 60 * 1000;

export interface Database {
  readonly sql: DatabaseSync;
  /** What was recovered, at this start or an earlier one whose window never said it; null: nothing. The window tells the user. */
  readonly recovery: Recovery | null;
  /** The user was told: a later start does not say it again. */
  recoveryShown(): void;
  /** Why the copy that was due at this start could not be made; null: it was made, or none was due. The window tells the user. */
  readonly copyFailure: string | null;
  /** One run of the program, for whatever counts or applies to "this run". */
  readonly run: string;
  /** Shows other processes that this run is alive, from now until its end. */
  acquireRunLock(): void;
  /** Whether the process of a run is alive. */
  isRunAlive(run: string): boolean;
  /** Whether another process on this data folder shows that its run is alive. Throws what SQLite or the file system throws. */
  isAnotherRunAlive(): boolean;
  /**
   * Runs `work` in one write transaction (nested calls join it). A failing result or a throw undoes everything; a throw comes back as
   * `storage-failed`, and so does a database whose file was deleted or replaced since it was opened, or changed by a newer version. A
   * nested call undoes nothing by itself: its result or throw is the outer one's to pass on.
   */
  transaction<T>(work: () => Result<T>): Result<T>;
  /** Also removes the lock that shows that this run is alive. */
  close(): void;
}

export interface DatabaseOptions {
  /** The program's data folder, created with mode 0700 if missing. */
  folder: string;
  clock: Clock;
  migrations?: readonly Migration[];
  /** How long to wait for another process's write, in milliseconds; default 5000. */
  busyMs?: number;
  /** false: a damaged file is an error and stays as it is, for the window, which says what is lost. Default: it is recovered. */
  recovers?: boolean;
}

class Damaged extends Error {}

const notRecovered = (file: string): AppError =>
  appError('storage-failed', {
    message: `The program’s database is damaged or missing, so nothing was begun: ${file}`,
    next: 'Start the window: it opens the newest good copy, keeps a damaged file and says what is missing. Without a window, move the file and those that begin with its name to another folder, and copy the newest file of the folder “backups” to its place.',
    charge: 'not-charged',
  });

/** The write-ahead log needs memory that all its users share, which two computers do not have; and a server's locks are not reliable. */
const onNetwork = (folder: string): AppError =>
  appError('storage-failed', {
    message: `The data folder is on a network drive, where two computers could write to the database at once: ${folder}`,
    next: 'Name a folder of this computer in ADDRESS_CONSOLE_DATA_FOLDER.',
    charge: 'not-applicable',
  });

const inProgram = (folder: string): AppError =>
  appError('storage-failed', {
    message: `The data folder is in the program’s own, which a newer version deletes, as removing the program does: ${folder}`,
    next: 'Copy what is yours out of it. Then remove the program and install it into another folder, or name another one in ADDRESS_CONSOLE_DATA_FOLDER.',
    charge: 'not-applicable',
  });

function openFile(file: string, busyMs: number, list: readonly Migration[]): DatabaseSync {
  const sql = new DatabaseSync(file, { timeout: busyMs, enableForeignKeyConstraints: true });
  try {
    // Of a new file alone: what is removed later is given back a few pages at a time (core/upkeep/upkeep.ts).
    if (Number(sql.prepare('PRAGMA page_count').get()?.page_count) === 0) sql.exec('PRAGMA auto_vacuum = INCREMENTAL');
    sql.exec('PRAGMA journal_mode = WAL');
    // FULL: an intent or a spend written before sending must survive a power cut, not only a crash.
    sql.exec('PRAGMA synchronous = FULL');
    // On macOS a plain fsync leaves what it was given in the drive's own cache. No effect elsewhere.
    sql.exec('PRAGMA fullfsync = ON');
    // Pages after which a commit moves them into the file as well: of SQLite's 1,000 that took main 7 ms in one turn, of these 3.
    sql.exec('PRAGMA wal_autocheckpoint = 250');
    const verdict = sql.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict !== 'ok') throw new Damaged(String(verdict));
    if (!hasOwnSchema(sql, list)) throw new Damaged('its tables are not those of its version');
    return sql;
  } catch (cause) {
    sql.close();
    // The queries here are always the same: if SQLite finds one illogical, the file is at fault.
    throw isLogicError(cause) ? new Damaged(String(cause)) : cause;
  }
}

const nameAside = (file: string, suffix: string): string => `${file}.damaged-${suffix}`;

const hasContent = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

function setAside(file: string, name: string): void {
  for (const part of ['-wal', '-shm', ''])
    if (statSync(file + part, { throwIfNoEntry: false })) renameSync(file + part, name + part);
}

/** Replaces the database by the newest complete copy, without saved answers; none: an empty file will be created. */
function restore(file: string, folder: string, busyMs: number, now: number, list: readonly Migration[]): string | null {
  for (const backup of listBackups(folder, now)) {
    copyFileSync(backup, file);
    chmodSync(file, 0o600);
    try {
      openFile(file, busyMs, list).close();
      removeAnswers(file);
      return backupTime(backup) ?? null;
    } catch (cause) {
      if (!(cause instanceof Damaged || isCorruption(cause))) throw cause;
      setAside(file, nameAside(file, `copy-${fileTime(Date.parse(backupTime(backup) ?? '') || 0)}`));
    }
  }
  return null;
}

/**
 * What is in the database's place is none, although there was one: something that is not a file, or a missing or empty file beside copies or
 * a log that has content. SQLite would take the latter for a new database and delete the log, and everything would be lost silently. A
 * killed first start leaves no such log: SQLite writes the first page of the file before it.
 */
function isReplaced(file: string, backups: string, now: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) return true;
  return !hasContent(file) && (hasContent(`${file}-wal`) || listBackups(backups, now).length > 0);
}

function openOrRecover(file: string, options: DatabaseOptions, busyMs: number, replaced: boolean) {
  const list = options.migrations ?? published;
  const earlier = readRecovery(file);
  try {
    if (replaced) throw new Damaged('nothing in it');
    // Part of a file may have been moved, or a copy not be whole: it is begun again.
    if (earlier?.done === false) throw new Damaged('its recovery was not finished');
    const recovery = earlier && { setAside: earlier.setAside, backupAt: earlier.backupAt };
    return { sql: openFile(file, busyMs, list), recovery };
  } catch (cause) {
    if (!(cause instanceof Damaged || isCorruption(cause))) throw cause;
    if (options.recovers === false) throw new StorageFailure(notRecovered(file));
    const name = nameAside(file, fileTime(options.clock.now()));
    // Of one that was not finished, what it found is what happened: what stands there now may be only a part of its copy.
    const aside = earlier?.done === false || !hasContent(file) ? (earlier?.setAside ?? null) : name;
    writeRecovery(file, { setAside: aside, backupAt: null, done: false });
    setAside(file, aside !== null && !hasContent(aside) ? aside : name);
    const backupAt = restore(file, join(options.folder, backupFolder), busyMs, options.clock.now(), list);
    makePrivate(file);
    const sql = openFile(file, busyMs, list);
    writeRecovery(file, { setAside: aside, backupAt, done: true });
    return { sql, recovery: { setAside: aside, backupAt } };
  }
}

function joinTransaction(sql: DatabaseSync) {
  return <T>(work: () => Result<T>): Result<T> => {
    const inside = attempt(() => sql.isTransaction);
    if (!inside.ok) return inside;
    if (inside.value) {
      // The outer transaction decides: it sees this result or this throw.
      return work();
    }
    const begun = attempt(() => sql.exec('BEGIN IMMEDIATE'));
    if (!begun.ok) return begun;
    const undo = () => attempt(() => (sql.isTransaction ? sql.exec('ROLLBACK') : undefined));
    try {
      const result = work();
      if (!result.ok) {
        undo();
        return result;
      }
      const named = checkFile(sql);
      if (!named.ok) {
        undo();
        return named;
      }
      sql.exec('COMMIT');
      return result;
    } catch (cause) {
      undo();
      return fail(storageError(cause));
    }
  };
}

/**
 * One copy a day at most: what a damaged file costs is what was done since the last start that made one, which is more than a day where the
 * program stays open for longer.
 */
function backUpDaily(sql: DatabaseSync, folder: string, clock: Clock): void {
  const newest = Date.parse(backupTime(listBackups(folder, clock.now())[0] ?? '') ?? '');
  if (Number.isNaN(newest) || Math.abs(clock.now() - newest) >= dayMilliseconds)
    writeBackup(sql, folder, 'daily', clock.now());
}

/**
 * A file of before version 21 could not be made smaller in pieces. It is written anew once, which takes a second for some 100 MB; without
 * the room for it, or while another process has it open, it stays as it is until the next start.
 */
function mayShrink(sql: DatabaseSync, file: string): void {
  if (Number(sql.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum) !== 0) return;
  const { bavail, bsize } = statfsSync(file);
  if (bavail * bsize < 3 * statSync(file).size) return;
  // Errors are ignored: the file is as it was.
  attempt(() => sql.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM'));
}

function openInTurn(
  options: DatabaseOptions,
  busyMs: number,
): Result<Pick<Database, 'sql' | 'recovery' | 'copyFailure'>> {
  const { folder, clock } = options;
  if (liesOnNetwork(folder)) return fail(onNetwork(folder));
  if (goesWithProgram(folder)) return fail(inProgram(folder));
  const file = join(folder, databaseName);
  const backups = join(folder, backupFolder);
  const replaced = isReplaced(file, backups, clock.now());
  if (!replaced) makePrivate(file);
  sweepUnfinished(backups);
  // Not by each command, which would look into all of them: one does when it writes a copy.
  if (options.recovers !== false) cleanCopies(backups, clock.now());
  const { sql, recovery } = openOrRecover(file, options, busyMs, replaced);
  try {
    const existed = Number(sql.prepare('PRAGMA user_version').get()?.user_version) > 0;
    const migrated = migrate(sql, options.migrations ?? published, (before) => {
      writeBackup(sql, backups, `before-${String(before.number).padStart(4, '0')}`, clock.now());
    });
    if (!migrated.ok) {
      sql.close();
      return migrated;
    }
    // Without it the program works all the same: only a copy before a migration is necessary.
    const copied = attempt(() => (existed ? backUpDaily(sql, backups, clock) : undefined));
    mayShrink(sql, file);
    keepDaysInZone(sql);
    addFoldCase(sql);
    rememberFile(sql);
    return ok({ sql, recovery, copyFailure: copied.ok ? null : (copied.error.detail ?? copied.error.message) });
  } catch (cause) {
    sql.close();
    throw cause;
  }
}

/**
 * Opens the program's database: write-ahead log, foreign keys, file 0600 in a folder 0700, schema brought up to date after one copy. A
 * damaged file is set aside under a new name and the newest good copy opened in its place (see `recovers`). Window and commands may open it
 * at once: one waits for the other. Errors: `storage-failed` (folder not usable, disk full, file of a newer program).
 */
export function openDatabase(options: DatabaseOptions): Result<Database> {
  const { folder } = options;
  const busyMs = options.busyMs ?? 5000;
  try {
    const opened = withFileLock(folder, () => openInTurn(options, busyMs));
    if (!opened.ok) return opened;
    const { sql, recovery, copyFailure } = opened.value;
    prepareWhenRun(sql);
    const run = crypto.randomUUID();
    const runs = openRunLocks(join(folder, 'runs'), run);
    return ok({
      sql,
      recovery,
      copyFailure,
      recoveryShown: () => removeRecovery(join(folder, databaseName)),
      run,
      acquireRunLock: runs.acquire,
      isRunAlive: runs.isAlive,
      isAnotherRunAlive: () => runs.isAnotherAlive(''),
      transaction: joinTransaction(sql),
      close: () => {
        runs.close();
        if (sql.isOpen) sql.close();
      },
    });
  } catch (cause) {
    return fail(storageError(cause));
  }
}

type UsedMethods = Pick<StatementSync, 'get' | 'all' | 'run' | 'iterate'>;

/**
 * Makes each statement when it is first run. The parts of the program prepare some 400 when they are put together, of which a start runs
 * fifty; preparing them all held the window back by 100 ms of processor time. If SQLite thinks one wrong since a newer version has changed
 * the tables, that is said instead.
 */
function prepareWhenRun(sql: DatabaseSync): void {
  const prepare = sql.prepare.bind(sql);
  sql.prepare = (text) => {
    const statement = lazy(() => prepare(text));
    // Its overloads are the same as the statement's own.
    const later =
      (name: keyof UsedMethods) =>
      (...given: SQLInputValue[]) => {
        try {
          return statement()[name](...given);
        } catch (cause) {
          const known = isLogicError(cause) ? checkFile(sql) : ok(undefined);
          throw known.ok ? cause : new StorageFailure(known.error);
        }
      };
    return {
      get: later('get'),
      all: later('all'),
      run: later('run'),
      iterate: later('iterate'),
    } as unknown as StatementSync;
  };
}
