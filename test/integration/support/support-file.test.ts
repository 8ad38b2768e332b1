import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../electron/platform/clock.ts';
import { renderMoneyClaims } from '../../../shared/claims/money-claims.ts';
import { type SupportFile, usualMasks } from '../../../shared/contract/support.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// The support file of a call, through the window's channels, with a service on loopback.

const key = 'LK-7f3a91c2e8d04b56';
const guid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const address = '14 Tannery Row';

let program: Program;
let service: Server;
let connectionId: string;
/** The service's answer to a search: status, content type, body. */
let answer: [number, string, string];
/** How far the program's clock is ahead, in milliseconds. */
let ahead: number;

beforeEach(async () => {
  answer = [200, 'application/json', ''];
  ahead = 0;
  let balance = 500;
  service = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    if (/credits/i.test(url.pathname)) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ Credits: balance }));
      return;
    }
    balance -= 1;
    const [status, type, body] = answer;
    response.writeHead(status, { 'content-type': type, 'x-key': key });
    response.end(body);
  });
  await listenOnLoopback(service);
  program = unwrap(
    await startProgram({
      machineName: 'DESK-77',
      userName: 'preece',
      clock: { ...systemClock, now: () => Date.now() + ahead },
    }),
  );
  const { port } = service.address() as AddressInfo;
  connectionId = await program.connect(
    { restBaseUrl: `http://127.0.0.1:${port}/v1`, machineId: 'DESK-77', kind: 'test' },
    { 'lookup-key': key, 'account-guid': guid },
  );
});
afterEach(async () => {
  await program.close();
  service.closeAllConnections();
  await new Promise((done) => service.close(done));
});

async function askOnce(): Promise<string> {
  await program.call('operations.run', {
    connectionId,
    operation: 'GetPremise',
    fields: [{ name: 'id', values: ['25000001'] }],
  });
  const { calls } = unwrap(await program.call('activity.list', { before: null, limit: 10 }));
  const call = calls.find(({ operation }) => operation === 'GetPremise');
  if (!call) throw new Error('no call');
  return call.id;
}

const prepare = async (callId: string, masks = [...usualMasks]): Promise<SupportFile> =>
  unwrap(await program.call('support.prepare', { callId, masks }));
const partOf = (file: SupportFile, name: string): string => file.parts.find((part) => part.name === name)?.text ?? '';
const all = (file: SupportFile): string => file.parts.map(({ text }) => text).join('\n');

test('a failed call: request and answer masked, its claims as in the ledger, saved as it was shown', async () => {
  answer = [500, 'text/html', `<html><body title="${address}">Error at ${address} for ${key}, ${guid}</body></html>`];
  const callId = await askOnce();
  const file = await prepare(callId);
  const text = all(file);
  for (const hidden of [key, guid, address, 'Tannery', '25000001', 'DESK-77', 'preece', '127.0.0.1'])
    expect(text.toLowerCase()).not.toContain(hidden.toLowerCase());
  expect(partOf(file, 'request.txt')).toContain('GET http://[masked: host name]/v1/');
  expect(partOf(file, 'request.txt')).toContain('[masked: 8 digits]');
  expect(partOf(file, 'answer.txt')).toContain('HTTP 500');
  expect(partOf(file, 'versions.txt')).toContain('Address Console: 0.0.0');
  expect(partOf(file, 'versions.txt')).toContain(`OpenSSL: ${process.versions.openssl}`);
  const evidence = unwrap(await program.call('credits.evidence', { callId }));
  expect(file.claims).toEqual(evidence.claims);
  expect(evidence.claims.length).toBeGreaterThan(0);
  expect(partOf(file, 'summary.txt')).toContain(renderMoneyClaims(evidence.claims, { today: '' }));
  expect(file).toMatchObject({ searched: 2, unread: 0 });

  const without = ['around-it.json'];
  const saved = unwrap(await program.call('support.save', { supportId: file.supportId, without }));
  const written = readFileSync(join(program.folder, saved.fileName), 'utf8');
  for (const { name, text: part } of file.parts)
    if (!without.includes(name)) expect(written).toContain(`===== ${name} =====\n${part}`);
  expect(written).not.toContain('===== around-it.json');
  expect(written).toContain('Left out: around-it.json');
});

