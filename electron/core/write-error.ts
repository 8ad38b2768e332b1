import { type AppError, appError } from '../../shared/errors.ts';
import { storageError } from './storage/database/errors.ts';

/**
 * Why a file could not be written, for the person waiting for it: `file-failed`, or `storage-failed` if it was the database that its rows
 * come from. `money`: what it means for the credits; without one, as for any file.
 */
export function writeError(cause: unknown, money?: string): AppError {
  if (cause instanceof Error && 'errcode' in cause) return storageError(cause);
  // The system's code, never its message: that names the path.
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isOpen = code === 'EBUSY' || code === 'EPERM' || code === 'EACCES';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return appError('file-failed', {
    charge: 'not-applicable',
    ...(money === undefined ? {} : { money }),
    detail: code || 'the file could not be written',
    ...(isOpen
      ? {
          message: 'The file is open in another program, or you have no permission to write to it.',
          next: 'Close it there, or save under another name.',
        }
      : {}),
    ...(isFull
      ? { message: 'There is no room left to write the file.', next: 'Free some space, or save it elsewhere.' }
      : {}),
  });
}
