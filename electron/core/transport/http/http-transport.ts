import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { AppError } from '../../../../shared/errors.ts';
import { lazy } from '../../../../shared/lazy.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { ClientCertificateFor } from '../connect/client-certificate.ts';
import { type Opening, openConnection } from '../connect/open-connection.ts';
import { detailOf, OpeningFailure, proxyError, reasonOf } from '../connect/opening-errors.ts';
import { endWith, type OpeningObserver } from '../connect/opening-steps.ts';
import { isLoopbackHost } from '../connect/origin.ts';
import { createProxyMemory, type SignInFor } from '../connect/sign-in.ts';
import { createTrust, type Trust } from '../connect/trusted-roots.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from '../transport.ts';
import { createHttpConnection, type HttpConnection } from './http-connection.ts';
import { createPool, type Pool } from './pool.ts';
import { type RunAfter, type Sending, sendOnce, waitedTooLong } from './send-once.ts';

export interface HttpTransportOptions {
  /** The proxy chosen for a URL, or null for a direct connection. Loopback is never asked about. */
  proxyFor?: (url: URL) => Promise<string | null>;
  /** The current roots; if the object differs from the one before, connections made under the old one are not reused. */
  trust?: () => Trust;
  /** More trusted roots, PEM, if `trust` is not given. */
  extraCa?: readonly string[];
  /** What was entered for a proxy that asks for a password. */
  signInFor?: SignInFor;
  /** What is shown to a service that asks for identification. */
  clientCertificateFor?: ClientCertificateFor;
  /** Calls at once to one origin. Default 4. */
  perOrigin?: number;
  /** How long an open connection waits for its next question; a server's hint can only shorten it. Milliseconds; default 4000. */
  idleMs?: number;
  /** Name, connection, TLS and proxy together, in milliseconds. Default 10 000. */
  connectTimeoutMs?: number;
  /** The limit of a call that has been sent: the system's timer by default; injected so that a test need not wait for one. */
  after?: RunAfter;
}

const systemTimer: RunAfter = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export interface HttpTransport {
  send: Transport;
  /**
   * Opens a connection as a call would, or as an update would if it is not for the service, reports its steps and closes it: no request is
   * sent. Errors as openConnection's.
   */
  probe(
    url: URL,
    way: { proxy: string | null; forService: boolean },
    signal: AbortSignal,
    observer: OpeningObserver,
  ): Promise<Result<void>>;
  /**
   * Opens a connection to a URL's origin for something that is no call of the service (fetching an update), the way a call's would be: the
   * same proxy, the same roots, the same sign-in, and no client certificate. The caller destroys it.
   */
  connect(url: URL, signal: AbortSignal): Promise<Result<Socket>>;
  /** Roots, proxy or sign-in have changed: open connections are not used for later calls, and what is known of proxies is forgotten. */
  renew(): void;
  /** Cuts every connection of calls; those in flight end with an error, later ones are refused. What `connect` has returned stays open. */
  close(): Promise<void>;
}

/** The part of a call's time that is left to its answer: one that cannot be sent before it would be charged for an answer that nobody waits for. */
const answerTime = (timeoutMs: number): number => Math.min(5000, timeoutMs / 2);

/** Connections that one call at a time uses, by proxy, and the settings under which they were made. */
interface PooledConnections {
  generation: number;
  byProxy: Map<string, HttpConnection>;
  /** What the last call asked about. */
  about: string | undefined;
}

