import { type AppError, appError, type ErrorCode, type ErrorDetails } from '../../../shared/errors.ts';
import { refusalInPage } from '../transport/connect/client-certificate-messages.ts';
import { proxyAsksForPassword } from '../transport/connect/proxy-messages.ts';
import { readRetryAfter, secondsOf } from '../transport/http/retry-after.ts';
import type { TextJson } from './json-text.ts';
import { member } from './wire.ts';

/**
 * Statuses and bodies of REST errors are not published (specification, Errors 4). HTTP's own meaning of a status is used, and the service's
 * words are kept as detail. Whether a refusal costs is not published either.
 */
const uncertain: ErrorDetails = {
  charge: 'may-have-been-charged',
  money: 'Whether a refusal costs is not published.',
};

const byStatus: Readonly<Record<number, [ErrorCode, ErrorDetails]>> = {
  400: ['input-refused', uncertain],
  401: ['credentials-refused', uncertain],
  402: ['no-credits', uncertain],
  403: ['not-permitted', uncertain],
  // A server that asks for a sign-in by answering the request has received the request: a proxy asks when the connection is opened.
  407: ['http-error', { ...proxyAsksForPassword, ...uncertain }],
  422: ['input-refused', uncertain],
  429: ['rate-limited', uncertain],
  511: ['not-the-service', uncertain],
};

/**
 * The error of an HTTP status from 300 on; undefined below. `words`: the service's own, redacted.
 */
export function errorOfStatus(
  status: number,
  words: string,
  headers: Readonly<Record<string, string>>,
  isWebPage: boolean,
  endpoint: string,
): AppError | undefined {
  if (status < 300) return undefined;
  const detail = words === '' ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
  if (status < 400 && status !== 304) {
    return appError('redirect-refused', {
      ...uncertain,
      detail: `HTTP ${status} to ${headers.location ?? 'an address not named'}`,
    });
  }
  if (status === 404 || status === 410) return errorOfGone(status, detail, isWebPage, endpoint);
  const ofCertificate = isWebPage ? refusalInPage(status, words) : null;
  if (ofCertificate !== null) return appError(ofCertificate, { ...uncertain, detail });
  const known = byStatus[status];
  if (known === undefined) {
    return status >= 500 || status === 304
      ? appError('http-error', { detail })
      : appError('http-error', { ...uncertain, message: 'The server refused the request.', detail });
  }
  const [code, details] = known;
  const next =
    status === 429
      ? { next: formatWait(headers['retry-after']), retryAfterMs: readRetryAfter(headers['retry-after']) }
      : {};
  return appError(code, { ...details, ...next, detail });
}

/**
 * Of 404 and 410. The server may have no such page, as at a mistyped address: a web page says so, and of the balance nothing else can be
 * meant. Otherwise the service may mean by it that it knows no such record, or that its search found nothing; neither is published.
 */
function errorOfGone(status: number, detail: string, isWebPage: boolean, endpoint: string): AppError {
  if (isWebPage || endpoint === 'GetCredits') {
    return appError('not-the-service', {
      ...uncertain,
      message: 'The server has no such page: the REST address may not be the service’s.',
      next: 'Check the REST address under Connections.',
      detail,
    });
  }
  const isSearch = endpoint === 'Search';
  return appError(isSearch ? 'http-error' : 'not-found', {
    ...uncertain,
    message: `The answer was ${status}: ${isSearch ? 'nothing was found' : 'no such record'}, or the server has no such page.`,
    next: `Check ${isSearch ? 'what was searched for' : 'the identifier'}, then the REST address under Connections.`,
    detail,
  });
}

/** Retry-After as a text. Only a batch acts on it by itself, at most twice per question. */
export function formatWait(retryAfter: string | undefined, now: Date = new Date()): string {
  const seconds = secondsOf(retryAfter, now);
  if (!Number.isFinite(seconds)) return 'Wait, then ask again.';
  if (seconds <= 0) return 'Ask again now.';
  if (seconds < 120) return `Ask again in ${seconds} second${seconds === 1 ? '' : 's'}.`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `Ask again in ${minutes} minutes.` : `Ask again in ${Math.ceil(minutes / 60)} hours.`;
}

