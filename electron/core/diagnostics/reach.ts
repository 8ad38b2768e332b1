import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

const limitMs = 10_000;

/** Host and port of an http(s) address, without the brackets of IPv6. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}

/** The addresses behind a name, in the order in which they are tried. */
export async function findName(host: string): Promise<Result<string[]>> {
  if (isIP(host) !== 0) return ok([host]);
  try {
    return ok((await lookup(host, { all: true })).map(({ address }) => address));
  } catch (error) {
    return fail(appError('name-not-found', { charge: 'not-applicable', detail: codeOf(error) }));
  }
}

/** Opens and closes a TCP connection. */
export function reachTcp(host: string, port: number, signal: AbortSignal): Promise<Result<void>> {
  return new Promise((done) => {
    const socket = connect({ host, port, signal, timeout: limitMs });
    const end = (result: Result<void>) => {
      socket.destroy();
      done(result);
    };
    socket.on('connect', () => end(ok(undefined)));
    socket.on('timeout', () => end(fail(appError('connect-timeout', { charge: 'not-applicable' }))));
    socket.on('error', (error) => end(fail(connectError(error))));
  });
}

export interface TlsFacts {
  protocol: string;
  /** ISO time until which the certificate is valid. */
  validUntil: string;
}

/** Completes a TLS handshake with the checks that a call would make. */
export function reachTls(host: string, port: number, signal: AbortSignal): Promise<Result<TlsFacts>> {
  return new Promise((done) => {
    const socket: TLSSocket = connectTls({
      host,
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      timeout: limitMs,
    });
    const end = (result: Result<TlsFacts>) => {
      signal.removeEventListener('abort', stop);
      socket.destroy();
      done(result);
    };
    const stop = () => end(fail(appError('cancelled', { charge: 'not-applicable' })));
    signal.addEventListener('abort', stop, { once: true });
    socket.on('secureConnect', () => {
      const until = new Date(socket.getPeerCertificate().valid_to);
      end(ok({ protocol: (socket.getProtocol() ?? 'TLS').replace('TLSv', ''), validUntil: until.toISOString() }));
    });
    socket.on('timeout', () => end(fail(appError('connect-timeout', { charge: 'not-applicable' }))));
    socket.on('error', (error) => {
      const code = codeOf(error);
      const network = code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'ETIMEDOUT';
      end(
        fail(
          network
            ? connectError(error)
            : appError('certificate-not-trusted', { charge: 'not-applicable', detail: code }),
        ),
      );
    });
  });
}

function connectError(error: unknown): AppError {
  const code = codeOf(error);
  const details = { charge: 'not-applicable', detail: code } as const;
  if (code === 'ABORT_ERR') return appError('cancelled', { charge: 'not-applicable' });
  if (code === 'ETIMEDOUT') return appError('connect-timeout', details);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return appError('name-not-found', details);
  return appError('connection-refused', details);
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? 'unknown');
