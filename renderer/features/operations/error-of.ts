import { type AppError, appError } from '../../../shared/errors.ts';
import { CallError } from '../../lib/calls/bridge.ts';

/** What was thrown, as an error of the closed list. */
export function errorOf(thrown: unknown): AppError {
  if (thrown instanceof CallError) return thrown.error;
  // The bridge itself failed, after the request may have been handed over: nothing is known of the credit.
  return appError('internal', { charge: 'may-have-been-charged', detail: String(thrown) });
}
