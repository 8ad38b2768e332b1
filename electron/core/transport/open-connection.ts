import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ConnectMarks } from './line.ts';
import { badProxy, detailOf, handshakeError, proxyError, reachError, reasonOf } from './opening-errors.ts';
import { proxyRefusal, tunnelRefusal } from './proxy-words.ts';
import { readHandshake, type SecureFacts } from './read-certificates.ts';
import { type SignIn, type SignInFor, withoutSignIn, writeAuthorization } from './sign-in.ts';
import type { Trust } from './trusted-roots.ts';
import { askForTunnel, type TunnelAnswer } from './tunnel.ts';

/** The steps of opening a connection, in order; those of a proxy only where there is one. */
export type OpeningStep = 'name' | 'tcp' | 'proxy-tls' | 'tunnel' | 'tls';

/** What each step found. */
export interface OpeningFacts {
  /** In the order in which they are tried; an address typed as such stands alone. */
  name: { host: string; addresses: string[] };
  tcp: { host: string; address: string; port: number };
  'proxy-tls': SecureFacts;
  tunnel: { target: string; status: number; statusText: string; signedIn: boolean; asked: number };
  tls: SecureFacts;
}

/** Told of each step as it goes. A failed step ends the opening; a refused handshake still says what it showed. */
export interface OpeningObserver {
  began(step: OpeningStep): void;
  ended<S extends OpeningStep>(step: S, facts: OpeningFacts[S] | null): void;
  failed<S extends OpeningStep>(step: S, error: AppError, facts: OpeningFacts[S] | null): void;
}

export interface Opening {
  /** https anywhere; http for a direct connection only. */
  origin: URL;
  /** The proxy's address without user and password; null: none. */
  proxy: string | null;
  trust: Trust;
  signInFor: SignInFor;
  /** Proxies that have asked for a sign-in in this run: those get it with the first question. */
  askers: Set<string>;
  signal: AbortSignal;
  marks?: ConnectMarks;
  observer?: OpeningObserver;
}

/** Host and port of an address, the host without the brackets of IPv6. */
export function hostAndPort(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}

/** A proxy's address in the one form by which it is known: scheme, host in lower case, port always. */
export function nameProxy(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return `${url.protocol}//${url.hostname}:${hostAndPort(url).port}`;
}

/**
 * Opens one connection, ready for a request, step by step. Nothing of a request is known here, so whatever fails was not charged, and
 * a proxy that asks for a sign-in may be asked again. The only place of the program that opens a socket to a service: a call and
 * the network check go through it alike. Errors: `name-not-found`, `connection-refused`, `connect-timeout`,
 * `certificate-not-trusted`, `proxy-failed`, `cancelled`, and the keychain's where the proxy's password is not handed over.
 */