/** Members that only an error has. */
const errorNames = ['error', 'errorMessage', 'error_description', 'errors', 'fault'] as const;
const wordNames = ['message', ...errorNames, 'detail', 'title'] as const;
/** Words of one error body; nobody reads more. */
const mostWords = 50;

const statusNames = ['status', 'statusCode', 'code', 'errorCode'] as const;

/** The words of an error body of any common form, at most 500 characters, or '' if the body is not one. */
export function findErrorText(value: TextJson, names: readonly string[] = wordNames): string {
  const found = names.flatMap((name) => flatten(member(value, name), 0)).slice(0, mostWords);
  return [...new Set(found)].join('; ').slice(0, 500);
}

function flatten(value: unknown, depth: number): string[] {
  // No error may be written as 0 or false.
  if (typeof value === 'string') return /^\s*(0|false)?\s*$/i.test(value) ? [] : [value.trim()];
  if (depth > 3 || value === null || typeof value !== 'object') return [];
  return Object.values(value)
    .slice(0, mostWords)
    .flatMap((inner) => flatten(inner, depth + 1))
    .slice(0, mostWords);
}

/**
 * A 2xx answer of an endpoint whose body says that it failed. undefined: the body is not an error. `isAnswer`: it has a published shape,
 * beside which only a status, a flag or a member of an error says that; a message may be any. `headers`: those of the answer.
 */
export function errorOfBody(
  value: TextJson,
  headers: Readonly<Record<string, string>>,
  endpoint: string,
  isAnswer = false,
): AppError | undefined {
  const words = findErrorText(value);
  const status = statusNames
    .flatMap((name) => [member(value, name), member(member(value, 'error'), name)])
    .map((content) => (typeof content === 'string' && /^[45]\d\d$/.test(content) ? Number(content) : 0))
    .find((code) => code > 0);
  if (status !== undefined) {
    const error = errorOfStatus(status, words, headers, false, endpoint);
    // As “HTTP”, by which a status is known (`statusIn`): the words after it may name another.
    if (error !== undefined)
      return { ...error, detail: `The answer names HTTP ${status}${words === '' ? '.' : `: ${words}`}` };
  }
  const isFailed = isFlag(value, 'success', 'false') || isFlag(value, 'isError', 'true');
  if (!isFailed && (isAnswer ? findErrorText(value, errorNames) : words) === '') return undefined;
  return appError('service-error', { ...uncertain, detail: words || 'The answer says that it failed.' });
}

const isFlag = (value: TextJson, name: string, state: 'true' | 'false'): boolean =>
  String(member(value, name)).trim().toLowerCase() === state;

/** Text that is a web page, whatever its declared type. */
export const isWebPage = (text: string, contentType: string): boolean =>
  /^\s*(<!doctype html|<html|<head|<body)/i.test(text) ||
  (/\b(text\/html|application\/xhtml\+xml)\b/i.test(contentType) && /^\s*</.test(text));

/** The words of a page or text, without tags, white space collapsed, for a detail line: at most 300 characters. */
export function summarise(text: string): string {
  return (
    text
      .slice(0, 8000)
      .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
      // Bounded, or a text of nothing but “<” costs the square of its length.
      .replace(/<[^<>]{0,1000}>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 300)
  );
}

/** The same error with “not charged”, for a call that costs nothing by the specification (Endpoints, REST, rule 3). */
export function asFree(error: AppError): AppError {
  if (error.charge === 'not-charged') return error;
  const asksForBalance = error.code === 'sent-no-answer' || error.code === 'cancelled-after-sending';
  return {
    ...error,
    charge: 'not-charged',
    money: 'This call is published as free.',
    ...(asksForBalance ? { next: 'Ask again when you like.' } : {}),
  };
}
