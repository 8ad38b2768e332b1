import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// A long answer stays in the decoding thread, and its masked text in memory that both threads share, as long as a window shows it.

const namespace = 'http://long.example/webservices';
const operation = 'GetAddressesForPostcode';
const key = 'LK-7f3a91c2e8d04b56';

/** A record of about 600 bytes. */
const record = (n: number) =>
  `<AddressPremise><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Organisation>${`Smith &amp; Sons ${n} `.repeat(20)}</Organisation><Post_Town>HEREFORD</Post_Town><Postcode>AB1 2DF</Postcode><IsError>false</IsError><FullAddress>${key}</FullAddress><Return_Code>1</Return_Code></AddressPremise>`;
const soapAnswer = (count: number) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${namespace}"><${operation}Result><IsError>false</IsError><List>${Array.from({ length: count }, (_, n) => record(n)).join('')}</List><IsTruncated>false</IsTruncated></${operation}Result></${operation}Response></s:Body></s:Envelope>`;
const restAnswer = (count: number) =>
  JSON.stringify({
    results: Array.from({ length: count }, (_, n) => ({
      id: String(n),
      address: `${n} ${'High Street '.repeat(25)}`,
      note: key,
      postcode: 'AB1 2DF',
    })),
  });

let program: Program;
let connectionId = '';
let count = 3000;
let copied: string[] = [];
let clipboard: (text: string) => Promise<void>;
let asked = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (!/wsdl/i.test(request.url ?? '')) asked += 1;
    const isRest = request.method === 'GET';
    response
      .writeHead(200, { 'content-type': isRest ? 'application/json' : 'text/xml; charset=utf-8' })
      .end(isRest ? restAnswer(count) : soapAnswer(count));
  });
});
beforeAll(async () => {
  const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  program = unwrap(await startProgram({ readDelayMs: 2_000_000_000, shell: { copyText: (text) => clipboard(text) } }));
  connectionId = await program.connect(
    { restBaseUrl: origin, soapUrl: `${origin}/lookup.asmx`, soapNamespace: namespace, searchForm: 'query' },
    { 'lookup-key': key, 'licence-key': key, 'licence-id': '3f2504e0-4f89-41d3-9a0c-0305e82c3301' },
  );
});
afterAll(async () => {
  await program.close();
  server.close();
});
const cache = (mode: 'days' | 'off') => unwrap(program.core.settings.write('cachePolicy', { mode, amount: 1 }));
beforeEach(() => {
  count = 3000;
  asked = 0;
  copied = [];
  clipboard = async (text) => void copied.push(text);
  cache('days');
});

const ways = {
  soap: [operation, { Postcode: 'AB1 2DF' }],
  rest: ['Search', { query: 'High Street' }],
} as const;

async function ask(way: keyof typeof ways) {
  const [name, given] = ways[way];
  const fields = Object.entries(given).map(([field, value]) => ({ name: field, values: [value] }));
  const run = { connectionId, operation: name, dataset: false, fields, cache: 'reload' as const };
  return unwrap(await program.call('operations.run', run));
}
const view = { column: null, descending: true, filter: '' };
const lastRow = async (answerId: string) => {
  const read = await program.call('operations.rows', { answerId, table: 0, from: 0, count: 1, view });
  return read.ok ? read.value : read.error.code;
};
const findRaw = async (answerId: string) => {
  const which = { answerId, side: 'answer', indented: true } as const;
  const found = await program.call('operations.raw-find', { ...which, text: '2999 ' });
  return found.ok ? found.value.lines.length : found.error.code;
};

test.each(Object.keys(ways) as (keyof typeof ways)[])(
  'over %s a saved answer, released and opened again, is the same, its secret masked, without a call',
  async (way) => {
    const { answerId, provenance, tables } = await ask(way);
    expect(tables[0]?.rows).toBe(3000);
    const before = [await lastRow(answerId), await findRaw(answerId)];
    expect(before).toMatchObject([{ total: 3000, places: [2999] }, 1]);
    expect(JSON.stringify(before)).not.toContain(key);
    expect(JSON.stringify(before)).toContain('••••4b56');
    unwrap(await program.call('operations.raw-close', { answerId }));
    unwrap(await program.call('operations.put-away', { answerIds: [answerId] }));
    expect([await lastRow(answerId), await findRaw(answerId)]).toEqual(before);
    expect(
      (unwrap(await program.call('operations.open-stored', { callId: provenance.callId })) as { answerId: string })
        .answerId,
    ).toBe(answerId);
    expect(asked).toBe(1);
  },
);

test('an answer that is not saved stays as long as a window shows it, also if the thread that read it was stopped', async () => {
  cache('off');
  const { answerId } = await ask('soap');
  program.core.operations.showIn(2, answerId);
  unwrap(await program.call('operations.put-away', { answerIds: [answerId] }));
  // Cancelling the decoding of another answer ends the thread with everything that it kept.
  const running = ask('soap');
  count = 20_000;
  const stopping = program.call(
    'operations.run',
    { connectionId, operation, dataset: false, fields: [{ name: 'Postcode', values: ['AB1 2DG'] }], cache: 'reload' },
    'to-be-stopped',
  );
  await running;
  program.cancel('to-be-stopped');
  await stopping;
  expect(await lastRow(answerId)).toMatchObject({ total: 3000, places: [2999] });
  expect(await findRaw(answerId)).toBe(1);
  program.core.operations.closeWindow(2);
  expect([await lastRow(answerId), await findRaw(answerId)]).toEqual(['not-cached', 'not-cached']);
});

