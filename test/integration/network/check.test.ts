import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppCore } from '../../../electron/core/app-core.ts';
import { listAddresses } from '../../../electron/core/network/check-network.ts';
import { type MachinePolicy, withoutPolicy } from '../../../electron/core/policy/read-policy.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { CheckStep } from '../../../shared/contract/network.ts';
import type { EventPayload } from '../../../shared/contract.ts';
import { type Channels, openChannels, startCore } from '../../helpers/core.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';
import {
  authorityCertificate,
  goodCertificate,
  hidingCertificate,
  signedCertificate,
  staleCertificate,
  testKey,
  wrongNameCertificate,
} from '../transport/certificates.ts';
import { answerText, startAskingProxy, startTcpServer, startTlsServer } from '../transport/servers.ts';

// The whole core over its channels, with real proxies and TLS servers on this computer: the check must show what a call does.

const password = 'correct horse battery';
let folder: string;
let core: AppCore;
let answer: string | null;
let chosen: { name: string; text: string } | null;
let progress: EventPayload<'network.check-step'>[];
let channels: Channels;
const call: Channels['call'] = (...given) => channels.call(...given);
let number = 0;
const closers: (() => Promise<void>)[] = [];

async function start(policy: MachinePolicy = withoutPolicy): Promise<void> {
  await core?.close();
  core = unwrap(
    await startCore({
      folder,
      policy,
      emit: (event, payload) => {
        if (event === 'network.check-step') progress.push(payload as EventPayload<'network.check-step'>);
      },
      proxyFor: async () => answer,
    }),
  );
  channels = openChannels(core, { openTextFile: async () => ({ ok: true, value: chosen }) });
}

const track = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  closers.push(started.close);
  return started;
};
const serve = (cert: string) => track(startTlsServer((socket) => socket.write(answerText('{"a":1}')), cert));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-network-'));
  answer = 'DIRECT';
  chosen = null;
  progress = [];
  await start();
});
afterEach(async () => {
  try {
    await core.close();
    for (const close of closers.splice(0)) await close();
  } finally {
    removeFolder(folder);
  }
});

const connect = (restBaseUrl: string, soapUrl = '') =>
  unwrap(core.connections.add(connectionDraft(`Wyebank ${number++}`, { restBaseUrl, soapUrl }))).id;
const check = async (connectionId: string | null) =>
  unwrap(await call('network.check', { checkId: 'check-1', connectionId }));
const stepsTo = async (address: string): Promise<CheckStep[]> =>
  (await check(connect(address))).addresses[0]?.steps ?? [];
const state = async () => unwrap(await call('network.state', {}));
/** A step without its figures. */
const told = ({ id, state, text }: CheckStep) => `${id} ${state}: ${text}`;
const take = (text: string, name = 'company.pem') => {
  chosen = { name, text };
  return call('network.choose-ca-file', {});
};

