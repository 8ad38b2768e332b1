import { afterEach, beforeEach, expect, test } from 'vitest';
import { runSession } from '../../../electron/cli/session.ts';
import { sourceSurroundings } from '../../../electron/cli/surroundings.ts';
import { createSecrets } from '../../../electron/core/connections/secrets.ts';
import { createProxySignIns, readProxyName } from '../../../electron/core/network/proxy-sign-ins.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { type SignInFor, withoutSignIn } from '../../../electron/core/transport/connect/sign-in.ts';
import { readSchemes } from '../../../electron/core/transport/connect/tunnel.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Keychain } from '../../../electron/ports.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';
import { authorityCertificate, goodCertificate, signedCertificate, testKey } from '../transport/certificates.ts';
import {
  type AskingProxy,
  answerText,
  startAskingProxy,
  startTlsServer,
  type TestServer,
} from '../transport/servers.ts';

// A proxy's password is sent only to that proxy, and only when it asks. The proxies and the server record what arrives.

const password = 'Sw0rd, fish & "chips" é';
const basic = `Basic ${Buffer.from(`kim:${password}`).toString('base64')}`;
const closers: (() => Promise<void>)[] = [];
let temp: TempDatabase;
let server: TestServer;
beforeEach(async () => {
  temp = openTempDatabase();
  server = await startTlsServer((socket) => socket.write(answerText('{}')));
  closers.push(server.close);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  temp.remove();
});

const proxyWith = async (options: Parameters<typeof startAskingProxy>[0]): Promise<AskingProxy> => {
  const proxy = await startAskingProxy(options);
  closers.push(proxy.close);
  return proxy;
};
const signInsOver = (keychain: Keychain) =>
  createProxySignIns({
    db: temp.db,
    settings: createSettings(temp.db),
    keychain,
    clock: temp.clock,
    secrets: createSecrets({ db: temp.db, keychain, clock: temp.clock, demoSecrets: () => undefined }),
  });
const openThrough = (proxy: { port: number }, signInFor: SignInFor, scheme = 'http'): HttpTransport => {
  const transport = createHttpTransport({
    proxyFor: async () => `${scheme}://127.0.0.1:${proxy.port}`,
    extraCa: [goodCertificate, authorityCertificate],
    signInFor,
  });
  closers.push(transport.close);
  return transport;
};
const send = (transport: HttpTransport, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  transport.send({
    method: 'GET',
    url: new URL(`https://service.example:${server.port}/Search?key=a3f1`),
    headers: {},
    timeoutMs: 120_000,
    maxBytes: 10_000,
    ...more,
  });
/** The status, or the words of the failure. */
const outcomeOf = (result: Awaited<ReturnType<typeof send>>) =>
  result.ok ? result.value.status : result.error.message;

test('a proxy that asks gets the sign-in given for it; the request is sent once, and the server never sees the sign-in', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}` });
  const signIns = signInsOver(createMemoryVault());
  unwrap(await signIns.put({ proxy: `127.0.0.1:${proxy.port}`, user: 'kim', value: password }));
  const transport = openThrough(proxy, signIns.find);
  expect(await send(transport)).toMatchObject({ ok: true, value: { status: 200 } });
  const target = `service.example:${server.port}`;
  // The first request has no password, so that a proxy which needs none does not get one.
  expect(proxy.asked).toEqual([
    { target, authorization: undefined },
    { target, authorization: basic },
  ]);
  expect(server.hits).toHaveLength(1);
  expect(server.hits.join()).not.toMatch(/authorization/i);
  expect(server.hits.join()).not.toContain(password);
  // The proxy is known to ask, so the next connection sends the password with the first request.
  transport.renew();
  expect((await send(transport)).ok).toBe(true);
  expect((await send(openThrough(proxy, signIns.find))).ok).toBe(true);
  expect(proxy.asked).toHaveLength(6);
  expect(server.hits).toHaveLength(3);
});

test('within a run the second connection signs in at once', async () => {
  const once = await startTlsServer((socket) => socket.end(answerText('{}', 'connection: close\r\n')));
  closers.push(once.close);
  const proxy = await proxyWith({ accepts: `kim:${password}` });
  const transport = openThrough(proxy, async () => ({ ok: true, value: { user: 'kim', value: password } }));
  const url = new URL(`https://service.example:${once.port}/`);
  for (let nth = 0; nth < 3; nth++)
    expect((await transport.send({ method: 'GET', url, headers: {}, timeoutMs: 120_000, maxBytes: 100 })).ok).toBe(
      true,
    );
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined, basic, basic, basic]);
  expect(once.hits).toHaveLength(3);
});

