import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSecrets } from '../../../electron/core/connections/secrets.ts';
import { createClientCertificates } from '../../../electron/core/network/client-certificates.ts';
import { type Policy, policySchema, readPolicyCertificates } from '../../../electron/core/policy/policy-schema.ts';
import { readAnswer } from '../../../electron/core/rest/read-answer.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { type DecodeJob, readAnswer as readSoapAnswer } from '../../../electron/core/soap/message/answer.ts';
import type { ClientCertificateFor } from '../../../electron/core/transport/connect/client-certificate.ts';
import { refusalOfClient } from '../../../electron/core/transport/connect/client-certificate-messages.ts';
import type { OpeningFacts } from '../../../electron/core/transport/connect/opening-steps.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { runProgram } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';
import { goodCertificate, testKey } from '../transport/certificates.ts';
import {
  clientPem,
  clientPemWithoutKey,
  clientPfx,
  oldPfx,
  passphrase,
  pfxWithoutKey,
  signedByStaffAuthority,
  staffAuthority,
  windowsPfx,
} from '../transport/client-certificates.ts';
import { answerText, startAskingProxy } from '../transport/servers.ts';

// A client certificate is shown only to its service, and each thing that can be wrong with it has a message.

const closers: (() => unknown)[] = [];
let temp: TempDatabase;
let folder: string;
beforeEach(() => {
  temp = openTempDatabase();
  folder = mkdtempSync(join(tmpdir(), 'address-console-client-'));
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  temp.remove();
  removeFolder(folder);
});

interface Server {
  port: number;
  /** The subject of each connection's certificate; null if it showed none. */
  callers: (string | null)[];
  hits: number;
}

/** A real server that asks each connection for a certificate of the staff authority. */
async function startAsking(options: tls.TlsOptions = {}): Promise<Server> {
  const handle: Server = { port: 0, callers: [], hits: 0 };
  const sockets = new Set<Socket>();
  const server = tls.createServer(
    {
      key: testKey,
      cert: goodCertificate,
      ca: staffAuthority,
      requestCert: true,
      rejectUnauthorized: true,
      ...options,
    },
    (socket) => {
      handle.callers.push(socket.getPeerX509Certificate()?.subject.replace('\n', ', ') ?? null);
      socket.on('error', () => undefined);
      socket.on('data', () => {
        handle.hits += 1;
        socket.write(answerText('{"Credits":7}', 'content-type: application/json\r\n'));
      });
    },
  );
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await listenOnLoopback(server);
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  handle.port = (server.address() as AddressInfo).port;
  return handle;
}

const certificates = (keychain = createMemoryVault(), policy: Pick<Policy, 'clientCertificates'> = {}) =>
  createClientCertificates({
    db: temp.db,
    settings: createSettings(temp.db),
    keychain,
    clock: temp.clock,
    policyFiles: readPolicyCertificates({ version: 1, ...policy }),
    secrets: createSecrets({ db: temp.db, keychain, clock: temp.clock, demoSecrets: () => undefined }),
  });
const write = (name: string, contents: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
};
const transportWith = (clientCertificateFor?: ClientCertificateFor, proxy: string | null = null): HttpTransport => {
  const transport = createHttpTransport({
    proxyFor: async () => proxy,
    extraCa: [goodCertificate],
    ...(clientCertificateFor ? { clientCertificateFor } : {}),
  });
  closers.push(transport.close);
  return transport;
};
const addressOf = ({ port }: { port: number }, host = '127.0.0.1') => `https://${host}:${port}`;
const send = (transport: HttpTransport, origin: string) =>
  transport.send({
    method: 'GET',
    url: new URL(`${origin}/v1/Credits`),
    headers: {},
    timeoutMs: 120_000,
    maxBytes: 1000,
  });
const kim = 'O=Wyebank, CN=Kim Price';

