import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * A damaged file was found at a start, or none where there had been one. It is kept under `setAside`; null: there was nothing to keep.
 * `backupAt` null: no good copy, so the database is new.
 */
export interface Recovery {
  setAside: string | null;
  backupAt: string | null;
}

const recoverySchema = z.strictObject({
  setAside: z.string().nullable(),
  backupAt: z.string().nullable(),
  /** False: it was begun, and a failure or a kill may have left anything in the database's place. */
  done: z.boolean(),
});
type StoredRecovery = z.infer<typeof recoverySchema>;

const nameOf = (file: string): string => `${file}.recovery`;

/**
 * What is stored of a recovery until a window has said it: the start that did it may fail or be killed afterwards, and at the next one the
 * database is whole. null: none, or it cannot be read.
 */
export function readRecovery(file: string): StoredRecovery | null {
  try {
    return recoverySchema.parse(JSON.parse(readFileSync(nameOf(file), 'utf8')));
  } catch {
    return null;
  }
}

/** On the disk before anything is moved, so that a power cut does not lose it. Throws what the file system throws. */
export function writeRecovery(file: string, recovery: StoredRecovery): void {
  const draft = `${nameOf(file)}.unfinished`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(handle, JSON.stringify(recovery));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, nameOf(file));
}

/** A window has said it. Errors are ignored: it is said once more. */
export function removeRecovery(file: string): void {
  try {
    rmSync(nameOf(file), { force: true });
  } catch {}
}