test('a sign-in given for one proxy is not sent to another, whatever its port, host or scheme', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}` });
  const signIns = signInsOver(createMemoryVault());
  for (const other of [
    `127.0.0.1:${proxy.port === 1 ? 2 : 1}`,
    `localhost:${proxy.port}`,
    `https://127.0.0.1:${proxy.port}`,
  ])
    unwrap(await signIns.put({ proxy: other, user: 'kim', value: password }));
  expect(await send(openThrough(proxy, signIns.find))).toMatchObject({
    ok: false,
    error: {
      code: 'proxy-failed',
      charge: 'not-charged',
      message: 'The proxy asks for a user name and password.',
      next: 'Enter them under Settings, Network.',
    },
  });
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(server.hits).toHaveLength(0);
});

test('a wrong password is distinguished from a missing one, tried once, and nothing of the request is sent', async () => {
  const proxy = await proxyWith({ accepts: 'kim:another' });
  const signIns = signInsOver(createMemoryVault());
  unwrap(await signIns.put({ proxy: `127.0.0.1:${proxy.port}`, user: 'kim', value: password }));
  const result = await send(openThrough(proxy, signIns.find));
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'proxy-failed',
      charge: 'not-charged',
      message: 'The proxy does not accept the user name and password that were entered for it.',
    },
  });
  expect(JSON.stringify(result)).not.toContain(password);
  expect(proxy.asked).toHaveLength(2);
  expect(server.connections).toBe(0);
});

test('a password that a proxy has refused is not sent to it again, until it is entered anew', async () => {
  const proxy = await proxyWith({ accepts: 'kim:another' });
  const signIns = signInsOver(createMemoryVault());
  const address = `127.0.0.1:${proxy.port}`;
  unwrap(await signIns.put({ proxy: address, user: 'kim', value: password }));
  const transport = openThrough(proxy, signIns.find);
  for (let call = 0; call < 5; call++)
    expect(await send(transport)).toMatchObject({ ok: false, error: { code: 'proxy-failed' } });
  expect(await send(transport)).toMatchObject({ error: { message: expect.stringContaining('not sent again') } });
  const withPassword = () => proxy.asked.filter(({ authorization }) => authorization !== undefined);
  expect(withPassword()).toHaveLength(1);
  // The right password is sent at once, even if only the keychain shows that it is a different one.
  unwrap(await signIns.put({ proxy: address, user: 'kim', value: 'another' }));
  expect(await send(transport)).toMatchObject({ ok: true });
  expect(withPassword()).toHaveLength(2);
});

test('a sign-in that is not yet accepted goes out on one connection, and those opened at once with it wait for its verdict', async () => {
  const proxy = await proxyWith({ accepts: 'kim:the right one' });
  let value = 'a wrong one';
  const transport = openThrough(proxy, async () => ({ ok: true, value: { user: 'kim', value } }));
  const sendFour = async () => (await Promise.all([1, 2, 3, 4].map(() => send(transport)))).map(outcomeOf).sort();
  const withPassword = () => proxy.asked.filter(({ authorization }) => authorization !== undefined);
  const refused = [
    'The proxy does not accept the user name and password that were entered for it.',
    ...Array(3).fill(
      'The proxy has refused the user name and password that were entered for it, so they are not sent again.',
    ),
  ];
  expect(await sendFour()).toEqual(refused);
  expect(withPassword()).toHaveLength(1);
  // Now the proxy is known to ask, and gets the sign-in with the first request.
  value = 'another wrong one';
  expect(await sendFour()).toEqual(refused);
  expect(withPassword()).toHaveLength(2);
  value = 'the right one';
  expect(await sendFour()).toEqual([200, 200, 200, 200]);
  expect(withPassword()).toHaveLength(6);
});