test('a private authority: refused with the reason, trusted from a file without a restart, and not after its removal', async () => {
  const server = await serve(signedCertificate);
  const url = `https://localhost:${server.port}/v1`;
  const refused = await stepsTo(url);
  expect(refused.map(told).slice(0, 2)).toEqual([
    'choice passed: not used (local address)',
    expect.stringMatching(/^name passed: /),
  ]);
  const tls = refused.at(-1);
  expect(tls).toMatchObject({
    id: 'tls',
    state: 'failed',
    error: { code: 'certificate-not-trusted', money: 'This step sends no request to the service.' },
    handshake: {
      chain: [{ subject: 'CN=service.example', issuer: 'O=Wyebank, CN=Wyebank test authority' }],
      root: { sources: [] },
      checks: [
        { what: 'chain', passed: false, text: expect.stringContaining('Wyebank test authority') },
        { what: 'name', passed: true },
        { what: 'dates', passed: true },
      ],
    },
  });
  expect(tls?.text).toContain('the authority that signed it is not known on this computer');
  expect(tls?.error?.next).toContain('There is no switch to ignore this.');

  const taken = unwrap(await take(authorityCertificate));
  expect(taken.state?.files).toMatchObject([
    {
      source: 'user-file',
      name: 'company.pem',
      used: true,
      certificates: [{ subject: 'O=Wyebank, CN=Wyebank test authority', validUntil: '2120-01-01T00:00:00.000Z' }],
    },
  ]);
  expect(taken.state?.roots['user-file']).toBe(1);
  const trusted = await stepsTo(url);
  expect(trusted.at(-1)).toMatchObject({
    state: 'passed',
    handshake: {
      protocol: 'TLS 1.3',
      chain: [{ subject: 'CN=service.example' }, { subject: 'O=Wyebank, CN=Wyebank test authority' }],
      root: { subject: 'O=Wyebank, CN=Wyebank test authority', sources: ['user-file'] },
    },
  });
  // A call has the same outcome.
  expect(await call('connections.test', { connectionId: connect(url) })).toMatchObject({
    ok: true,
    value: { steps: expect.arrayContaining([expect.objectContaining({ id: 'tls', state: 'passed' })]) },
  });
  await start();
  expect((await stepsTo(url)).at(-1)?.state).toBe('passed');
  unwrap(await call('network.remove-ca', {}));
  expect((await stepsTo(url)).at(-1)?.state).toBe('failed');
  expect(server.hits).toHaveLength(0);
});

test('a certificate that was damaged on the disk is trusted no more, and the settings of the network can be read and changed', async () => {
  unwrap(await take(authorityCertificate));
  await core.close();
  const sql = new DatabaseSync(join(folder, databaseName));
  expect(
    sql.prepare(`UPDATE settings SET value = replace(value, 'MII', 'M!I') WHERE key = 'caFile'`).run().changes,
  ).toBe(1);
  sql.close();
  await start();
  expect((await state()).files).toEqual([]);
  expect((unwrap(await take(authorityCertificate)).state?.files ?? []).map(({ name }) => name)).toEqual([
    'company.pem',
  ]);
});

test('a call after the removal of a file does not use the connection from before it', async () => {
  const server = await serve(signedCertificate);
  unwrap(await take(authorityCertificate));
  const connectionId = connect(`https://localhost:${server.port}/v1`);
  const read = () => core.reader.read(connectionId, 'rest-key');
  unwrap(await core.secrets.put({ connectionId, role: 'lookup-key', label: 'One', value: 'a3f1c0de99887766' }));
  await read();
  const { connections } = server;
  expect(connections).toBeGreaterThan(0);
  const hits = server.hits.length;
  unwrap(await call('network.remove-ca', {}));
  expect(await read()).toMatchObject({ ok: false, error: { code: 'certificate-not-trusted' } });
  expect(server.hits).toHaveLength(hits);
});

test('what hides in the name of a certificate is shown by its code, in the chain and in what is said of it', async () => {
  const server = await serve(hidingCertificate);
  const tls = (await stepsTo(`https://127.0.0.1:${server.port}/`)).at(-1);
  const shown = 'CN=moc.evil⟨U+202E⟩elpmaxe.pukool, O=Wye⟨U+200B⟩bank';
  expect(tls?.handshake?.chain[0]).toMatchObject({ subject: shown, issuer: shown });
  expect(tls?.handshake?.root?.subject).toBe(shown);
  expect(tls?.handshake?.checks[0]?.text).toContain(shown);
  expect(tls?.handshake?.checks[1]).toMatchObject({
    what: 'name',
    text: expect.stringContaining('moc.evil⟨U+202E⟩@elpmaxe.pukool, not for 127.0.0.1'),
  });
});

test.each([
  ['stale', staleCertificate, 'dates', /expired on 2020-02-01/, /it has expired/],
  [
    'for another name',
    wrongNameCertificate,
    'name',
    /elsewhere\.example, not for 127\.0\.0\.1/,
    /made for another name/,
  ],
] as const)(
  'a certificate that is %s: which check failed, beside those that passed',
  async (_what, cert, failing, text, why) => {
    const server = await serve(cert);
    // The certificate is trusted, so that only the other check can fail.
    if (failing === 'name') unwrap(await take(cert));
    else await core.settings.write('caFile', { name: 'old.pem', addedAt: '', pem: [cert] });
    if (failing === 'dates') await start();
    const tls = (await stepsTo(`https://127.0.0.1:${server.port}/`)).at(-1);
    expect(tls?.state).toBe('failed');
    expect(tls?.text).toMatch(why);
    const failed = tls?.handshake?.checks.filter(({ passed }) => !passed) ?? [];
    expect(failed.map(({ what }) => what)).toEqual([failing]);
    expect(failed[0]?.text).toMatch(text);
    expect(server.hits).toHaveLength(0);
  },
);

