import { appError, type Charge } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';

/**
 * A part of the program that a start does not need. A program that was replaced while it ran finds its parts no more: that is an error
 * value, and what a paid call needs to read its answer is loaded before the call leaves.
 */
export async function loadPart<T>(load: () => Promise<T>, charge: Charge = 'not-applicable'): Promise<Result<T>> {
  try {
    return ok(await load());
  } catch (cause) {
    return fail(appError('part-missing', { charge, detail: cause instanceof Error ? cause.message : undefined }));
  }
}