test('a proxy that does not answer a sign-in keeps those that wait for it no longer than their own time, and the next one tries', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}`, hangs: 1 });
  const transport = openThrough(proxy, async () => ({ ok: true, value: { user: 'kim', value: password } }));
  const withPassword = () => proxy.asked.filter(({ authorization }) => authorization !== undefined);
  const [first, second] = [new AbortController(), new AbortController()];
  const hanging = send(transport, { signal: first.signal });
  await expect.poll(() => withPassword().length).toBe(1);
  expect(await send(transport, { timeoutMs: 200 })).toMatchObject({
    ok: false,
    error: {
      code: 'proxy-failed',
      charge: 'not-charged',
      message: 'Another connection was still signing in to the proxy when the time for this one was over.',
    },
  });
  const before = proxy.connections;
  const cancelled = send(transport, { signal: second.signal });
  // It has its own connection to the proxy, and nothing goes out over it.
  await expect.poll(() => proxy.connections).toBeGreaterThan(before);
  second.abort();
  expect(await cancelled).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  const waiting = [send(transport), send(transport)];
  first.abort();
  expect(await hanging).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect((await Promise.all(waiting)).map(outcomeOf)).toEqual([200, 200]);
  expect(withPassword()).toHaveLength(3);
});

test.each([
  [['NTLM', 'Negotiate'], 'NTLM, Negotiate (Kerberos)'],
  [['Digest realm="a, Basic b", nonce="x"'], 'Digest'],
])('a proxy that offers only %s gets no password, and a clear sentence', async (offers, named) => {
  const proxy = await proxyWith({ accepts: `kim:${password}`, offers });
  const result = await send(openThrough(proxy, async () => ({ ok: true, value: { user: 'kim', value: password } })));
  expect(result).toMatchObject({
    ok: false,
    error: {
      code: 'proxy-failed',
      message: `The proxy only takes sign-ins that this program does not speak: ${named}.`,
    },
  });
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
});

test('Basic beside other schemes is used', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}`, offers: ['Negotiate, Basic realm="a"', 'NTLM'] });
  expect((await send(openThrough(proxy, async () => ({ ok: true, value: { user: 'kim', value: password } })))).ok).toBe(
    true,
  );
});

test('over TLS to the proxy, its certificate is checked before the password is sent', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}`, tls: { key: testKey, cert: signedCertificate } });
  const signIn: SignInFor = async () => ({ ok: true, value: { user: 'kim', value: password } });
  expect((await send(openThrough(proxy, signIn, 'https'))).ok).toBe(true);
  const doubtful = createHttpTransport({ proxyFor: async () => `https://127.0.0.1:${proxy.port}`, signInFor: signIn });
  closers.push(doubtful.close);
  const before = proxy.asked.length;
  expect(await send(doubtful)).toMatchObject({
    ok: false,
    error: {
      code: 'certificate-not-trusted',
      message: expect.stringMatching(/^The proxy’s certificate is not trusted/),
    },
  });
  expect(proxy.asked).toHaveLength(before);
});

test.each([
  ['HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n', /^The proxy could not reach service\.example:\d+\.$/],
  ['HTTP/1.1 403 Forbidden\r\n\r\n', /does not let this computer reach/],
  ['HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/\r\n\r\n', /^The proxy answered 302/],
  ['nonsense\r\n\r\n', /ended the connection without an answer/],
])('a proxy that answers CONNECT with %j', async (instead, words) => {
  const proxy = await proxyWith({ instead });
  const result = await send(openThrough(proxy, async () => ({ ok: true, value: null })));
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'proxy-failed', charge: 'not-charged', message: expect.stringMatching(words) },
  });
  expect(server.connections).toBe(0);
});

test('a cancel while a proxy hangs ends it, and says that nothing left', async () => {
  const proxy = await proxyWith({ instead: '' });
  const transport = openThrough(proxy, async () => ({ ok: true, value: null }));
  const controller = new AbortController();
  const url = new URL(`https://service.example:${server.port}/`);
  const sent = transport.send({
    method: 'GET',
    url,
    headers: {},
    timeoutMs: 60_000,
    maxBytes: 10,
    signal: controller.signal,
  });
  await expect.poll(() => proxy.asked.length).toBe(1);
  controller.abort();
  expect(await sent).toMatchObject({ ok: false, error: { code: 'cancelled', charge: 'not-charged' } });
});

test('the password is only in the keychain; changing or forgetting it removes it there', async () => {
  const keychain = createMemoryVault();
  const signIns = signInsOver(keychain);
  unwrap(await signIns.put({ proxy: 'Proxy.Example:8080', user: 'kim', value: password }));
  expect(await keychain.list('Address Console proxy')).toEqual({
    ok: true,
    value: ['kim at http://proxy.example:8080'],
  });
  const row = temp.db.sql.prepare("SELECT value FROM settings WHERE key = 'proxySignIns'").get();
  expect(String(row?.value)).toContain('proxy.example:8080');
  expect(String(row?.value)).not.toContain('fish');
  unwrap(await signIns.put({ proxy: 'proxy.example:8080', user: 'sam', value: 'another' }));
  expect(await keychain.list('Address Console proxy')).toEqual({
    ok: true,
    value: ['sam at http://proxy.example:8080'],
  });
  expect(unwrap(await signIns.find('http://proxy.example:8080'))).toEqual({ user: 'sam', value: 'another' });
  const [one] = unwrap(signIns.list());
  unwrap(await signIns.forget(one?.id ?? ''));
  expect(await keychain.list('Address Console proxy')).toEqual({ ok: true, value: [] });
  expect(unwrap(await signIns.find('http://proxy.example:8080'))).toBeNull();
});

