import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';

/** SQLite's primary result codes that are distinguished (https://www.sqlite.org/rescode.html). */
const resultCodes = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

function primaryCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  return cause.errcode & 0xff;
}

/** True if the file's content is damaged, rather than busy, read-only or out of space. */
export function isCorruption(cause: unknown): boolean {
  const code = primaryCode(cause);
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}

/** Another connection holds the lock. */
export const isBusy = (cause: unknown): boolean => primaryCode(cause) === resultCodes.busy;

/** SQLite considers a statement wrong: an unknown table, column or function, or a file format that it does not know. */
export const isLogicError = (cause: unknown): boolean => primaryCode(cause) === resultCodes.error;

const busyElsewhere = {
  message: 'Another program is writing to the database.',
  next: 'Close the other console or command, then try again.',
};
const damaged = {
  message: 'The program’s database is damaged.',
  next: 'Restart the program: it opens the last good copy.',
};
const diskFull = { message: 'The disk is full.', next: 'Free some space, then try again.' };
const noPermission = {
  message: 'The program’s folder cannot be used.',
  next: 'Give this user write permission on the folder.',
};

const sentences = new Map<number, { message: string; next: string }>([
  [resultCodes.busy, busyElsewhere],
  [resultCodes.locked, busyElsewhere],
  [
    resultCodes.readOnly,
    { message: 'The program’s database cannot be written to.', next: 'Give this user write permission on its folder.' },
  ],
  [resultCodes.full, diskFull],
  [resultCodes.corrupt, damaged],
  [resultCodes.notADatabase, damaged],
]);

const systemSentences = new Map<string, { message: string; next: string }>([
  ['EACCES', noPermission],
  ['EPERM', noPermission],
  ['EROFS', { message: 'The program’s folder is read-only.', next: 'Choose a folder that can be written.' }],
  ['ENOSPC', diskFull],
]);

/** An error value passing through code that throws. */
export class StorageFailure extends Error {
  readonly error: AppError;
  constructor(error: AppError) {
    super(error.message);
    this.error = error;
  }
}

/**
 * A failure of SQLite or of the file system as `storage-failed`. The detail is SQLite's or the system's own sentence, which names no stored
 * value except that a constraint names its columns.
 */
export function storageError(cause: unknown): AppError {
  if (cause instanceof StorageFailure) return cause.error;
  const code = primaryCode(cause);
  const systemCode = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const known = (code === undefined ? undefined : sentences.get(code)) ?? systemSentences.get(systemCode);
  return appError('storage-failed', {
    ...known,
    charge: 'not-applicable',
    detail: cause instanceof Error ? cause.message : String(cause),
  });
}

/** Runs what reads or writes the database, and turns whatever it throws into an error value. */
export function attempt<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (cause) {
    return fail(storageError(cause));
  }
}

/** The same for what goes in several turns. */
export async function attemptLater<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (cause) {
    return fail(storageError(cause));
  }
}
