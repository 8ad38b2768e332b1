import { open, rename, rm } from 'node:fs/promises';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import { writeError } from '../core/write-error.ts';
import { findTarget } from '../core/write-target.ts';

/**
 * Writes text piece by piece into a file a person chose. It gets its name only when it is whole, so that a full disk or a cancel
 * leaves what was there before. `beforeNamed` runs when all of it is on the disk; if it fails, nothing is left. Mode 0600.
 * Errors: `file-failed`, `storage-failed` if the pieces could not be read, `cancelled`, and those of `beforeNamed`.
 */
export async function writeTextFile(
  path: string,
  pieces: Iterable<{ text: string; rows: number }> | AsyncIterable<{ text: string; rows: number }>,
  signal?: AbortSignal,
  beforeNamed: () => Result<void> = () => ok(undefined),
): Promise<Result<{ rows: number; bytes: number }>> {
  const target = await findTarget(path);
  if (!target.ok) return target;
  const draft = `${target.value}.${crypto.randomUUID().slice(0, 8)}.part`;
  let rows = 0;
  let bytes = 0;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      for await (const piece of pieces) {
        if (signal?.aborted) {
          await rm(draft, { force: true });
          return fail(appError('cancelled', { message: 'The export was stopped. No file was written.' }));
        }
        const content = Buffer.from(piece.text);
        // Until all of it is written: a single write to a disk that is nearly full writes what fits, and is no error.
        await file.writeFile(content);
        bytes += content.length;
        rows += piece.rows;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const done = beforeNamed();
    if (!done.ok) {
      await rm(draft, { force: true });
      return done;
    }
    await rename(draft, target.value);
    return ok({ rows, bytes });
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    return fail(writeError(cause));
  }
}
