import { errors } from 'undici';
import { type AppError, appError, type ErrorCode } from '../../../shared/errors.ts';
import { OpeningFailure } from './opening-errors.ts';

interface Failure {
  code: string;
  message: string;
}

/** The innermost error that says something: wrappers hide the cause of a proxy's or a multi-address failure. */
function describe(error: unknown): Failure {
  let current: unknown = error;
  let found: Failure = { code: '', message: 'unknown' };
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const code = (current as { code?: unknown }).code;
    found = { code: typeof code === 'string' ? code : found.code, message: current.message || found.message };
    if (current.cause === undefined) break;
    current = current.cause;
  }
  return found;
}

/** What the opening of the connection said of its own failure, however deep it is wrapped. */
function findOpeningFailure(error: unknown): AppError | null {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if (current instanceof OpeningFailure) return current.failure;
    current = current.cause;
  }
  return null;
}

/** A failure before any byte of the request was written. Always 'not-charged'. */
export function classifyBeforeSending(error: unknown): AppError {
  const failure = findOpeningFailure(error);
  if (failure) return failure;
  const { code, message } = describe(error);
  const detail = code === '' ? message : `${message} (${code})`;
  return code === 'UND_ERR_INVALID_ARG'
    ? appError('internal', { charge: 'not-charged', detail, message: 'The request could not be built.' })
    : appError('connection-refused', { charge: 'not-charged', detail });
}

/** A failure after the request was written. Whatever it is, the server may have done the work. */
export function classifyAfterSending(error: unknown): AppError {
  const { code, message } = describe(error);
  const detail = code === '' ? message : `${message} (${code})`;
  const make = (errorCode: ErrorCode): AppError => appError(errorCode, { charge: 'may-have-been-charged', detail });
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return make('answer-too-large');
  // A parser error at the end of the stream is an answer that was cut off, not one that is malformed. undici 8 leaves the
  // parser's code out, so its words decide.
  if (error instanceof errors.HTTPParserError && !/\bEOF\b/i.test(message)) return make('unreadable-answer');
  return make('sent-no-answer');
}
