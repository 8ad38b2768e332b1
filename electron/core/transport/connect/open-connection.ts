import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { loadPart } from '../../load-part.ts';
import { hostAndPort, nameProxy, nameTarget } from './addresses.ts';
import { certificateError } from './certificate-messages.ts';
import { type ClientCertificateFor, readClientCertificate, wasAsked } from './client-certificate.ts';
import { refusalOfClient } from './client-certificate-messages.ts';
import type { ConnectTimestamps } from './connect-timestamps.ts';
import {
  badProxy,
  codeOf,
  connectTimeout,
  detailOf,
  handshakeError,
  nameTimeout,
  OpeningFailure,
  reachError,
  reasonOf,
  signInTimeout,
} from './opening-errors.ts';
import { hasEnded, type OpeningObserver, type RunStep, runSteps } from './opening-steps.ts';
import { isLoopbackAddress } from './origin.ts';
import { endsAtTrusted, readHandshake } from './read-certificates.ts';
import { resolveName } from './resolve-name.ts';
import type { ProxyMemory, SignInFor } from './sign-in.ts';
import type { Trust } from './trusted-roots.ts';
import { openTunnel } from './tunnel.ts';

export interface Opening {
  /** https anywhere; http for a direct connection only. */
  origin: URL;
  /** The proxy's address without user and password; null: none. */
  proxy: string | null;
  trust: Trust;
  signInFor: SignInFor;
  proxies: ProxyMemory;
  /** Shown to the origin's server if it asks, and to no proxy. Absent: none, as for an update. */
  clientCertificateFor?: ClientCertificateFor;
  signal: AbortSignal;
  /** For all steps together, in milliseconds. */
  limitMs: number;
  timestamps?: ConnectTimestamps;
  observer?: OpeningObserver;
}

/** One opening under way. */
interface Way extends Opening {
  step: RunStep;
  /** Registers the socket to be destroyed if the opening ends without one. */
  track(socket: Socket): void;
}

/**
 * Opens one connection, ready for a request, step by step. Nothing of a request is known here, so whatever fails was not charged, and a
 * proxy that asks for a sign-in may be tried again. The only place in the program that opens a socket to a service: calls and the network
 * check both go through it. Errors: `name-not-found`, `connection-refused`, `connect-timeout`, `certificate-not-trusted`,
 * `client-certificate-…`, `proxy-failed`, `insecure-address` (http, through a proxy or to another computer), `cancelled`, `part-missing`,
 * `internal`, and the keychain's if it does not return a password.
 */
export async function openConnection(opening: Opening): Promise<Result<Socket>> {
  const { origin, observer, timestamps } = opening;
  const proxy = opening.proxy === null ? null : nameProxy(opening.proxy);
  if (opening.proxy !== null && proxy === null) return fail(badProxy());
  const secure = origin.protocol === 'https:';
  // The transport never asks about http: it is for this computer only.
  if (!secure && proxy !== null) return fail(appError('insecure-address'));
  if (opening.signal.aborted) return fail(reasonOf(opening.signal));

  const limit = new AbortController();
  const signal = AbortSignal.any([opening.signal, limit.signal]);
  const { step, current: atStep } = runSteps(signal, observer);
  const timer = setTimeout(() => {
    const first = proxy === null ? origin : new URL(proxy);
    const unready = opening.proxies.waiting.has(signal) ? signInTimeout() : connectTimeout(proxy !== null);
    limit.abort(new OpeningFailure(atStep() === 'name' ? nameTimeout(first, proxy) : unready));
  }, opening.limitMs);
  let current: Socket | null = null;
  const stop = (): void => void current?.destroy();
  const way: Way = {
    ...opening,
    signal,
    proxy,
    step,
    track: (socket) => {
      if (signal.aborted) socket.destroy();
      current = socket;
    },
  };
  const goAllTheWay = async (): Promise<Result<Socket>> => {
    const reached = proxy === null ? await reach(way) : await tunnel(way, proxy);
    return reached.ok && secure ? handshake(way, 'tls', reached.value, origin) : reached;
  };
  const opened = await goAllTheWay().catch(
    // For example roots that cannot be assembled. A call waits for an answer, whatever happens.
    (error: unknown): Result<Socket> => fail(appError('internal', { charge: 'not-charged', detail: detailOf(error) })),
  );
  clearTimeout(timer);
  if (opened.ok && timestamps) timestamps.ready = performance.now();
  // Whatever the step at which it failed, nothing stays open.
  if (!opened.ok) stop();
  return opened;
}

