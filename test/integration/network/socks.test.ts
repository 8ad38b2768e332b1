import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignIn } from '../../../electron/core/transport/connect/sign-in.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { goodCertificate } from '../transport/certificates.ts';
import { answerText, startTlsServer, type TestServer } from '../transport/servers.ts';

// A real SOCKS5 proxy (RFC 1928, 1929) that records what it receives.

interface Told {
  methods: number[];
  signIn: string | null;
  target: string | null;
}

const closers: (() => unknown)[] = [];
let server: TestServer;
beforeEach(async () => {
  server = await startTlsServer((socket) => socket.write(answerText('{}')));
  closers.push(server.close);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** `accepts` is "user:password"; '' asks for no sign-in. `reply` is the reply code to a request; 0 connects it to this computer. */
async function startSocks({ accepts = '', reply = 0 } = {}): Promise<{ port: number; told: Told[] }> {
  const told: Told[] = [];
  const sockets = new Set<Socket>();
  const proxy = net.createServer((socket) => {
    sockets.add(socket);
    const mine: Told = { methods: [], signIn: null, target: null };
    told.push(mine);
    socket.on('error', () => undefined);
    let state: 'methods' | 'sign-in' | 'request' = 'methods';
    const read = (bytes: Buffer): void => {
      if (state === 'methods') {
        mine.methods = [...bytes.subarray(2, 2 + (bytes[1] ?? 0))];
        const method = accepts === '' ? 0 : mine.methods.includes(2) ? 2 : 0xff;
        state = method === 2 ? 'sign-in' : 'request';
        socket.write(Buffer.from([5, method]));
      } else if (state === 'sign-in') {
        const users = bytes[1] ?? 0;
        mine.signIn = `${bytes.subarray(2, 2 + users)}:${bytes.subarray(3 + users)}`;
        state = 'request';
        socket.write(Buffer.from([1, mine.signIn === accepts ? 0 : 1]));
      } else {
        const length = bytes[4] ?? 0;
        mine.target =
          bytes[3] === 3 ? `${bytes.subarray(5, 5 + length)}:${bytes.readUInt16BE(5 + length)}` : 'an address';
        socket.off('data', read);
        const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
        if (reply !== 0) {
          socket.end(answer);
          return;
        }
        const onward = net.connect(server.port, '127.0.0.1', () => {
          socket.write(answer);
          onward.pipe(socket).pipe(onward);
        });
        sockets.add(onward);
        onward.on('error', () => socket.destroy());
      }
    };
    socket.on('data', read);
  });
  await listenOnLoopback(proxy);
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => proxy.close(resolve));
  });
  return { port: (proxy.address() as AddressInfo).port, told };
}

const through = (port: number, signIn: SignIn | null = null): HttpTransport => {
  const own = `socks5://127.0.0.1:${port}`;
  const transport = createHttpTransport({
    proxyFor: async () => own,
    extraCa: [goodCertificate],
    signInFor: async (proxy) => ({ ok: true, value: proxy === own ? signIn : null }),
  });
  closers.push(transport.close);
  return transport;
};
const send = (transport: HttpTransport) =>
  transport.send({
    method: 'GET',
    url: new URL(`https://service.example:${server.port}/Search?key=a3f1`),
    headers: {},
    timeoutMs: 120_000,
    maxBytes: 1000,
    matches: () => true,
  });
const failed = (message: string | RegExp) => ({
  ok: false,
  error: { code: 'proxy-failed', charge: 'not-charged', message: expect.stringMatching(message) },
});

test('a call goes through it with TLS, the name looked up by the proxy, over one connection', async () => {
  const { port, told } = await startSocks();
  const transport = through(port);
  for (let call = 0; call < 3; call++)
    expect(await send(transport)).toMatchObject({ ok: true, value: { status: 200 } });
  expect(told).toEqual([{ methods: [0], signIn: null, target: `service.example:${server.port}` }]);
  expect(server.connections).toBe(1);
});

