import { setMaxListeners } from 'node:events';
import type { SecureContext } from 'node:tls';
import { appError } from '../../../shared/errors.ts';
import { fail, type Result } from '../../../shared/result.ts';
import { createLine, type Line } from './line.ts';
import { isLoopbackHost } from './origin.ts';
import { sendOnce } from './send-once.ts';
import { createSlots, type Slots } from './slots.ts';
import type { IncomingAnswer, OutgoingRequest, Transport } from './transport.ts';
import { createTrustedContext } from './trusted-roots.ts';

export interface HttpTransportOptions {
  /** The system's choice for a URL: the proxy's address, or null for a direct connection. Loopback is never asked about. */
  proxyFor?: (url: URL) => Promise<string | null>;
  /** More trusted roots, PEM. */
  extraCa?: readonly string[];
  /** Calls at once to one origin. Default 4. */
  perOrigin?: number;
  /** Name, connection, TLS and proxy together, in milliseconds. Default 10 000. */
  connectTimeoutMs?: number;
}

export interface HttpTransport {
  send: Transport;
  /**
   * A line to a URL's origin for what is no call of the service (a download), opened as a call's would be: the same proxy, the same
   * roots. Whoever asks for it cuts it.
   */
  openLine(url: URL): Promise<Result<{ line: Line; proxied: boolean }>>;
  /** Cuts every connection; calls in flight end with an error, later ones are refused. */
  close(): Promise<void>;
}

/** The real transport: HTTP/1.1 over undici with the promises of safety.md 1 and 4. Holds open connections until closed. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const perOrigin = options.perOrigin ?? 4;
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  const queues = new Map<string, Slots<Map<string, Line>>>();
  const closing = new AbortController();
  // Every call listens for the close, queued ones too.
  setMaxListeners(0, closing.signal);
  let roots: SecureContext | undefined;
  const rootsOf = (): SecureContext => {
    roots ??= createTrustedContext(options.extraCa ?? []);
    return roots;
  };

  const slotsOf = (origin: string): Slots<Map<string, Line>> => {
    let slots = queues.get(origin);
    if (slots === undefined) {
      slots = createSlots(perOrigin, () => new Map<string, Line>());
      queues.set(origin, slots);
    }
    return slots;
  };

  const findProxy = async (url: URL): Promise<Result<string | null>> => {
    if (options.proxyFor === undefined || isLoopbackHost(url.hostname)) return { ok: true, value: null };
    try {
      return { ok: true, value: await options.proxyFor(url) };
    } catch {
      return fail(appError('proxy-failed', { message: 'The system’s proxy settings could not be read.' }));
    }
  };

  const send = async (request: OutgoingRequest): Promise<Result<IncomingAnswer>> => {
    const asked = performance.now();
    const signal = request.signal === undefined ? closing.signal : AbortSignal.any([request.signal, closing.signal]);
    const proxy = await findProxy(request.url);
    if (!proxy.ok) return proxy;
    const slots = slotsOf(request.url.origin);
    const slot = await slots.acquire(signal);
    if (slot === null) return fail(appError('cancelled'));
    try {
      const lineKey = proxy.value ?? '';
      let line = slot.get(lineKey);
      if (line === undefined) {
        line = createLine(request.url.origin, proxy.value, rootsOf);
        slot.set(lineKey, line);
      }
      return await sendOnce({ request, line, signal, proxied: proxy.value !== null, asked, connectTimeoutMs });
    } finally {
      slots.release(slot);
    }
  };

  return {
    send,
    async openLine(url) {
      const proxy = await findProxy(url);
      if (!proxy.ok) return proxy;
      if (closing.signal.aborted) return fail(appError('cancelled'));
      return {
        ok: true,
        value: { line: createLine(url.origin, proxy.value, rootsOf), proxied: proxy.value !== null },
      };
    },
    async close() {
      closing.abort();
      for (const slots of queues.values()) for (const slot of slots.all()) for (const line of slot.values()) line.cut();
    },
  };
}
