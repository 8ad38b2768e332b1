import type { CallOutcome } from '../../../shared/domain/activity.ts';
import type { AppError } from '../../../shared/errors.ts';

/** Codes by which the service itself said no: the call was understood and not answered. */
const refusals: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  'credentials-refused',
  'not-permitted',
  'no-credits',
  'rate-limited',
  'not-found',
  'input-refused',
  'service-error',
  'soap-fault',
]);

/** What the activity log says of a call that failed. */
export function outcomeOf(error: AppError): CallOutcome {
  if (error.code === 'cancelled') return 'cancelled';
  if (error.code === 'sent-no-answer' || error.code === 'cancelled-after-sending') return 'unknown';
  return refusals.has(error.code) ? 'refused' : 'failed';
}