/** The real transport: HTTP/1.1, with promises 1 and 4 kept. Holds open connections until closed. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const perOrigin = options.perOrigin ?? 4;
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const idleMs = options.idleMs ?? 4000;
  const after = options.after ?? systemTimer;
  const signInFor: SignInFor = options.signInFor ?? (async () => ok(null));
  const queues = new Map<string, Pool<PooledConnections>>();
  let proxies = createProxyMemory();
  const closing = new AbortController();
  // Every call listens for the close, queued ones too.
  setMaxListeners(0, closing.signal);
  let generation = 0;
  const trust = options.trust ?? lazy(() => createTrust([{ source: 'policy-file', pem: options.extraCa ?? [] }]));

  const poolOf = (origin: string): Pool<PooledConnections> => {
    let pool = queues.get(origin);
    if (pool === undefined) {
      pool = createPool(perOrigin, () => ({
        generation,
        byProxy: new Map<string, HttpConnection>(),
        about: undefined,
      }));
      queues.set(origin, pool);
    }
    return pool;
  };

  /** The error of a time limit that ended a call before anything was sent. */
  const limitOf = (ms: number, error: AppError): { signal: AbortSignal; clear(): void } => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new OpeningFailure(error)), ms);
    return { signal: limit.signal, clear: () => clearTimeout(timer) };
  };

  const findProxy = async (url: URL, signal: AbortSignal): Promise<Result<string | null>> => {
    if (options.proxyFor === undefined || isLoopbackHost(url.hostname)) return ok(null);
    // A proxy script of the network may take its time; a cancel does not wait for it.
    try {
      return await endWith(signal, options.proxyFor(url).then(ok));
    } catch (error) {
      if (error instanceof OpeningFailure) return fail(error.failure);
      return fail(proxyError('The system’s proxy settings could not be read.', detailOf(error)));
    }
  };

  const ofService: Partial<Opening> = options.clientCertificateFor
    ? { clientCertificateFor: options.clientCertificateFor }
    : {};
  const open = (url: URL, proxy: string | null, signal: AbortSignal, more: Partial<Opening> = {}) =>
    openConnection({
      origin: new URL(url.origin),
      proxy,
      trust: trust(),
      signInFor,
      proxies,
      signal,
      limitMs: connectTimeoutMs,
      ...more,
    });

  const connectionOf = (pooled: PooledConnections, url: URL, proxy: string | null): HttpConnection => {
    if (pooled.generation !== generation) {
      for (const connection of pooled.byProxy.values()) connection.cut();
      pooled.byProxy.clear();
      pooled.generation = generation;
    }
    const key = proxy ?? '';
    let connection = pooled.byProxy.get(key);
    if (connection === undefined) {
      connection = createHttpConnection((signal, timestamps, limitMs) =>
        open(url, proxy, signal, { ...ofService, timestamps, limitMs }),
      );
      pooled.byProxy.set(key, connection);
    }
    return connection;
  };

  /** Pooled connections of the origin are in use from here until the answer has been compared with its question. */
  const ask = async (
    request: OutgoingRequest,
    sending: Omit<Sending, 'request' | 'connection'>,
    pooled: PooledConnections,
    proxy: string | null,
  ) => {
    const connection = connectionOf(pooled, request.url, proxy);
    if (request.about !== undefined && request.about === pooled.about) connection.cut();
    pooled.about = request.about;
    const sent = await sendOnce({ ...sending, request, connection });
    if (!sent.ok) return sent;
    let matched = false;
    try {
      matched = (await request.matches?.(sent.value)) === true;
    } finally {
      if (!matched) connection.cut();
    }
    return sent;
  };

  const send = async (request: OutgoingRequest): Promise<Result<IncomingAnswer>> => {
    const asked = performance.now();
    const signal = request.signal === undefined ? closing.signal : AbortSignal.any([request.signal, closing.signal]);
    const sendWithinMs = request.timeoutMs - answerTime(request.timeoutMs);
    const limit = limitOf(sendWithinMs, waitedTooLong());
    try {
      const waiting = AbortSignal.any([signal, limit.signal]);
      const proxy = await findProxy(request.url, waiting);
      if (!proxy.ok) return proxy;
      const pool = poolOf(request.url.origin);
      const pooled = await pool.acquire(waiting);
      if (pooled === null) return fail(reasonOf(waiting));
      limit.clear();
      try {
        return await ask(
          request,
          { signal, asked, sendWithinMs, connectTimeoutMs, idleMs, after },
          pooled,
          proxy.value,
        );
      } finally {
        pool.release(pooled);
      }
    } finally {
      limit.clear();
    }
  };

  async function probe(
    url: URL,
    { proxy, forService }: { proxy: string | null; forService: boolean },
    signal: AbortSignal,
    observer: OpeningObserver,
  ): Promise<Result<void>> {
    const opened = await open(
      url,
      isLoopbackHost(url.hostname) ? null : proxy,
      AbortSignal.any([signal, closing.signal]),
      { ...(forService ? ofService : {}), observer },
    );
    if (opened.ok) opened.value.destroy();
    return opened.ok ? ok(undefined) : opened;
  }

  return {
    send,
    probe,
    async connect(url, signal) {
      const both = AbortSignal.any([signal, closing.signal]);
      const proxy = await findProxy(url, both);
      if (!proxy.ok) return proxy;
      return open(url, proxy.value, both);
    },
    renew() {
      generation += 1;
      proxies = createProxyMemory();
    },
    async close() {
      closing.abort();
      for (const pool of queues.values())
        for (const pooled of pool.all()) for (const connection of pooled.byProxy.values()) connection.cut();
    },
  };
}
