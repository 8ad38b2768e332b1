import { type AppError, appError } from '../../../shared/errors.ts';
import { CallError } from '../../lib/calls/bridge.ts';

/** What was thrown, as an error of the closed list. `asked`: the call asks the service, so a broken bridge leaves its charge unknown. */
export function errorOf(thrown: unknown, asked = false): AppError {
  if (thrown instanceof CallError) return thrown.error;
  return appError('internal', {
    charge: asked ? 'may-have-been-charged' : 'not-applicable',
    detail: thrown instanceof Error ? thrown.message : String(thrown),
  });
}

/** The same error, saying first what it is about: two parts of a screen may fail for one reason. */
export const about = (subject: string, error: AppError): AppError => ({
  ...error,
  message: `${subject}: ${error.message}`,
});