describe('saved as a file', () => {
  const saveRows = (answerId: string, requestId: string, way = view) =>
    program.call(
      'operations.export-rows',
      {
        answerId,
        name: requestId,
        table: 0,
        view: way,
        columns: [
          { at: null, head: '#' },
          { at: 0, head: 'Point' },
          { at: 1, head: 'Organisation' },
        ],
      },
      requestId,
    );
  const parts = (requestId: string) =>
    program.told.flatMap(({ event, payload }) =>
      event === 'app.saving' && (payload as { requestId: string }).requestId === requestId ? [payload] : [],
    );
  const filesOf = (name: string) => readdirSync(program.folder).filter((file) => file.startsWith(name));

  test.each(Object.keys(ways) as (keyof typeof ways)[])('over %s every row is in it, in its order', async (way) => {
    const { answerId } = await ask(way);
    const name = `rows-${way}`;
    const saved = unwrap(await saveRows(answerId, name));
    expect(saved).toMatchObject({ saved: true, rows: 3000 });
    // Written in parts; each is reported by an event, the last one by the answer.
    expect(parts(name).length).toBeGreaterThan(0);
    expect(parts(name)).toEqual(parts(name).map(() => expect.objectContaining({ total: 3000 })));
    const text = readFileSync(join(program.folder, saved.fileName), 'utf8');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('\uFEFF#,Point,Organisation');
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 3000 }, (_, n) => 3000 - n));
    expect(lines[0]).toContain(way === 'soap' ? 'Smith & Sons 2999 ' : '2999');
    const filtered = unwrap(await saveRows(answerId, `${name}-filtered`, { ...view, filter: '2999 ' }));
    expect(filtered.rows).toBe(1);
  });

  test('its raw text is what the window shows, to the last line', async () => {
    const { answerId } = await ask('rest');
    const which = { answerId, side: 'answer', indented: true } as const;
    const saved = unwrap(await program.call('operations.raw-save', which, 'raw'));
    expect(parts('raw').length).toBeGreaterThan(0);
    const lines = readFileSync(join(program.folder, saved.fileName), 'utf8').split('\n');
    const { total } = unwrap(await program.call('operations.raw-lines', { ...which, from: 0, count: 1 }));
    expect(lines).toHaveLength(total + 1);
    const last = unwrap(await program.call('operations.raw-lines', { ...which, from: total - 9, count: 9 }));
    expect(lines.slice(-10, -1)).toEqual(last.lines.map(({ text }) => text));
    expect(lines.join('')).not.toContain(key);
  });

  test('its raw text is copied whole up to 10 million characters, and said to be copied only if the system took it', async () => {
    const { answerId } = await ask('rest');
    const which = { answerId, side: 'answer', indented: true } as const;
    const saved = unwrap(await program.call('operations.raw-save', which));
    unwrap(await program.call('operations.raw-copy', which));
    expect(copied).toEqual([readFileSync(join(program.folder, saved.fileName), 'utf8')]);

    clipboard = async () => {
      throw new TypeError('another program has it');
    };
    const refused = await program.call('operations.raw-copy', which);
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('did not take the text') } });

    clipboard = async (text) => void copied.push(text);
    count = 20_000;
    const long = { ...which, answerId: (await ask('soap')).answerId };
    const refusal = await program.call('operations.raw-copy', long);
    expect(refusal).toMatchObject({ ok: false, error: { message: expect.stringContaining('Save it as a file') } });
    expect(copied).toHaveLength(1);
  });

  test('stopped, or released meanwhile, it leaves no file', async () => {
    cache('off');
    count = 20_000;
    const { answerId } = await ask('soap');
    const untilPart = async (name: string) => {
      while (parts(name).length === 0) await turn();
    };
    const stopped = saveRows(answerId, 'stopped');
    await untilPart('stopped');
    program.cancel('stopped');
    expect(await stopped).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const gone = saveRows(answerId, 'gone');
    await untilPart('gone');
    program.core.operations.closeWindow(1);
    expect(await gone).toMatchObject({
      ok: false,
      error: { code: 'not-cached' },
    });
    expect([...filesOf('stopped'), ...filesOf('gone')]).toEqual([]);
  });
});

test('a long search that is not saved stays as long as a window shows it', async () => {
  cache('off');
  const asking = { connectionId, text: 'High Street', interface: 'rest', cache: 'default' } as const;
  const { provenance, count: found } = unwrap(await program.call('lookup.search', asking));
  expect(found).toBe(3000);
  const { answerId } = provenance;
  program.core.operations.showIn(2, answerId);
  unwrap(await program.call('operations.put-away', { answerIds: [answerId] }));
  expect(await findRaw(answerId)).toBe(1);
  expect(unwrap(await program.call('lookup.open-search', { connectionId, answerId })).count).toBe(3000);
  program.core.operations.closeWindow(2);
  program.core.operations.closeWindow(1);
  expect(await findRaw(answerId)).toBe('not-cached');
  expect(await program.call('lookup.open-search', { connectionId, answerId })).toMatchObject({ ok: false });
  const more = await program.call('lookup.more-results', { connectionId, answerId, from: 2000 });
  expect(more).toMatchObject({ ok: false, error: { code: 'not-cached' } });
});

test('a short answer that is not saved outlives its window: it was paid for', async () => {
  cache('off');
  count = 100;
  const { answerId } = await ask('soap');
  program.core.operations.closeWindow(1);
  expect(await lastRow(answerId)).toMatchObject({ total: 100 });
});
