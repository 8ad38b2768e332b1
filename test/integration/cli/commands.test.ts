import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { createCapsStore } from '../../../electron/core/spend/caps-store.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import { databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import { soapOperationNames } from '../../../shared/catalogue/soap-operations.ts';
import { showInvisible } from '../../../shared/domain/text/visible-text.ts';
import * as specification from '../../fixtures/specification.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  noKeychain,
  runCommandLine,
  runProgram,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { entriesReader } from '../../helpers/spend-facts.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

/** The command line with a demo service. It runs as a separate process only in tests of what belongs to a process. */

const work = createWorkFolder();
let demo: DemoService;
let connection: string;
let env: Record<string, string>;

beforeAll(async () => {
  demo = await startDemo('--premises', '4000');
  connection = work.write('wyebank.json', connectionSettings(demo));
  env = secretVariables(demo.demo);
});
afterAll(async () => {
  await demo.stop();
  work.remove();
});
beforeEach(async () => {
  await demo.clearFaults();
  await demo.resetMeter();
});

const run = (...args: string[]) => runCommandLine(args, { env });

describe('the window’s own books', () => {
  const folder = join(work.folder, 'books');
  const open = () => unwrap(openDatabase({ folder, clock: systemClock }));
  const call = (...args: string[]) =>
    runCommandLine(['call', ...args, '--connection', connection], {
      env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: folder },
    });
  const search = () => call('Search', '--set', `query=${demo.demo.sample.postcode}`);

  test('a call is in the ledger and the activity log, and its cap applies before a socket opens', async () => {
    let db = open();
    const connectionId = 'as-the-window-knows-it';
    const { restBaseUrl, soapUrl } = demo;
    const draft = connectionDraft('Wyebank', { restBaseUrl, soapUrl });
    openConnectionsRepository(db.sql).insert(connectionId, draft, new Date().toISOString());
    db.close();
    expect((await search()).status).toBe(0);
    db = open();
    const [first] = await loggedCalls(createActivityLog(db, systemClock));
    expect(first).toMatchObject({
      connectionId,
      operation: 'Search',
      subject: demo.demo.sample.postcode,
      outcome: 'answered',
    });
    expect(entriesReader(db)(connectionId)).toMatchObject([{ operation: 'Search', expected: 1, callId: first?.id }]);
    unwrap(createCapsStore(db).write(connectionId, { perRun: null, perDay: 1, floor: null }));
    db.close();

    await demo.resetMeter();
    const { status, json } = await search();
    expect({ status, code: json.error.code }).toEqual({ status: 1, code: 'cap-reached' });
    // Reading a free balance is never stopped by a cap.
    expect((await call('GetCredits')).status).toBe(0);
    expect(Object.keys((await demo.meter()).calls)).toEqual(['GetCredits']);
    db = open();
    expect(entriesReader(db)(connectionId)).toHaveLength(1);
    // A cap since the program started counts the calls of one command, not those of the commands before it.
    unwrap(createCapsStore(db).write(connectionId, { perRun: 1, perDay: null, floor: null }));
    db.close();
    expect((await search()).status).toBe(0);
  });

  test('a damaged database is left to the window, which says what is lost: no command sends, writes or recovers', async () => {
    const damaged = join(work.folder, 'damaged');
    const file = join(damaged, databaseName);
    const at = (...args: string[]) => runCommandLine(args, { env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: damaged } });
    const question = ['call', 'Search', '--set', 'query=HR10', '--connection', connection];
    for (const _ of ['new', 'copied']) expect((await at(...question)).status).toBe(0);
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xa5)]));
    const before = readdirSync(damaged, { recursive: true }).sort();
    await demo.resetMeter();
    for (const args of [question, ['licences', 'list', '--connection', connection], ['support', 'last']])
      expect((await at(...args)).json, args.join(' ')).toMatchObject({
        ok: false,
        error: { code: 'storage-failed', message: expect.stringMatching(/damaged.*Start the window/) },
      });
    expect((await demo.meter()).credits).toBe(0);
    expect(readdirSync(damaged, { recursive: true }).sort()).toEqual(before);
    expect((await at('journal', 'verify')).json.error.message).toMatch(/damaged.*Start the window/);
    const db = unwrap(openDatabase({ folder: damaged, clock: systemClock }));
    expect(db.recovery?.backupAt).toEqual(expect.any(String));
    db.close();
  });

  test('a list without rows whose count says that there are some is not “nothing found”, on a terminal or in the log', async () => {
    const counted = join(work.folder, 'counted');
    let body = '{"results":[],"totalResults":34}';
    const server = createServer((_, response) => response.end(body));
    const port = await listenOnLoopback(server);
    const file = work.write('counted.json', JSON.stringify({ name: 'C', restBaseUrl: `http://127.0.0.1:${port}/v1` }));
    const search = () =>
      runCommandLine(['call', 'Search', '--set', 'query=HR10', '--connection', file], {
        env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: counted },
        terminalWidth: 80,
      });
    expect((await search()).stdout).toMatch(/^totalResults +34\n/);
    const db = unwrap(openDatabase({ folder: counted, clock: systemClock }));
    expect(await loggedCalls(createActivityLog(db, systemClock))).toMatchObject([{ outcome: 'answered' }]);
    db.close();
    // The list of the other published form.
    body = '{"items":[]}';
    expect((await search()).stdout).toMatch(/^Nothing found\.\n/);
    // Rows of a form that is not published are not nothing.
    body = '{"results":["12 Mill Lane"]}';
    expect((await search()).stdout).not.toContain('Nothing found');
    server.close();
  });

  test('four calls at once on a new folder are all recorded', async () => {
    const fresh = join(work.folder, 'fresh');
    const runs = await Promise.all(
      Array.from({ length: 4 }, () =>
        runProgram(['call', 'Search', '--set', 'query=HR10', '--connection', connection], {
          env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: fresh },
        }),
      ),
    );
    for (const { status, stdout, stderr } of runs)
      expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' });
    const db = unwrap(openDatabase({ folder: fresh, clock: systemClock }));
    expect(await loggedCalls(createActivityLog(db, systemClock))).toHaveLength(4);
    db.close();
  });
});

