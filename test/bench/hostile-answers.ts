import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ChannelName } from '../../shared/contract.ts';
import { startProgram } from '../helpers/program.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { writeAnswer } from './support/answers.ts';
import { type BenchOptions, milliseconds, type Row, times } from './support/rows.ts';

/** Main never stands still for longer than this, whatever the service sends (ms). */
const limit = 50;
const namespace = 'http://bench.example/webservices';

const item = (inner: string) => `{"item":{"id":"1","line1":"1 High Street","postalCode":"AB1 2CD"${inner}}}`;
const fields = (count: number) => Array.from({ length: count }, (_, n) => `,"f${n}":"v"`).join('');
const soap = (operation: string, inner: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${namespace}">${inner}</${operation}Response></s:Body></s:Envelope>`;
const premises = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<ListAddressPremise><List_Address>${n} High Street, Hereford</List_Address><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`,
  ).join('');
const licences = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<License><ReferenceNo>WY-${n}</ReferenceNo><LicenseID>${n}</LicenseID><LicenseTypeName>Premises Desktop</LicenseTypeName><ExpiryDate>31/03/2027</ExpiryDate><LicenseInUse>1</LicenseInUse><Available>0</Available><Status>A</Status><Return_Code>1</Return_Code></License>`,
  ).join('');
const search = 'SearchPremise_ByPostcode';
const list = (inner: string) =>
  soap(search, `<${search}Result><List>${inner}</List><IsError>false</IsError></${search}Result>`);

