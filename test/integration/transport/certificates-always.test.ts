import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram } from '../../helpers/demo-process.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { authorityCertificate, goodCertificate, signedCertificate } from './certificates.ts';
import { answerText, startAskingProxy, startTlsServer, type TestServer } from './servers.ts';

// Nothing can switch off the checking of certificates: no setting of the program and no environment variable.

const root = resolve(import.meta.dirname, '..', '..', '..');
const child = join(root, 'test', 'helpers', 'certificate-child.ts');
let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-certificates-'));
  server = await startTlsServer((socket) => socket.write(answerText('{}')), signedCertificate);
});
afterEach(async () => {
  await server.close();
  removeFolder(folder);
});

/** The outcome of a request by a process that is started with additional variables. */
async function outcome(more: NodeJS.ProcessEnv): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _own, ...environment } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', child, `https://127.0.0.1:${server.port}/`],
    { env: { ...environment, ...more }, cwd: root },
  );
  return stdout;
}

test('NODE_TLS_REJECT_UNAUTHORIZED=0 does not switch the checks off', async () => {
  expect(await outcome({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toBe('certificate-not-trusted');
  expect(server.hits).toHaveLength(0);
});

test('NODE_EXTRA_CA_CERTS adds nothing: trust does not depend on how the program was started', async () => {
  const file = join(folder, 'ca.pem');
  writeFileSync(file, authorityCertificate);
  expect(await outcome({ NODE_EXTRA_CA_CERTS: file })).toBe('certificate-not-trusted');
});

test('the command line uses NODE_EXTRA_CA_CERTS, since it has no window to choose a file in', async () => {
  const [file, connection] = [join(folder, 'ca.pem'), join(folder, 'connection.json')];
  writeFileSync(file, authorityCertificate);
  writeFileSync(connection, JSON.stringify({ restBaseUrl: `https://127.0.0.1:${server.port}/v1` }));
  const call = async (more: Record<string, string>) => {
    const env = { ADDRESS_CONSOLE_API_KEY: 'a-key', ADDRESS_CONSOLE_DATA_FOLDER: folder, ...more };
    return (await runProgram(['call', 'GetCredits', '--connection', connection], { env })).json;
  };
  expect((await call({})).error.code).toBe('certificate-not-trusted');
  expect(server.hits).toHaveLength(0);
  expect((await call({ NODE_EXTRA_CA_CERTS: file })).error?.code).not.toBe('certificate-not-trusted');
  expect(server.hits).toHaveLength(1);
});

test.runIf(process.platform === 'linux')('on Linux the system’s store is read from SSL_CERT_FILE', async () => {
  const file = join(folder, 'ca.pem');
  writeFileSync(file, `${goodCertificate}${authorityCertificate}`);
  expect(await outcome({ SSL_CERT_FILE: file })).toBe('answered');
});

test('a proxy of the environment is not used', async () => {
  const proxy = await startAskingProxy({ instead: 'HTTP/1.1 502 Bad Gateway\r\n\r\n' });
  try {
    const address = `http://127.0.0.1:${proxy.port}`;
    await outcome({
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: address,
      HTTP_PROXY: address,
      ALL_PROXY: address,
      NO_PROXY: '',
    });
    expect(proxy.asked).toEqual([]);
  } finally {
    await proxy.close();
  }
});

const files = ['electron', 'renderer', 'shared', 'build'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
);
const holding = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).sort();

test('no source contains a way to skip the checks', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(holding(/rejectUnauthorized(?!: true)/)).toEqual([]);
  expect(holding(/rejectUnauthorized: true/)).toEqual(['electron/core/transport/connect/open-connection.ts']);
  expect(holding(/checkServerIdentity\s*:/)).toEqual([]);
  // The only place with this name is where the program refuses to start with it.
  expect(holding(/ignore-certificate-errors|allow-insecure-localhost/)).toEqual(['electron/shell/refused-switches.ts']);
  expect(holding(/setCertificateVerifyProc/)).toEqual([]);
  // Electron's certificate event has one handler, which refuses.
  expect(holding(/'certificate-error'/)).toEqual(['electron/shell/security.ts']);
  // The only places with this name are those that make or state that it has no effect.
  expect(holding(/NODE_TLS_REJECT_UNAUTHORIZED/)).toEqual([
    'electron/core/network/environment.ts',
    'electron/core/transport/connect/open-connection.ts',
  ]);
});

test('one place opens sockets to a service, so that no other can forget the checks', () => {
  const program = (file: string) => file.startsWith('electron/') && !file.startsWith('electron/demo-service/');
  expect(holding(/from '(?:node:)?(?:https|http2|dgram)'|\bfetch\(/).filter(program)).toEqual([]);
  expect(holding(/\bconnect\b[^;]*from '(?:node:)?(?:net|tls)'/).filter(program)).toEqual([
    'electron/core/transport/connect/open-connection.ts',
  ]);
  expect(holding(/\brequest\b[^;]*from '(?:(?:node:)?http|[./\w-]*\/request\.ts)'/).filter(program)).toEqual([
    'electron/core/transport/connect/tunnel.ts',
    'electron/core/transport/http/http-connection.ts',
  ]);
  // The low-level client of `node:http`, without the rest that this module would load.
  expect(holding(/getBuiltinModule\(/).filter(program)).toEqual(['electron/core/transport/connect/request.ts']);
  expect(holding(/from 'undici'|new (?:Http)?Agent\(/).filter(program)).toEqual([]);
});