test('addresses checked at once send a wrong password to their proxy once', async () => {
  const rest = await serve(signedCertificate);
  const soap = await serve(signedCertificate);
  const proxy = await track(startAskingProxy({ accepts: 'kim:another' }));
  answer = `PROXY 127.0.0.1:${proxy.port}`;
  unwrap(await call('network.sign-in', { proxy: `127.0.0.1:${proxy.port}`, user: 'kim', value: password }));
  const { addresses } = await check(
    connect(`https://service.example:${rest.port}/v1`, `https://service.example:${soap.port}/soap`),
  );
  expect(addresses.map(({ steps }) => steps.at(-1)?.state)).toEqual(['failed', 'failed']);
  expect(proxy.asked.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
});

test('shows the system’s answer as it came, what is passed over and what is not tried', async () => {
  const server = await serve(signedCertificate);
  unwrap(await take(authorityCertificate));
  const proxy = await track(startAskingProxy({ accepts: `kim:${password}` }));
  answer = `SOCKS socks.example:1080; PROXY 127.0.0.1:${proxy.port}; DIRECT`;
  const url = `https://service.example:${server.port}/v1`;
  const without = await stepsTo(url);
  expect(without[0]).toMatchObject({
    id: 'choice',
    text: `http://127.0.0.1:${proxy.port}`,
    notes: [
      `The system’s answer, as it came: “${answer}”.`,
      'Not used, since this program speaks to HTTP and SOCKS5 proxies only: “SOCKS socks.example:1080”.',
      'Not tried if this proxy fails: “DIRECT”.',
    ],
  });
  expect(without.at(-1)).toMatchObject({
    id: 'tunnel',
    state: 'failed',
    text: 'The proxy asks for a user name and password.',
    error: { code: 'proxy-failed' },
  });

  unwrap(await call('network.sign-in', { proxy: `127.0.0.1:${proxy.port}`, user: 'kim', value: password }));
  const through = await stepsTo(url);
  expect(through.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'choice passed',
    'name passed',
    'tcp passed',
    'tunnel passed',
    'tls passed',
  ]);
  expect(through[3]?.text).toBe(`CONNECT service.example:${server.port}: 200 Connection Established`);
  expect(through[3]?.notes[0]).toMatch(/was given the one entered for it, with a second CONNECT/);
  expect(server.hits).toHaveLength(0);
  expect(JSON.stringify([progress, through, await state()])).not.toContain(password);

  answer = 'SOCKS socks.example:1080';
  expect((await stepsTo(`https://127.0.0.1:${server.port}/`))[0]?.text).toBe('not used (local address)');
  answer = 'DIRECT';
});

