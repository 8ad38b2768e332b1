import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryVault } from '../../../electron/platform/memory-vault.ts';
import type { Keychain } from '../../../electron/ports.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// A gateway whose answers contain secrets of the account that the call did not send.

const secrets: Record<SecretRole, string> = {
  'lookup-key': 'LK-7f3a91c2e8d04b56',
  'master-key': 'MK/55ee+66ff&77aa"88bb',
  'licence-id': '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc',
  'account-guid': '7d2e9a40-2222-4f5e-8a1b-ddddeeeeffff',
  'licence-key': 'licence-key-canary-3333',
  'web-map-key': 'web-map-key-canary-4444',
};
const older = 'LK-older-one-0001';

const hex = (text: string): string =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const references = (text: string): string => [...text].map((sign) => `&#x${sign.charCodeAt(0).toString(16)};`).join('');
/** The forms in which a gateway may write a value; each must be masked. */
const forms: ((value: string) => string)[] = [
  (value) => value,
  (value) => value.toUpperCase(),
  encodeURIComponent,
  hex,
  references,
  (value) => Buffer.from(`user:${value}`).toString('base64'),
];
const everything = (): string =>
  [...Object.values(secrets), older].flatMap((value) => forms.map((form) => form(value))).join(' | ');
/** The traces of secrets that must not be found, derived without the program's code. */
const traces = [...Object.values(secrets), older].flatMap((value) => [
  value,
  value.toUpperCase(),
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  hex(value),
  references(value),
  Buffer.from(`user:${value}`).toString('base64').slice(8, -4),
]);

let server: Server;
let program: Program;
let status = 200;

