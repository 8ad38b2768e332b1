import { type AppError, appError } from '../../../../shared/errors.ts';
import { certificateError, isCertificateFailure } from './certificate-messages.ts';

export const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
/** Several addresses that all failed have a code but no message. */
export const detailOf = (error: unknown): string => {
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : '';
  if (words === '' || code === '') return words || code || 'unknown';
  return `${words} (${code})`;
};
const isNameFailure = (error: unknown): boolean =>
  (error as { syscall?: unknown }).syscall === 'getaddrinfo' || codeOf(error) === 'ENOTFOUND';

/** Carries an error of the closed list as a signal's reason, or where only a thrown error gets through. */
export class OpeningFailure extends Error {
  readonly failure: AppError;
  constructor(failure: AppError) {
    super(failure.message);
    this.name = 'OpeningFailure';
    this.failure = failure;
  }
}

/** A signal's reason if it is an error of the closed list, as a time limit gives one. */
export function reasonOf(signal: AbortSignal): AppError {
  const reason: unknown = signal.reason;
  return reason instanceof OpeningFailure ? reason.failure : appError('cancelled');
}

const checkProxy = 'Check the proxy under Settings, Network.';
/** What a proxy did wrong, with the place where it is set. */
export const proxyError = (message: string, detail: string): AppError =>
  appError('proxy-failed', { charge: 'not-charged', message, next: checkProxy, detail });
/** A proxy's address that is none. */
export const badProxy = (): AppError =>
  proxyError('The proxy’s address cannot be used.', 'not an address of an HTTP proxy');

/** Name or TCP of the first server on the way. `error` null: the socket was closed; `proxy`: its address, if it is a proxy. */
export function reachError(error: unknown, proxy: string | null): AppError {
  const detail = error === null ? 'closed' : detailOf(error);
  const code = codeOf(error ?? undefined);
  if (proxy !== null) {
    const where = new URL(proxy).host;
    if (error !== null && isNameFailure(error)) return proxyError(`The proxy’s name was not found: ${where}.`, detail);
    if (code === 'ETIMEDOUT') return proxyError(`The proxy could not be reached in time: ${where}.`, detail);
    if (code === 'ECONNREFUSED') return proxyError(`The proxy did not accept a connection: ${where}.`, detail);
    return proxyError(`No connection to the proxy could be made: ${where}.`, detail);
  }
  if (error !== null && (isNameFailure(error) || code === 'EAI_AGAIN' || code === 'EAI_FAIL'))
    return appError('name-not-found', { charge: 'not-charged', detail });
  if (code === 'ETIMEDOUT') return appError('connect-timeout', { charge: 'not-charged', detail });
  return appError('connection-refused', {
    charge: 'not-charged',
    detail,
    // Whatever else ends an attempt, a network without a way there or a firewall here, is not the server's doing.
    ...(code === 'ECONNREFUSED' ? { message: 'The server did not accept a connection.' } : {}),
  });
}

/** TLS with the server or with the proxy. `error` null: the socket was closed; `proxy` null: there is none on the way. */
export function handshakeError(error: unknown, step: 'tls' | 'proxy-tls', proxy: string | null): AppError {
  const detail = error === null ? 'closed during the handshake' : detailOf(error);
  const code = codeOf(error ?? undefined);
  if (isCertificateFailure(code)) return certificateError(code, step === 'tls' ? 'server’s' : 'proxy’s', detail);
  if (step === 'proxy-tls') return proxyError('The proxy did not agree on an encrypted connection.', detail);
  if (proxy !== null) return proxyError('No encrypted connection could be made through the proxy.', detail);
  const spoken = code.startsWith('ERR_SSL_') || code === 'EPROTO';
  return appError('connection-refused', {
    charge: 'not-charged',
    detail,
    ...(spoken ? { message: 'The server did not agree on an encrypted connection.' } : {}),
  });
}

/** The connection was not ready in time; through a proxy it is not known whose fault that is. */
export const connectTimeout = (proxied: boolean): AppError =>
  proxied
    ? appError('proxy-failed', {
        charge: 'not-charged',
        message: 'The proxy did not connect to the server in time.',
        next: 'Check the proxy under Settings, Network, or try later.',
      })
    : appError('connect-timeout', { charge: 'not-charged' });

/** The connection waited for the proxy's verdict about its sign-in, which another one was sending. */
export const signInTimeout = (): AppError =>
  appError('proxy-failed', {
    charge: 'not-charged',
    message: 'Another connection was still signing in to the proxy when the time for this one was over.',
    next: 'Check the proxy under Settings, Network, or try later.',
  });

/** The name service did not answer: neither the server nor the proxy is to blame. */
export const nameTimeout = (first: URL, proxy: string | null): AppError =>
  appError(proxy === null ? 'connect-timeout' : 'proxy-failed', {
    charge: 'not-charged',
    message: `The name service did not say in time which address ${first.hostname} has${proxy === null ? '' : ', the name of the proxy'}.`,
    next: 'Check this computer’s network and its name service (DNS), or ask whoever runs the network.',
  });
