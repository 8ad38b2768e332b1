import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeTextFile } from '../../shared/domain/text/text-file.ts';
import { appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/** A file of text of at most so many megabytes, with its name and without its folder. Errors: `file-failed`. */
export async function readTextFile(path: string, megabytes = 8): Promise<Result<{ name: string; text: string }>> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return fail(appError('file-failed', { charge: 'not-applicable' }));
    if (found.size > megabytes * 1024 * 1024)
      return fail(
        appError('file-failed', { message: `The file is larger than ${megabytes} MB.`, charge: 'not-applicable' }),
      );
    return ok({ name: basename(path), text: decodeTextFile(await readFile(path)) });
  } catch {
    return fail(appError('file-failed', { charge: 'not-applicable' }));
  }
}
