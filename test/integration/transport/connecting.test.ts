import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { createTrust, type Trust } from '../../../electron/core/transport/connect/trusted-roots.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '../../../electron/core/transport/http/http-transport.ts';
import type { OutgoingRequest } from '../../../electron/core/transport/transport.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { goodCertificate, staleCertificate, wrongNameCertificate } from './certificates.ts';
import { answerText, startProxy, startTcpServer, startTlsServer } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const open = (options: HttpTransportOptions = {}): HttpTransport => {
  const transport = createHttpTransport(options);
  closers.push(transport.close);
  return transport;
};
const track = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  closers.push(started.close);
  return started;
};
const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: {},
  timeoutMs: 120_000,
  matches: () => true,
  maxBytes: 100_000,
  ...more,
});
const notSent = (code: string) => ({ ok: false, error: { code, charge: 'not-charged' } });

test('a port at which nothing listens, and a network without a way: only the first is the server’s doing', async () => {
  const server = await startTcpServer(() => undefined);
  await server.close();
  const refused = { code: 'connection-refused', charge: 'not-charged' };
  expect(await open().send(request(`http://127.0.0.1:${server.port}/`))).toMatchObject({
    error: { ...refused, message: 'The server did not accept a connection.' },
  });
  // No computer is reached at the address that means all of them.
  expect(await open().send(request('https://255.255.255.255/'))).toMatchObject({
    error: { ...refused, message: 'No usable connection to the server could be made.' },
  });
  const through = async (proxy: string) => {
    const sent = await open({ proxyFor: async () => proxy }).send(request('https://service.example/'));
    return !sent.ok && sent.error.message;
  };
  expect(await through(`http://127.0.0.1:${server.port}`)).toMatch(/^The proxy did not accept a connection: /);
  expect(await through('http://255.255.255.255:3128')).toMatch(/^No connection to the proxy could be made: /);
});

test('a name that does not exist', async () => {
  expect(await open().send(request('https://name.invalid/'))).toMatchObject(notSent('name-not-found'));
});

// Elsewhere a full queue refuses, or takes in more than it was told.
describe.runIf(process.platform === 'linux')('an address that takes in nobody', () => {
  /** It listens at the first address of localhost alone, and takes in nobody until it is told to: its queue has room for two. */
  async function startFull(): Promise<{ port: number; takeIn(): void }> {
    const go = new Int32Array(new SharedArrayBuffer(4));
    const slow = new Worker(
      `const { parentPort, workerData: go } = require('node:worker_threads');
       const server = require('node:http').createServer((_request, response) => response.end('{}'));
       server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
         parentPort.postMessage(server.address().port);
         Atomics.wait(go, 0, 0);
       });`,
      { eval: true, workerData: go },
    );
    closers.push(async () => void (await slow.terminate()));
    const [port] = await once(slow, 'message');
    for (let filled = 0; filled < 2; filled++) {
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      closers.push(async () => void socket.destroy());
      await once(socket, 'connect');
    }
    const takeIn = (): void => {
      Atomics.store(go, 0, 1);
      Atomics.notify(go, 0);
    };
    return { port, takeIn };
  }

  test('a first packet that is lost is waited for, also where the name has another address', async () => {
    const { port, takeIn } = await startFull();
    const sent = open().send(request(`http://localhost:${port}/`));
    for (let turns = 0; turns < 20; turns++) await turn();
    takeIn();
    expect(await sent).toMatchObject({ ok: true, value: { status: 200 } });
  });

  test('leaves time for the next one', async () => {
    const { port } = await startFull();
    const next = net.createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.write(answerText('{}')));
      closers.push(async () => void socket.destroy());
    });
    await new Promise<void>((resolve) => next.listen(port, '::1', resolve));
    closers.push(async () => void next.close());
    const transport = open({ connectTimeoutMs: 3000 });
    expect(await transport.send(request(`http://localhost:${port}/`))).toMatchObject({ ok: true });
  });
});

test('a server that accepts and never speaks TLS ends at the connection limit, nothing sent', async () => {
  const server = net.createServer((socket) => void socket.on('error', () => undefined).resume());
  const port = await listenOnLoopback(server);
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const url = `https://127.0.0.1:${port}/`;
  expect(await open({ connectTimeoutMs: 100 }).send(request(url))).toMatchObject(notSent('connect-timeout'));
  expect(await open().send(request(url, { timeoutMs: 100 }))).toMatchObject(notSent('connect-timeout'));
  const controller = new AbortController();
  server.once('connection', () => controller.abort());
  const pending = open().send(request(url, { signal: controller.signal }));
  expect(await pending).toMatchObject(notSent('cancelled'));
});