test.each([
  ['PKCS#12 with AES', 'kim.p12', clientPfx, 'TLSv1.3'],
  ['PKCS#12 with AES', 'kim.p12', clientPfx, 'TLSv1.2'],
  ['PKCS#12 as Windows exports it', 'kim.pfx', windowsPfx, 'TLSv1.3'],
  ['PEM with an encrypted key', 'kim.pem', Buffer.from(clientPem), 'TLSv1.3'],
] as const)('%s (%s) is shown to the server that asks', async (_what, name, contents, version) => {
  const server = await startAsking({ maxVersion: version });
  const own = certificates();
  unwrap(await own.put({ address: `${addressOf(server)}/v1`, path: write(name, contents), passphrase }));
  expect(await send(transportWith(own.find), addressOf(server))).toMatchObject({ ok: true, value: { status: 200 } });
  expect(server.callers).toEqual([kim]);
});

test('it is shown to no other server, to no proxy, and not to the update server', async () => {
  const server = await startAsking();
  // Each of these servers also requests a certificate and would accept one.
  const other = await startAsking({ rejectUnauthorized: false });
  const own = certificates();
  unwrap(await own.put({ address: addressOf(server), path: write('kim.p12', clientPfx), passphrase }));
  await send(transportWith(own.find), addressOf(other));
  await send(transportWith(own.find), addressOf(server, 'localhost'));
  expect(other.callers).toEqual([null]);
  expect(server.callers).toEqual([]);

  const proxyCallers: (string | undefined)[] = [];
  const proxy = await startAskingProxy({
    accepts: '',
    tls: { key: testKey, cert: goodCertificate, requestCert: true, rejectUnauthorized: false },
    instead: 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n',
    onSecure: (socket) => proxyCallers.push(socket.getPeerX509Certificate()?.subject),
  });
  closers.push(proxy.close);
  const proxied = `https://127.0.0.1:${proxy.port}`;
  unwrap(await own.put({ address: proxied, path: write('kim.p12', clientPfx), passphrase }));
  await send(transportWith(own.find, proxied), 'https://service.example');
  expect(proxyCallers).toEqual([undefined]);

  const open = await startAsking({ rejectUnauthorized: false });
  unwrap(await own.put({ address: addressOf(open), path: write('kim.p12', clientPfx), passphrase }));
  const transport = transportWith(own.find);
  const update = unwrap(await transport.connect(new URL(addressOf(open)), AbortSignal.timeout(5000)));
  // Waits for an answer, so that the server has completed the handshake.
  update.write('GET /latest.yml HTTP/1.1\r\nhost: updates.example\r\n\r\n');
  await once(update, 'data');
  update.destroy();
  expect(open.callers).toEqual([null]);
  unwrap(await send(transport, addressOf(open)));
  expect(open.callers).toEqual([null, kim]);
});

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a server that requires a certificate and gets none is an error of its own (%s)',
  async (version) => {
    const server = await startAsking({ minVersion: version, maxVersion: version });
    const result = await send(transportWith(), addressOf(server));
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'client-certificate-needed',
        // With TLS 1.3 the refusal comes only after the request was written.
        charge: version === 'TLSv1.3' ? 'may-have-been-charged' : 'not-charged',
        next: expect.stringContaining('choose its file under Settings, Network'),
      },
    });
    expect(server.hits).toBe(0);
  },
);

test('the check says whether a server asked, and what it was shown', async () => {
  const asking = await startAsking({ rejectUnauthorized: false });
  const plain = await startAsking({ requestCert: false });
  const own = certificates();
  const look = async (server: Server, forService = true): Promise<OpeningFacts['tls']['client'] | undefined> => {
    let client: OpeningFacts['tls']['client'] | undefined;
    const transport = transportWith(own.find);
    unwrap(
      await transport.probe(new URL(addressOf(server)), { proxy: null, forService }, AbortSignal.timeout(5000), {
        began() {},
        ended: (step, facts) => {
          if (step === 'tls') client = (facts as OpeningFacts['tls']).client;
        },
        failed() {},
      }),
    );
    return client;
  };
  expect(await look(asking)).toEqual({ asked: true, given: false });
  expect(await look(plain)).toEqual({ asked: false, given: false });
  for (const server of [asking, plain])
    unwrap(await own.put({ address: addressOf(server), path: write('kim.p12', clientPfx), passphrase }));
  expect(await look(asking)).toEqual({ asked: true, given: true });
  expect(await look(plain)).toEqual({ asked: false, given: true });
  // The same server, but for updates.
  expect(await look(asking, false)).toEqual({ asked: true, given: false });
});