describe('call', () => {
  test('an endpoint: value in the service’s own names, price with its extra, redacted request, timings', async () => {
    const id = demo.demo.sample.leadingZeroId;
    const { status, json, stderr } = await run(
      ...['call', 'GetPremise', '--set', `id=${id}`, '--set', 'uprn=true', '--connection', connection],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(Object.keys(json)).toEqual(['ok', 'value', 'price', 'request', 'timings', 'shape']);
    expect(json).toMatchObject({ ok: true, price: 2, value: { item: { id } }, request: { method: 'GET' } });
    expect(json.request.url).toContain(`key=••••${demo.demo.lookupKey.slice(-4)}&id=${id}&uprn=true`);
    expect(json.timings.total).toBeGreaterThan(0);
    expect((await demo.meter()).calls.GetPremise).toMatchObject({ hits: 1, credits: 2 });
  });

  test('an operation: lists are arrays, text is text, the code beside its meaning; --raw adds the answer as it came', async () => {
    const id = demo.demo.sample.leadingZeroId;
    const { status, json } = await run(
      ...['call', 'GetPremiseAddress', '--set', `sUniqueDeliveryPointID=${id}`, '--raw', '--connection', connection],
    );
    expect(status).toBe(0);
    expect(json).toMatchObject({
      ok: true,
      price: 1,
      found: 'something',
      returnCode: '1',
      returnMeaning: expect.stringMatching(/success/i),
      value: { List: [{ Unique_Delivery_Point: id, Number: expect.any(String), IsError: false, Return_Code: '1' }] },
      raw: { status: 200, text: expect.stringContaining('<GetPremiseAddressResult>') },
    });
    expect(json.request.body).toContain(`<LicenceID>••••${demo.demo.licenceId.slice(-4)}</LicenceID>`);
  });

  test('a data-set twin returns tables; its price is not published; SOAP 1.2 by the connection', async () => {
    const file = work.write('twelve.json', connectionSettings(demo, { soapVersion: '1.2' }));
    const { json } = await run(
      ...['call', 'GetPremiseAddress_Dataset', '--set', `sUniqueDeliveryPointID=${demo.demo.sample.premiseId}`],
      ...['--connection', file],
    );
    expect(json).toMatchObject({ ok: true, price: 'not published', value: { tables: [{ name: 'AddressPremise' }] } });
    expect(json.request.headers['content-type']).toContain('application/soap+xml');
    expect((await demo.meter()).recent.at(-1)).toMatchObject({ name: 'GetPremiseAddress_Dataset', version: '1.2' });
  });

  test('a list field set several times is one list, joined by the connection’s separator', async () => {
    const [first = '', second = ''] = demo.demo.sample.nearPostcodes;
    const { json } = await run(
      ...['call', 'GeoData_ForPostcode', '--set', `sPostcodes=${first}`, '--set', `sPostcodes=${second}`],
      ...['--connection', connection],
    );
    expect(json.value.List.map(({ Postcode }: { Postcode: string }) => Postcode)).toEqual([first, second]);
  });

  test('the second published form of /Search, as the connection says', async () => {
    const file = work.write('phrase.json', connectionSettings(demo, { searchForm: 'phrase' }));
    const phrase = `phrase=${demo.demo.sample.postcode}`;
    const { json } = await run('call', 'Search', '--set', phrase, '--connection', file);
    expect(json).toMatchObject({ ok: true, shape: 'phrase' });
    expect(json.request.url).toMatch(/[?&]phrase=.*&opensearch=false/);
  });

  test('nothing found is an answer', async () => {
    const { status, json } = await run(
      ...['call', 'SearchPremise_ByPostcode', '--set', 'sPostcode=ZZ99 9ZZ', '--connection', connection],
    );
    expect(status).toBe(0);
    expect(json).toMatchObject({ ok: true, found: 'nothing' });
  });
});

test('credits prints the balance of each interface', async () => {
  const { status, json } = await run('credits', '--connection', connection);
  expect(status).toBe(0);
  expect(json).toMatchObject({
    ok: true,
    value: { rest: { credits: expect.any(Number) }, soap: expect.any(Number) },
    price: 'not published',
    request: { rest: { method: 'GET' }, soap: { method: 'POST' } },
    timings: { rest: { total: expect.any(Number) }, soap: { total: expect.any(Number) } },
  });
});

test('credits of one interface only names what is left out; with neither it fails', async () => {
  const file = work.write('rest-only.json', { restBaseUrl: demo.restBaseUrl });
  const one = await run('credits', '--connection', file);
  expect(one.status).toBe(0);
  expect(one.json).toMatchObject({
    price: 0,
    value: { rest: {} },
    leftOut: { soap: expect.stringMatching(/address/) },
  });
  const none = await run('credits', '--connection', work.write('neither.json', {}));
  expect(none.status).toBe(1);
  expect(none.json).toMatchObject({ ok: false, error: { code: 'not-configured' } });
});

test('credits where one interface fails: the error, and the other’s figure beside it', async () => {
  await demo.setFaults({ kind: 'reset', on: 'GetAvailableCredits' });
  const { status, json } = await run('credits', '--connection', connection);
  expect(status).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    error: { code: 'sent-no-answer', message: expect.stringContaining('It may have cost credits.') },
    price: 'not published',
    value: { rest: { credits: expect.any(Number) } },
    failed: { soap: { code: 'sent-no-answer' } },
  });
});

