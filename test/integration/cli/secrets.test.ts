import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { openBatchesRepository } from '../../../electron/core/batch/store/batches-repository.ts';
import { entryName } from '../../../electron/core/connections/secret-names.ts';
import {
  openConnectionsRepository,
  openHandlesRepository,
} from '../../../electron/core/storage/connections-repository.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { openFingerprints } from '../../../electron/core/storage/fingerprints.ts';
import { openKeychainJournal } from '../../../electron/core/storage/keychain-journal.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import { detectKeychain } from '../../../electron/platform/system-keychain.ts';
import type { Keychain } from '../../../electron/ports.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { ok } from '../../../shared/result.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  runCommandLine,
  runProgram,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { putReadyDatabase } from '../../helpers/ready-database.ts';
import { keychainMissing, startTestKeychain, type TestKeychain } from '../../helpers/secret-service.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

/** Where the command line takes secrets from, and that it prints none of them. */

const work = createWorkFolder();
afterAll(() => work.remove());

describe('macOS leaves a key that the person denies out of its list', () => {
  let demo: DemoService;
  beforeAll(async () => {
    demo = await startDemo('--seed', '42', '--premises', '2000');
  });
  afterAll(() => demo.stop());

  test.each([
    ['another key does not pay in its place', ['Desk', 'Web shop'], 'bad-input', /“Desk”, “Web shop”/],
    ['it is not missing', ['Desk'], 'keychain-locked', /locked/],
  ])('%s', async (_, labels, code, message) => {
    const name = `Denied ${labels.length}`;
    const vault = createMemoryVault();
    for (const label of labels) await vault.set(entryName(name, 'lookup-key', label), demo.demo.lookupKey);
    let prompts = 0;
    const isDenied = (account: string): boolean => account.startsWith('Desk');
    const keychain: Keychain = {
      ...vault,
      async get(entry) {
        if (!isDenied(entry.account)) return vault.get(entry);
        prompts += 1;
        return { ok: false, error: appError('keychain-locked') };
      },
      list: async (service) => ok(unwrap(await vault.list(service)).filter((account) => !isDenied(account))),
    };
    const folder = join(work.folder, `denied-${labels.length}`);
    putReadyDatabase(folder);
    const db = unwrap(openDatabase({ folder, clock: systemClock }));
    const { restBaseUrl } = demo;
    openConnectionsRepository(db.sql).insert('c', connectionDraft(name, { restBaseUrl }), '2026-03-01T10:00:00.000Z');
    for (const label of [...labels, 'Removed by hand'])
      openHandlesRepository(db.sql).insert(
        {
          ...{ id: label, connectionId: 'c', role: 'lookup-key', label, lastFour: '', preferred: label === 'Desk' },
          ...{ createdAt: '2026-03-01T10:00:00.000Z', lastUsedAt: null },
        },
        `print of ${label}`,
      );
    db.close();
    const file = work.write('denied.json', { name, restBaseUrl });
    const run = (...words: string[]) =>
      runCommandLine([...words, '--connection', file], {
        env: { ADDRESS_CONSOLE_DATA_FOLDER: folder },
        surroundings: { findKeychain: async () => ({ keychain, missing: null }) },
      });
    await demo.resetMeter();
    const table = work.write('denied.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
    for (const words of [
      ['call', 'Search', '--set', `query=${demo.demo.sample.postcode}`],
      ['batch', 'plan', table],
    ]) {
      prompts = 0;
      expect((await run(...words)).json.error, words[0]).toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
      // Beside the one that the list itself has caused.
      expect(prompts, words[0]).toBe(1);
    }
    expect((await demo.meter()).calls).not.toHaveProperty('Search');
    if (labels.includes('Web shop'))
      expect((await run('call', 'GetCredits', '--secret', 'Web shop')).json.ok).toBe(true);
  });
});

test('where the keychain does not tell such names apart, a name in other letter case is the window’s connection, in any script', async () => {
  const folder = join(work.folder, 'umlaut');
  putReadyDatabase(folder);
  const db = unwrap(openDatabase({ folder, clock: systemClock }));
  const at = new Date().toISOString();
  const own = connectionDraft('Städte', { restBaseUrl: 'https://lookup.example/v1' });
  openConnectionsRepository(db.sql).insert('c', own, at);
  const handle = { id: 'k', connectionId: 'c', role: 'lookup-key', label: 'Desk', lastFour: '' } as const;
  openHandlesRepository(db.sql).insert({ ...handle, preferred: true, createdAt: at, lastUsedAt: null }, 'print');
  db.close();
  const vault = createMemoryVault();
  await vault.set({ service: 'address console, städte', account: 'Desk (lookup-key)' }, 'canary-of-the-window');
  const keychain: Keychain = {
    ...vault,
    ignoresCase: true,
    get: ({ service, account }) => vault.get({ service: service.toLowerCase(), account }),
    list: (service) => vault.list(service.toLowerCase()),
  };
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(403).end();
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());
  const file = work.write('umlaut.json', { name: 'STÄDTE', restBaseUrl: `http://127.0.0.1:${port}/v1` });
  const { json } = await runCommandLine(['call', 'GetCredits', '--connection', file], {
    env: { ADDRESS_CONSOLE_DATA_FOLDER: folder },
    surroundings: { findKeychain: async () => ({ keychain, missing: null }) },
  });
  expect(asked).toEqual([]);
  expect(json.error).toMatchObject({ code: 'wrong-origin', charge: 'not-charged' });
});

