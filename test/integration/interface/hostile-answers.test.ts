import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppError, errorCodes } from '../../../shared/errors.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { unwrap } from '../../helpers/temp-database.ts';
import { type OperationsConsole, openOperationsConsole } from '../operations/operations-core.ts';

// Answers with which a service could block the program. Each goes the whole way: HTTP, the decoding thread, the database, the window's
// channels. The tests count characters and rows that reach the window, never milliseconds.

type Reply = (response: ServerResponse) => void;
let reply: Reply = (response) => response.end();
const server = createServer((request, response) => {
  request.resume().on('end', () => reply(response));
});
let it: OperationsConsole;

/** The most characters in one message to the window. */
const mostCrossing = 3_000_000;

beforeAll(async () => {
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  it = await openOperationsConsole([], { restBaseUrl: origin, soapUrl: `${origin}/lookup.asmx` });
});
afterAll(async () => {
  await it.close();
  server.closeAllConnections();
  server.close();
});

const answerWith = (body: string | Buffer, headers: Record<string, string> = {}): void => {
  reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
};
const ask = (operation: string, fields: Record<string, string>) =>
  it.call('operations.run', { ...it.asked(operation, fields), cache: 'reload' });
const premise = () => ask('GetPremise', { id: '1' });
const fields = (count: number) => Array.from({ length: count }, (_, n) => `,"f${n}":"v"`).join('');
const item = (inner: string) => `{"item":{"id":"1","line1":"1 High Street","postalCode":"AB1 2CD"${inner}}}`;
const expectSmallCrossing = () => {
  for (const text of it.crossed) expect(text.length).toBeLessThan(mostCrossing);
  it.crossed.length = 0;
};
const expectCode = (error: AppError) => {
  expect(Object.keys(errorCodes)).toContain(error.code);
  expect(error.code).not.toBe('internal');
};

describe('REST', () => {
  test('50,000 unknown fields: the address is read, the first fields are listed, the raw text is paged', async () => {
    answerWith(item(fields(50_000)));
    const answer = unwrap(await premise());
    expect(answer).toMatchObject({ found: 'something', fieldCount: 50_003 });
    expect(answer.fields.length).toBeLessThanOrEqual(2000);
    expect(answer.tables[0]?.columns.length).toBe(201);
    expect(answer.tables[0]?.columns.at(-1)).toMatch(/more columns/);
    const which = { answerId: answer.answerId, side: 'answer', indented: true } as const;
    const page = unwrap(await it.call('operations.raw-lines', { ...which, from: 25_000, count: 10 }));
    expect(page.total).toBeGreaterThan(50_000);
    expect(page.lines).toHaveLength(10);
    expect(unwrap(await it.call('operations.raw-find', { ...which, text: '"f49999"' })).lines).toHaveLength(1);
    unwrap(await it.call('operations.rows', { answerId: answer.answerId, table: 0, from: 0, count: 100 }));
    const opened = unwrap(
      await it.call('lookup.open', {
        connectionId: it.connectionId,
        premiseId: '1',
        interface: 'rest',
        cache: 'reload',
      }),
    );
    expect(JSON.stringify(opened)).toMatch(/49,000 more fields/);
    expectSmallCrossing();
  });

  const searches: [string, string][] = [
    ['a list of 50,000 rows', `{"results":[${'{"id":"1"},'.repeat(50_000)}{"id":"2"}]}`],
    ['50,000 fields in a row', `{"results":[{"id":"1","address":"a"${fields(50_000)}}]}`],
    ['20,000 lists', `{"results":[{"id":"1"}]${Array.from({ length: 20_000 }, (_, n) => `,"l${n}":[{}]`).join('')}}`],
  ];
  test.each(searches)('a search with %s ends with rows or a code', async (_what, body) => {
    answerWith(body);
    const answer = await ask('Search', { query: 'AB1 2CD' });
    if (answer.ok) {
      expect(answer.value.tables.length).toBeLessThanOrEqual(101);
      unwrap(await it.call('operations.rows', { answerId: answer.value.answerId, table: 0, from: 0, count: 2000 }));
    } else expectCode(answer.error);
    const found = await it.call('lookup.search', { connectionId: it.connectionId, text: 'AB1 2CD', cache: 'reload' });
    if (!found.ok) expectCode(found.error);
    expectSmallCrossing();
  });

  const repeated = [
    '\\',
    '\\\\',
    '\\"',
    '"',
    '<',
    '<key ',
    '<!--',
    '<![CDATA[',
    '&amp;',
    'GUID="',
    '\\u005c',
    'x',
    '\u202e',
    '[',
    '{"a":',
    '•',
  ];
  test.each(repeated)('300 kB of %j, bare and within a text, end with an answer or a code', async (piece) => {
    const long = piece.repeat(Math.ceil(300_000 / piece.length));
    for (const body of [long, item(`,"note":${JSON.stringify(long)}`)]) {
      answerWith(body);
      const answer = await premise();
      if (!answer.ok) expectCode(answer.error);
      else {
        const which = { answerId: answer.value.answerId, side: 'answer', indented: true } as const;
        unwrap(await it.call('operations.raw-lines', { ...which, from: 0, count: 1000 }));
      }
      expectSmallCrossing();
    }
  });

  test('JSON of 100,000 levels is refused with a code, and so is the 65th', async () => {
    for (const depth of [65, 5000, 100_000]) {
      answerWith(item(`,"a":${'['.repeat(depth)}${']'.repeat(depth)}`));
      expect(await premise()).toMatchObject({
        ok: false,
        error: { code: 'unreadable-answer' },
      });
    }
    answerWith(item(`,"a":${'['.repeat(60)}${']'.repeat(60)}`));
    expect((await premise()).ok).toBe(true);
  });

  const megabyte = 1024 * 1024;
  const emptyBlocks = Buffer.concat([
    gzipSync('').subarray(0, 10),
    Buffer.alloc(60 * megabyte, Buffer.from([0, 0, 0, 0xff, 0xff])),
  ]);
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  test.each([
    ['gzip', () => gzipSync(Buffer.alloc(64 * megabyte))],
    ['br', () => brotliCompressSync(Buffer.alloc(64 * megabyte), fast)],
    // The size between the two codings counts: the final text is empty.
    ['gzip, gzip', () => gzipSync(emptyBlocks)],
    ['gzip, br', () => brotliCompressSync(emptyBlocks, fast)],
  ])('a bomb of %s is stopped at the limit', async (coding, make) => {
    answerWith(make(), { 'content-encoding': coding });
    const answer = await premise();
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: 'answer-too-large',
        charge: 'may-have-been-charged',
        detail: expect.stringContaining('33,554,432 bytes'),
      },
    });
    // The compressed text came whole.
    const entry = it.core.ledger.findOfCall(answer.ok ? '' : (answer.error.callId ?? ''));
    expect(unwrap(entry)?.claims[0]).toMatchObject({ kind: 'unusable-answer' });
  });
});