test('the user’s proxy, none, or the system’s: the next check uses the choice, with its reason', async () => {
  const proxy = await track(startAskingProxy({ instead: 'HTTP/1.1 502 Bad Gateway\r\n\r\n' }));
  const url = 'https://service.example/v1';
  answer = 'PROXY proxy.invalid:3128';
  expect((await stepsTo(url)).map(told).at(-1)).toMatch(
    /^name failed: The proxy’s name was not found: proxy\.invalid:3128/,
  );
  unwrap(await call('network.save', { choice: `http://127.0.0.1:${proxy.port}` }));
  const fixed = await stepsTo(url);
  expect(fixed[0]?.notes).toEqual(['Your own setting says so.']);
  expect(fixed.at(-1)).toMatchObject({
    id: 'tunnel',
    state: 'failed',
    text: 'The proxy could not reach service.example:443.',
  });
  expect(fixed.at(-1)?.notes).toEqual(['CONNECT service.example:443: 502 Bad Gateway']);
  unwrap(await call('network.save', { choice: 'direct' }));
  expect((await stepsTo('https://name.invalid/')).map(told)).toEqual([
    'choice passed: none for this address',
    expect.stringMatching(/^name failed: The server’s name was not found/),
  ]);
  unwrap(await call('network.save', { choice: 'system' }));
  answer = 'PROXY proxy.example:99999';
  expect(await stepsTo(url)).toMatchObject([
    { id: 'choice', state: 'failed', text: 'The proxy’s address cannot be used.', error: { code: 'proxy-failed' } },
  ]);
  answer = null;
  expect((await stepsTo('https://name.invalid/'))[0]?.notes[0]).toMatch(/^The system gave no answer/);
  for (const choice of ['http://kim:word@proxy.example', 'socks4://proxy.example:1080', 'proxy.example:8080'])
    expect(await call('network.save', { choice })).toMatchObject({ ok: false, error: { code: 'bad-channel-input' } });
});

test('a proxy that hangs is stopped by a cancel; the steps before it stay', async () => {
  const proxy = await track(startAskingProxy({ instead: '' }));
  answer = `PROXY 127.0.0.1:${proxy.port}`;
  const checking = call(
    'network.check',
    { checkId: 'check-1', connectionId: connect('https://service.example/') },
    'stop-me',
  );
  await expect.poll(() => proxy.asked.length).toBe(1);
  channels.cancel('stop-me');
  const steps = unwrap(await checking).addresses[0]?.steps ?? [];
  expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'choice passed',
    'name passed',
    'tcp passed',
    'tunnel failed',
  ]);
  expect(steps.at(-1)?.error?.code).toBe('cancelled');
});

test('all addresses at once, those of one server together; each step is reported', async () => {
  const one = await serve(signedCertificate);
  const two = await serve(signedCertificate);
  unwrap(await take(authorityCertificate));
  const id = connect(`https://localhost:${one.port}/v1`, `https://localhost:${two.port}/soap`);
  const result = await check(id);
  expect(result.addresses.map(({ uses, origin }) => `${uses.join()} ${origin}`)).toEqual([
    `REST https://localhost:${one.port}`,
    `SOAP https://localhost:${two.port}`,
  ]);
  for (const [index, address] of result.addresses.entries()) {
    const own = progress.filter((event) => event.index === index);
    expect(own[0]).toMatchObject({ checkId: 'check-1', step: null, address: { origin: address.origin } });
    for (const step of address.steps) {
      const states = own.filter((event) => event.step?.id === step.id).map((event) => event.step?.state);
      expect(states).toEqual(['running', 'passed']);
    }
  }
  const together = await check(connect(`https://localhost:${one.port}/v1`, `https://localhost:${one.port}/soap`));
  expect(together.addresses.map(({ uses }) => uses)).toEqual([['REST', 'SOAP']]);
  expect((await check(null)).addresses).toEqual([]);
});

test('the update address is checked too, together with the service’s if it is the same server', () => {
  const connection = { restBaseUrl: 'https://one.example/v1', soapUrl: 'https://two.example/soap' };
  expect(listAddresses(connection, 'https://two.example/releases/')).toEqual([
    { uses: ['REST'], origin: 'https://one.example', service: ['https://one.example/v1'] },
    { uses: ['SOAP', 'Updates'], origin: 'https://two.example', service: ['https://two.example/soap'] },
  ]);
  expect(listAddresses(null, 'https://three.example/')).toEqual([
    { uses: ['Updates'], origin: 'https://three.example', service: [] },
  ]);
});

test('this computer over http: reached without proxy and without TLS', async () => {
  const server = await track(startTcpServer(() => undefined));
  answer = 'PROXY proxy.invalid:3128';
  expect((await stepsTo(`http://127.0.0.1:${server.port}/`)).map(told)).toEqual([
    'choice passed: not used (local address)',
    'name passed: 127.0.0.1 (no lookup needed)',
    `tcp passed: 127.0.0.1, port ${server.port}`,
    'tls skipped: not used (local address)',
  ]);
  expect(server.hits).toEqual([]);
});