beforeEach(async () => {
  status = 200;
  server = createServer((request, response) => {
    request.resume();
    const soap = request.method === 'POST';
    const words = everything();
    if (soap) {
      const text = words
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('"', '&quot;')
        .replaceAll('&amp;#x', '&#x');
      const body = `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ServiceTestResponse xmlns="urn:gateway"><ServiceTestResult>${text}</ServiceTestResult></ServiceTestResponse></s:Body></s:Envelope>`;
      response.writeHead(status, { 'content-type': 'text/xml; charset=utf-8', 'x-gateway': encodeURIComponent(words) });
      response.end(body);
      return;
    }
    const spelled = `"${words.replaceAll('\\', '\u0001').replaceAll('"', '\\"').replaceAll('\u0001', '\\')}"`;
    response.writeHead(status, { 'content-type': 'application/json', 'x-gateway': encodeURIComponent(words) });
    response.end(
      `{"id":"00000001","buildingnumber":"12","street":${spelled},"postcode":"HR2 6DB","message":${spelled}}`,
    );
  });
  await listenOnLoopback(server);
  program = unwrap(await startProgram());
});
afterEach(async () => {
  await program.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

function expectClean(what: string, where: string): void {
  const found = traces.filter((trace) => what.includes(trace));
  expect(found, where).toEqual([]);
}

test('secrets of the connection that an answer contains, in any form, are masked in answers, errors, raw texts, exports and on the disk', async () => {
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const connectionId = await program.connect(
    { name: 'Gateway', restBaseUrl: base, soapUrl: `${base}/soap`, soapNamespace: 'urn:gateway', accountName: 'WYE' },
    secrets,
  );
  unwrap(await program.call('secrets.put', { connectionId, role: 'lookup-key', label: 'older', value: older }));
  const said: unknown[] = [];
  for (const answer of [200, 401, 500]) {
    status = answer;
    said.push(
      await program.call('lookup.open', { connectionId, premiseId: '00000001', interface: 'rest', cache: 'reload' }),
    );
    for (const [operation, protocol] of [
      ['GetPremise', 'rest'],
      ['ServiceTest', 'soap'],
    ] as const) {
      const run = await program.call('operations.run', {
        connectionId,
        operation,
        dataset: false,
        fields: protocol === 'rest' ? [{ name: 'id', values: ['00000001'] }] : [],
        cache: 'reload',
      });
      said.push(run);
      const answerId = run.ok ? (run.value as { answerId?: string }).answerId : run.error.callId;
      for (const side of ['request', 'answer'] as const)
        for (const indented of [true, false])
          said.push(
            await program.call('operations.raw-lines', { answerId, side, indented, from: 0, count: 500 } as never),
          );
    }
  }
  said.push(
    await program.call('activity.list', { search: '', before: null, limit: 100 }),
    program.told,
    program.logged,
  );
  const text = JSON.stringify(said);
  expect(text).toContain('••••');
  expectClean(text, 'told to the window');
  expectClean(text.replaceAll('\\\\', '\\').replaceAll('\\"', '"'), 'told to the window, unescaped');
  for (const name of readdirSync(program.folder, { recursive: true, encoding: 'utf8' }))
    if (/sqlite|log/.test(name)) expectClean(readFileSync(join(program.folder, name), 'latin1'), name);
});

/** Starts the program anew, with keys that an earlier run has entered and a keychain that `around` puts something before. */
async function restartWithKeys(around: (keychain: Keychain) => Keychain): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  const keychain = createMemoryVault();
  const { folder } = program;
  await program.core.close();
  program = unwrap(await startProgram({ folder, keychain: { keychain, missing: null } }));
  const connectionId = await program.connect(
    { name: 'Gateway', restBaseUrl: base, soapUrl: `${base}/soap`, soapNamespace: 'urn:gateway', accountName: 'WYE' },
    secrets,
  );
  unwrap(await program.call('secrets.put', { connectionId, role: 'lookup-key', label: 'older', value: older }));
  await program.core.close();
  program = unwrap(await startProgram({ folder, keychain: { keychain: around(keychain), missing: null } }));
  return connectionId;
}

test('a secret that the keychain returned only at a second try is masked from then on', async () => {
  let refuses = true;
  const connectionId = await restartWithKeys((keychain) => ({
    ...keychain,
    get: async (entry) =>
      refuses && entry.account.includes('licence') ? fail(appError('keychain-unreadable')) : keychain.get(entry),
  }));
  const ask = async () => {
    const opened = unwrap(
      await program.call('lookup.open', { connectionId, premiseId: '00000001', interface: 'rest', cache: 'reload' }),
    );
    return opened.title;
  };
  expect(await ask()).toContain(secrets['licence-id']);
  refuses = false;
  unwrap(
    await program.call('operations.run', {
      connectionId,
      operation: 'ServiceTest',
      dataset: false,
      fields: [],
      cache: 'reload',
    }),
  );
  expect(await ask()).not.toContain(secrets['licence-id']);
});

test('calls that begin together are all masked, also where the keychain is slow', async () => {
  const connectionId = await restartWithKeys((keychain) => ({
    ...keychain,
    get: async (entry) => {
      await wait(20);
      return keychain.get(entry);
    },
  }));
  const said = await Promise.all([
    program.call('lookup.open', { connectionId, premiseId: '00000001', interface: 'rest', cache: 'reload' }),
    ...(['GetPremise', 'ServiceTest'] as const).map((operation) =>
      program.call('operations.run', {
        connectionId,
        operation,
        dataset: false,
        fields: operation === 'GetPremise' ? [{ name: 'id', values: ['00000001'] }] : [],
        cache: 'reload',
      }),
    ),
  ]);
  expect(said.map(({ ok }) => ok)).toEqual([true, true, true]);
  for (const one of said) {
    expect(JSON.stringify(one)).toContain('••••');
    expectClean(JSON.stringify(one), 'told to the window');
  }
});

test('the old value of a key that is replaced before this run has read it is masked', async () => {
  const connectionId = await restartWithKeys((keychain) => keychain);
  const { connections } = unwrap(await program.call('connections.list', {}));
  const held = connections.find(({ connection }) => connection.id === connectionId)?.secrets ?? [];
  const secretId = held.find(({ label }) => label === 'older')?.id ?? '';
  unwrap(await program.call('secrets.replace', { secretId, value: 'LK-newer-one-0002' }));
  const question = { connectionId, premiseId: '00000001', interface: 'rest', cache: 'reload' } as const;
  const said = JSON.stringify(await program.call('lookup.open', question));
  expect(said).toContain('••••');
  expectClean(said, 'told to the window');
});

test('keys that a locked keychain did not return are read when it is open: for the next file, and for the next call', async () => {
  let locked = true;
  const connectionId = await restartWithKeys((keychain) => ({
    ...keychain,
    get: async (entry) => (locked ? fail(appError('keychain-locked')) : keychain.get(entry)),
  }));
  const all = Object.keys(secrets).length + 1;
  expect(unwrap(await program.call('setup.prepare', {}))).toMatchObject({ searched: 0, unread: all });
  locked = false;
  const opened = await program.call('lookup.open', {
    connectionId,
    premiseId: '00000001',
    interface: 'rest',
    cache: 'reload',
  });
  expect(JSON.stringify(opened)).toContain('••••');
  expectClean(JSON.stringify(opened), 'told to the window');
  locked = true;
  expect(unwrap(await program.call('setup.prepare', {}))).toMatchObject({ searched: all, unread: 0 });
});

test('a key that an open keychain does not return is asked for once by the calls of a run, and again for a file', async () => {
  let asked = 0;
  let refuses = true;
  const connectionId = await restartWithKeys((keychain) => ({
    ...keychain,
    get: async (entry) => {
      if (!entry.account.endsWith('(licence-id)')) return keychain.get(entry);
      asked += 1;
      return refuses ? fail(appError('keychain-locked')) : keychain.get(entry);
    },
  }));
  for (let nth = 0; nth < 2; nth++)
    unwrap(
      await program.call('lookup.open', { connectionId, premiseId: '00000001', interface: 'rest', cache: 'reload' }),
    );
  expect(asked).toBe(1);
  refuses = false;
  expect(unwrap(await program.call('setup.prepare', {}))).toMatchObject({ unread: 0 });
});