describe('SOAP', () => {
  const wrap = (operation: string, inner: string) =>
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${it.service.soapNamespace}">${inner}</${operation}Response></s:Body></s:Envelope>`;
  const search = 'ReturnPremise_ByPostcode';
  const list = (inner: string) => wrap(search, `<${search}Result>${inner}<IsError>false</IsError></${search}Result>`);
  const askList = (body: string) => {
    answerWith(body, { 'content-type': 'text/xml' });
    return ask(search, { sPostcode: 'AB1 2CD' });
  };

  test('10,000 records come across piece by piece, whole and in order', async () => {
    const record = (n: number) =>
      `<ListAddressPremise><List_Address>${n} High Street</List_Address><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`;
    const body = list(`<List>${Array.from({ length: 10_000 }, (_, n) => record(n)).join('')}</List>`);
    const answer = unwrap(await askList(body));
    expect(answer.tables[0]).toMatchObject({ rows: 10_000 });
    const { rows } = unwrap(
      await it.call('operations.rows', { answerId: answer.answerId, table: 0, from: 9_998, count: 10 }),
    );
    expect(rows.map((row) => row.find((cell) => cell?.endsWith('High Street')))).toEqual([
      '9998 High Street',
      '9999 High Street',
    ]);
    expectSmallCrossing();
  });

  test.each([
    ['100,000 attributes', `<List ${'a="b" '.repeat(100_000)}/>`, 'unsafe-answer'],
    ['more records than anyone sends', `<List>${'<ListAddressPremise/>'.repeat(100_001)}</List>`, 'answer-too-large'],
  ])('%s end with a code, and with an answer in the ledger', async (_what, inner, code) => {
    const answer = await askList(list(inner));
    expect(answer).toMatchObject({ ok: false, error: { code } });
    const entry = it.core.ledger.findOfCall(answer.ok ? '' : (answer.error.callId ?? ''));
    expect(unwrap(entry)?.claims[0]).toMatchObject({ kind: 'unusable-answer' });
  });

  test('50,000 elements that no definition knows: the first are listed', async () => {
    const inner = Array.from({ length: 50_000 }, (_, n) => `<n${n}><a>1</a></n${n}>`).join('');
    const answer = await askList(list(`<List/>${inner}`));
    if (!answer.ok) expectCode(answer.error);
    expectSmallCrossing();
  });
});