test('lists the licences of the account and of one machine', async () => {
  const all = await run('licences', '--connection', connection);
  expect(all.json.value.List.length).toBe(Object.keys(demo.demo.licences).length);
  expect(all.json.value.List[0].GUID).toMatch(/^••••/);
  const [machine = ''] = demo.demo.machines;
  const one = await run('licences', 'details', '--machine', machine, '--connection', connection);
  expect(one.json.value.List[0]).toMatchObject({
    LicenseID: expect.stringMatching(/^\d+$/),
    LicenseInUse: expect.any(String),
  });
  expect(Object.keys((await demo.meter()).calls)).toEqual(['GetLicenseList', 'GetLicenseDetails']);
});

test('a read of a change that answered and does not show it yet is not called failed', async () => {
  const result = '<GetLicenseDetailsResult><List/><IsError>false</IsError></GetLicenseDetailsResult>';
  const answer = `<GetLicenseDetailsResponse xmlns="${demo.soapNamespace}">${result}</GetLicenseDetailsResponse>`;
  const body = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${answer}</s:Body></s:Envelope>`;
  await demo.setFaults({
    kind: 'status',
    status: 200,
    type: 'text/xml',
    body,
    on: 'GetLicenseDetails',
    times: 'always',
  });
  const licence = ['--licence', String(demo.demo.licences.free), '--connection', connection];
  const { json } = await run('licences', 'register', ...licence, '--machine', 'NOT-SEEN-01', '--yes');
  expect(json).toMatchObject({ ok: false, verdict: 'on-its-way' });
  const states = json.steps.map(({ effect, state }: Record<string, string>) => `${effect} ${state}`);
  expect(states).toEqual(['reads done', 'writes done', 'reads not-seen']);
  expect((await run('licences', 'dismiss', ...licence)).status).toBe(0);
});

test('operations --json: every endpoint and operation, with fields, result, price and help', async () => {
  const { status, json } = await runCommandLine(['operations', '--json']);
  expect(status).toBe(0);
  const { endpoints, operations } = json.value;
  expect(endpoints.map(({ name }: { name: string }) => name)).toEqual([
    'Search',
    'GetPremise',
    'GetPremiseGeoData',
    'GetCredits',
  ]);
  expect(operations.map(({ name }: { name: string }) => name)).toEqual(soapOperationNames);
  expect(operations).toHaveLength(specification.operations.length + specification.twins.length);
  for (const { name, fields, result, price, help } of operations) {
    expect(
      fields.every((field: { name: string }) => field.name !== ''),
      name,
    ).toBe(true);
    expect([typeof result, typeof help], name).toEqual(['string', 'string']);
    expect(price === 'not published' || Number.isInteger(price), name).toBe(true);
  }
});

describe('wsdl', () => {
  test('terminal control characters are printed as JSON escapes, which a script parses to what came', async () => {
    const odd = 'Reads\u202e\u2066 one\u200b\u0085\u009b31m';
    const text = (await (await fetch(`${demo.soapUrl}?WSDL`)).text()).replace(
      /<wsdl:operation name="ServiceTest">/,
      `$&<wsdl:documentation>${odd}</wsdl:documentation>`,
    );
    const { stdout, json } = await runCommandLine(['wsdl', work.write('odd.wsdl', text)]);
    expect(JSON.stringify(json)).toContain(odd);
    expect(stdout).toContain('\\u202e\\u2066 one\\u200b\\u0085\\u009b31m');
    expect(showInvisible(stdout)).toBe(stdout);
  });

  test('from an address: the description and no drift, without a secret, without a paid call', async () => {
    const { status, json } = await runCommandLine(['wsdl', demo.soapUrl, '--connection', connection]);
    expect(status).toBe(0);
    expect(json.value.description.operations).toHaveLength(
      specification.operations.length + specification.twins.length,
    );
    expect(json.value.drift.findings).toEqual([]);
    expect((await demo.meter()).credits).toBe(0);
  });

  test('against a WSDL file and against what it printed before, both ways', async () => {
    const before = (await runCommandLine(['wsdl', demo.soapUrl])).stdout;
    const text = await (await fetch(`${demo.soapUrl}?WSDL`)).text();
    const changed = text.replaceAll('name="sPOBox"', 'name="sBox"');
    expect(changed).not.toBe(text);
    const printed = work.write('before.json', before);
    const file = work.write('now.wsdl', changed);
    // As “>” of Windows PowerShell writes what it was given.
    const redirected = join(work.folder, 'redirected.json');
    writeFileSync(redirected, `\uFEFF${before}`, 'utf16le');
    for (const [live, last, added, removed] of [
      [file, printed, 'sBox', 'sPOBox'],
      [printed, file, 'sPOBox', 'sBox'],
      [file, redirected, 'sBox', 'sPOBox'],
    ] as const) {
      const { json } = await runCommandLine(['wsdl', live, '--against', last]);
      const found = json.value.drift.findings.filter(({ against }: { against: string }) => against === 'last-seen');
      expect(found.map(({ kind, field }: { kind: string; field: string }) => `${kind} ${field}`).sort()).toEqual([
        `field-added ${added}`,
        `field-added ${added}`,
        `field-removed ${removed}`,
        `field-removed ${removed}`,
      ]);
      expect(found[0].touches).toContain('Operations');
    }
  });

  test('an address with a key in it is refused, and the key neither sent nor printed', async () => {
    const key = 'canary-in-address-51b2c7d9';
    const file = work.write('whole.wsdl', await (await fetch(`${demo.soapUrl}?WSDL`)).text());
    await demo.resetMeter();
    for (const parameter of ['apiKey', 'LicenceKey']) {
      const address = `${demo.soapUrl}?${parameter}=${key}`;
      for (const words of [[address], [file, '--against', address]]) {
        const { status, stdout, json } = await runCommandLine(['wsdl', ...words]);
        expect([status, json.error?.code], words.join(' ')).toEqual([1, 'bad-input']);
        expect(json.error.message).toContain(`(${parameter})`);
        expect(stdout).not.toContain(key);
      }
    }
    expect((await demo.meter()).requests).toBe(0);
  });

  test('a file that is not a description is an error', async () => {
    const cases: [string, string][] = [
      [work.write('some.json', '{"operations": []}'), 'unreadable-answer'],
      [work.write('page.html', '<html></html>'), 'unreadable-answer'],
      [work.write('bomb.wsdl', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 'unsafe-answer'],
      [`${work.folder}/missing.wsdl`, 'file-failed'],
      [`${demo.restBaseUrl}/nothing`, 'http-error'],
      ['http://192.0.2.1/service.asmx', 'insecure-address'],
    ];
    for (const [source, code] of cases) {
      const { status, json } = await runCommandLine(['wsdl', source]);
      expect({ status, code: json.error.code, charge: json.error.charge }, source).toMatchObject({ status: 1, code });
      expect(json.error.message, source).not.toMatch(/charged/);
    }
  });
});

describe('help and completion', () => {
  test.each([
    [['help'], /credits +the balance of each interface/],
    [['help'], /\{ok: true, …\}, of a call with value, price, [\s\S]*others;\swith\sthose,\sok\smay\sbe\strue\./],
    [['help', 'credits'], /credits --below 500 --connection/],
    [['--help'], /ADDRESS_CONSOLE_API_KEY/],
    [['help', 'licences'], /the plan of\s.*move\sread\sfrom the service; what these\sreads cost is not published\./],
    [['help', 'wsdl'], /--against/],
    [['wsdl', '--help'], /--against/],
    [['help', 'GetPremise'], /1 credit[\s\S]*uprn +boolean/],
    [['call', 'GetLicenseList', '--help'], /price not published[\s\S]*sMachineName/],
    [['help', 'GetPremiseAddress_Dataset'], /sUniqueDeliveryPointID/],
  ])('%j', async (args, expected) => {
    const { status, stdout } = await runCommandLine(args);
    expect(status).toBe(0);
    expect(stdout).toMatch(expected);
  });

  test('a line with --help in it is completed', async () => {
    const { status, stdout } = await runCommandLine(['complete', 'call', 'Search', '--help', '--co']);
    expect([status, stdout]).toEqual([0, '--connection\n']);
  });

  test('help for an unknown command, and no command at all, are errors', async () => {
    for (const args of [['help', 'GetNothing'], []]) {
      const { status, json } = await runCommandLine(args);
      expect({ status, code: json.error.code }).toEqual({ status: 1, code: 'bad-input' });
    }
  });
});

test('what a connection fills and nobody pays by may be given for one call', async () => {
  const { json } = await run(
    ...['call', 'GetAddressesForPostcode', '--connection', connection],
    ...['--set', `Postcode=${demo.demo.sample.postcode}`, '--set', 'YourReference=ticket 7'],
  );
  expect(json).toMatchObject({ ok: true, request: { body: expect.stringContaining('>ticket 7</') } });
  const { sample } = demo.demo;
  const bound = await run(
    ...['call', 'GetPremiseAddress', '--connection', connection],
    ...['--set', `sUniqueDeliveryPointID=${sample.leadingZeroId}`, '--set', 'MachineID=PC-7'],
  );
  expect(bound.json.error?.message ?? '').not.toContain('credential');
});

test('a connection file that Windows PowerShell has written is read', async () => {
  const file = join(work.folder, 'powershell.json');
  writeFileSync(file, `\uFEFF${JSON.stringify(connectionSettings(demo))}`, 'utf16le');
  expect((await run('call', 'GetCredits', '--connection', file)).json).toMatchObject({ ok: true });
});

describe('mistakes of a shell or a person are refused before anything is sent', () => {
  const search = ['call', 'Search', '--set', 'query=HR1'];
  const cases: [string, () => string[], RegExp][] = [
    ['no connection', () => search, /--connection/],
    ['a missing file', () => [...search, '--connection', `${work.folder}/none.json`], /cannot be read/],
    ['a broken file', () => [...search, '--connection', work.write('broken.json', '{"a"')], /not JSON/],
    ['a list as file', () => [...search, '--connection', work.write('list.json', '[]')], /not usable/],
    ['a version', () => [...search, '--connection', work.write('v.json', { soapVersion: '1.3' })], /soapVersion/],
    ['a setting', () => [...search, '--connection', work.write('s.json', { restUrl: 'x' })], /restUrl/],
    ['an address', () => [...search, '--connection', work.write('a.json', { restBaseUrl: 'x' })], /restBaseUrl/],
    ['two words', () => [...search, 'extra', '--connection', connection], /one word/],
    ['an option', () => [...search, '--retry', '--connection', connection], /--retry/],
    ['another command’s option', () => [...search, '--machine', 'X', '--connection', connection], /--machine/],
    ['an option twice', () => [...search, '--connection', connection, '--connection', connection], /twice/],
    ['a time limit', () => [...search, '--timeout', 'soon', '--connection', connection], /--timeout/],
    ['a field twice', () => [...search, '--set', 'query=b', '--connection', connection], /twice/],
    ['no field=value', () => [...search, '--set', 'maxresults', '--connection', connection], /field=value/],
    ['a field', () => [...search, '--set', 'page=2', '--connection', connection], /no field “page”/],
    ['the key as a field', () => [...search, '--set', 'key=x', '--connection', connection], /no field “key”/],
    [
      'a removed field',
      () => [...search, '--set', 'includeGeoData=true', '--connection', connection],
      /includeGeoData/,
    ],
    ['a number', () => [...search, '--set', 'maxresults=ten', '--connection', connection], /whole number/],
    ['a number of another form', () => [...search, '--set', 'maxresults=1e2', '--connection', connection], /whole/],
    ['a boolean', () => ['call', 'GetPremise', '--set', 'uprn=yes', '--connection', connection], /true or false/],
    ['a missing field', () => ['call', 'GetPremise', '--connection', connection], /missing/],
    [
      'a SOAP number',
      () => ['call', 'RegisterLicense', '--set', 'iLicenseID=six', '--connection', connection],
      /whole/,
    ],
    [
      'a SOAP range',
      () => ['call', 'RegisterLicense', '--set', 'iLicenseID=9999999999', '--connection', connection],
      /whole/,
    ],
    // The caps of one licence would not see what another pays.
    ...['LicenceID', 'AccountName'].map((field): [string, () => string[], RegExp] => [
      `a credential of SOAP, ${field}`,
      () => ['call', 'GetPremiseAddress', '--set', `${field}=other`, '--connection', connection],
      new RegExp(`“${field}” is a credential`),
    ]),
    [
      'a control character',
      () => ['call', 'SearchPremise_ByPostcode', '--set', 'sPostcode=a\u0001', '--connection', connection],
      /control character/,
    ],
    [
      'a SOAP field twice',
      () => ['call', 'GetAddress', '--set', 'sUDP=1', '--set', 'sUDP=2', '--connection', connection],
      /twice/,
    ],
    ['no machine', () => ['licences', 'details', '--connection', connection], /machine/],
    ['a blank machine', () => ['licences', 'details', '--machine', ' ', '--connection', connection], /machine/],
    ['an empty machine', () => ['licences', 'list', '--machine', '', '--connection', connection], /machine/],
    ['a command', () => ['look-up'], /look-up/],
    ['a name of Object', () => ['constructor'], /constructor/],
  ];
  test.each(cases)('%s', async (_name, args, expected) => {
    const { status, json, stderr } = await run(...args());
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(json).toMatchObject({ ok: false, error: { code: 'bad-input', message: expect.stringMatching(expected) } });
    expect(Object.keys(json)).toEqual(['ok', 'error']);
    expect((await demo.meter()).requests).toBe(0);
  });

  test.each([
    ['GetNothing', [], 'unknown-operation', /GetNothing|knows/],
    ['__proto__', [], 'unknown-operation', /knows/],
    ['GetPremiseAddress', ['--set', 'sNothing=1'], 'bad-input', /no field “sNothing”/],
  ])('%s %j: only the description is asked, which costs nothing', async (name, set, code, expected) => {
    const { status, json } = await run('call', name, ...set, '--connection', connection);
    expect(status).toBe(1);
    expect(json.error).toMatchObject({ code, charge: 'not-charged', message: expect.stringMatching(expected) });
    const { calls, credits } = await demo.meter();
    expect({ calls: Object.keys(calls).filter((call) => !/wsdl/i.test(call)), credits }).toEqual({
      calls: [],
      credits: 0,
    });
  });
});

describe('failures of the service or the network', () => {
  const address = () => ['call', 'GetPremiseAddress', '--set', `sUniqueDeliveryPointID=${demo.demo.sample.premiseId}`];

  test('a wrong key, a spent one, a master key for a lookup', async () => {
    const ask = (secrets: Record<string, string>) =>
      runCommandLine(['call', 'Search', '--set', 'query=HR10 2DT', '--connection', connection], { env: secrets });
    const codes = await Promise.all([
      ask({ ADDRESS_CONSOLE_API_KEY: 'not-a-key-of-anybody' }),
      ask({ ADDRESS_CONSOLE_API_KEY: demo.demo.spentKey }),
      ask({ ADDRESS_CONSOLE_MASTER_KEY: demo.demo.masterKey }),
      ask({ ADDRESS_CONSOLE_API_KEY: demo.demo.masterKey, ADDRESS_CONSOLE_MASTER_KEY: demo.demo.masterKey }),
    ]);
    expect(codes.map(({ json }) => json.error.code)).toEqual([
      'credentials-refused',
      'no-credits',
      'wrong-key-role',
      'wrong-key-role',
    ]);
    expect((await demo.meter()).requests).toBe(2);
    // A key in the connection file is refused.
    expect(codes[2]?.json.error.message).toMatch(
      /Add a key with the role “lookup” in the environment or the keychain\.$/,
    );
  });

  test('no credential: names the variable, and sends nothing that costs', async () => {
    const rest = await runCommandLine(['call', 'Search', '--set', 'query=x', '--connection', connection]);
    expect(rest.json.error).toMatchObject({
      code: 'no-credential',
      message: expect.stringMatching(/ADDRESS_CONSOLE_API_KEY/),
    });
    const soap = await runCommandLine([...address(), '--connection', connection]);
    expect(soap.json.error).toMatchObject({
      code: 'no-credential',
      message: expect.stringMatching(/ADDRESS_CONSOLE_LICENCE_ID\)/),
    });
    const file = work.write('nameless.json', connectionSettings(demo, { accountName: '' }));
    const nameless = await run(...address(), '--connection', file);
    expect(nameless.json.error).toMatchObject({
      code: 'no-credential',
      field: 'AccountName',
      message: expect.stringMatching(/connection file/),
    });
    expect((await demo.meter()).credits).toBe(0);
  });

  test('a server that is down', async () => {
    const file = work.write(
      'down.json',
      connectionSettings(demo, { restBaseUrl: 'http://127.0.0.1:1/v1', soapUrl: 'http://127.0.0.1:1/x.asmx' }),
    );
    for (const args of [['call', 'Search', '--set', 'query=x'], address()]) {
      const { json } = await run(...args, '--connection', file);
      expect(json.error).toMatchObject({ code: 'connection-refused', charge: 'not-charged' });
      expect(json.error.message).not.toMatch(/charged/);
    }
    const { json } = await run('call', 'OnlyTheDescriptionKnows', '--connection', file);
    expect(json.error).toMatchObject({
      code: 'unknown-operation',
      message: expect.stringMatching(/could not be read/),
    });
  });

  test('time runs out after sending: it may have been charged, and nothing before the call took of its time', async () => {
    await demo.setFaults({ kind: 'hang', times: 'always' });
    const rest = await run('call', 'GetPremise', '--set', 'id=00000000', '--timeout', '2', '--connection', connection);
    // Its description is asked for first, and does not come either.
    const soap = await run(...address(), '--timeout', '2', '--connection', connection);
    for (const { status, json } of [rest, soap]) {
      expect(status).toBe(1);
      expect(json.error).toMatchObject({ code: 'sent-no-answer', charge: 'may-have-been-charged' });
      expect(json.error.message).toContain('It may have cost credits.');
      expect(json.error.detail).toContain('within 2000 ms');
    }
    const { calls } = await demo.meter();
    expect([calls.GetPremise?.hits, calls.GetPremiseAddress?.hits]).toEqual([1, 1]);
  });

  test('Ctrl-C after sending says that it may have been charged, as one JSON document', async () => {
    await demo.setFaults({ kind: 'hang', on: 'GetPremise' });
    const { status, json } = await runProgram(
      ['call', 'GetPremise', '--set', 'id=00000000', '--connection', connection],
      {
        env,
        during: async (child) => {
          await expect.poll(async () => (await demo.meter()).calls.GetPremise?.hits, { timeout: 60_000 }).toBe(1);
          child.kill('SIGINT');
        },
      },
    );
    expect(status).toBe(1);
    expect(json.error).toMatchObject({ code: 'cancelled-after-sending', charge: 'may-have-been-charged' });
  });

  test('so does Ctrl-C that comes several times at once', async () => {
    await demo.setFaults({ kind: 'hang', on: 'GetPremise' });
    const { json } = await runProgram(['call', 'GetPremise', '--set', 'id=00000000', '--connection', connection], {
      env,
      during: async (child) => {
        await expect.poll(async () => (await demo.meter()).calls.GetPremise?.hits, { timeout: 60_000 }).toBe(1);
        for (let sent = 0; sent < 1000; sent += 1) child.kill('SIGINT');
      },
    });
    expect(json.error).toMatchObject({ code: 'cancelled-after-sending', charge: 'may-have-been-charged' });
  });

  /** Runs a command line of the shell in a terminal of its own. `exec`, because a shell that waits ends with its own status after Ctrl-C. */
  const inTerminal = (words: readonly string[]) => [
    '-qec',
    `exec ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`,
    '/dev/null',
  ];
  const canHaveTerminal = spawnSync('/usr/bin/script', inTerminal(['true']), { stdio: 'ignore' }).status === 0;

  test.skipIf(!canHaveTerminal)('so does Ctrl-C in a terminal, which all its processes get', async () => {
    await demo.setFaults({ kind: 'hang', on: 'GetPremise' });
    // As build/run.mjs starts it, which would first install what is missing.
    const tools = JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../../../build/tools.mjs')));
    const start = `import { runNode } from ${tools};\nprocess.exitCode = await runNode(process.argv.slice(2));\n`;
    const call = ['call', 'GetPremise', '--set', 'id=00000000', '--json', '--connection', connection];
    const words = [process.execPath, work.write('start.mjs', start), 'electron/cli.ts', ...call];
    const terminal = spawn('/usr/bin/script', inTerminal(words), {
      env: { ...process.env, ...noKeychain, ...env, ADDRESS_CONSOLE_DATA_FOLDER: join(work.folder, 'terminal') },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const closed = once(terminal, 'close');
    await expect.poll(async () => (await demo.meter()).calls.GetPremise?.hits, { timeout: 60_000 }).toBe(1);
    terminal.stdin.write('\x03');
    expect(await closed).toEqual([1, null]);
    expect(JSON.parse(shown.slice(shown.indexOf('{'))).error).toMatchObject({
      code: 'cancelled-after-sending',
      charge: 'may-have-been-charged',
    });
  });
});