test('with addresses shown, a machine that was only typed is masked wherever it stands, and a name like a host’s', async () => {
  answer = [500, 'text/plain', 'Bad gateway at proxy01.corp.local'];
  const { restBaseUrl, id: _, ...settings } = unwrap(program.core.connections.find(connectionId));
  const draft = { ...settings, restBaseUrl, soapUrl: restBaseUrl.replace('/v1', '/s.asmx'), soapNamespace: 'urn:x' };
  unwrap(await program.core.connections.update(connectionId, { ...draft, name: 'lookup.acme.local' }));
  await program.call('operations.run', {
    connectionId,
    operation: 'GetLicenseDetails',
    fields: [{ name: 'sMachineName', values: ['TYPED-LAPTOP-9'] }],
  });
  await askOnce();
  const { calls } = unwrap(await program.call('activity.list', { before: null, limit: 10 }));
  const callId = calls.find(({ operation }) => operation === 'GetLicenseDetails')?.id ?? '';
  const file = await prepare(callId, ['names', 'hosts']);
  for (const hidden of [/typed-laptop/i, /acme/, /corp\.local/]) expect(all(file)).not.toMatch(hidden);
  expect(partOf(file, 'call.json')).toMatch(/"subject": "\[masked: machine \d\]"/);
  expect(partOf(file, 'request.txt')).toMatch(/sMachineName>\[masked: machine \d\]</);
  expect(all(await prepare(callId, []))).toContain('TYPED-LAPTOP-9');
  // As one of the calls around another.
  const other = calls.find(({ operation }) => operation === 'GetPremise')?.id ?? '';
  expect(all(await prepare(other, ['names']))).not.toContain('TYPED-LAPTOP-9');
});

test('what was asked half an hour before, between the same two readings of the balance, is masked as well', async () => {
  const readBalance = () => program.call('credits.read-balances', { connectionId, sources: ['rest-key'] });
  const minutesOn = (minutes: number) => {
    ahead += minutes * 60_000;
  };
  unwrap(await readBalance());
  minutesOn(10);
  for (const text of ['2 tannery row', 'N1']) await program.call('lookup.search', { connectionId, text });
  minutesOn(30);
  const callId = await askOnce();
  minutesOn(10);
  unwrap(await readBalance());
  expect(partOf(await prepare(callId, []), 'balance.csv')).toMatch(/Search 2 tannery row, another call.*Search N1,/s);
  const file = await prepare(callId);
  expect(partOf(file, 'balance.csv')).toMatch(/Search \[masked: 13 characters\], another call/);
  expect(all(file)).not.toMatch(/tannery|\bN1\b/i);
});

test('each mask can be removed except that of keys', async () => {
  answer = [500, 'text/plain', `Error at ${address} for ${key}, ${guid}`];
  const file = await prepare(await askOnce(), []);
  const text = all(file);
  expect(text).toContain(address);
  expect(text).toContain('25000001');
  expect(text).toContain('preece');
  expect(text).toContain('127.0.0.1');
  expect(text).not.toContain(key);
  expect(text).not.toContain(guid);
  expect(text).toContain(`••••${key.slice(-4)}`);
});

test('a call that a cap held back is nowhere said to be sent', async () => {
  unwrap(await program.call('credits.save-caps', { connectionId, caps: { perRun: null, perDay: 0, floor: null } }));
  const file = await prepare(await askOnce());
  expect(partOf(file, 'summary.txt')).toMatch(/\n\nNot sent\.\n.*cap-reached/);
  expect(partOf(file, 'summary.txt')).toContain('so there is no request');
  expect(file.claims).toEqual([{ kind: 'nothing-left' }]);
  expect(partOf(file, 'call.json')).not.toContain('"sent"');
  expect(partOf(file, 'balance.csv')).not.toMatch(/GetPremise .* sent\b/);
});

test('what a saved answer has is found after a restart; what was not stored is named', async () => {
  answer = [500, 'text/html', '<html></html>'];
  const failed = await askOnce();
  const folder = program.folder;
  await program.core.close();
  const again = unwrap(await startProgram({ folder }));
  const file = unwrap(await again.call('support.prepare', { callId: failed, masks: [] }));
  expect(partOf(file, 'request.txt')).toBe('');
  expect(partOf(file, 'summary.txt')).toContain('The request and the answer were not kept.');
  await again.close();
  program = { ...program, close: async () => {} };
});

test('a saved answer names no published price: its operation may cost', async () => {
  answer = [200, 'application/json', JSON.stringify({ item: { id: '25000001', line1: address } })];
  await askOnce();
  const file = await prepare(await askOnce());
  expect(partOf(file, 'summary.txt')).toContain('Answered from what is saved');
  for (const name of ['summary.txt', 'call.json']) expect(partOf(file, name)).not.toMatch(/published ?price/i);
  const { fileName } = unwrap(await program.call('activity.export', { filter: wholeTable }));
  const lines = readFileSync(join(program.folder, fileName), 'utf8').split('\r\n');
  const prices = lines.filter((line) => line.includes('GetPremise')).map((line) => line.split(',').slice(8, 11));
  expect(prices).toEqual([
    ['held', '', ''],
    ['answered', '', '1'],
  ]);
});

test('of a saved answer that is too long for the file the summary says so, and not that it was not kept', async () => {
  answer = [200, 'application/json', JSON.stringify({ item: { id: '25000001', line1: 'x'.repeat(300_000) } })];
  const callId = await askOnce();
  const { folder } = program;
  await program.core.close();
  const again = unwrap(await startProgram({ folder }));
  const file = unwrap(await again.call('support.prepare', { callId, masks: [] }));
  expect(partOf(file, 'request.txt')).toBe('');
  expect(partOf(file, 'summary.txt')).toContain('The answer is saved in the program. It is too long for this file');
  await again.close();
  program = { ...program, close: async () => {} };
});

