import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withoutPolicy } from '../../../electron/core/policy/read-policy.ts';
import { wholeJournal } from '../../../shared/domain/licences/journal-filter.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// A licence's GUID is handed out on request only: main copies it to the clipboard and journals the reason, and it goes nowhere else.

const guid = '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc';
const record = (id: string, value: string): string =>
  `<License><ReferenceNo>WY-${id}</ReferenceNo><GUID>${value}</GUID><LicenseID>${id}</LicenseID><LicenseTypeName>Desk</LicenseTypeName><Status>A</Status></License>`;
const other = record('20426', '7d2e9a40-2222-4f5e-8a1b-ddddeeeeffff');

let server: Server;
let program: Program;
let connectionId: string;
let records: string;
let asked: number;
let copied: string[];
let refuses: boolean;

beforeEach(async () => {
  records = `${record('020418', guid)}${other}`;
  asked = 0;
  copied = [];
  refuses = false;
  server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    asked += 1;
    response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
    response.end(
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><GetLicenseListResponse xmlns="http://example.test/"><GetLicenseListResult><IsError>false</IsError><ErrorMessage/><List>${records}</List></GetLicenseListResult></GetLicenseListResponse></soap:Body></soap:Envelope>`,
    );
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  program = unwrap(
    await startProgram({
      shell: {
        copySecret: async (text) => {
          if (refuses) throw new Error(`cannot take ${text}`);
          copied.push(text);
          return Date.parse('2027-01-01T00:01:00.000Z');
        },
      },
    }),
  );
  connectionId = await program.connect(
    { soapUrl: `${url}/service.asmx`, soapNamespace: 'http://example.test/', accountName: 'WYEBANKUT01' },
    { 'account-guid': 'f0f0f0f0-9999-4a2b-9c3d-000011112222' },
  );
});
afterEach(async () => {
  await program.close();
  server.closeAllConnections();
  server.close();
});

const ask = (reason = 'new laptop of the front desk', licenceNumber = '20418') =>
  program.call('licences.copy-guid', { connectionId, licenceNumber, reason });
const journal = async () =>
  unwrap(await program.call('journal.list', { filter: wholeJournal, before: null, limit: 20 })).entries;

/** Everything that the program wrote or sent to the window, without the blanks at which a value may be broken. */
const everything = (answer: unknown): string => {
  const files = readdirSync(program.folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
  );
  return JSON.stringify([answer, program.told, program.logged]).concat(...files);
};

test('the whole GUID goes only to the clipboard; before that the journal records who, when and why', async () => {
  const answer = await ask();
  expect(unwrap(answer)).toEqual({ lastFour: 'cccc', clearedAt: '2027-01-01T00:01:00.000Z' });
  expect(copied).toEqual([guid]);
  const [entry, ...more] = await journal();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ event: 'guid', kind: 'guid', licenceNumber: '20418', state: 'finished' });
  expect(entry?.text).toContain('Reason: “new laptop of the front desk”.');
  expect(unwrap(await program.call('journal.check', {}))).toMatchObject({ intact: true, entries: 1 });
  expect(unwrap(await program.call('licences.unfinished', {})).changes).toEqual([]);
  unwrap(await program.call('licences.read', { connectionId }));
  const written = everything(answer);
  expect(written).toContain('cccc');
  expect(written.includes(guid)).toBe(false);
  expect(written.toLowerCase().includes(guid.replaceAll('-', ''))).toBe(false);
});

test('each copy reads it again and is journalled; without a reason nothing is read', async () => {
  unwrap(await ask());
  unwrap(await ask('the printer'));
  expect(await journal()).toHaveLength(2);
  const before = asked;
  expect(await ask('   ')).toMatchObject({ ok: false });
  expect(asked).toBe(before);
  expect(copied).toHaveLength(2);
});

test.each([
  ['the list does not name it', () => other],
  ['the list names it twice', () => record('20418', guid) + record('20418', guid)],
  ['it came without one', () => record('20418', ' ')],
])('%s: nothing is copied and nothing journalled', async (_, made) => {
  records = made();
  expect(await ask()).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  expect(copied).toEqual([]);
  expect(await journal()).toEqual([]);
});

test('a failing clipboard is reported, also in the journal, without the value', async () => {
  refuses = true;
  const answer = await ask();
  expect(answer).toMatchObject({ ok: false });
  expect((await journal()).map(({ text }) => text)).toEqual([
    'GUID ending in cccc: the clipboard did not take it.',
    expect.stringContaining('to be put on the clipboard'),
  ]);
  expect(everything(answer).includes(guid)).toBe(false);
});

test('a policy that forbids exports forbids copying it', async () => {
  const own = unwrap(
    await startProgram({
      policy: { ...withoutPolicy, state: 'read', source: 'the test', policy: { version: 1, exportAllowed: false } },
      shell: { copySecret: async () => 0 },
    }),
  );
  expect(await own.call('licences.copy-guid', { connectionId: 'none', licenceNumber: '1', reason: 'r' })).toMatchObject(
    {
      ok: false,
      error: { code: 'policy-forbids' },
    },
  );
  await own.close();
});
