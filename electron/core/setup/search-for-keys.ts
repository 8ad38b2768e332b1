import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createRedactor } from '../transport/redact/redact.ts';

/**
 * The last look at a text that is about to leave the program: whether it contains one of these secrets, in any spelling that the masking of
 * answers knows. Error `bad-input`, which repeats nothing of it: nothing was typed here, so it is not asked whether that is a key.
 */
export function searchForKeys(text: string, values: readonly string[]): Result<void> {
  // By value alone: what has the name of a secret's field is not masked in a text that leaves as it is.
  if (createRedactor(values).known(text) === text) return ok(undefined);
  return fail(
    appError('bad-input', {
      message: 'One of your keys is in what would be saved, so it is not offered.',
      next: 'Look for a key that was typed into a note, a label or a saved lookup, and take it out there.',
      charge: 'not-applicable',
      money: 'Nothing was written.',
    }),
  );
}
