import { type AppError, appError, type ErrorCode } from '../../../../shared/errors.ts';
import { refusalOfClient } from '../connect/client-certificate-messages.ts';
import { detailOf } from '../connect/opening-errors.ts';

/** A request that could not be built. Nothing of it was written. */
export const unbuiltError = (error: unknown): AppError =>
  appError('internal', {
    charge: 'not-charged',
    detail: detailOf(error),
    message: 'The request could not be built.',
  });

/** A failure after the request was written. Whatever it is, the server may have done the work. */
export function classifyAfterSending(error: unknown): AppError {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  const make = (errorCode: ErrorCode): AppError =>
    appError(errorCode, { charge: 'may-have-been-charged', detail: detailOf(error) });
  const refusal = refusalOfClient(code, {
    shown: null,
    asked: null,
    charge: 'may-have-been-charged',
    detail: detailOf(error),
  });
  if (refusal !== null) return refusal;
  if (code === 'HPE_HEADER_OVERFLOW') return make('answer-too-large');
  // A parser that meets the end of the stream has a truncated answer, not a malformed one.
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return make('unreadable-answer');
  return make('sent-no-answer');
}