test('a call that is not in the log, and a file that is no longer available', async () => {
  expect(await program.call('support.prepare', { callId: guid, masks: [] })).toMatchObject({
    ok: false,
    error: { code: 'bad-input' },
  });
  expect(await program.call('support.save', { supportId: guid, without: [] })).toMatchObject({
    ok: false,
    error: { code: 'bad-input' },
  });
});

test('the nearest calls of its connection on both sides, however many there were and whoever else asked', async () => {
  const { log } = program.core;
  const other = await program.connect({ restBaseUrl: 'http://127.0.0.1:9/v1' });
  const enter = (of: string, subject: string): string =>
    unwrap(
      log.beginCall({
        connectionId: of,
        connectionName: '',
        interface: 'rest',
        operation: 'GetPremise',
        subject,
        paidBy: 'main',
        expectedCredits: 1,
      }),
    ).id;
  const many = (count: number, of: string, subject: string) => {
    for (let n = 0; n < count; n += 1) enter(of, `${subject} ${n}`);
  };
  many(30, connectionId, 'before');
  const callId = enter(connectionId, 'the call');
  many(250, connectionId, 'after');
  many(250, other, 'of another');
  const file = await prepare(callId, []);
  expect(file).toMatchObject({ around: 200, aroundOf: 280 });
  const around: { subject: string }[] = JSON.parse(partOf(file, 'around-it.json'));
  expect(around).toHaveLength(200);
  expect(around.filter(({ subject }) => subject.startsWith('before'))).not.toHaveLength(0);
  expect(around.map(({ subject }) => subject)).toContain('after 0');
  expect(around.map(({ subject }) => subject)).not.toContain('of another 0');
  expect(partOf(file, 'summary.txt')).toContain('within 5 minutes: 280. around-it.json has the nearest 200 of them.');
});

test('of a connection that was removed since, the file says so, and not that its description was not read', async () => {
  const callId = await askOnce();
  expect(partOf(await prepare(callId), 'drift.json')).not.toContain('removed');
  unwrap(await program.call('connections.remove', { connectionId }));
  const drift = JSON.parse(partOf(await prepare(callId), 'drift.json'));
  expect(drift).toEqual({
    readAt: null,
    findings:
      'Its connection was removed, and with it what had been read of the service’s description, if it had been read.',
  });
});

test('a key inside the user’s own text prevents saving the file', async () => {
  answer = [200, 'application/json', '{}'];
  const draft = unwrap(program.core.connections.find(connectionId));
  const { id: _id, ...settings } = draft;
  // Beside the name of its field as well, which alone would mask it in an answer.
  for (const name of [`Mine, key=${key}`, `Mine ${key}`]) {
    unwrap(await program.core.connections.update(connectionId, { ...settings, name }));
    const callId = await askOnce();
    expect(await program.call('support.prepare', { callId, masks: [] }), name).toMatchObject({
      ok: false,
      error: { code: 'bad-input', message: expect.stringContaining('One of your keys is in what would be saved') },
    });
  }
});

test('so does one that was removed in this run with its connection', async () => {
  answer = [200, 'application/json', '{}'];
  const removed = 'LK-of-a-removed-connection-1';
  const other = await program.connect({ restBaseUrl: 'http://127.0.0.1:9/v1' }, { 'lookup-key': removed });
  unwrap(await program.call('connections.remove', { connectionId: other }));
  const { id: _id, ...settings } = unwrap(program.core.connections.find(connectionId));
  unwrap(await program.core.connections.update(connectionId, { ...settings, name: `Mine ${removed}` }));
  expect(await program.call('support.prepare', { callId: await askOnce(), masks: [] })).toMatchObject({
    ok: false,
    error: { code: 'bad-input', message: expect.stringContaining('One of your keys is in what would be saved') },
  });
});

test('a GUID that is no known key leaves masked too, with every other mask removed', async () => {
  const typed = '11111111-2222-4333-8444-5555aaaabeef';
  const { id: _id, ...settings } = unwrap(program.core.connections.find(connectionId));
  unwrap(await program.core.connections.update(connectionId, { ...settings, name: `Mine ${typed}` }));
  await program.call('operations.run', {
    connectionId,
    operation: 'GetPremise',
    fields: [{ name: 'id', values: [typed] }],
    sendAnyway: true,
  });
  const { calls } = unwrap(await program.call('activity.list', { before: null, limit: 10 }));
  const callId = calls.find(({ operation }) => operation === 'GetPremise')?.id ?? '';
  await askOnce();
  const file = await prepare(callId, []);
  expect(all(file)).not.toContain(typed);
  expect(partOf(file, 'call.json')).toContain('"subject": "••••beef"');
  expect(partOf(file, 'request.txt')).toContain('id=••••beef');
});