/** Name and TCP of the first server on the way: the proxy, if there is one. */
async function reach({ origin, proxy, timestamps, step, track, limitMs }: Way): Promise<Result<Socket>> {
  const { host, port } = hostAndPort(proxy === null ? origin : new URL(proxy));
  const named = await step('name', async (note) => {
    try {
      const family = isIP(host);
      const addresses = family === 0 ? await resolveName(host) : [{ address: host, family }];
      if (addresses.length === 0) return fail(appError('name-not-found', { charge: 'not-charged', detail: host }));
      if (timestamps && proxy === null && family === 0) timestamps.named = performance.now();
      note({ host, addresses: addresses.map(({ address }) => address) });
      return ok(addresses);
    } catch (error) {
      return fail(reachError(error, proxy));
    }
  });
  if (!named.ok) return named;
  return step('tcp', async (note) => {
    const addresses = [...named.value];
    const socket = connect({
      host,
      port,
      // For each address but the last: a first packet that is lost is sent again after a second, and the runtime's own 250 ms give up before.
      // All together may take half the time: of several addresses that lead nowhere one may still be followed by one that does.
      autoSelectFamilyAttemptTimeout: Math.max(250, Math.min(1500, Math.floor(limitMs / (2 * addresses.length)))),
      lookup: (_host, options, callback) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
    });
    track(socket);
    // A socket that fails between two steps has no listener.
    socket.on('error', () => undefined);
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    const connected = await new Promise<Result<Socket>>((resolve) => {
      socket.once('connect', () => resolve(ok(socket)));
      socket.once('error', (error) => resolve(fail(reachError(error, proxy))));
      socket.once('close', () => resolve(fail(reachError(null, proxy))));
    });
    if (!connected.ok) return connected;
    const address = socket.remoteAddress ?? '';
    // Whatever led here: without TLS only this computer is contacted.
    if (proxy === null && origin.protocol !== 'https:' && !isLoopbackAddress(address)) {
      socket.destroy();
      return fail(appError('insecure-address', { detail: `${host} is ${address}` }));
    }
    if (timestamps && proxy === null) timestamps.connected = performance.now();
    note({ host, address: address || host, port });
    return connected;
  });
}

/** A handshake over an open socket, with every check; what the server showed is read before the verdict. */
function handshake(way: Way, name: 'tls' | 'proxy-tls', socket: Socket, url: URL): Promise<Result<TLSSocket>> {
  const { proxy, trust, signal, timestamps, observer, step, track } = way;
  const { host } = hostAndPort(url);
  return step(name, async (note) => {
    await trust.ready();
    // Only here, at the last step to the service itself: a handshake with a proxy never has one.
    const found = name === 'tls' && way.clientCertificateFor ? await way.clientCertificateFor(url.origin) : ok(null);
    if (!found.ok) return found;
    const client = found.value;
    const readable = client === null ? ok(null) : readClientCertificate(client);
    if (!readable.ok) return readable;
    if (hasEnded(socket)) return fail(handshakeError(null, name, proxy));
    if (signal.aborted) return fail(reasonOf(signal));
    const encrypted = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: trust.context(client),
      // Set explicitly: NODE_TLS_REJECT_UNAUTHORIZED of the environment changes only the default.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    track(encrypted);
    if (observer)
      encrypted.prependListener('secure', () => {
        try {
          note(readHandshake(encrypted, { host, trust, given: client !== null }));
        } catch {
          // What is only for display must not decide about a connection.
        }
      });
    return new Promise<Result<TLSSocket>>((resolve) => {
      encrypted.once('secureConnect', () => {
        if (timestamps && proxy === null) timestamps.secured = performance.now();
        if (client === null || endsAtTrusted(encrypted, trust)) return resolve(ok(encrypted));
        const detail = 'it ends at an authority of the client certificate’s file, which is not trusted by that';
        resolve(fail(certificateError('UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'server’s', detail)));
      });
      const failed = (error: unknown): AppError => {
        const general = handshakeError(error, name, proxy);
        if (name !== 'tls' || general.code === 'certificate-not-trusted') return general;
        const asked = wasAsked(encrypted);
        const refusal = refusalOfClient(codeOf(error), {
          shown: client !== null,
          asked,
          charge: 'not-charged',
          detail: general.detail ?? '',
        });
        if (refusal !== null || asked !== true) return refusal ?? general;
        return appError(client === null ? 'client-certificate-needed' : 'client-certificate-refused', {
          charge: 'not-charged',
          detail: general.detail,
          message: `The server asked for a client certificate, ${client === null ? 'was shown none' : 'was shown the one set for it'}, and ended the connection.`,
        });
      };
      encrypted.on('error', (error) => resolve(fail(failed(error))));
      encrypted.once('close', () => resolve(fail(failed(null))));
    });
  });
}

/** To the proxy: TCP, and TLS if its address says https. */
async function reachProxy(way: Way, proxy: string): Promise<Result<Socket>> {
  const socket = await reach(way);
  if (!socket.ok || !proxy.startsWith('https:')) return socket;
  return handshake(way, 'proxy-tls', socket.value, new URL(proxy));
}

/** To the proxy, and through it to the server. */
async function tunnel(way: Way, proxy: string): Promise<Result<Socket>> {
  const socket = await reachProxy(way, proxy);
  if (!socket.ok) return socket;
  const { origin, signInFor, proxies, signal } = way;
  if (proxy.startsWith('socks5:'))
    return way.step('tunnel', async () => {
      // 170 kB that few need.
      const part = await loadPart(() => import('./socks.ts'), 'not-charged');
      return part.ok ? part.value.openSocks(socket.value, { proxy, origin, signInFor, proxies, signal }) : part;
    });
  // The second connection is part of the step 'tunnel': the observer is shown its steps only once.
  const reconnect = (): Promise<Result<Socket>> =>
    reachProxy({ ...way, step: runSteps(signal, undefined).step }, proxy);
  return way.step('tunnel', (note) =>
    openTunnel(socket.value, { proxy, target: nameTarget(origin), signInFor, proxies, signal, reconnect }, note),
  );
}
