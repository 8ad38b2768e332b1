import type { CallOutcome } from '../../../shared/domain/activity.ts';
import { type AppError, failsBeforeSending } from '../../../shared/errors.ts';
import type { CallEnd } from '../spend/ledger.ts';

/** Codes by which the service itself refused: the call was understood and not answered. */
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

/** What the activity log says of a failed call. */
export function outcomeOf(error: AppError): CallOutcome {
  if (error.code === 'cancelled') return 'cancelled';
  if (error.code === 'sent-no-answer' || error.code === 'cancelled-after-sending') return 'unknown';
  return refusals.has(error.code) ? 'refused' : 'failed';
}

/** Codes of a complete answer that says no. */
const saidNo: ReadonlySet<AppError['code']> = new Set<AppError['code']>([
  ...refusals,
  'http-error',
  'redirect-refused',
]);

/** Nothing left this computer: by the code, or by what the step that made the error says of it. */
export const isUnsent = ({ code, charge }: AppError): boolean =>
  failsBeforeSending.has(code) || charge === 'not-charged';

/** Codes under which the detail is the service's own words: a status in them is not that of its answer. */
const inItsWords: ReadonlySet<AppError['code']> = new Set<AppError['code']>(['service-error', 'soap-fault']);

/** The HTTP status of a refusal, which its detail begins with. */
export const statusIn = ({ code, detail = '' }: AppError): string | undefined =>
  inItsWords.has(code) ? undefined : /^(?:The answer names )?HTTP (\d{3})\b/.exec(detail)?.[1];

/** A status from 500 on refuses nothing: a server in between sends it too, while the service may still carry the call out. */
export const isServerError = (error: AppError): boolean =>
  error.code === 'http-error' && Number(statusIn(error)) >= 500;

/**
 * How a failed call ended, for the ledger. Without a complete answer that is certainly its own the call is lost: a charge for it is
 * awaited. `code`: the HTTP status of a refusal if its detail names one, otherwise the code of the error.
 */
export function endOf(error: AppError): CallEnd {
  if (isUnsent(error)) return { how: 'unsent', code: null };
  return saidNo.has(error.code) && !isServerError(error)
    ? { how: 'refused', code: statusIn(error) ?? error.code }
    : { how: 'lost', code: error.code };
}
