import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import type { ConnectTimestamps } from '../connect/connect-timestamps.ts';
import { reachError } from '../connect/opening-errors.ts';
import { request } from '../connect/request.ts';

/** Opens a socket to one origin, TLS included; reports its timestamps as they come. */
export type OpenSocket = (
  signal: AbortSignal,
  timestamps: ConnectTimestamps,
  limitMs: number,
) => Promise<Result<Socket>>;

/** One connection at a time to one origin, used by one request at a time. */
export interface HttpConnection {
  /**
   * A socket for one request: the idle one if `mayReuse` and nothing has come over it since, else a new one, opened within a time.
   * Timestamps: of a new one.
   */
  ready(mayReuse: boolean, limitMs: number): Promise<Result<{ socket: Socket; timestamps: ConnectTimestamps }>>;
  /** The last request over this socket is answered and read to its end: the next one may use it for this many milliseconds. */
  keep(socket: Socket, forMs: number): void;
  /** Cuts the connection, whatever state it is in. */
  cut(): void;
}

/** Two turns of the event loop: bytes that have arrived and were not read yet show up in them. */
const look = async (): Promise<void> => {
  await turn();
  await turn();
};

const spokeFirst = (): AppError =>
  appError('connection-refused', {
    charge: 'not-charged',
    message: 'The server sent data before it was asked for any, so no request was sent to it.',
    next: 'Something other than the service may be answering at this address. Check it under Connections.',
  });

/** Watches an idle socket. Anything that arrives on it answers no request, so the socket is destroyed. */
function watchIdle(socket: Socket, forMs: number): { take(): boolean } {
  // By both clocks: on Linux the first stands still while the computer sleeps.
  const [until, untilByDate] = [performance.now() + forMs, Date.now() + forMs];
  const spoil = (): void => void socket.destroy();
  const timer = setTimeout(spoil, forMs).unref();
  for (const event of ['data', 'end', 'close'] as const) socket.on(event, spoil);
  return {
    /** Ends the watch; whether the socket can be used again. */
    take() {
      clearTimeout(timer);
      for (const event of ['data', 'end', 'close'] as const) socket.off(event, spoil);
      if (performance.now() >= until || Date.now() >= untilByDate) spoil();
      return !socket.destroyed && socket.writable && socket.readableLength === 0;
    },
  };
}

/** A connection to an origin, by whatever way `open` finds to it. */
export function createHttpConnection(open: OpenSocket): HttpConnection {
  let current: Socket | null = null;
  let idle: ReturnType<typeof watchIdle> | null = null;
  let opening: AbortController | null = null;

  const cut = (): void => {
    opening?.abort();
    opening = null;
    current?.destroy();
    current = null;
    idle = null;
  };

  return {
    async ready(mayReuse, limitMs) {
      const own = new AbortController();
      opening = own;
      if (mayReuse && current !== null) {
        await look();
        if (own.signal.aborted) return fail(appError('cancelled'));
        const usable = idle?.take() ?? false;
        idle = null;
        if (usable && current !== null) return ok({ socket: current, timestamps: {} });
      }
      current?.destroy();
      idle = null;
      const timestamps: ConnectTimestamps = { started: performance.now() };
      const opened = await open(own.signal, timestamps, limitMs);
      if (!opened.ok) return opened;
      const socket = opened.value;
      current = socket;
      await look();
      if (!own.signal.aborted && !socket.destroyed && socket.readableLength === 0) return ok({ socket, timestamps });
      socket.destroy();
      if (own.signal.aborted) return fail(appError('cancelled'));
      return fail(socket.readableLength > 0 ? spokeFirst() : reachError(null, null));
    },
    keep(socket, forMs) {
      if (socket !== current || socket.destroyed) return;
      idle = watchIdle(socket, forMs);
    },
    cut,
  };
}

export interface RequestLines {
  method: 'GET' | 'POST';
  url: URL;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  keepAlive: boolean;
}

/**
 * The one way in which a request is written: HTTP/1.1 over a socket that is already open, with the runtime's strict parser. Nothing is
 * written before the next turn. Throws if the request cannot be built. Without an agent: it would open sockets of its own, read the
 * environment's proxies and print headers under NODE_DEBUG.
 */
export function writeRequest(socket: Socket, { method, url, headers, keepAlive }: RequestLines): ClientRequest {
  return request({
    method,
    path: `${url.pathname}${url.search}`,
    // A gateway may refuse requests without a user agent; this one distinguishes no computer, user or version from another.
    headers: {
      host: url.host,
      connection: keepAlive ? 'keep-alive' : 'close',
      'user-agent': 'Address Console',
      ...headers,
    },
    setHost: false,
    createConnection: () => socket,
    maxHeaderSize: 32 * 1024,
    // Set explicitly: NODE_OPTIONS could make the lenient parser the default.
    insecureHTTPParser: false,
  });
}
