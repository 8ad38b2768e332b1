import { errors } from 'undici';
import { type AppError, appError, type ErrorCode } from '../../../shared/errors.ts';
import { proxyAsksForPassword } from './proxy-words.ts';

/** OpenSSL's and Node's codes for "this certificate does not prove this server". */
const certificateCodes: ReadonlySet<string> = new Set([
  'AUTHORITY_ISSUER_SERIAL_NUMBER_MISMATCH',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

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

const isCertificateFailure = (code: string): boolean =>
  certificateCodes.has(code) || (code.startsWith('CERT_') && code !== 'CERT_') || code.startsWith('CRL_');

/** A failure before any byte of the request was written. Always 'not-charged'. */
export function classifyBeforeSending(error: unknown, proxied: boolean): AppError {
  const { code, message } = describe(error);
  const detail = code === '' ? message : `${message} (${code})`;
  const make = (errorCode: ErrorCode, words?: string): AppError =>
    appError(errorCode, { charge: 'not-charged', detail, ...(words === undefined ? {} : { message: words }) });
  if (isCertificateFailure(code)) return make('certificate-not-trusted');
  // undici says it in one way for plain requests and in another for tunnels; both name the status.
  if (proxied && /\(407\)/.test(message)) {
    return appError('proxy-failed', { charge: 'not-charged', detail, ...proxyAsksForPassword });
  }
  if (code === 'UND_ERR_INVALID_ARG') return make('internal', 'The request could not be built.');
  if (proxied) return make('proxy-failed');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL') return make('name-not-found');
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return make('connect-timeout');
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return make('connection-refused', 'The server did not agree on an encrypted connection.');
  }
  return make('connection-refused');
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