export async function openConnection(opening: Opening): Promise<Result<Socket>> {
  const { origin, signal, observer, marks } = opening;
  const proxy = opening.proxy === null ? null : nameProxy(opening.proxy);
  if (opening.proxy !== null && proxy === null) return fail(badProxy());
  const secure = origin.protocol === 'https:';
  // The transport never asks about http: it is for this computer only.
  if (!secure && proxy !== null) return fail(appError('insecure-address'));
  if (signal.aborted) return fail(reasonOf(signal));

  let current: Socket | null = null;
  const stop = (): void => void current?.destroy();
  signal.addEventListener('abort', stop, { once: true });

  async function step<S extends OpeningStep, T>(
    name: S,
    work: (note: (facts: OpeningFacts[S]) => void) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    observer?.began(name);
    let facts: OpeningFacts[S] | null = null;
    const result = signal.aborted
      ? fail(appError('cancelled'))
      : await work((found) => {
          facts = found;
        });
    if (result.ok && !signal.aborted) {
      observer?.ended(name, facts);
      return result;
    }
    const error = result.ok || signal.aborted ? reasonOf(signal) : result.error;
    observer?.failed(name, error, facts);
    return fail(error);
  }

  /** Name and TCP of the first server on the way: the proxy where there is one. */
  async function reach(): Promise<Result<Socket>> {
    const { host, port } = hostAndPort(proxy === null ? origin : new URL(proxy));
    const socket = connect({ host, port });
    current = socket;
    // A socket that fails between two steps has nobody who listens.
    socket.on('error', () => undefined);
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    const addresses: string[] = isIP(host) === 0 ? [] : [host];
    const connected = new Promise<Result<void>>((resolve) => {
      socket.once('connect', () => resolve(ok(undefined)));
      socket.once('error', (error) => resolve(fail(reachError(error, proxy))));
      socket.once('close', () => resolve(fail(reachError(null, proxy))));
    });
    const named = await step('name', async (note) => {
      if (addresses.length > 0) {
        note({ host, addresses });
        return ok(undefined);
      }
      return new Promise<Result<void>>((resolve) => {
        socket.on('lookup', (error, address) => {
          if (error) {
            resolve(fail(reachError(error, proxy)));
            return;
          }
          addresses.push(address);
          // All addresses of a name are told in one turn.
          queueMicrotask(() => {
            if (marks && proxy === null) marks.named ??= performance.now();
            note({ host, addresses });
            resolve(ok(undefined));
          });
        });
        void connected.then(resolve);
      });
    });
    if (!named.ok) return named;
    const reached = await step('tcp', async (note) => {
      const result = await connected;
      if (!result.ok) return result;
      if (marks && proxy === null) marks.connected = performance.now();
      note({ host, address: socket.remoteAddress ?? host, port });
      return result;
    });
    return reached.ok ? ok(socket) : reached;
  }

  /** A handshake over an open socket, with every check; what the server showed is read before the verdict. */
  function handshake(name: 'tls' | 'proxy-tls', socket: Socket, url: URL): Promise<Result<TLSSocket>> {
    const { host } = hostAndPort(url);
    return step(name, async (note) => {
      const encrypted = connectTls({
        socket,
        host,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        secureContext: opening.trust.context(),
        // Said outright: NODE_TLS_REJECT_UNAUTHORIZED of the environment changes the default only.
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      });
      current = encrypted;
      if (observer)
        encrypted.prependListener('secure', () => {
          try {
            note(readHandshake(encrypted, host, opening.trust));
          } catch {
            // What is only shown must not decide about a connection.
          }
        });
      return new Promise<Result<TLSSocket>>((resolve) => {
        encrypted.once('secureConnect', () => {
          if (marks && proxy === null) marks.secured = performance.now();
          resolve(ok(encrypted));
        });
        encrypted.on('error', (error) => resolve(fail(handshakeError(error, name, proxy))));
        encrypted.once('close', () => resolve(fail(handshakeError(null, name, proxy))));
      });
    });
  }

  /** To the proxy: TCP, and TLS where its address says https. */
  async function reachProxy(address: string): Promise<Result<Socket>> {
    const socket = await reach();
    if (!socket.ok || !address.startsWith('https:')) return socket;
    return handshake('proxy-tls', socket.value, new URL(address));
  }

  async function tunnel(address: string): Promise<Result<Socket>> {
    let socket = await reachProxy(address);
    if (!socket.ok) return socket;
    const { host, port } = hostAndPort(origin);
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    let signIn: SignIn | null = null;
    let asked = 0;
    const ask = async (through: Socket): Promise<Result<TunnelAnswer>> => {
      asked += 1;
      try {
        return ok(
          await askForTunnel({
            socket: through,
            target,
            authorization: signIn === null ? undefined : writeAuthorization(signIn),
          }),
        );
      } catch (error) {
        return fail(proxyError('The proxy ended the connection without an answer.', detailOf(error)));
      }
    };
    return step('tunnel', async (note) => {
      if (opening.askers.has(address)) {
        const known = await opening.signInFor(address);
        if (!known.ok) return known;
        signIn = known.value;
      }
      let answer = await ask(socket.ok ? socket.value : (current as Socket));
      const mayTry = (schemes: readonly string[]): boolean => schemes.length === 0 || schemes.includes('basic');
      if (answer.ok && answer.value.status === 407 && signIn === null && mayTry(answer.value.schemes)) {
        const given = await opening.signInFor(address);
        if (!given.ok) return given;
        if (given.value !== null && !signal.aborted) {
          signIn = given.value;
          opening.askers.add(address);
          current?.destroy();
          // Another connection: many proxies close the one on which they said no. Its steps have been told.
          const again = await openConnectionToProxy(opening, address, (next) => {
            current = next;
          });
          if (!again.ok) return again;
          socket = again;
          answer = await ask(again.value);
        }
      }
      if (!answer.ok) return answer;
      const { status, schemes } = answer.value;
      note({
        target,
        status,
        // Shortened last: half of a password would not be known again.
        statusText: withoutSignIn(answer.value.statusText, signIn).slice(0, 100),
        signedIn: signIn !== null,
        asked,
      });
      if (status >= 200 && status < 300 && socket.ok) return ok(socket.value);
      return fail(
        status === 407 ? proxyRefusal(address, schemes, signIn !== null) : tunnelRefusal(address, target, status),
      );
    });
  }

  const goAllTheWay = async (): Promise<Result<Socket>> => {
    const way = proxy === null ? await reach() : await tunnel(proxy);
    return way.ok && secure ? handshake('tls', way.value, origin) : way;
  };
  const opened = await goAllTheWay().catch(
    // For example roots that cannot be put together. A call waits for an answer, whatever happens.
    (error: unknown): Result<Socket> => fail(appError('internal', { charge: 'not-charged', detail: detailOf(error) })),
  );
  signal.removeEventListener('abort', stop);
  if (opened.ok && marks) marks.ready = performance.now();
  // Whatever the step at which it failed, nothing stays open.
  if (!opened.ok) stop();
  return opened;
}

/** The second connection to a proxy, for the same question with the sign-in. */
async function openConnectionToProxy(
  opening: Opening,
  address: string,
  hold: (socket: Socket) => void,
): Promise<Result<Socket>> {
  const opened = await openConnection({
    origin: new URL(address),
    proxy: null,
    trust: opening.trust,
    signInFor: opening.signInFor,
    askers: opening.askers,
    signal: opening.signal,
  });
  if (opened.ok) hold(opened.value);
  return opened.ok
    ? opened
    : fail({ ...opened.error, ...(opened.error.code === 'cancelled' ? {} : { code: 'proxy-failed' as const }) });
}
