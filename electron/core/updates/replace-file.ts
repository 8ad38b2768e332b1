import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** SHA-512 of a file, base64, read piece by piece. Synchronous, as the very end of a program is. Throws the system's error. */
export function hashFile(path: string): string {
  const hash = createHash('sha512');
  const piece = Buffer.alloc(1024 * 1024);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('base64');
}

/**
 * Replaces `path` by a copy of `from`, or leaves `path` as it is: the copy is made beside it, is flushed to disk, and has the right SHA-512
 * before it takes the name. The mode is the old file's. Throws the system's error, or one for a different hash.
 */
export function replaceFile(path: string, from: string, sha512: string): void {
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    copyFileSync(from, draft, constants.COPYFILE_EXCL);
    const file = openSync(draft, 'r+');
    try {
      fchmodSync(file, statSync(path).mode & 0o777);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (hashFile(draft) !== sha512) throw new Error('The copy is not the file that the list of versions describes.');
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