test('a policy applies: its proxy, its file, its addresses', async () => {
  const server = await serve(goodCertificate);
  unwrap(await take(authorityCertificate));
  unwrap(await call('network.save', { choice: 'http://own.example:8080' }));
  const connectionId = connect(`https://localhost:${server.port}/v1`);
  const forbidden = connect('https://elsewhere.example/v1');
  await start({
    ...withoutPolicy,
    state: 'read',
    source: 'the test’s policy',
    policy: {
      version: 1,
      proxy: 'direct',
      extraCaFile: '/etc/ca.pem',
      allowedBaseUrls: [`https://localhost:${server.port}/v1`],
    },
    extraCa: [goodCertificate],
  });
  expect(await state()).toMatchObject({
    choice: 'direct',
    choiceLockedBy: 'the test’s policy',
    filesLockedBy: 'the test’s policy',
    files: [
      { source: 'policy-file', name: '/etc/ca.pem', used: true },
      { source: 'user-file', name: 'company.pem', used: false },
    ],
    roots: { 'policy-file': 1, 'user-file': 0 },
  });
  expect(await call('network.save', { choice: 'system' })).toMatchObject({
    ok: false,
    error: { code: 'policy-forbids' },
  });
  expect(await take(authorityCertificate)).toMatchObject({ ok: false, error: { code: 'policy-forbids' } });
  const tls = (await check(connectionId)).addresses[0]?.steps.at(-1);
  expect(tls).toMatchObject({ id: 'tls', state: 'passed', handshake: { root: { sources: ['policy-file'] } } });
  expect((await check(forbidden)).addresses[0]?.steps).toMatchObject([
    { id: 'choice', state: 'failed', error: { code: 'policy-forbids' } },
  ]);
  // Removing trust is always allowed.
  expect(unwrap(await call('network.remove-ca', {})).files).toHaveLength(1);
});

test.each([
  ['', /contains no certificate in PEM form/],
  ['-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----', /Certificate 1 of the file cannot be read/],
  [
    `${authorityCertificate}${signedCertificate}`,
    /Certificate 2 of the file, “CN=service\.example”, is not one of an authority/,
  ],
  [`${authorityCertificate}${testKey.replaceAll('EC PRIVATE', 'PRIVATE')}`, /contains a private key/],
  [staleCertificate, /Every certificate in the file has expired/],
  ['x'.repeat(1_100_000), /larger than 1 MB/],
])('a file that cannot be used changes nothing: %#', async (text, words) => {
  unwrap(await take(authorityCertificate));
  const before = await state();
  expect(await take(text, 'bad.pem')).toMatchObject({
    ok: false,
    error: {
      code: 'bad-input',
      message: expect.stringMatching(words),
      next: expect.stringContaining('Nothing has been changed'),
    },
  });
  expect(await state()).toEqual(before);
});

test('a file with the same certificate twice, and notes around them, is one certificate; none chosen changes nothing', async () => {
  const taken = unwrap(await take(`The office’s\n${authorityCertificate}\nand again\n${authorityCertificate}`));
  expect(taken.state?.files[0]?.certificates).toHaveLength(1);
  chosen = null;
  expect(unwrap(await call('network.choose-ca-file', {}))).toEqual({ state: null });
  expect((await state()).files).toHaveLength(1);
});

test('the password is in no file of the program and in nothing sent to the window', async () => {
  const given = await call('network.sign-in', { proxy: 'proxy.example:8080', user: 'kim', value: password });
  expect(given).toMatchObject({ ok: true, value: { signIns: [{ proxy: 'http://proxy.example:8080', user: 'kim' }] } });
  expect(JSON.stringify(given)).not.toContain(password);
  const id = unwrap(given).signIns[0]?.id ?? '';
  for (const name of ['', '-wal']) {
    const file = readFileSync(join(folder, `address-console.sqlite${name}`));
    expect(file.includes(password)).toBe(false);
  }
  expect(unwrap(await call('network.forget-sign-in', { signInId: id })).signIns).toEqual([]);
});