test('a call that could be sent only with little time left for its answer is not sent: behind a call that hangs, and after a slow opening', async () => {
  const server = await track(startTcpServer(() => undefined));
  const url = `http://127.0.0.1:${server.port}/`;
  // Whatever is sent is given up after 600 ms, so that the second would have 200 left.
  const transport = open({
    perOrigin: 1,
    after: (_ms, run) => {
      const timer = setTimeout(run, 600);
      return () => clearTimeout(timer);
    },
  });
  const hanging = transport.send(request(url));
  expect(await transport.send(request(url, { timeoutMs: 800 }))).toMatchObject(notSent('connect-timeout'));
  expect(await hanging).toMatchObject({ error: { code: 'sent-no-answer' } });
  expect(server.hits).toHaveLength(1);

  const secure = await track(startTlsServer(() => undefined));
  const roots = createTrust([{ source: 'policy-file', pem: [goodCertificate] }]);
  const trust: Trust = { ...roots, ready: () => new Promise((resolve) => void setTimeout(resolve, 600)) };
  const slow = open({ trust: () => trust }).send(request(`https://127.0.0.1:${secure.port}/`, { timeoutMs: 800 }));
  expect(await slow).toMatchObject(notSent('connect-timeout'));
  expect(secure.hits).toHaveLength(0);
});

test('a plain server behind an https address', async () => {
  const server = await track(startTcpServer(() => undefined));
  const answering = net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  await listenOnLoopback(answering);
  closers.push(() => new Promise((resolve) => answering.close(() => resolve())));
  const url = `https://127.0.0.1:${(answering.address() as AddressInfo).port}/`;
  expect(await open().send(request(url))).toMatchObject(notSent('connection-refused'));
  expect(server.hits).toHaveLength(0);
});

test.each([
  ['self-signed', goodCertificate, []],
  ['for another name', wrongNameCertificate, [wrongNameCertificate]],
  ['stale', staleCertificate, [staleCertificate]],
])('a certificate that is %s is refused before anything is sent', async (_why, cert, extraCa) => {
  const server = await track(startTlsServer((socket) => socket.write(answerText('{}')), cert));
  const result = await open({ extraCa }).send(request(`https://127.0.0.1:${server.port}/?key=x`));
  expect(result).toMatchObject(notSent('certificate-not-trusted'));
  expect(server.hits).toHaveLength(0);
});

test('a private authority that is trusted works, with TLS timed and the connection reused', async () => {
  const server = await track(startTlsServer((socket) => socket.write(answerText('{"a":1}'))));
  const transport = open({ extraCa: [goodCertificate] });
  const url = `https://127.0.0.1:${server.port}/`;
  const first = await transport.send(request(url));
  expect(first.ok && first.value.timings.tls).toBeGreaterThan(0);
  const second = await transport.send(request(url));
  expect(second.ok && second.value.timings.reusedConnection).toBe(true);
  expect(server.connections).toBe(1);
});

test('https goes through the proxy by CONNECT, and the proxy sees no path', async () => {
  const server = await track(startTlsServer((socket) => socket.write(answerText('{"a":1}'))));
  const proxy = await track(startProxy());
  const asked: string[] = [];
  const transport = open({
    extraCa: [goodCertificate],
    proxyFor: async (url) => {
      asked.push(url.hostname);
      return `http://127.0.0.1:${proxy.port}`;
    },
  });
  const url = `https://service.example:${server.port}/Search?key=secret`;
  const first = await transport.send(request(url));
  expect(first).toMatchObject({ ok: true, value: { status: 200, timings: { reusedConnection: false } } });
  const second = await transport.send(request(url));
  expect(second).toMatchObject({ ok: true, value: { timings: { reusedConnection: true } } });
  expect(proxy.tunnels).toEqual([`service.example:${server.port}`]);
  expect(asked).toEqual(['service.example', 'service.example']);
  expect(server.hits).toHaveLength(2);
  expect(server.hits[0]).toContain('GET /Search?key=secret HTTP/1.1');
});

