import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { createConnections } from '../../../electron/core/connections/connections.ts';
import type { Secrets } from '../../../electron/core/connections/secrets.ts';
import { readCaFile } from '../../../electron/core/network/ca-file.ts';
import { createRoutes } from '../../../electron/core/network/choose-route.ts';
import { readPacAnswer } from '../../../electron/core/network/pac-answer.ts';
import {
  createHttpTransport,
  type HttpTransportOptions,
} from '../../../electron/core/transport/http/http-transport.ts';
import type { OutgoingRequest } from '../../../electron/core/transport/transport.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { connectionDraft, openTempDatabase } from '../../helpers/temp-database.ts';
import { answerText, startTcpServer } from '../transport/servers.ts';
import {
  narrowAuthority,
  outsideNameCertificate,
  sha1Certificate,
  shortKeyCertificate,
  weakAuthority,
  weakKeys,
} from '../transport/weak-certificates.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const open = (options: HttpTransportOptions = {}) => {
  const transport = createHttpTransport(options);
  closers.push(transport.close);
  return transport;
};
const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: {},
  timeoutMs: 120_000,
  maxBytes: 1000,
  ...more,
});

describe('a system that never answers which proxy to use', () => {
  const never = () => new Promise<string | null>(() => undefined);

  test('outlasts a call of little time, which blames no other call for it', async () => {
    const transport = open({ proxyFor: never });
    expect(await transport.send(request('https://service.example/', { timeoutMs: 20 }))).toMatchObject({
      ok: false,
      error: { code: 'connect-timeout', charge: 'not-charged', next: expect.stringContaining('proxy settings') },
    });
  });

  test('ends the call with its own error, and nothing is sent without a proxy', async () => {
    const routeFor = createRoutes({ policy: undefined, user: () => 'system', askSystem: never, limitMs: 20 });
    const transport = open({ proxyFor: async (url) => (await routeFor(url)).proxy });
    const said = {
      ok: false,
      error: {
        code: 'proxy-failed',
        charge: 'not-charged',
        message: 'The system did not say in time which proxy to use.',
      },
    };
    expect(await transport.send(request('https://service.example/'))).toMatchObject(said);
    expect(await transport.connect(new URL('https://updates.example/'), new AbortController().signal)).toMatchObject(
      said,
    );
  });

  test('nor is anything sent if the system could not find out, as when its proxy script cannot be read', async () => {
    const routeFor = createRoutes({ policy: undefined, user: () => 'system', askSystem: async () => '' });
    const transport = open({ proxyFor: async (url) => (await routeFor(url)).proxy });
    expect(await transport.send(request('https://service.example/'))).toMatchObject({
      error: { code: 'proxy-failed', charge: 'not-charged' },
    });
  });

  test('takes no longer than the call’s time-out', async () => {
    const transport = open({ proxyFor: never });
    expect(await transport.send(request('https://service.example/', { timeoutMs: 20 }))).toMatchObject({
      ok: false,
      error: { charge: 'not-charged' },
    });
  });
});

describe('reading input from outside takes time in proportion to its length', () => {
  test('a certificate file of a megabyte of BEGIN lines', () => {
    const text = '-----BEGIN CERTIFICATE-----\n'.repeat(37_000);
    expect(readCaFile(text)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('no certificate') },
    });
    const keys = `-----BEGIN ${'A '.repeat(500_000)}`;
    expect(readCaFile(keys)).toMatchObject({ ok: false });
  });

  test('a proxy answer of half a megabyte', () => {
    const { proxy, passedOver } = readPacAnswer('SOCKS a;'.repeat(60_000));
    expect(proxy).toBeNull();
    expect(passedOver.length).toBeLessThanOrEqual(200);
    expect(readPacAnswer(`PROXY proxy.example:1;${'SOCKS a;'.repeat(60_000)}`).untried.length).toBeLessThanOrEqual(200);
  });
});

