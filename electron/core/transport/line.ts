import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici';

/** When each step of opening a connection ended, in performance.now() milliseconds; absent where it did not happen. */
export interface ConnectMarks {
  started?: number;
  named?: number;
  connected?: number;
  secured?: number;
  ready?: number;
}

/** One connection at a time to one origin, used by one call at a time. */
export interface Line {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Marks of the connection opened since the last call of this; empty where an open one was reused. */
  takeMarks(): ConnectMarks;
  /** Cuts the connection, whatever state it is in. The next dispatch opens a new one. */
  cut(): void;
}

const clientOptions = {
  // One request at a time: pipelined requests are the only ones undici sends again after a connection dies.
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: 32 * 1024,
  // The call's own timers decide, because they know what was sent.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const;

/**
 * A line to `origin`, through `proxy` if one is given (CONNECT for https). `rootsOf` is asked when the first secure
 * connection is opened: reading the system's certificates takes a while.
 */
export function createLine(origin: string, proxy: string | null, rootsOf: () => SecureContext): Line {
  let marks: ConnectMarks = {};
  let dispatcher: Dispatcher | null = null;
  let opening: Socket | null = null;

  const connectDirectly: buildConnector.connector = (options, callback) => {
    const secure = options.protocol === 'https:';
    const connect = buildConnector({
      allowH2: false,
      timeout: 0,
      ...(secure ? { secureContext: rootsOf() } : {}),
    });
    marks = { started: performance.now() };
    const current = marks;
    // undici's connectors return the socket they open; the published type leaves it out.
    const socket = connect(options, (...answer) => {
      opening = null;
      if (answer[0] === null) current.ready = performance.now();
      callback(...answer);
    }) as unknown as Socket;
    opening = socket;
    socket.once('lookup', () => {
      current.named = performance.now();
    });
    socket.once('connect', () => {
      current.connected = performance.now();
    });
    socket.once('secureConnect', () => {
      current.secured = performance.now();
    });
  };

  const open = (): Dispatcher => {
    if (proxy === null) return new Client(origin, { ...clientOptions, connect: connectDirectly });
    const secure = { secureContext: rootsOf(), timeout: 0 };
    return new ProxyAgent({
      uri: proxy,
      requestTls: secure,
      proxyTls: secure,
      factory: (target, options: Client.Options) => {
        const connect = options.connect;
        if (typeof connect !== 'function') return new Client(target, { ...options, ...clientOptions });
        return new Client(target, {
          ...options,
          ...clientOptions,
          connect: (connectOptions, callback) => {
            const current: ConnectMarks = { started: performance.now() };
            marks = current;
            connect({ ...connectOptions, allowH2: false } as typeof connectOptions, (...answer) => {
              if (answer[0] === null) current.ready = performance.now();
              callback(...answer);
            });
          },
        });
      },
    });
  };

  return {
    dispatch(options, handler) {
      dispatcher ??= open();
      dispatcher.dispatch(options, handler);
    },
    takeMarks() {
      const taken = marks;
      marks = {};
      return taken;
    },
    cut() {
      const current = dispatcher;
      dispatcher = null;
      opening?.destroy();
      opening = null;
      current?.destroy().catch(() => undefined);
    },
  };
}