test('a user name and password go to the proxy that asks, and nowhere else', async () => {
  const { port, told } = await startSocks({ accepts: 'kim:Sw0rd' });
  expect(await send(through(port, { user: 'kim', value: 'Sw0rd' }))).toMatchObject({ ok: true });
  expect(told[0]?.signIn).toBe('kim:Sw0rd');
  expect(server.hits.join()).not.toContain('Sw0rd');
  const open = await startSocks();
  expect(await send(through(open.port, { user: 'kim', value: 'Sw0rd' }))).toMatchObject({ ok: true });
  expect(open.told[0]?.signIn).toBeNull();
});

test('a refused password is distinguished from a missing one, sent once, and in no message', async () => {
  const { port, told } = await startSocks({ accepts: 'kim:another' });
  expect(await send(through(port))).toMatchObject(failed('asks for a user name and password'));
  const transport = through(port, { user: 'kim', value: 'Sw0rd-canary' });
  const first = await send(transport);
  expect(first).toMatchObject(failed('does not accept the user name and password'));
  expect(await send(transport)).toMatchObject(failed('not sent again'));
  expect(JSON.stringify(first)).not.toContain('Sw0rd-canary');
  expect(told.filter(({ signIn }) => signIn !== null)).toHaveLength(1);
  expect(server.connections).toBe(0);
});

test('a sign-in that is longer than SOCKS5 has room for is refused before it is sent', async () => {
  const longest = { user: 'k'.repeat(255), value: 'é'.repeat(127) };
  const { port, told } = await startSocks({ accepts: `${longest.user}:${longest.value}` });
  expect(await send(through(port, longest))).toMatchObject({ ok: true });
  for (const signIn of [
    { ...longest, user: 'k'.repeat(256) },
    { ...longest, value: 'é'.repeat(128) },
  ]) {
    const refused = await send(through(port, signIn));
    expect(refused).toMatchObject(failed('longer than SOCKS5 allows, which is 255 bytes'));
    expect(JSON.stringify(refused)).not.toContain(signIn.value);
  }
  expect(told.filter(({ methods }) => methods.length > 0)).toHaveLength(1);
});

test('of connections opened at once one sends a password that is not yet accepted', async () => {
  const { port, told } = await startSocks({ accepts: 'kim:another' });
  const transport = through(port, { user: 'kim', value: 'Sw0rd' });
  const sent = await Promise.all([send(transport), send(transport), send(transport)]);
  expect(sent.map((one) => !one.ok && one.error.message.includes('not sent again')).sort()).toEqual([
    false,
    true,
    true,
  ]);
  expect(told.filter(({ signIn }) => signIn !== null)).toHaveLength(1);
  const right = await startSocks({ accepts: 'kim:Sw0rd' });
  const accepted = through(right.port, { user: 'kim', value: 'Sw0rd' });
  expect((await Promise.all([send(accepted), send(accepted), send(accepted)])).map(({ ok }) => ok)).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  [2, 'does not let this computer reach service.example'],
  [4, 'could not reach service.example'],
  [5, 'could not reach service.example'],
])('its refusal %i is explained', async (reply, words) => {
  const { port } = await startSocks({ reply });
  expect(await send(through(port))).toMatchObject(failed(words));
  expect(server.connections).toBe(0);
});

test('a server that is no SOCKS5 proxy is reported, and one that hangs ends at the connection limit', async () => {
  const web = net.createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  await listenOnLoopback(web);
  closers.push(() => new Promise((resolve) => web.close(resolve)));
  expect(await send(through((web.address() as AddressInfo).port))).toMatchObject(failed('does not speak SOCKS5'));
  const silent = net.createServer((socket) => void socket.on('error', () => undefined).resume());
  await listenOnLoopback(silent);
  closers.push(() => new Promise((resolve) => silent.close(resolve)));
  const transport = createHttpTransport({
    proxyFor: async () => `socks5://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    connectTimeoutMs: 50,
  });
  closers.push(transport.close);
  expect(await send(transport)).toMatchObject(failed('did not connect to the server in time'));
});
