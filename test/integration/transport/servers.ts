import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { goodCertificate, testKey } from './certificates.ts';

export interface TestServer {
  port: number;
  /** Complete requests seen (head and body), in order, as text. */
  hits: string[];
  connections: number;
  close(): Promise<void>;
}

/** Called with each complete HTTP/1.1 request of a socket; `nth` counts requests over all sockets from 1. */
export type Answerer = (socket: Socket, request: string, nth: number) => void;

async function serve(
  server: net.Server,
  answer: Answerer,
  event: 'connection' | 'secureConnection',
): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const handle: TestServer = {
    port: 0,
    hits: [],
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  server.on(event, (socket: Socket) => {
    handle.connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (;;) {
        const head = pending.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, head))?.[1] ?? 0);
        if (pending.length < head + 4 + length) return;
        const request = pending.slice(0, head + 4 + length);
        pending = pending.slice(head + 4 + length);
        handle.hits.push(request);
        answer(socket, request, handle.hits.length);
      }
    });
  });
  handle.port = await listenOnLoopback(server);
  return handle;
}

export const startTcpServer = (answer: Answerer): Promise<TestServer> =>
  serve(net.createServer(), answer, 'connection');

export const startTlsServer = (
  answer: Answerer,
  cert: string = goodCertificate,
  options: tls.TlsOptions = {},
): Promise<TestServer> => serve(tls.createServer({ key: testKey, cert, ...options }), answer, 'secureConnection');

/** A complete HTTP answer with a content-length. */
export const answerText = (body: string | Buffer, extra = '', status = '200 OK'): Buffer => {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\ncontent-length: ${bytes.length}\r\n${extra}\r\n`, 'latin1'),
    bytes,
  ]);
};

export interface TestProxy {
  port: number;
  /** The `host:port` of each CONNECT. */
  tunnels: string[];
  close(): Promise<void>;
}

/** A real CONNECT proxy; `refuse` makes it answer 407. */
export async function startProxy(refuse = false): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server = http.createServer((_request, response) => response.writeHead(501).end());
  const handle: TestProxy = {
    port: 0,
    tunnels: [],
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('connect', (request, socket: Socket) => {
    handle.tunnels.push(request.url ?? '');
    if (refuse) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    // The proxy looks up names, and here every name is this computer.
    const onward = net.connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
  });
  handle.port = await listenOnLoopback(server);
  return handle;
}

export interface AskingProxy {
  port: number;
  /** Each CONNECT: its target and its header Proxy-Authorization. */
  asked: { target: string; authorization: string | undefined }[];
  connections: number;
  close(): Promise<void>;
}

/**
 * A real CONNECT proxy that requires a sign-in. `accepts` is "user:password", `offers` its Proxy-Authenticate headers. `instead` is an
 * answer to every CONNECT in place of a tunnel; with '' it never answers. `hangs`: how many that bring a sign-in get no answer.
 */
export function startAskingProxy(options: {
  accepts?: string;
  offers?: string[];
  instead?: string;
  hangs?: number;
  tls?: https.ServerOptions;
  /** Where it listens; by default on 127.0.0.1. */
  host?: string;
  /** Called with each encrypted connection. */
  onSecure?: (socket: tls.TLSSocket) => void;
}): Promise<AskingProxy> {
  const sockets = new Set<Socket>();
  let hangs = options.hangs ?? 0;
  const server = options.tls ? https.createServer(options.tls) : http.createServer();
  const handle: AskingProxy = {
    port: 0,
    asked: [],
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  };
  server
    .on('connection', (socket: Socket) => {
      handle.connections++;
      keep(socket);
    })
    .on('secureConnection', keep);
  if (options.onSecure) server.on('secureConnection', options.onSecure);
  server.on('connect', (request: http.IncomingMessage, socket: Socket) => {
    const authorization = request.headers['proxy-authorization'];
    handle.asked.push({ target: request.url ?? '', authorization });
    if (options.instead !== undefined) {
      if (options.instead !== '') socket.end(options.instead);
      return;
    }
    if (authorization !== undefined && hangs > 0) {
      hangs -= 1;
      return;
    }
    const expected = `Basic ${Buffer.from(options.accepts ?? '').toString('base64')}`;
    if (authorization !== expected) {
      const offers = (options.offers ?? ['Basic realm="the network"']).map((one) => `Proxy-Authenticate: ${one}\r\n`);
      socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${offers.join('')}content-length: 0\r\n\r\n`);
      return;
    }
    const onward = net.connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    keep(onward);
    onward.on('error', () => socket.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, options.host ?? '127.0.0.1', () => {
      handle.port = (server.address() as AddressInfo).port;
      resolve(handle);
    });
  });
}