test('an authority inside the certificate’s file is not trusted for servers', async () => {
  const server = await startAsking({ cert: signedByStaffAuthority });
  const own = certificates();
  unwrap(await own.put({ address: addressOf(server), path: write('kim.p12', clientPfx), passphrase }));
  expect(await send(transportWith(own.find), addressOf(server))).toMatchObject({
    ok: false,
    error: { code: 'certificate-not-trusted', charge: 'not-charged' },
  });
  expect(server.hits).toBe(0);
  // With its authority among the trusted ones, the connection works.
  const trusting = createHttpTransport({ extraCa: [staffAuthority], clientCertificateFor: own.find });
  closers.push(trusting.close);
  expect(await send(trusting, addressOf(server))).toMatchObject({ ok: true });
});

test.each([
  ['wrong passphrase', clientPfx, 'open barley', 'The passphrase does not open the file.', 'passphrase'],
  ['no passphrase', clientPfx, '', 'The file has a passphrase, and none was given.', 'passphrase'],
  ['PEM, wrong passphrase', clientPem, 'open barley', 'The passphrase does not open the file.', 'passphrase'],
  ['PEM without a key', clientPemWithoutKey, '', 'no private key', undefined],
  ['PKCS#12 without a key', pfxWithoutKey, passphrase, 'no private key', undefined],
  ['an old encryption', oldPfx, passphrase, 'encrypted in an old way', undefined],
  ['key of another', `${clientPemWithoutKey}${testKey}`, '', 'not the key of its certificate', undefined],
  ['not a certificate', 'Dear Kim,', '', 'cannot be read as a certificate', undefined],
] as const)('%s: reported, and nothing is stored', async (_what, contents, typed, message, field) => {
  const keychain = createMemoryVault();
  const own = certificates(keychain);
  const put = await own.put({
    address: 'https://service.example',
    path: write('kim.p12', contents as string),
    passphrase: typed,
  });
  expect(put).toMatchObject({
    ok: false,
    error: { code: 'client-certificate-unusable', message: expect.stringContaining(message) },
  });
  expect(!put.ok && put.error.field).toBe(field);
  expect(JSON.stringify(put)).not.toContain('open barley');
  expect(unwrap(own.list())).toEqual([]);
  expect(unwrap(await keychain.list('Address Console client certificate'))).toEqual([]);
});

test('a missing file, or one with a changed passphrase, stops the call before anything is sent', async () => {
  const server = await startAsking();
  const own = certificates();
  const path = write('kim.p12', clientPfx);
  unwrap(await own.put({ address: addressOf(server), path, passphrase }));
  renameSync(path, `${path}.away`);
  expect(await send(transportWith(own.find), addressOf(server))).toMatchObject({
    ok: false,
    error: {
      code: 'client-certificate-unusable',
      charge: 'not-charged',
      message: 'The file of the client certificate, kim.p12, is no longer in its place.',
    },
  });
  writeFileSync(path, clientPem);
  // The file is replaced, even in another format: the next connection uses the new one.
  expect(await send(transportWith(own.find), addressOf(server))).toMatchObject({ ok: true });
  writeFileSync(path, oldPfx);
  expect(await send(transportWith(own.find), addressOf(server))).toMatchObject({
    ok: false,
    error: { code: 'client-certificate-unusable', charge: 'not-charged' },
  });
  expect(server.callers).toEqual([kim]);
});

