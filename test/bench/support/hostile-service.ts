import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { writeAnswer } from './answers.ts';

// A service whose answers could block a program. It is in a separate thread, so that its work is not measured.

export const namespace = 'http://bench.example/webservices';

const item = (inner: string) => `{"item":{"id":"1","line1":"1 High Street","postalCode":"AB1 2DF"${inner}}}`;
const fields = (count: number) => Array.from({ length: count }, (_, n) => `,"f${n}":"v"`).join('');
const soap = (operation: string, inner: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${namespace}">${inner}</${operation}Response></s:Body></s:Envelope>`;
const premises = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<ListAddressPremise><List_Address>${n} High Street, Hereford, AB1 2DF</List_Address><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`,
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

const letters = 'ABDEFGHJLNPQRSTUWXYZ';
const codeOf = (n: number): string =>
  `AI${n % 10} ${Math.floor(n / 10) % 10}${letters[Math.floor(n / 100) % 20]}${letters[Math.floor(n / 2000) % 20]}${n >= 40_000 ? n : ''}`;

/** What the service sends, by the path of the request. */
const bodies: Record<string, () => string | Buffer> = {
  'many-fields': () => item(fields(50_000)),
  'many-rows': () =>
    `{"results":[${'{"id":"1","address":"1 High Street","postcode":"AB1 2DF"},'.repeat(50_000)}{"id":"2"}]}`,
  'many-lists': () => `{"results":[{"id":"1"}]${Array.from({ length: 20_000 }, (_, n) => `,"l${n}":[{}]`).join('')}}`,
  backslashes: () => item(`,"note":${JSON.stringify('\\'.repeat(3_000_000))}`),
  'long-word': () => item(`,"note":"${'x'.repeat(7_000_000)}"`),
  deep: () => item(`,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  '8-mb': () => item(`,"note":"${'A long text with <marks>, a, b. '.repeat(245_000)}"`),
  'soap-12-mb': () => list(premises(75_000)),
  'gzip-bomb': () => gzipSync(Buffer.alloc(64 * 2 ** 20)),
  'br-bomb': () => brotliCompressSync(Buffer.alloc(64 * 2 ** 20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  'soap-records': () => list(premises(50_000)),
  // Each a malformed postcode, so that the program looks for corrections.
  'soap-codes': () =>
    soap(
      'GetAddressesForPostcode',
      `<GetAddressesForPostcodeResult><List>${Array.from({ length: 50_000 }, (_, n) => `<AddressPremise><Postcode>${codeOf(n)}</Postcode><Unique_Delivery_Point>${n}</Unique_Delivery_Point><Return_Code>1</Return_Code></AddressPremise>`).join('')}</List><IsError>false</IsError></GetAddressesForPostcodeResult>`,
    ),
  'many-codes': () =>
    `{"results":[${Array.from({ length: 50_000 }, (_, n) => `{"id":"${n}","address":"1 High Street","postcode":"${codeOf(n)}"}`).join()}]}`,
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

/** The answer to send; `to`: only to requests whose path ends so, all others get one result. */
interface Order {
  body: string;
  to: string;
}

const oneResult = '{"results":[{"id":"1","address":"1 High Street, AB1 2DF","postcode":"AB1 2DF"}],"totalResults":1}';

function serve(port: NonNullable<typeof parentPort>): void {
  let body: string | Buffer = '';
  let headers: Record<string, string> = {};
  let only = '';
  port.on('message', ({ body: name, to }: Order) => {
    body = bodies[name]?.() ?? '';
    only = to;
    headers = {
      'content-type': name.startsWith('soap') ? 'text/xml; charset=utf-8' : 'application/json',
      ...(coding[name] ? { 'content-encoding': coding[name] } : {}),
    };
    port.postMessage('ready');
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const path = new URL(request.url ?? '', 'http://x').pathname;
      if (path.endsWith(only)) response.writeHead(200, headers).end(body);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(oneResult);
    });
  });
  server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port));
}

const message = <T>(worker: Worker): Promise<T> => new Promise((resolve) => worker.once('message', resolve));

export interface HostileService {
  origin: string;
  /** Answers with this from now on, and with one result to requests by another path. */
  send(body: string, to?: string): Promise<void>;
  close(): Promise<unknown>;
}

export async function startHostileService(): Promise<HostileService> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'hostile-service' });
  const port = await message<number>(worker);
  return {
    origin: `http://127.0.0.1:${port}`,
    send: async (body, to = '') => {
      worker.postMessage({ body, to } satisfies Order);
      await message(worker);
    },
    close: () => worker.terminate(),
  };
}

if (parentPort && workerData === 'hostile-service') serve(parentPort);
