import { setMaxListeners } from 'node:events';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { createLine, type Line } from './line.ts';
import { openConnection } from './open-connection.ts';
import { OpeningFailure } from './opening-errors.ts';
import type { OpeningObserver } from './opening-steps.ts';
import { isLoopbackHost } from './origin.ts';
import { connectTimeout } from './proxy-words.ts';
import { sendOnce } from './send-once.ts';
import type { SignInFor } from './sign-in.ts';
import { createSlots, type Slots } from './slots.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from './transport.ts';
import { createTrust, type Trust } from './trusted-roots.ts';

export interface HttpTransportOptions {
  /** The proxy chosen for a URL, or null for a direct connection. Loopback is never asked about. */
  proxyFor?: (url: URL) => Promise<string | null>;
  /** The roots now; another object than before: connections made under the former are not used again. */
  trust?: () => Trust;
  /** More trusted roots, PEM, where `trust` is not given. */
  extraCa?: readonly string[];
  /** What was entered for a proxy that asks for a password. */
  signInFor?: SignInFor;
  /** Calls at once to one origin. Default 4. */
  perOrigin?: number;
  /** Name, connection, TLS and proxy together, in milliseconds. Default 10 000. */
  connectTimeoutMs?: number;
}

export interface HttpTransport {
  send: Transport;
  /** Opens a connection as a call would, reports its steps and closes it: no request is sent. Errors as openConnection's. */
  probe(url: URL, proxy: string | null, signal: AbortSignal, observer: OpeningObserver): Promise<Result<void>>;
  /**
   * A line to a URL's origin for what is no call of the service (fetching an update), opened as a call's would be: the same proxy,
   * the same roots, the same sign-in. Whoever asks for it cuts it.
   */
  openLine(url: URL): Promise<Result<Line>>;
  /** Roots, proxy or sign-in have changed: open connections are not used for later calls. */
  renew(): void;
  /** Cuts every connection; calls in flight end with an error, later ones are refused. */
  close(): Promise<void>;
}

/** The lines of one slot, by proxy, and the settings under which they were made. */
interface Lines {
  generation: number;
  byProxy: Map<string, Line>;
}

/** The real transport: HTTP/1.1 over undici with the promises of safety.md 1 and 4. Holds open connections until closed. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const perOrigin = options.perOrigin ?? 4;
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const signInFor: SignInFor = options.signInFor ?? (async () => ok(null));
  const queues = new Map<string, Slots<Lines>>();
  const askers = new Set<string>();
  const closing = new AbortController();
  // Every call listens for the close, queued ones too.
  setMaxListeners(0, closing.signal);
  let generation = 0;
  let fixed: Trust | undefined;
  const trust =
    options.trust ??
    (() => {
      fixed ??= createTrust([{ source: 'policy-file', pem: options.extraCa ?? [] }]);
      return fixed;
    });

  const slotsOf = (origin: string): Slots<Lines> => {
    let slots = queues.get(origin);
    if (slots === undefined) {
      slots = createSlots(perOrigin, () => ({ generation, byProxy: new Map<string, Line>() }));
      queues.set(origin, slots);
    }
    return slots;
  };

  const findProxy = async (url: URL, signal: AbortSignal): Promise<Result<string | null>> => {
    if (options.proxyFor === undefined || isLoopbackHost(url.hostname)) return ok(null);
    // A proxy script of the network may take its time; a cancel does not wait for it.
    let stop = (): void => undefined;
    const stopped = new Promise<Result<null>>((resolve) => {
      stop = () => resolve(fail(appError('cancelled')));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([options.proxyFor(url).then((proxy) => ok(proxy)), stopped]);
    } catch {
      return fail(appError('proxy-failed', { message: 'The system’s proxy settings could not be read.' }));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };

  const makeLine = (origin: string, proxy: string | null): Line =>
    createLine(origin, (signal, marks) =>
      openConnection({ origin: new URL(origin), proxy, trust: trust(), signInFor, askers, signal, marks }),
    );

  const lineOf = (slot: Lines, origin: string, proxy: string | null): Line => {
    if (slot.generation !== generation) {
      for (const line of slot.byProxy.values()) line.cut();
      slot.byProxy.clear();
      slot.generation = generation;
    }
    const key = proxy ?? '';
    let line = slot.byProxy.get(key);
    if (line === undefined) {
      line = makeLine(origin, proxy);
      slot.byProxy.set(key, line);
    }
    return line;
  };

  const send = async (request: OutgoingRequest): Promise<Result<IncomingAnswer>> => {
    const asked = performance.now();
    const signal = request.signal === undefined ? closing.signal : AbortSignal.any([request.signal, closing.signal]);
    const proxy = await findProxy(request.url, signal);
    if (!proxy.ok) return proxy;
    const slots = slotsOf(request.url.origin);
    const slot = await slots.acquire(signal);
    if (slot === null) return fail(appError('cancelled'));
    try {
      const line = lineOf(slot, request.url.origin, proxy.value);
      return await sendOnce({ request, line, signal, proxied: proxy.value !== null, asked, connectTimeoutMs });
    } finally {
      slots.release(slot);
    }
  };

  async function probe(
    url: URL,
    proxy: string | null,
    signal: AbortSignal,
    observer: OpeningObserver,
  ): Promise<Result<void>> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new OpeningFailure(connectTimeout(proxy !== null))), connectTimeoutMs);
    try {
      const opened = await openConnection({
        origin: new URL(url.origin),
        proxy: isLoopbackHost(url.hostname) ? null : proxy,
        trust: trust(),
        signInFor,
        askers,
        signal: AbortSignal.any([signal, closing.signal, limit.signal]),
        observer,
      });
      if (opened.ok) opened.value.destroy();
      return opened.ok ? ok(undefined) : opened;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    send,
    probe,
    async openLine(url) {
      const proxy = await findProxy(url, closing.signal);
      if (!proxy.ok) return proxy;
      return closing.signal.aborted ? fail(appError('cancelled')) : ok(makeLine(url.origin, proxy.value));
    },
    renew() {
      generation += 1;
      askers.clear();
    },
    async close() {
      closing.abort();
      for (const slots of queues.values())
        for (const slot of slots.all()) for (const line of slot.byProxy.values()) line.cut();
    },
  };
}
