import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { createClientAsync } from 'soap';
import { createDescriptions } from '../../electron/core/calls/descriptions.ts';
import { callSoap } from '../../electron/core/soap/client.ts';
import { openServiceDescriptions } from '../../electron/core/storage/service-descriptions.ts';
import { createHttpTransport } from '../../electron/core/transport/http/http-transport.ts';
import { buildProfile } from '../fixtures/soap/profile.ts';
import { removeFolder } from '../helpers/folders.ts';
import { connectionDraft, openTempDatabase, unwrap } from '../helpers/temp-database.ts';
import { startAnswerServer } from './support/answer-server.ts';
import { namespace, operation, writeAnswer } from './support/answers.ts';
import { interleave, median, pair } from './support/interleave.ts';
import {
  type BenchOptions,
  compareTimes,
  compareWithLimit,
  megabytes,
  milliseconds,
  type Row,
  reportFigure,
} from './support/rows.ts';

const rounds = { 1: 120, 100: 40, 10000: 5 } as const;
/** Size of an answer over which, by its users’ reports, a known tool hangs for minutes. */
const publishedBytes = 4_500_000;

interface StrongClient {
  [operation: string]: (args: object, done: (error: unknown, result: unknown) => void) => void;
}
type StrongAnswer = Record<string, { List: { AddressPremise: unknown } }>;
type CreateStrong = (address: string, options: object, done: (error: unknown, client: StrongClient) => void) => void;

/**
 * What a user would otherwise take, for the same call in the same run: the packages `soap` and `strong-soap`, and a bare fetch with
 * fast-xml-parser. strong-soap is no dependency: it is installed into a folder of its own, and the row says where that is not possible.
 */
export async function measureSideBySide({ quick }: BenchOptions): Promise<Row[]> {
  const server = await startAnswerServer();
  const transport = createHttpTransport();
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  const temp = openTempDatabase();
  const rows: Row[] = [];
  const strong = installStrong(folder);
  try {
    for (const count of [1, 100, 10_000] as const) {
      const address = server.addressOf(count);
      const samples = await interleave(await clientsOf(address, count), {
        rounds: quick ? Math.ceil(rounds[count] / 5) : rounds[count],
        warmUp: count === 1 ? 30 : 2,
      });
      const name = `SOAP call, ${count.toLocaleString('en-GB')} record${count === 1 ? '' : 's'}`;
      rows.push(compareTimes(name, pair(samples.ours, samples.soap), 'soap', count === 10_000 ? 0.5 : 1));
      rows.push(compareTimes(name, pair(samples.ours, samples.parser), 'fetch, fast-xml-parser'));
      rows.push(
        typeof strong === 'string'
          ? reportFigure(name, milliseconds(median(samples.ours)), `strong-soap: ${strong}`)
          : compareTimes(name, pair(samples.ours, samples.strong), 'strong-soap'),
      );
    }
    const one = Buffer.byteLength(writeAnswer(100)) / 100;
    const count = Math.round(publishedBytes / one);
    const clients = await clientsOf(server.addressOf(count), count);
    const took = await interleave({ ours: clients.ours, soap: clients.soap }, { rounds: quick ? 2 : 5, warmUp: 1 });
    rows.push({
      ...compareWithLimit(
        `an answer of ${megabytes(publishedBytes)}, all of it read`,
        median(took.ours),
        1000,
        milliseconds,
      ),
      other: `${milliseconds(median(took.soap))} soap; minutes, as published of a tool`,
    });
    const connection = { ...connectionDraft('Bench'), ...temp.addConnection(), soapUrl: server.addressOf(1) };
    const descriptions = createDescriptions(openServiceDescriptions(temp.db), transport.send);
    let turn = 0;
    const read = await interleave(
      {
        ours: async () => unwrap(await descriptions.read(connection)),
        // Another address each time, since strong-soap caches by address.
        strong: () => createStrong(`${server.addressOf(1)}?WSDL=${turn++}`),
      },
      { rounds: quick ? 5 : 20, warmUp: 2 },
    );
    rows.push({
      ...compareWithLimit('a description of 50 operations, read', median(read.ours), 1000, milliseconds),
      other: `${typeof strong === 'string' ? '' : `${milliseconds(median(read.strong))} strong-soap; `}15 to 20 s, as published of a tool`,
    });
  } finally {
    await transport.close();
    await server.stop();
    temp.remove();
    removeFolder(folder);
  }
  return rows;

  async function createStrong(address: string): Promise<StrongClient | null> {
    if (typeof strong === 'string') return null;
    return new Promise((ready, failed) =>
      strong(address, {}, (error, client) => (error ? failed(error) : ready(client))),
    );
  }

  /** Each parses all records into objects and checks their number. */
  async function clientsOf(address: string, count: number) {
    const profile = buildProfile({ soapUrl: address, soapNamespace: namespace });
    const other = await createClientAsync(`${address}?WSDL`);
    const third = await createStrong(`${address}?WSDL`);
    const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false });
    const fields = { Postcode: 'HR10 0DT', LicenceKey: profile.secrets.licenceKey ?? '', YourReference: '' };
    const check = (name: string, records: unknown): void => {
      const found = Array.isArray(records) ? records.length : 1;
      if (found !== count) throw new Error(`${name}: ${found} records instead of ${count}`);
    };
    return {
      ours: async () => {
        const answer = await callSoap({
          profile,
          operation,
          fields: { Postcode: 'HR10 0DT' },
          transport: transport.send,
          timeoutMs: 60_000,
        });
        if (!answer.ok) throw new Error(answer.error.message);
        check('ours', (answer.value.value as { List: unknown[] }).List);
      },
      soap: async () => {
        const [result] = await other[`${operation}Async`](fields, { forever: true });
        check('soap', result[`${operation}Result`].List.AddressPremise);
      },
      strong: async () => {
        if (third === null) return;
        const result = await new Promise<unknown>((done, failed) =>
          third[operation]?.(fields, (error, value) => (error ? failed(error) : done(value))),
        );
        check('strong-soap', (result as StrongAnswer)[`${operation}Result`]?.List.AddressPremise);
      },
      parser: async () => {
        const answer = await fetch(address, {
          method: 'POST',
          body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>`,
          headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}/${operation}"` },
        });
        const read = parser.parse(await answer.text());
        check(
          'fast-xml-parser',
          read['soap:Envelope']['soap:Body'][`${operation}Response`][`${operation}Result`].List.AddressPremise,
        );
      },
    };
  }
}

/** Installs strong-soap. Returns its function that creates a client, or why that is not possible. */
function installStrong(folder: string): CreateStrong | string {
  const installed = spawnSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['install', 'strong-soap@6', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
    { encoding: 'utf8', timeout: 180_000 },
  );
  if (installed.status !== 0)
    return `not installed (${(installed.error?.message ?? installed.stderr).trim().split('\n')[0] ?? ''})`.slice(
      0,
      120,
    );
  try {
    return (createRequire(join(folder, 'index.js'))('strong-soap') as { soap: { createClient: CreateStrong } }).soap
      .createClient;
  } catch (thrown) {
    return `not loaded (${thrown instanceof Error ? thrown.message.split('\n')[0] : ''})`.slice(0, 120);
  }
}