test('the passphrase is only in the keychain; forgetting removes it and leaves the file', async () => {
  const keychain = createMemoryVault();
  const own = certificates(keychain);
  const path = write('kim.p12', clientPfx);
  unwrap(await own.put({ address: 'https://service.example:8443/v1', path, passphrase }));
  const [listed] = unwrap(own.list());
  expect(listed).toMatchObject({
    origin: 'https://service.example:8443',
    file: 'kim.p12',
    certificate: { subject: kim, validUntil: '2120-01-01T00:00:00.000Z' },
  });
  expect(JSON.stringify(unwrap(createSettings(temp.db).read('clientCertificates')))).not.toContain(passphrase);
  expect(unwrap(await keychain.list('Address Console client certificate'))).toEqual(['https://service.example:8443']);
  // One without a passphrase takes its place, and it the other's again.
  const open = write('kim.pem', `${goodCertificate}${testKey}`);
  unwrap(await own.put({ address: 'https://service.example:8443/v1', path: open, passphrase: '' }));
  expect(unwrap(await keychain.list('Address Console client certificate'))).toEqual([]);
  expect(unwrap(own.list())).toMatchObject([{ origin: 'https://service.example:8443', file: 'kim.pem' }]);
  unwrap(await own.put({ address: 'https://service.example:8443/v1', path, passphrase }));
  const [again] = unwrap(own.list());
  unwrap(await keychain.delete({ service: 'Address Console client certificate', account: listed?.origin ?? '' }));
  expect(await own.find('https://service.example:8443')).toMatchObject({
    ok: false,
    error: { code: 'keychain-absent', charge: 'not-charged' },
  });
  unwrap(await own.forget(again?.id ?? ''));
  expect(unwrap(own.list())).toEqual([]);
  expect(await own.find('https://service.example:8443')).toEqual({ ok: true, value: null });
  rmSync(path);
});

test.each(['http://service.example', 'service.example', 'https://kim:pw@service.example'])(
  'an address that cannot have a certificate is refused: %s',
  async (address) => {
    const put = await certificates().put({ address, path: write('kim.p12', clientPfx), passphrase });
    expect(put).toMatchObject({ ok: false, error: { field: 'address' } });
  },
);

test.each([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true, 'client-certificate-refused', /does not know who signed it/],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', true, 'client-certificate-refused', /it has expired/],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', false, 'client-certificate-needed', /none was shown/],
  // BoringSSL's names of the same errors.
  ['ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED', false, 'client-certificate-needed', /none was shown/],
] as const)('a server’s verdict on it by %s', (code, shown, expected, message) => {
  const refusal = refusalOfClient(code, { shown, asked: null, charge: 'not-charged', detail: '' });
  expect(refusal?.code).toBe(expected);
  expect(refusal?.message).toMatch(message);
});

test('a handshake that fails for another reason is not blamed on a certificate', () => {
  const about = (asked: boolean | null) =>
    refusalOfClient('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', {
      shown: false,
      asked,
      charge: 'not-charged',
      detail: '',
    });
  expect(about(false)).toBeNull();
  expect(about(null)).toBeNull();
  expect(about(true)?.code).toBe('client-certificate-needed');
  expect(
    refusalOfClient('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', {
      shown: true,
      asked: true,
      charge: 'not-charged',
      detail: '',
    }),
  ).toBeNull();
});