test('a keychain that stores nothing, is locked or has lost the entry is reported, and the former sign-in stays', async () => {
  const keychain = createMemoryVault();
  const signIns = signInsOver(keychain);
  unwrap(await signIns.put({ proxy: 'proxy.example:8080', user: 'kim', value: 'first' }));
  const forgetful = signInsOver({ ...keychain, set: async () => ({ ok: true, value: undefined }) });
  expect(await forgetful.put({ proxy: 'proxy.example:8080', user: 'kim', value: 'second' })).toMatchObject({
    ok: false,
    error: { code: 'keychain-unreadable' },
  });
  expect(unwrap(await signIns.find('http://proxy.example:8080'))).toEqual({ user: 'kim', value: 'first' });
  expect(await signInsOver(createMemoryVault()).find('http://proxy.example:8080')).toMatchObject({
    ok: false,
    error: { code: 'keychain-absent', charge: 'not-charged', next: 'Enter it again under Settings, Network.' },
  });
});

test.each([
  [{ proxy: 'http://kim:word@proxy.example' }, 'proxy'],
  [{ proxy: 'socks4://proxy.example:1080' }, 'proxy'],
  [{ proxy: 'proxy.example:99999' }, 'proxy'],
  [{ proxy: 'proxy.example/path' }, 'proxy'],
  [{ user: 'ki:m' }, 'user'],
  [{ user: 'kim\r\nX-Other: 1' }, 'user'],
  [{ value: 'two\r\nlines' }, 'value'],
])('%j is refused with its field, and nothing is stored', async (part, field) => {
  const keychain = createMemoryVault();
  const wish = { proxy: 'proxy.example:8080', user: 'kim', value: 'word', ...part };
  expect(await signInsOver(keychain).put(wish)).toMatchObject({ ok: false, error: { code: 'bad-input', field } });
  expect(await keychain.list('Address Console proxy')).toEqual({ ok: true, value: [] });
});

test('a proxy is identified by scheme, host and port', () => {
  expect(unwrap(readProxyName('proxy.example'))).toBe('http://proxy.example:80');
  expect(unwrap(readProxyName('https://Proxy.example/'))).toBe('https://proxy.example:443');
});

test('schemes are read from headers whose parameters contain commas', () => {
  expect(
    readSchemes([
      'Proxy-Authenticate',
      'Basic realm="NTLM, x", charset="UTF-8", Negotiate',
      'proxy-authenticate',
      'NTLM',
    ]),
  ).toEqual(['basic', 'negotiate', 'ntlm']);
});

test('a password that a proxy repeats is not quoted', () => {
  const signIn = { user: 'kim', value: password };
  expect(withoutSignIn('Connection Established', signIn)).toBe('Connection Established');
  for (const said of [
    `No entry for ${basic}`,
    `that is kim:${password}`,
    `that is ${encodeURIComponent(password)}`,
    Buffer.from(`user kim:${password}`).toString('base64'),
  ])
    expect(withoutSignIn(said, signIn)).toBe('••••');
});

test('the command line signs in with the variable’s user and password, to that proxy only', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}` });
  const env = { HTTPS_PROXY: `http://kim:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}` };
  const url = new URL(`https://service.example:${server.port}/`);
  const result = await runSession({ secret: undefined }, { ...sourceSurroundings(), env }, ({ send: sendOnce }) =>
    sendOnce({ method: 'GET', url, headers: {}, timeoutMs: 120_000, maxBytes: 10 }),
  );
  // The connection gets through the tunnel, to a certificate that this computer does not trust.
  expect(result).toMatchObject({ ok: false, error: { code: 'certificate-not-trusted' } });
  expect(JSON.stringify(result)).not.toContain(password);
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined, basic]);
});

test('with NO_PROXY=* the proxy of the environment is not used, and nobody sees its sign-in', async () => {
  const proxy = await proxyWith({ accepts: `kim:${password}` });
  const address = `http://kim:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`;
  const url = new URL(`https://service.example:${server.port}/`);
  const result = await runSession(
    { secret: undefined },
    { ...sourceSurroundings(), env: { HTTPS_PROXY: address, NO_PROXY: '*' } },
    ({ send: sendOnce }) => sendOnce({ method: 'GET', url, headers: {}, timeoutMs: 120_000, maxBytes: 10 }),
  );
  // The connection is direct, to a name that does not exist.
  expect(result).toMatchObject({ ok: false, error: { charge: 'not-charged' } });
  expect(!result.ok && result.error.code).not.toBe('proxy-failed');
  expect(JSON.stringify(result)).not.toContain(password);
  expect(proxy.asked).toEqual([]);
  expect(server.connections).toBe(0);
});
