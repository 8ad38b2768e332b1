import { readlink, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fail, ok, type Result } from '../../shared/result.ts';
import { notAFile } from './not-a-file.ts';
import { writeError } from './write-error.ts';

/**
 * Where a file that a person chose is to be put: where a link leads, so that the link stays. `money`: see `writeError`. Errors: `file-failed` for a
 * folder, and for a device or a pipe, which would be replaced by a file.
 */
export async function findTarget(path: string, money?: string): Promise<Result<string>> {
  const there = await stat(path).catch(() => null);
  const code = there && notAFile(there);
  if (code) return fail(writeError(Object.assign(new Error(), { code }), money));
  // What the link leads to may not be there yet.
  const led = async () => resolve(await realpath(dirname(path)), await readlink(path));
  return ok(
    await realpath(path)
      .catch(led)
      .catch(() => path),
  );
}