test('a policy names the file for a server: no user’s file replaces it, and the user gives its passphrase', async () => {
  const server = await startAsking();
  const keychain = createMemoryVault();
  const own = write('own.p12', windowsPfx);
  unwrap(await certificates(keychain).put({ address: addressOf(server), path: own, passphrase }));
  const held = certificates(keychain, {
    clientCertificates: [`${addressOf(server)} ${write('desk of all.pem', clientPem)}`],
  });
  expect(held.isNamedByPolicy(addressOf(server))).toBe(true);
  expect(unwrap(held.list())).toMatchObject([
    { origin: addressOf(server), file: 'desk of all.pem', certificate: null, standing: 'policy' },
    { origin: addressOf(server), file: 'own.p12', standing: 'unused' },
  ]);
  // The policy's file needs a passphrase, which nobody has given. The user's certificate is not shown instead.
  expect(await send(transportWith(held.find), addressOf(server))).toMatchObject({
    ok: false,
    error: { code: 'client-certificate-unusable', message: 'The file has a passphrase, and none was given.' },
  });
  expect(server.callers).toEqual([]);
  // The policy's file is read, whichever file the window names.
  unwrap(await held.put({ address: addressOf(server), path: own, passphrase }));
  expect(unwrap(held.list())).toMatchObject([
    { file: 'desk of all.pem', standing: 'policy', certificate: { subject: kim } },
  ]);
  expect(await send(transportWith(held.find), addressOf(server))).toMatchObject({ ok: true });
  expect(server.callers).toEqual([kim]);
  // For a server that the policy does not name, the user decides.
  unwrap(await held.put({ address: 'https://service.example', path: own, passphrase }));
});

test.each([
  [['https://lookup.example /etc/desk.pem'], true],
  [['https://lookup.example:8443 C:\\Program Files\\desk.pfx', 'https://other.example /a.p12'], true],
  [['https://lookup.example /a.pem', 'https://LOOKUP.example:443 /b.pem'], false],
  [['http://lookup.example /a.pem'], false],
  [['https://lookup.example'], false],
  [['https://kim@lookup.example /a.pem'], false],
  [['https://lookup.example/v1 /a.pem'], false],
])('a policy with %j is valid: %s', (clientCertificates, good) => {
  expect(policySchema.safeParse({ version: 1, clientCertificates }).success).toBe(good);
});

test('the command line uses the certificate that its connection file names', async () => {
  const server = await startAsking();
  write('kim.p12', clientPfx);
  const file = write(
    'wyebank.json',
    JSON.stringify({ restBaseUrl: `${addressOf(server)}/v1`, clientCertificate: 'kim.p12' }),
  );
  const authorities = write('company.pem', goodCertificate);
  const ask = (env: Record<string, string>) =>
    runProgram(['call', 'GetCredits', '--connection', file], {
      env: { ADDRESS_CONSOLE_API_KEY: 'a3f1c0de99887766', NODE_EXTRA_CA_CERTS: authorities, ...env },
    });
  const refused = await ask({});
  expect(refused.json).toMatchObject({ ok: false, error: { code: 'client-certificate-unusable' } });
  expect(refused.json.error.message).toContain('ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE');
  expect(server.callers).toEqual([]);
  const answered = await ask({ ADDRESS_CONSOLE_CERTIFICATE_PASSPHRASE: passphrase });
  expect(server.callers).toEqual([kim]);
  expect(server.hits).toBe(1);
  expect(answered.stdout + answered.stderr + refused.stdout).not.toContain(passphrase);
});

test.each([
  ['No required SSL certificate was sent', 'client-certificate-needed'],
  ['The SSL certificate error', 'client-certificate-refused'],
  ['The plain HTTP request was sent to HTTPS port', 'input-refused'],
])('a server that says so in a page: “%s”', (words, code) => {
  const page = `<html>\r\n<head><title>400 ${words}</title></head>\r\n<body><center><h1>400 Bad Request</h1></center></body></html>`;
  const answer = { status: 400, headers: { 'content-type': 'text/html' }, body: Buffer.from(page) };
  const rest = readAnswer({ endpoint: 'GetCredits', ...answer, secrets: [], bounded: true });
  expect(rest.result).toMatchObject({ ok: false, error: { code, charge: 'may-have-been-charged' } });
  const soap = readSoapAnswer({ status: 400, contentType: 'text/html' } as DecodeJob, page);
  expect(soap).toMatchObject({ ok: false, error: { code: code === 'input-refused' ? 'http-error' : code } });
});