test('a variable that is set and empty is refused where its key is needed: the keychain’s would pay in its place', async () => {
  const demo = await startDemo('--seed', '42', '--premises', '2000');
  onTestFinished(() => demo.stop());
  const name = 'Empty variable';
  const vault = createMemoryVault();
  await vault.set(entryName(name, 'lookup-key', 'Desk'), demo.demo.lookupKey);
  const file = work.write('empty.json', { name, restBaseUrl: demo.restBaseUrl });
  const table = work.write('empty.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
  const run = (words: string[], env: Record<string, string> = {}) =>
    runCommandLine([...words, '--connection', file], {
      env,
      surroundings: { findKeychain: async () => ({ keychain: vault, missing: null }) },
    });
  await demo.resetMeter();
  for (const words of [
    ['call', 'Search', '--set', `query=${demo.demo.sample.postcode}`],
    ['credits'],
    ['batch', 'run', table, '--limit', '5', '--out', join(work.folder, 'empty.result.csv')],
  ])
    for (const empty of ['', ' ']) {
      const refused = await run(words, { ADDRESS_CONSOLE_API_KEY: empty });
      expect(refused.status, words[0]).toBe(1);
      expect(refused.json.error, words[0]).toMatchObject({
        code: 'bad-input',
        message: 'ADDRESS_CONSOLE_API_KEY is empty. Give it a value, or unset it.',
        charge: 'not-applicable',
      });
    }
  expect((await demo.meter()).calls).toEqual({});
  expect((await run(['credits'], { ADDRESS_CONSOLE_GUID: '' })).status).toBe(0);
});

describe('a secret in the connection file is refused and not repeated', () => {
  const canary = 'canary-in-the-file-7f3a9c';
  test.each([
    ['key', canary],
    ['ApiKey', canary],
    ['apiKey', canary],
    ['lookupKey', canary],
    ['masterKey', canary],
    ['LicenceID', canary],
    ['licenceKey', canary],
    ['sGUID', canary],
    ['accountGuid', canary],
    ['webMapKey', canary],
    ['sBingMapKey', canary],
    ['password', canary],
    ['restBaseUrl', `https://lookup.example/v1?key=${canary}`],
    ['soapUrl', `https://somebody:${canary}@lookup.example/service.asmx`],
  ])('%s', async (name, value) => {
    const file = work.write('secret.json', { [name]: value });
    const { status, stdout, stderr, json } = await runCommandLine(['credits', '--connection', file]);
    expect(status).toBe(1);
    expect(json.error).toMatchObject({ code: 'bad-input', message: expect.stringMatching(/contains a secret/) });
    expect(stdout + stderr).not.toContain(canary);
  });

  test('values that are no secrets are not taken for secrets', async () => {
    const file = work.write('plain.json', {
      ...{ name: 'Key Cutting Ltd', accountName: 'key-cutters', machineId: 'LICENCE-DESK', yourReference: 'guid 12' },
      restBaseUrl: 'http://127.0.0.1:1/v1',
    });
    const { json } = await runCommandLine(['call', 'GetCredits', '--connection', file]);
    expect(json.error.code).toBe('no-credential');
  });

  test('a secret typed in the wrong place is not repeated', async () => {
    const file = work.write('plain.json', { soapUrl: 'http://127.0.0.1:1/x', soapNamespace: 'urn:x' });
    for (const args of [
      ['call', 'ServiceTest', '--secret', canary],
      ['call', 'ServiceTest', '--set', `LicenceID:${canary}`],
      ['call', 'ServiceTest', '--set', 'LicenceID', canary],
      ['call', 'ServiceTest', `--key=${canary}`],
      ['call', 'ServiceTest', '--key', canary],
    ]) {
      const { status, stdout, stderr } = await runCommandLine([...args, '--connection', file], {
        env: { ADDRESS_CONSOLE_LICENCE_ID: 'LI-51b2c7d9' },
      });
      expect(status).toBe(1);
      expect(stdout + stderr).not.toContain(canary);
    }
  });
});

test('a key typed as a value is refused before it is sent or stored, unless --send-anyway is given', async () => {
  const file = work.write('typed.json', {
    restBaseUrl: 'http://127.0.0.1:1/v1',
    soapUrl: 'http://127.0.0.1:1/x',
    soapNamespace: 'urn:x',
  });
  const key = 'canary-typed-key-8c1d';
  const folder = join(work.folder, 'typed-data');
  putReadyDatabase(folder);
  const env = { ADDRESS_CONSOLE_API_KEY: key, ADDRESS_CONSOLE_DATA_FOLDER: folder };
  for (const args of [
    ['call', 'Search', '--set', `query=${key}`],
    ['call', 'GetPremise', '--set', `id=${key.toUpperCase()}`],
    ['call', 'GetPremise', '--set', key],
    ['call', 'GetPremise', '--set', `${key}=1`],
    ['call', 'GetPremise', '--set', `uprn=${key}`],
    ['call', 'GetPremise', '--set', 'id=3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['licences', 'register', '--licence', '6210', '--machine', key],
    ['licences', 'details', '--machine', key],
  ]) {
    const { status, stdout, json } = await runCommandLine([...args, '--connection', file], { env });
    expect([status, json.error.code, json.error.charge], args.join(' ')).toEqual([1, 'looks-like-key', 'not-charged']);
    expect(json.error.message).toContain('--send-anyway');
    expect(stdout.toLowerCase()).not.toContain(key);
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.includes('sqlite')) expect(readFileSync(join(folder, name)).includes(key), name).toBe(false);
  const sent = await runCommandLine(
    ['call', 'GetPremise', '--set', `id=${key}`, '--send-anyway', '--connection', file],
    { env },
  );
  expect(sent.json.error.code).toBe('connection-refused');
  const plain = await runCommandLine(['call', 'GetPremise', '--set', 'id=6210', '--connection', file], { env });
  expect(plain.json.error.code).toBe('connection-refused');
});

describe('a service that echoes everything it was sent, in every spelling', () => {
  const secrets: Record<string, string> = {
    ADDRESS_CONSOLE_API_KEY: 'canary/lookup+key&<1>"ä',
    ADDRESS_CONSOLE_MASTER_KEY: 'canary-master-key-2222',
    ADDRESS_CONSOLE_GUID: '7d2e9a40-2222-4f5e-8a1b-ddddeeeeffff',
    ADDRESS_CONSOLE_LICENCE_ID: '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc',
    ADDRESS_CONSOLE_LICENCE_KEY: 'canary licence key, 3333',
    ADDRESS_CONSOLE_WEB_MAP_KEY: 'canary-web-map-key-4444',
  };
  const entities = (text: string) =>
    text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
  const spell = (secret: string): string[] => [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ a: secret }).toString().slice(2),
    entities(secret),
    [...secret].map((character) => `&#${character.codePointAt(0)};`).join(''),
    [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ];
  const all = Object.values(secrets).flatMap(spell);
  let server: http.Server;
  let origin: string;
  let hits = 0;
  let answer: (isXml: boolean) => { status: number; type: string; body: string };

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      request.resume();
      hits += 1;
      const isXml = request.method === 'POST';
      const sent = /wsdl/i.test(request.url ?? '') ? { status: 404, type: 'text/plain', body: 'none' } : answer(isXml);
      response.writeHead(sent.status, {
        'content-type': sent.type,
        'x-said': encodeURIComponent(all.join(' ')),
        location: `/${encodeURIComponent(all[0] ?? '')}`,
      });
      response.end(sent.body);
    });
    origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const text = all.join(' | ');
  const json = (value: unknown, status = 200) => ({ status, type: 'application/json', body: JSON.stringify(value) });
  const soap = (body: string, status = 200) => ({
    status,
    type: 'text/xml; charset=utf-8',
    body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`,
  });
  const result = (inner: string) =>
    soap(
      `<GetLicenseListResponse xmlns="urn:x/"><GetLicenseListResult>${inner}</GetLicenseListResult></GetLicenseListResponse>`,
    );
  const license = (field: string, content: string) =>
    result(`<List><License><${field}>${content}</${field}></License></List>`);

  test.each<[string, typeof answer]>([
    [
      'answers',
      (isXml) =>
        isXml
          ? license('Status', entities(text))
          : json({ results: [{ id: text, address: text, [text]: text }], totalResults: 1 }),
    ],
    [
      'answers in CDATA',
      (isXml) => (isXml ? license('Status', `<![CDATA[${text}]]>`) : json({ results: [{ id: text }] })),
    ],
    [
      'split by comments',
      (isXml) =>
        isXml
          ? license('Status', all.map((one) => entities(one).replace(/^(.{3})/, '$1<!-- -->')).join(' | '))
          : json({ results: [{ id: text }] }),
    ],
    [
      'an unknown element',
      (isXml) =>
        isXml
          ? license('Nothing', `<a b="${entities(text)}">${entities(text)}</a>`)
          : json({ results: [{ [text]: { [text]: text } }] }),
    ],
    [
      'faults',
      (isXml) =>
        isXml
          ? soap(`<s:Fault><faultcode>c</faultcode><faultstring>${entities(text)}</faultstring></s:Fault>`, 500)
          : json({ error: { message: text } }, 400),
    ],
    [
      'an error in 200',
      (isXml) =>
        isXml ? result(`<IsError>true</IsError><ErrorMessage>${entities(text)}</ErrorMessage>`) : json({ error: text }),
    ],
    ['a page', () => ({ status: 200, type: 'text/html', body: `<html><body>${text}</body></html>` })],
    ['an error page', () => ({ status: 503, type: 'text/plain', body: text })],
    ['no document', (isXml) => ({ status: 200, type: isXml ? 'text/xml' : 'application/json', body: text })],
    ['a redirect', () => ({ status: 302, type: 'text/plain', body: text })],
  ])('%s', async (_name, given) => {
    answer = given;
    const file = work.write('echo.json', {
      restBaseUrl: `${origin}/v1`,
      soapUrl: `${origin}/s.asmx`,
      soapNamespace: 'urn:x/',
      accountName: 'ACME',
    });
    for (const args of [['call', 'Search', '--set', 'query=HR10 2DT'], ['call', 'GetLicenseList'], ['credits']]) {
      const before = hits;
      const run = await runCommandLine([...args, '--raw', '--connection', file], { env: secrets });
      expect(hits).toBeGreaterThan(before);
      expect(run.stderr).toBe('');
      expect(typeof run.json.ok).toBe('boolean');
      // Both as printed and with JSON's escapes decoded.
      const printed = `${run.stdout}\n${collectTexts(run.json).join('\n')}`.toLowerCase();
      const found = all.filter((spelling) => printed.includes(spelling.toLowerCase()));
      expect(found, `${args.join(' ')}: ${run.stdout}`).toEqual([]);
    }
  });
});

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...collectTexts(inner)]);
}

describe.skipIf(process.platform !== 'linux')('a job from which no keychain can be reached', () => {
  let demo: DemoService;
  beforeAll(async () => {
    demo = await startDemo('--premises', '4000');
  });
  afterAll(() => demo.stop());

  /** A data folder in which the window has secrets of these roles for the connection. */
  function windowHas(folder: string, name: string, roles: readonly SecretRole[]): Record<string, string> {
    putReadyDatabase(join(work.folder, folder));
    const db = unwrap(openDatabase({ folder: join(work.folder, folder), clock: systemClock }));
    const at = new Date().toISOString();
    openConnectionsRepository(db.sql).insert('c', connectionDraft(name, { restBaseUrl: demo.restBaseUrl }), at);
    for (const [index, role] of roles.entries()) {
      const handle = { id: `${index}`, connectionId: 'c', role, label: `Desk ${index}`, lastFour: '1234' };
      openHandlesRepository(db.sql).insert({ ...handle, preferred: false, createdAt: at, lastUsedAt: null }, 'print');
    }
    db.close();
    return { ADDRESS_CONSOLE_DATA_FOLDER: join(work.folder, folder) };
  }

  test('a balance whose key the window has is not left out: it could not be read', async () => {
    const file = work.write('scheduled.json', connectionSettings(demo, { name: 'Scheduled' }));
    const env = windowHas('scheduled', 'Scheduled', ['account-guid', 'licence-id', 'lookup-key']);
    const withKey = { ...env, ADDRESS_CONSOLE_API_KEY: demo.demo.lookupKey };
    const { status, json } = await runProgram(['credits', '--below', '1', '--connection', file], { env: withKey });
    expect(status).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: 'keychain-unreadable',
        message: expect.stringMatching(/account GUID.*\(ADDRESS_CONSOLE_GUID\)\.$/),
      },
      value: { rest: { credits: expect.any(Number) } },
      failed: { soap: { code: 'keychain-unreadable', message: expect.stringContaining('“Scheduled”') } },
    });
    expect(json).not.toHaveProperty('leftOut');
    const search = await runProgram(['call', 'Search', '--set', 'query=HR10 2DT', '--connection', file], { env });
    expect(search.json.error).toMatchObject({
      code: 'keychain-unreadable',
      charge: 'not-charged',
      message: expect.stringMatching(/lookup key.*ADDRESS_CONSOLE_API_KEY/),
    });
    const named = [...['call', 'GetCredits', '--connection', file], '--secret', 'Old desk'];
    expect((await runProgram(named, { env })).json.error.message).toMatch(
      /^The window has no secret with the label after --secret that .* It has “Desk 2”\./,
    );
    // Activity shows the same of a call.
    const db = unwrap(openDatabase({ folder: join(work.folder, 'scheduled'), clock: systemClock }));
    const logged = await loggedCalls(createActivityLog(db, systemClock));
    db.close();
    const failed = logged
      .filter(({ outcome }) => outcome === 'failed')
      .map((call) => `${call.operation} ${call.errorCode}`);
    expect(failed).toEqual(['Search keychain-unreadable', 'GetAvailableCredits keychain-unreadable']);
    const plan = ['licences', 'register', '--licence', '1', '--machine', 'PC-1', '--connection', file];
    const planned = await runProgram(plan, { env });
    expect(planned.json.error).toMatchObject({
      code: 'keychain-unreadable',
      message: expect.stringMatching(/account GUID.*ADDRESS_CONSOLE_GUID/),
    });
    const table = work.write('scheduled.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
    const batch = await runProgram(['batch', 'plan', table, '--connection', file], { env });
    expect(batch.json.error).toMatchObject({ code: 'keychain-unreadable' });
  });

  test('of several keys none can be chosen either', async () => {
    const file = work.write('several.json', connectionSettings(demo, { name: 'Several' }));
    const env = windowHas('several', 'Several', ['lookup-key', 'lookup-key']);
    const { status, json } = await runProgram(['credits', '--connection', file], { env });
    expect([status, json.error.code, json.failed.rest.code]).toEqual([1, 'keychain-unreadable', 'keychain-unreadable']);
  });

  test('one whose key the window has not is left out, and nothing is said of what the keychain has', async () => {
    const file = work.write('server.json', connectionSettings(demo, { name: 'Server' }));
    const env = windowHas('server', 'Server', ['lookup-key']);
    const withKey = { ...env, ADDRESS_CONSOLE_API_KEY: demo.demo.lookupKey };
    const { status, json } = await runProgram(['credits', '--below', '1', '--connection', file], { env: withKey });
    expect(status).toBe(0);
    expect(json.leftOut.soap).toMatch(/^No .* in the environment, and no keychain can be reached/);
    const none = await runProgram(['credits', '--connection', file], { env: windowHas('none', 'Server', []) });
    expect(none.json.error).toMatchObject({
      code: 'not-configured',
      message: expect.stringContaining('could be found'),
    });
  });
});

const missing = keychainMissing();
describe.skipIf(missing !== undefined || process.platform !== 'linux')(
  'secrets of the keychain, by connection name',
  () => {
    let demo: DemoService;
    let keychain: TestKeychain;
    let connection: string;
    const name = `Keychain test ${process.pid}`;

    beforeAll(async () => {
      demo = await startDemo('--premises', '4000');
      keychain = await startTestKeychain();
      connection = work.write('keychain.json', connectionSettings(demo, { name }));
      await keep(name, 'lookup-key', 'Desk', demo.demo.lookupKey);
      await keep(name, 'licence-id', 'Desk', demo.demo.licenceId);
      await keep(name, 'account-guid', 'Desk', demo.demo.guid);
    });
    afterAll(async () => {
      await keychain.stop();
      await demo.stop();
    });

    async function keep(of: string, role: SecretRole, label: string, value: string): Promise<void> {
      const { keychain: real } = await detectKeychain();
      expect(real.kind).toBe('keychain');
      expect(await real.set(entryName(of, role, label), value)).toMatchObject({ ok: true });
    }

    const run = (args: string[], env: Record<string, string> = {}) =>
      runCommandLine([...args, '--connection', connection], { env, withKeychain: true });

    test('both interfaces', async () => {
      const { status, json, stdout, stderr } = await runProgram(['credits', '--connection', connection], {
        env: keychain.env,
      });
      expect(status).toBe(0);
      expect(json.value).toMatchObject({ rest: { credits: expect.any(Number) }, soap: expect.any(Number) });
      for (const secret of [demo.demo.lookupKey, demo.demo.guid]) expect(stdout + stderr).not.toContain(secret);
      const call = await run([
        'call',
        'GetPremiseAddress',
        '--set',
        `sUniqueDeliveryPointID=${demo.demo.sample.premiseId}`,
      ]);
      expect(call.json).toMatchObject({ ok: true, found: 'something' });
    });

    test('a connection file without a name takes the file’s name', async () => {
      await keep('by-its-file', 'lookup-key', 'Desk', demo.demo.lookupKey);
      const file = work.write('by-its-file.json', connectionSettings(demo));
      const { status } = await runCommandLine(['call', 'GetCredits', '--connection', file], { withKeychain: true });
      expect(status).toBe(0);
    });

    test('a key that a window without the keychain replaced or removed is not used', async () => {
      const folder = join(work.folder, 'outdated');
      putReadyDatabase(folder);
      const of = `Outdated ${process.pid}`;
      await keep(of, 'lookup-key', 'Desk', demo.demo.lookupKey);
      const file = work.write('outdated.json', connectionSettings(demo, { name: of }));
      const env = { ADDRESS_CONSOLE_DATA_FOLDER: folder };
      const call = () => runCommandLine(['call', 'GetCredits', '--connection', file], { env, withKeychain: true });
      expect((await call()).json.ok).toBe(true);
      putReadyDatabase(folder);
      const db = unwrap(openDatabase({ folder, clock: systemClock }));
      openKeychainJournal(db.sql, createMemoryVault()).outdate(entryName(of, 'lookup-key', 'Desk'));
      db.close();
      expect((await call()).json.error).toMatchObject({ code: 'no-credential', charge: 'not-charged' });
    });

    test('a key that the window has under this name goes to no other server; one of the environment does', async () => {
      const folder = join(work.folder, 'elsewhere');
      const of = `Elsewhere ${process.pid}`;
      const key = 'canary-of-another-server';
      await keep(of, 'lookup-key', 'Desk', key);
      putReadyDatabase(folder);
      const db = unwrap(openDatabase({ folder, clock: systemClock }));
      const at = new Date().toISOString();
      openConnectionsRepository(db.sql).insert(
        'c',
        connectionDraft(of, { restBaseUrl: 'https://lookup.example/v1' }),
        at,
      );
      const handle = { id: 'k', connectionId: 'c', role: 'lookup-key', label: 'Desk', lastFour: 'rver' } as const;
      openHandlesRepository(db.sql).insert({ ...handle, preferred: true, createdAt: at, lastUsedAt: null }, 'print');
      db.close();
      const asked: string[] = [];
      const server = http.createServer((request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(403).end();
      });
      const port = await listenOnLoopback(server);
      const file = work.write('elsewhere.json', { name: of.toUpperCase(), restBaseUrl: `http://127.0.0.1:${port}/v1` });
      const same = work.write('same.json', { name: of, restBaseUrl: `http://127.0.0.1:${port}/v1` });
      const env = { ADDRESS_CONSOLE_DATA_FOLDER: folder };
      const call = (path: string, more: Record<string, string> = {}) =>
        runCommandLine(['call', 'GetCredits', '--connection', path], { env: { ...env, ...more }, withKeychain: true });
      for (const path of [file, same]) expect((await call(path)).json.ok).toBe(false);
      expect((await call(same)).json.error).toMatchObject({
        code: 'wrong-origin',
        charge: 'not-charged',
        message: expect.stringContaining('https://lookup.example'),
      });
      expect(asked).toEqual([]);
      const given = await call(same, { ADDRESS_CONSOLE_API_KEY: 'a-key-for-this-server' });
      expect(given.json.error.code).toBe('not-permitted');
      expect(asked.join()).toContain('a-key-for-this-server');

      // A file that also names a server of its own for SOAP: the window's key goes to the window's REST server, and no secret to that one.
      const again = unwrap(openDatabase({ folder, clock: systemClock }));
      const restBaseUrl = `http://127.0.0.1:${port}/v1`;
      openConnectionsRepository(again.sql).update('c', connectionDraft(of, { restBaseUrl }), at);
      again.close();
      const soap = { soapUrl: `http://localhost:${port}/soap`, soapNamespace: 'urn:soap', accountName: 'desk' };
      const more = work.write('more.json', { name: of, restBaseUrl, ...soap });
      expect((await call(more)).json.error.code).toBe('not-permitted');
      expect(asked.join()).toContain(key);
      await keep(of, 'licence-id', 'Desk', 'canary-of-the-licence');
      asked.length = 0;
      const overSoap = ['call', 'GetPremiseAddress', '--set', 'sUniqueDeliveryPointID=1', '--connection', more];
      const { json } = await runCommandLine(overSoap, { env, withKeychain: true });
      expect(json.error).toMatchObject({ code: 'wrong-origin', message: expect.stringContaining('localhost') });
      expect(asked.filter((sent) => !/wsdl/i.test(sent))).toEqual([]);

      // One whose servers have changed places: the other interface's server has not had the key.
      const third = unwrap(openDatabase({ folder, clock: systemClock }));
      openConnectionsRepository(third.sql).update('c', connectionDraft(of, { restBaseUrl, soapUrl: soap.soapUrl }), at);
      third.close();
      asked.length = 0;
      const swapped = { restBaseUrl: soap.soapUrl, soapUrl: `${restBaseUrl}/soap`, soapNamespace: 'urn:soap' };
      const turned = work.write('turned.json', { name: of, ...swapped });
      expect((await call(turned)).json.error).toMatchObject({
        code: 'wrong-origin',
        message: expect.stringContaining(
          `are for http://127.0.0.1:${port}, and the connection file names http://localhost`,
        ),
      });
      expect(asked).toEqual([]);
      await new Promise((done) => server.close(done));
    });

    test('the environment takes precedence', async () => {
      const { json } = await run(['call', 'Search', '--set', 'query=x'], {
        ADDRESS_CONSOLE_API_KEY: 'not-a-key-of-anybody',
      });
      expect(json.error.code).toBe('credentials-refused');
    });

    test('the error for a missing role names the variable and the keychain entry', async () => {
      const { json } = await run(['call', 'GetAddressesForPostcode', '--set', 'Postcode=HR10 2DT']);
      expect(json.error).toMatchObject({
        code: 'no-credential',
        message: expect.stringMatching(new RegExp(`ADDRESS_CONSOLE_LICENCE_KEY.*“Address Console, ${name}”`)),
      });
    });

    test('several secrets of one role are refused only if that role is needed', async () => {
      await keep(name, 'web-map-key', 'One', 'canary-web-map-one');
      await keep(name, 'web-map-key', 'Two', 'canary-web-map-two');
      const map = await run(['call', 'FindNearestDataForPostcodeWebMap', '--set', 'sPostcodeDatum=HR10 2DT']);
      expect(map.json.error).toMatchObject({
        code: 'bad-input',
        message: expect.stringMatching(/“One”.*“Two”.*ADDRESS_CONSOLE_WEB_MAP_KEY/),
      });
      expect(map.stdout).not.toContain('canary');
      expect((await run(['call', 'ServiceTest'])).status).toBe(0);
    });

    test('of several secrets, the named one is used', async () => {
      const named = 'Two desks';
      await keep(named, 'lookup-key', 'Desk', demo.demo.lookupKey);
      await keep(named, 'lookup-key', 'Old desk', 'a-key-of-nobody');
      const file = work.write('two-desks.json', connectionSettings(demo, { name: named }));
      const search = (label: string) =>
        runCommandLine(['call', 'GetCredits', '--connection', file, '--secret', label], { withKeychain: true });
      expect((await search('Desk')).status).toBe(0);
      expect((await search('Old desk')).json.error.code).toBe('credentials-refused');
      expect((await search('Nobody')).json.error).toMatchObject({
        code: 'bad-input',
        message: expect.stringMatching(/“Desk”.*“Old desk”.*--secret/),
      });
    });

    test('a label that is no secret’s, or that stands beside a variable, is refused: another key would pay', async () => {
      const named = 'One desk';
      await keep(named, 'lookup-key', 'Desk', demo.demo.lookupKey);
      await keep(named, 'account-guid', 'main', demo.demo.guid);
      await keep(named, 'licence-id', 'main', demo.demo.licenceId);
      const file = work.write('one-desk.json', connectionSettings(demo, { name: named }));
      const table = work.write('desk.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
      const ask = (args: string[], label: string, env: Record<string, string> = {}) =>
        runCommandLine([...args, '--connection', file, '--secret', label], { env, withKeychain: true });
      await demo.resetMeter();
      const search = ['call', 'Search', '--set', `query=${demo.demo.sample.postcode}`];
      for (const args of [search, ['credits'], ['batch', 'plan', table]]) {
        const wrong = await ask(args, 'Old desk');
        expect([wrong.status, wrong.json.error.code], args[0]).toEqual([1, 'bad-input']);
        expect(wrong.json.error.message, args[0]).toMatch(/the label after --secret.*“Desk”.*--secret/);
        const both = await ask(args, 'Desk', { ADDRESS_CONSOLE_API_KEY: 'another-key' });
        expect([both.status, both.json.error.code], args[0]).toEqual([1, 'bad-input']);
        expect(both.json.error.message, args[0]).toMatch(/^--secret and ADDRESS_CONSOLE_API_KEY/);
      }
      expect((await demo.meter()).calls).not.toHaveProperty('Search');
      // The one secret of a kind without that label is taken beside it, as a command of several calls needs it.
      expect((await ask(search, 'Desk')).status).toBe(0);
      expect((await ask(['credits'], 'Desk')).json.value).toMatchObject({ rest: {}, soap: expect.any(Number) });
      expect((await ask(['batch', 'plan', table], 'Desk')).status).toBe(0);
    });

    test('nor does another key pay where only a master key has the label, or only a variable gives one', async () => {
      const named = 'Master alone';
      const file = work.write('master-alone.json', connectionSettings(demo, { name: named }));
      const ask = (args: string[], env: Record<string, string>) =>
        runCommandLine([...args, '--connection', file, '--secret', 'work'], { env, withKeychain: true });
      const { lookupKey, masterKey } = demo.demo;
      const search = ['call', 'Search', '--set', `query=${demo.demo.sample.postcode}`];
      const credits = ['credits', '--below', '500'];
      const refused = async (args: string[], variable: string, value: string) => {
        const { status, json } = await ask(args, { [variable]: value });
        expect([status, json.error?.code], args[0]).toEqual([1, 'bad-input']);
        expect(json.error.message, args[0]).toContain(`--secret and ${variable}`);
      };
      await demo.resetMeter();
      await refused(credits, 'ADDRESS_CONSOLE_MASTER_KEY', masterKey);
      await keep(named, 'master-key', 'work', masterKey);
      await refused(credits, 'ADDRESS_CONSOLE_MASTER_KEY', masterKey);
      for (const args of [search, credits]) await refused(args, 'ADDRESS_CONSOLE_API_KEY', lookupKey);
      expect((await demo.meter()).calls).not.toHaveProperty('Search');
      expect((await demo.meter()).calls).not.toHaveProperty('GetCredits');
      expect((await ask(credits, {})).json.value.rest.credits).toEqual(expect.any(Number));
      // Beside a lookup key of that label the master key of the environment pays for nothing.
      await keep(named, 'lookup-key', 'work', lookupKey);
      expect((await ask(search, { ADDRESS_CONSOLE_MASTER_KEY: masterKey })).status).toBe(0);
    });

    test('a master key leaves for no lookup, also if it is given as a lookup key too', async () => {
      const { masterKey } = demo.demo;
      const both = 'Both roles';
      const file = work.write('both-roles.json', { name: both, restBaseUrl: demo.restBaseUrl });
      const table = work.write('both-roles.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
      const folder = join(work.folder, 'both-roles');
      putReadyDatabase(folder);
      const ask = (args: string[], env: Record<string, string> = {}) =>
        runCommandLine([...args, '--connection', file], {
          env: { ADDRESS_CONSOLE_DATA_FOLDER: folder, ...env },
          withKeychain: true,
        });
      const search = ['call', 'Search', '--set', `query=${demo.demo.sample.postcode}`];
      const batch = ['batch', 'run', table, '--limit', '1', '--out', join(work.folder, 'both-roles.result.csv')];
      await demo.resetMeter();
      // Entered in the window as a master key, which the keychain is not asked for.
      putReadyDatabase(folder);
      const db = unwrap(openDatabase({ folder, clock: systemClock }));
      openConnectionsRepository(db.sql).insert('c', connectionDraft('Elsewhere'), '2026-03-01T10:00:00.000Z');
      openHandlesRepository(db.sql).insert(
        {
          ...{ id: 'm', connectionId: 'c', role: 'master-key', label: 'Owner', lastFour: '', preferred: true },
          ...{ createdAt: '2026-03-01T10:00:00.000Z', lastUsedAt: null },
        },
        openFingerprints(db.sql).of(masterKey),
      );
      const given = { ADDRESS_CONSOLE_API_KEY: masterKey.toUpperCase() };
      expect((await ask(search, given)).json.error.code).toBe('wrong-key-role');
      openHandlesRepository(db.sql).remove('m');
      db.close();
      // Kept by hand in the keychain.
      await keep(both, 'lookup-key', 'Desk', masterKey);
      for (const label of ['Owner', 'Office']) {
        await keep(both, 'master-key', label, masterKey);
        expect((await ask(search)).json.error.code, label).toBe('wrong-key-role');
      }
      expect((await ask(batch)).stdout).toContain('entered as a master key too');
      expect((await demo.meter()).calls).not.toHaveProperty('Search');
    });

    test('a batch says that the keychain is locked or the key is not clear, as a call does', async () => {
      const named = 'Two batches';
      const file = work.write('two-batches.json', { name: named, restBaseUrl: demo.restBaseUrl });
      const table = work.write('batches.csv', `Postcode\n${demo.demo.sample.postcode}\n`);
      const plan = () => runCommandLine(['batch', 'plan', table, '--connection', file], { withKeychain: true });
      expect((await plan()).json.error).toMatchObject({
        code: 'no-credential',
        message: expect.stringContaining('ADDRESS_CONSOLE_API_KEY'),
      });
      await keep(named, 'lookup-key', 'Desk', demo.demo.lookupKey);
      expect((await plan()).status).toBe(0);
      await keychain.lock();
      try {
        expect((await plan()).json.error.code).toBe('keychain-locked');
      } finally {
        await keychain.unlock();
      }
      await keep(named, 'lookup-key', 'Old desk', 'a-key-of-nobody');
      expect((await plan()).json.error).toMatchObject({
        code: 'bad-input',
        message: expect.stringMatching(/“Desk”.*“Old desk”.*--secret/),
      });

      // The key that a batch has is the one that pays when it is resumed; with none of its label, no other does.
      const data = join(work.folder, 'two-batches-data');
      putReadyDatabase(data);
      const batch = (...args: string[]) =>
        runCommandLine(['batch', ...args, '--connection', file], {
          env: { ADDRESS_CONSOLE_DATA_FOLDER: data },
          withKeychain: true,
        });
      const out = join(work.folder, 'batches.result.csv');
      const begun = await batch('run', table, '--limit', '0', '--out', out, '--secret', 'Desk');
      expect(begun.json.value.wait.kind).toBe('limit');
      const choose = (keyLabel: string) => {
        const db = unwrap(openDatabase({ folder: data, clock: systemClock }));
        const records = openBatchesRepository(db);
        for (const record of records.all()) records.update({ ...record, facts: { ...record.facts, keyLabel } });
        db.close();
      };
      choose('Gone');
      const gone = await batch('resume', '--limit', '5');
      expect(gone.json.error).toMatchObject({ code: 'bad-input', message: expect.stringMatching(/“Gone”.*“Desk”/) });
      choose('Desk');
      const done = await batch('resume', '--limit', '5');
      expect(done.json.value).toMatchObject({ state: 'done', rows: { done: 1 } });
      // The balance that is read is that key’s too.
      expect(done.json.value.balance).toMatch(/^The balance fell by 1 /);
    });

    test('a locked keychain is reported as locked, and does not stop a call that needs nothing from it', async () => {
      await keychain.lock();
      try {
        const locked = await run(['call', 'GetPremise', '--set', 'id=00000001']);
        expect(locked.json.error.code).toBe('keychain-locked');
        const { lookupKey } = demo.demo;
        const given = await run(['call', 'GetCredits'], { ADDRESS_CONSOLE_API_KEY: lookupKey });
        expect(given.status).toBe(0);
        expect((await run(['licences', 'details', '--machine', demo.demo.machines[0] ?? ''])).status).toBe(0);
      } finally {
        await keychain.unlock();
      }
    });

    test('every command with secrets from the environment only', async () => {
      const env = secretVariables(demo.demo);
      for (const args of [['credits'], ['licences'], ['call', 'ServiceTest'], ['call', 'GetCredits']]) {
        const file = work.write('no-entries.json', connectionSettings(demo, { name: 'Nothing is kept under this' }));
        const start = args[0] === 'licences' ? runProgram : runCommandLine;
        const { status, stdout, stderr } = await start([...args, '--raw', '--connection', file], { env });
        expect(status).toBe(0);
        for (const secret of Object.values(env)) expect(stdout + stderr).not.toContain(secret);
      }
    });
  },
);