/** What the service sends, by the path that asks for it. */
const bodies: Record<string, () => string | Buffer> = {
  'many-fields': () => item(fields(50_000)),
  'many-rows': () =>
    `{"results":[${'{"id":"1","address":"1 High Street","postcode":"AB1 2CD"},'.repeat(50_000)}{"id":"2"}]}`,
  'many-lists': () => `{"results":[{"id":"1"}]${Array.from({ length: 20_000 }, (_, n) => `,"l${n}":[{}]`).join('')}}`,
  backslashes: () => item(`,"note":${JSON.stringify('\\'.repeat(3_000_000))}`),
  'long-word': () => item(`,"note":"${'x'.repeat(7_000_000)}"`),
  deep: () => item(`,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  '8-mb': () => item(`,"note":"${'A long text with <marks>, a, b. '.repeat(245_000)}"`),
  'soap-12-mb': () => list(premises(75_000)),
  'gzip-bomb': () => gzipSync(Buffer.alloc(64 * 2 ** 20)),
  'br-bomb': () => brotliCompressSync(Buffer.alloc(64 * 2 ** 20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  'soap-records': () => list(premises(50_000)),
  'soap-addresses': () => writeAnswer(10_000),
  'soap-unknown': () => list(`${Array.from({ length: 50_000 }, (_, n) => `<n${n}><a>1</a></n${n}>`).join('')}`),
  'soap-attributes': () => soap(search, `<List ${'a="b" '.repeat(100_000)}/>`),
  'soap-licences': () =>
    soap(
      'GetLicenseList',
      `<GetLicenseListResult><List>${licences(50_000)}</List><IsError>false</IsError></GetLicenseListResult>`,
    ),
};
const coding: Record<string, string> = { 'gzip-bomb': 'gzip', 'br-bomb': 'br' };

/** In a thread of its own, so that main pays for nothing of it. */
function serve(): void {
  let body: string | Buffer = '';
  let headers: Record<string, string> = {};
  parentPort?.on('message', (name: string) => {
    body = bodies[name]?.() ?? '';
    headers = {
      'content-type': name.startsWith('soap') ? 'text/xml; charset=utf-8' : 'application/json',
      ...(coding[name] ? { 'content-encoding': coding[name] } : {}),
    };
    parentPort?.postMessage('ready');
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, headers);
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

const message = <T>(worker: Worker): Promise<T> => new Promise((resolve) => worker.once('message', resolve));

/** Processor time of this thread (ms): what others do on the machine is none of the program's standing still. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest that main worked without giving its turn away while `work` went on (ms), and what of it was. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  const done = work().finally(() => {
    over = true;
  });
  let last = cpu();
  while (!over) {
    await turn();
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = cpu();
  }
  await done;
  return longest;
}

/** How long main is held up by what a service may send, from the socket to the message that crosses to the window. */
export async function measureHostileAnswers({ quick }: BenchOptions): Promise<Row[]> {
  const server = new Worker(new URL(import.meta.url));
  const port = await message<number>(server);
  const program = unwrap(await startProgram({ readDelayMs: 2_000_000_000 }));
  const origin = `http://127.0.0.1:${port}`;
  const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const secrets = {
    'lookup-key': 'LK-7f3a91c2e8d04b56',
    'account-guid': guid,
    'licence-id': guid,
    'licence-key': guid,
  };
  const connectionId = await program.connect(
    {
      restBaseUrl: origin,
      soapUrl: `${origin}/lookup.asmx`,
      soapNamespace: namespace,
      accountName: 'WYE',
      searchForm: 'query',
    },
    secrets,
  );
  const overSoap = await program.connect(
    { soapUrl: `${origin}/lookup.asmx`, soapNamespace: namespace, accountName: 'WYE', preferredInterface: 'soap' },
    secrets,
  );
  /** A channel and the copy of its answer that goes to the window. */
  let ended = '';
  const call = async (name: ChannelName, input: object) => {
    const result = await program.call(name, input as never);
    structuredClone(result);
    ended = result.ok ? 'answered' : result.error.code;
    return result as { ok: boolean; value: Record<string, never> };
  };
  const run = (operation: string, given: Record<string, string>) =>
    call('operations.run', {
      connectionId,
      operation,
      dataset: false,
      fields: Object.entries(given).map(([name, value]) => ({ name, values: [value] })),
      askAgain: true,
    });
  const premise = () => run('GetPremise', { id: '1' });
  const postcode = () => run(search, { sPostcode: 'AB1 2CD' });
  const raw = (ask: () => ReturnType<typeof call>) => async () => {
    const answer = await ask();
    if (!answer.ok) return;
    const which = { answerId: answer.value.answerId, side: 'answer', indented: true };
    await call('operations.raw-lines', { ...which, from: 0, count: 1000 });
    await call('operations.raw-find', { ...which, text: 'marks' });
    await call('operations.raw-lines', { ...which, indented: false, from: 0, count: 1000 });
  };
  const cases: [string, string, () => Promise<unknown>][] = [
    ['50,000 unknown fields', 'many-fields', premise],
    [
      '50,000 unknown fields, opened',
      'many-fields',
      () => call('lookup.open', { connectionId, premiseId: '1', interface: 'rest', askAgain: true }),
    ],
    ['50,000 rows, by operation', 'many-rows', () => run('Search', { query: 'AB1 2CD' })],
    [
      '50,000 results, to the window',
      'many-rows',
      () => call('lookup.search', { connectionId, text: 'AB1 2CD', askAgain: true }),
    ],
    ['20,000 lists', 'many-lists', () => run('Search', { query: 'AB1 2CD' })],
    ['3 MB of backslashes, raw', 'backslashes', raw(premise)],
    ['a word of 7 MB, raw', 'long-word', raw(premise)],
    ['100,000 levels', 'deep', premise],
    ['8 MB, kept', '8-mb', premise],
    ['8 MB, its raw text shown and searched', '8-mb', raw(premise)],
    ['12 MB over SOAP, kept', 'soap-12-mb', postcode],
    ['12 MB over SOAP, its raw text shown and searched', 'soap-12-mb', raw(postcode)],
    ['a gzip bomb', 'gzip-bomb', premise],
    ['a brotli bomb', 'br-bomb', premise],
    ['50,000 records', 'soap-records', postcode],
    [
      '50,000 results over SOAP, to the window',
      'soap-records',
      () => call('lookup.search', { connectionId: overSoap, text: 'AB1 2CD', askAgain: true }),
    ],
    ['50,000 unknown elements', 'soap-unknown', postcode],
    ['100,000 attributes', 'soap-attributes', postcode],
    ['50,000 licences, read', 'soap-licences', () => call('licences.read', { connectionId })],
    ['50,000 licences, shown again', 'soap-licences', () => call('licences.last-seen', { connectionId })],
  ];
  const rows: Row[] = [];
  try {
    for (const [name, body, work] of cases) {
      const wanted = process.env.CASE;
      if (wanted && !name.includes(wanted)) continue;
      server.postMessage(body);
      await message(server);
      const turns: number[] = [];
      // The first round warms up: code that was never run is slow once.
      for (let round = 0; round < (quick ? 2 : 4); round += 1) turns.push(await longestTurn(work));
      const longest = Math.max(...turns.slice(1));
      rows.push({
        name: `longest turn of main: ${name}`,
        ours: milliseconds(longest),
        other: `${milliseconds(turns[0] ?? 0)} the first time; ${ended}`,
        ratio: times(longest / limit),
        aim: `≤ ${limit} ms`,
        met: longest <= limit,
      });
    }
  } finally {
    await program.close();
    await server.terminate();
  }
  return rows;
}

if (!isMainThread) serve();