test.each([
  ['signed with SHA-1', sha1Certificate, weakAuthority, weakKeys.elliptic, 'no longer safe'],
  ['with a short key', shortKeyCertificate, weakAuthority, weakKeys.short, 'too short'],
  [
    'for a name that its authority may not sign',
    outsideNameCertificate,
    narrowAuthority,
    weakKeys.elliptic,
    'may not sign for this name',
  ],
  [
    'of an authority that is not known',
    outsideNameCertificate,
    weakAuthority,
    weakKeys.elliptic,
    'not known on this computer',
  ],
])('a certificate %s is not trusted, and the sentence says why', async (_what, cert, ca, key, why) => {
  const server = tls.createServer({ key, cert, ciphers: 'DEFAULT@SECLEVEL=0' }).on('tlsClientError', () => undefined);
  await listenOnLoopback(server);
  closers.push(() => new Promise((done) => server.close(done)));
  const { port } = server.address() as AddressInfo;
  const sent = await open({ extraCa: [ca] }).send(request(`https://127.0.0.1:${port}/`));
  expect(sent).toMatchObject({
    ok: false,
    error: { code: 'certificate-not-trusted', charge: 'not-charged', message: expect.stringContaining(why) },
  });
  expect(JSON.stringify(sent)).not.toContain('--use-system-ca');
});

test('no debugging variable of the runtime prints a key', async () => {
  const server = await startTcpServer((socket) => socket.write(answerText('{}')));
  closers.push(server.close);
  const root = resolve(import.meta.dirname, '..', '..', '..');
  const canary = 'KEY-CANARY-73021';
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'test', 'helpers', 'certificate-child.ts'),
      `http://127.0.0.1:${server.port}/Search?key=${canary}`,
    ],
    { env: { ...process.env, NODE_DEBUG: '*' }, cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  expect(stdout).toBe('answered');
  expect(server.hits[0]).toContain(canary);
  // The child's arguments contain the secret; no other line may.
  const printed = stderr.split('\n').filter((line) => line.includes(canary) && !line.includes('certificate-child'));
  expect(printed).toEqual([]);
});

describe('a proxy address is saved only if a call would accept it', () => {
  const save = (changes: Parameters<typeof connectionDraft>[1]) => {
    const temp = openTempDatabase();
    closers.push(temp.remove);
    const connections = createConnections({ db: temp.db, secrets: {} as Secrets, clock: temp.clock });
    const added = connections.add(connectionDraft('Wyebank', changes));
    const listed = connections.list();
    return { added, stored: JSON.stringify(listed) };
  };

  test.each([
    ['restBaseUrl', 'https://user:PW-CANARY@lookup.example/v1', 'bad-input'],
    ['soapUrl', 'https://lookup.example/s.asmx?key=PW-CANARY', 'bad-input'],
    ['soapUrl', 'https://lookup.example/s.asmx?LicenceID=PW-CANARY', 'bad-input'],
    ['restBaseUrl', 'http://lookup.example/v1', 'insecure-address'],
    ['restBaseUrl', 'https://lookup.example\\@other.example/PW-CANARY', 'wrong-origin'],
    ['restBaseUrl', 'https://2130706433/v1', 'wrong-origin'],
    ['soapUrl', 'ftp://lookup.example/', ''],
  ])('%s of %s', (field, address, code) => {
    const { added, stored } = save({ [field]: address });
    expect(added).toMatchObject({ ok: false, error: { field, ...(code === '' ? {} : { code }) } });
    expect(JSON.stringify(added)).not.toContain('PW-CANARY');
    expect(stored).not.toContain('PW-CANARY');
  });

  test.each(['', 'https://lookup.example/v1', ' https://lookup.example:8443/v1/ ', 'http://127.0.0.1:5000/v1'])(
    '“%s” is',
    (restBaseUrl) => {
      expect(save({ restBaseUrl }).added.ok).toBe(true);
    },
  );
});