test('a reused tunnel that dies before headers is sent once', async () => {
  const server = await track(
    startTlsServer((socket, _request, nth) => {
      if (nth === 1) socket.write(answerText('{}'));
      else socket.destroy();
    }),
  );
  const proxy = await track(startProxy());
  const transport = open({ extraCa: [goodCertificate], proxyFor: async () => `http://127.0.0.1:${proxy.port}` });
  const url = `https://service.example:${server.port}/`;
  expect((await transport.send(request(url))).ok).toBe(true);
  expect(await transport.send(request(url))).toMatchObject({
    ok: false,
    error: { code: 'sent-no-answer', charge: 'may-have-been-charged' },
  });
  expect(server.hits).toHaveLength(2);
});

test('this computer is never reached through a proxy', async () => {
  const server = await track(startTcpServer((socket) => socket.write(answerText('{}'))));
  const transport = open({
    proxyFor: async () => {
      throw new Error('must not be asked');
    },
  });
  expect((await transport.send(request(`http://127.0.0.1:${server.port}/`))).ok).toBe(true);
  expect((await transport.send(request(`http://localhost:${server.port}/`))).ok).toBe(true);
});

test('failures of a proxy are distinguished from failures of the server, and nothing was sent', async () => {
  const refusing = await track(startProxy(true));
  const server = await track(startTlsServer((socket) => socket.write(answerText('{}'))));
  const through = (proxy: string, more: HttpTransportOptions = {}) =>
    open({ ...more, proxyFor: async () => proxy }).send(request(`https://service.example:${server.port}/`));
  expect(await through(`http://127.0.0.1:${refusing.port}`)).toMatchObject(notSent('proxy-failed'));
  const gone = await startTcpServer(() => undefined);
  await gone.close();
  expect(await through(`http://127.0.0.1:${gone.port}`)).toMatchObject(notSent('proxy-failed'));
  const dropping = await track(startTcpServer((socket) => socket.destroy()));
  expect(await through(`http://127.0.0.1:${dropping.port}`)).toMatchObject(notSent('proxy-failed'));
  const silent = await track(startTcpServer(() => undefined));
  expect(await through(`http://127.0.0.1:${silent.port}`, { connectTimeoutMs: 150 })).toMatchObject(
    notSent('proxy-failed'),
  );
  expect(await through('nonsense')).toMatchObject(notSent('proxy-failed'));
  const working = await track(startProxy());
  expect(await through(`http://127.0.0.1:${working.port}`)).toMatchObject(notSent('certificate-not-trusted'));
  expect(server.hits).toHaveLength(0);
});

describe('a connection that ends while the system’s certificates or the keychain are waited for', () => {
  /** A server or proxy that ends each connection from the `nth` on, and a promise of the first such end. */
  const startEnding = async (nth: number, before: (socket: Socket) => void = () => undefined) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const sockets: Socket[] = [];
    const server = net.createServer((socket) => {
      const number = sockets.push(socket);
      socket.on('error', () => undefined);
      if (number < nth) before(socket);
      else socket.once('close', () => end()).end();
    });
    await listenOnLoopback(server);
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    });
    return { port: (server.address() as AddressInfo).port, ended };
  };

  test('a server, before TLS', async () => {
    const { port, ended } = await startEnding(1);
    const roots = createTrust();
    const trust: Trust = {
      ...roots,
      ready: async () => {
        await roots.ready();
        await ended;
      },
    };
    expect(await open({ trust: () => trust }).send(request(`https://127.0.0.1:${port}/`))).toMatchObject({
      ok: false,
      error: { code: 'connection-refused', charge: 'not-charged', detail: 'closed during the handshake' },
    });
  });

  const refusal =
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\ncontent-length: 0\r\n\r\n';
  test.each([
    // It gets its sign-in at once when it has asked for one before.
    ['http', 3, 'The proxy ended the connection without an answer.'],
    ['socks5', 1, 'The proxy does not speak SOCKS5, or ended the connection.'],
  ])('a proxy of the kind %s, before its sign-in', async (scheme, nth, message) => {
    const { port, ended } = await startEnding(nth, (socket) => socket.once('data', () => socket.end(refusal)));
    let waits = nth === 1;
    const transport = open({
      proxyFor: async () => `${scheme}://127.0.0.1:${port}`,
      signInFor: async () => {
        if (waits) await ended;
        return { ok: true, value: { user: 'kim', value: waits ? 'second' : 'first' } };
      },
    });
    if (!waits)
      expect(await transport.send(request('https://service.example/'))).toMatchObject(notSent('proxy-failed'));
    waits = true;
    expect(await transport.send(request('https://service.example/'))).toMatchObject({
      ok: false,
      error: { code: 'proxy-failed', charge: 'not-charged', message },
    });
  });
});
