import { appError } from '../../shared/errors.ts';
import { fail } from '../../shared/result.ts';

/** What was typed into a field is refused; nothing was sent. `message`: one sentence, for a person. */
export const badInput = (field: string, message: string) =>
  fail(appError('bad-input', { field, message, charge: 'not-applicable' }));
