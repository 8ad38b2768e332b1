import http from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDecoder } from '../../../electron/core/decode/decoder.ts';
import { textOf } from '../../../electron/core/decode/shared-text.ts';
import { callSoap, type SoapCall } from '../../../electron/core/soap/client.ts';
import { readDescription } from '../../../electron/core/soap/description/read-description.ts';
import { listUnpublished } from '../../../electron/core/soap/operation.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { fixtureNamespace, wrapBody, wrapResult } from '../../fixtures/soap/envelopes.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';

interface Hit {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Uint8Array };

const workerPath = new URL('../../../electron/core/decode/decode-worker.ts', import.meta.url);

let server: http.Server;
let origin: string;
let hits: Hit[];
let answer: (hit: Hit) => Answer | undefined;
let transport: HttpTransport;

beforeEach(async () => {
  hits = [];
  answer = () => ({});
  server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const hit = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      };
      hits.push(hit);
      const sent = answer(hit);
      if (sent === undefined) return;
      response.writeHead(sent.status ?? 200, { 'content-type': 'text/xml; charset=utf-8', ...sent.headers });
      response.end(sent.body ?? '');
    });
  });
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  transport = createHttpTransport();
});

afterEach(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const call = (more: Partial<SoapCall> & { connection?: Parameters<typeof buildProfile>[0] } = {}) => {
  const { connection, ...rest } = more;
  return callSoap({
    profile: buildProfile({ soapUrl: `${origin}/lookup.asmx`, ...connection }),
    operation: 'ServiceTest',
    transport: transport.send,
    timeoutMs: 120_000,
    ...rest,
  } as SoapCall);
};

test('SOAP 1.1 on the wire: method, headers, envelope, typed answer, redacted request and timings', async () => {
  answer = () => ({ body: wrapResult('ServiceTest', 'OK') });
  const profile = buildProfile({ soapUrl: `${origin}/lookup.asmx?WSDL` });
  const result = await callSoap({ profile, operation: 'ServiceTest', transport: transport.send, timeoutMs: 120_000 });
  if (!result.ok) throw new Error(result.error.code);
  // The type follows from the operation's name.
  const value: string = result.value.value;
  expect(value).toBe('OK');
  expect(hits).toHaveLength(1);
  expect(hits[0]).toMatchObject({ method: 'POST', url: '/lookup.asmx' });
  expect(hits[0]?.headers.soapaction).toBe('"http://lookup.example.org/webservices/ServiceTest"');
  expect(hits[0]?.headers['content-type']).toBe('text/xml; charset=utf-8');
  expect(hits[0]?.body).toContain('<LicenceID>0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc</LicenceID><MachineID></MachineID>');
  expect(JSON.stringify(result.value)).not.toContain('0b5f3c1e-1111');
  expect(result.value.request.body).toContain('<AccountName>ACME01</AccountName>');
  expect(result.value.raw).toMatchObject({ status: 200, text: expect.stringContaining('ServiceTestResult') });
  expect(result.value.timings.total).toBeGreaterThan(0);
});

test('SOAP 1.2 on the wire', async () => {
  answer = () => ({
    body: wrapResult('ServiceTest', 'OK', '1.2'),
    headers: { 'content-type': 'application/soap+xml' },
  });
  expect(await call({ connection: { soapVersion: '1.2' } })).toMatchObject({ ok: true, value: { value: 'OK' } });
  expect(hits[0]?.headers.soapaction).toBeUndefined();
  expect(hits[0]?.headers['content-type']).toBe(
    'application/soap+xml; charset=utf-8; action="http://lookup.example.org/webservices/ServiceTest"',
  );
  expect(hits[0]?.body).toContain('http://www.w3.org/2003/05/soap-envelope');
});

test.each([
  ['an unknown operation', { operation: 'Nothing' }, 'unknown-operation'],
  ['an unknown field', { fields: { sNothing: 'x' } }, 'bad-input'],
  ['a control character', { operation: 'SearchPremise_ByPostcode', fields: { sPostcode: '\u0001' } }, 'bad-input'],
  ['no address', { connection: { soapUrl: '' } }, 'not-configured'],
  ['no namespace', { connection: { soapNamespace: '' } }, 'not-configured'],
  ['no account', { connection: { accountName: '' } }, 'no-credential'],
  ['plain http elsewhere', { connection: { soapUrl: 'http://lookup.example.org/x' } }, 'insecure-address'],
  ['a name in the address', { connection: { soapUrl: 'https://user:pass@lookup.example.org/x' } }, 'wrong-origin'],
  ['a stopped signal', { signal: AbortSignal.abort() }, 'cancelled'],
])('%s is refused before anything leaves', async (_what, more, code) => {
  const connects: string[] = [];
  const result = await call({
    ...more,
    transport: (request) => {
      connects.push(request.url.href);
      return transport.send(request);
    },
  } as Partial<SoapCall>);
  expect(result).toMatchObject({ ok: false, error: { code, charge: 'not-charged' } });
  expect([hits, connects]).toEqual([[], []]);
});

test('a redirect is refused and not followed', async () => {
  answer = ({ url }) => (url === '/lookup.asmx' ? { status: 307, headers: { location: `${origin}/other` } } : {});
  expect(await call()).toMatchObject({ ok: false, error: { code: 'redirect-refused' } });
  expect(hits).toHaveLength(1);
});

test('a call with a truncated answer may have been charged and is not sent again; the exchange is reported', async () => {
  server.removeAllListeners('request');
  let asked = 0;
  server.on('request', (_request, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'text/xml', 'content-length': '1000' });
    response.write('<soap:Envelope>', () => response.destroy());
  });
  const seen: Exchange[] = [];
  const result = await call({ observe: (exchange) => seen.push(exchange) });
  expect(result).toMatchObject({ ok: false, error: { code: 'sent-no-answer', charge: 'may-have-been-charged' } });
  expect(asked).toBe(1);
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain('0b5f3c1e-1111');
});

test('the text of a fault is returned without the secrets that it repeats', async () => {
  answer = () => ({
    status: 500,
    body: wrapBody(
      '<soap:Fault><faultcode>x</faultcode><faultstring>Bad licence 0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc</faultstring></soap:Fault>',
    ),
  });
  const result = await call();
  expect(result).toMatchObject({ ok: false, error: { code: 'soap-fault', detail: 'x: Bad licence ••••cccc' } });
});

const records = (count: number) =>
  Array.from(
    { length: count },
    (_, n) =>
      `<ListAddressPremise><List_Address>${n} High Street</List_Address><Unique_Delivery_Point>${String(n).padStart(8, '0')}</Unique_Delivery_Point><Return_Code>1</Return_Code></ListAddressPremise>`,
  ).join('');

test('a long answer is decoded in the worker, with the same result as in main', async () => {
  answer = () => ({
    body: wrapResult('SearchPremise_ByPostcode', `<List>${records(5000)}</List><IsError>false</IsError>`),
  });
  const decoder = createDecoder({ workerPath, threshold: 1024 });
  const search = { operation: 'SearchPremise_ByPostcode', fields: { sPostcode: 'AB1 2CD' } };
  const [there, here] = [await call({ ...search, decoder }), await call(search)];
  await decoder.close();
  if (!there.ok || !here.ok) throw new Error('failed');
  expect(there.value.value).toEqual(here.value.value);
  expect(textOf(there.value.raw.text)).toBe(here.value.raw.text);
});

test('a long answer that was paid for is read without the worker if its file is gone', async () => {
  answer = () => ({
    body: wrapResult('SearchPremise_ByPostcode', `<List>${records(5000)}</List><IsError>false</IsError>`),
  });
  const decoder = createDecoder({ workerPath: new URL('no-such-worker.ts', import.meta.url), threshold: 1024 });
  const read = await call({ operation: 'SearchPremise_ByPostcode', fields: { sPostcode: 'AB1 2CD' }, decoder });
  expect(read).toMatchObject({ ok: true });
  expect([decoder.isFar(1_000_000), await decoder.run('browse', { key: 'a', question: { ask: 'summary' } })]).toEqual([
    false,
    { ok: true, value: undefined },
  ]);
  await decoder.close();
});

test('a long answer stays in the worker: its first values are returned, and pages of it by its name', async () => {
  answer = () => ({
    body: wrapResult('SearchPremise_ByPostcode', `<List>${records(20_000)}</List><IsError>false</IsError>`),
  });
  const decoder = createDecoder({ workerPath, threshold: 1024 });
  const search = { operation: 'SearchPremise_ByPostcode', fields: { sPostcode: 'AB1 2CD' } };
  const cut = await call({ ...search, decoder, keep: { key: 'a', whole: false } });
  const whole = await call({ ...search, decoder, keep: { key: 'b', whole: true } });
  const view = { column: 0, descending: true, filter: '99' };
  const ask = (key: string) =>
    decoder.run('browse', { key, question: { ask: 'rows', table: 0, from: 0, count: 2, view } });
  const pages = [await ask('a'), await ask('b'), await ask('c')];
  await decoder.close();
  if (!cut.ok || !whole.ok) throw new Error('failed');
  const list = ({ value }: { value: unknown }) => (value as { List: unknown[] }).List;
  expect(list(cut.value).length).toBeLessThan(10_000);
  expect(list(whole.value)).toHaveLength(20_000);
  expect(list(whole.value).slice(0, 100)).toEqual(list(cut.value).slice(0, 100));
  expect(pages[0]).toMatchObject({ value: { value: { places: [19_999, 19_998] } } });
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual({ ok: true, value: undefined });
});

test('decoding can be stopped; the next answer gets a new worker', async () => {
  const body = wrapResult('SearchPremise_ByPostcode', `<List>${records(20000)}</List><IsError>false</IsError>`);
  const decoder = createDecoder({ workerPath, threshold: 1024 });
  const job = () => ({
    body: new TextEncoder().encode(body),
    status: 200,
    contentType: 'text/xml',
    operation: 'SearchPremise_ByPostcode',
    namespace: fixtureNamespace,
    result: 'ListAddressPremises' as const,
    secrets: [],
  });
  const controller = new AbortController();
  const stopped = decoder.decode(job(), controller.signal);
  const queued = decoder.decode(job(), controller.signal);
  const kept = decoder.decode(job());
  controller.abort();
  expect((await stopped).result).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  expect((await queued).result).toMatchObject({ ok: false, error: { code: 'unreadable-answer' } });
  expect((await kept).result).toMatchObject({ ok: true, value: { found: 'something' } });
  await decoder.close();
});

const wsdl = (
  address: string,
) => `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:live" targetNamespace="urn:live">
  <types><s:schema><s:import namespace="urn:live" schemaLocation="types.xsd"/><s:import namespace="urn:away" schemaLocation="http://127.0.0.2:9/away.xsd"/></s:schema></types>
  <message name="a"><part name="p" element="t:ServiceTest"/></message><message name="b"><part name="p" element="t:ServiceTestResponse"/></message>
  <message name="c"><part name="p" element="t:CountThings"/></message><message name="d"><part name="p" element="t:CountThingsResponse"/></message>
  <portType name="P"><operation name="ServiceTest"><input message="t:a"/><output message="t:b"/></operation><operation name="CountThings"><input message="t:c"/><output message="t:d"/></operation></portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="ServiceTest"><soap:operation soapAction="urn:live#test"/></operation><operation name="CountThings"><soap:operation soapAction="urn:live#count"/></operation></binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="${address}"/></port></service></definitions>`;
const xsd = `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:live" xmlns:t="urn:live" elementFormDefault="qualified">
  <s:element name="ServiceTest"><s:complexType><s:sequence><s:element name="MachineID" type="s:string" minOccurs="0"/><s:element name="AccountName" type="s:string" minOccurs="0"/></s:sequence></s:complexType></s:element>
  <s:element name="ServiceTestResponse"><s:complexType><s:sequence><s:element name="ServiceTestResult" type="s:string"/></s:sequence></s:complexType></s:element>
  <s:element name="CountThings"><s:complexType><s:sequence><s:element name="things" type="t:ArrayOfString"/><s:element name="top" type="s:int" minOccurs="0"/><s:element name="LicenceID" type="s:string" minOccurs="0"/></s:sequence></s:complexType></s:element>
  <s:element name="CountThingsResponse"><s:complexType><s:sequence><s:element name="CountThingsResult"><s:complexType><s:sequence><s:element name="Thing" type="s:string" minOccurs="0" maxOccurs="unbounded"/></s:sequence></s:complexType></s:element></s:sequence></s:complexType></s:element>
  <s:complexType name="ArrayOfString"><s:sequence><s:element name="string" type="s:string" minOccurs="0" maxOccurs="unbounded" nillable="true"/></s:sequence></s:complexType></s:schema>`;

async function readLive(address: string): Promise<ServiceDescription> {
  answer = ({ url }) => ({ body: url === '/types.xsd' ? xsd : wsdl(address) });
  const description = await readDescription({
    soapUrl: `${origin}/lookup.asmx`,
    transport: transport.send,
    timeoutMs: 120_000,
  });
  if (!description.ok) throw new Error(JSON.stringify(description.error));
  expect(hits.map((hit) => `${hit.method} ${hit.url}`)).toEqual(['GET /lookup.asmx?WSDL', 'GET /types.xsd']);
  expect(JSON.stringify(hits)).not.toContain('canary');
  hits.length = 0;
  return description.value;
}

test('the live description is used: address, action, namespace, order, operations that only it has', async () => {
  const description = await readLive(`${origin}/second/path.asmx`);
  expect(description.notes).toMatchObject([{ kind: 'import-refused', subject: 'http://127.0.0.2:9/away.xsd' }]);
  answer = () => ({ body: wrapResult('ServiceTest', 'OK', '1.1', 'urn:live') });
  expect(await call({ description })).toMatchObject({ ok: true, value: { value: 'OK' } });
  expect(hits[0]).toMatchObject({ url: '/second/path.asmx', headers: { soapaction: '"urn:live#test"' } });
  expect(hits[0]?.body).toContain(
    '<ServiceTest xmlns="urn:live"><MachineID></MachineID><AccountName>ACME01</AccountName></ServiceTest>',
  );

  answer = () => ({ body: wrapResult('CountThings', '<Thing>007</Thing>', '1.1', 'urn:live') });
  const counted = await call({ description, operation: 'CountThings', fields: { things: ['a', 'b<'], top: 3 } });
  expect(counted).toMatchObject({ ok: true, value: { value: { Thing: ['007'] } } });
  expect(hits[1]?.body).toContain(
    '<things><string>a</string><string>b&lt;</string></things><top>3</top><LicenceID>0b5f',
  );
  expect(await call({ description, operation: 'CountThings', fields: { things: [], top: 'x' } })).toMatchObject({
    error: { code: 'bad-input', field: 'top' },
  });
  expect(hits).toHaveLength(2);
  // The schema requires the field, so it is sent empty if it is not given.
  await call({ description, operation: 'CountThings' });
  expect(hits[2]?.body).toContain('><things></things><LicenceID>');
  expect(listUnpublished(description).map((operation) => operation.name)).toEqual(['CountThings']);
});

test('an address of another origin in the description gets no credential: the configured address is called', async () => {
  const description = await readLive('http://127.0.0.2:9/steal.asmx');
  expect(description.addresses['1.1']).toBeNull();
  const tampered = { ...description, addresses: { '1.1': 'http://127.0.0.2:9/steal.asmx', '1.2': null } };
  answer = () => ({ body: wrapResult('ServiceTest', 'OK', '1.1', 'urn:live') });
  for (const used of [description, tampered]) expect((await call({ description: used })).ok).toBe(true);
  expect(hits.map((hit) => hit.url)).toEqual(['/lookup.asmx', '/lookup.asmx']);
});

test('a service described only over SOAP 1.2 is called over it, with its own element names', async () => {
  const described = await readLive(`${origin}/lookup.asmx`);
  const description: ServiceDescription = {
    ...described,
    addresses: { '1.1': null, '1.2': described.addresses['1.1'] },
    operations: described.operations.map((operation) => ({
      ...operation,
      actions: { '1.2': 'urn:twelve' },
      responseElement: 'Answered',
      responseNamespace: 'urn:answers',
    })),
  };
  answer = () => ({
    body: wrapBody('<Answered xmlns="urn:answers"><ServiceTestResult>OK</ServiceTestResult></Answered>', '1.2'),
  });
  expect(await call({ description })).toMatchObject({ ok: true, value: { value: 'OK' } });
  expect(hits[0]?.headers['content-type']).toBe('application/soap+xml; charset=utf-8; action="urn:twelve"');
});

test('a description that is a web page, a redirect, missing or a bomb is an error that costs nothing', async () => {
  const read = () =>
    readDescription({ soapUrl: `${origin}/lookup.asmx?WSDL`, transport: transport.send, timeoutMs: 120_000 });
  for (const [sent, code] of [
    [{ body: '<html/>' }, 'not-the-service'],
    [{ status: 302, headers: { location: 'https://elsewhere.example/' } }, 'redirect-refused'],
    [{ status: 404, body: 'no' }, 'http-error'],
    [{ body: '<!DOCTYPE a [<!ENTITY b "c">]><definitions/>' }, 'unsafe-answer'],
  ] as [Answer, string][]) {
    answer = () => sent;
    expect(await read()).toMatchObject({ ok: false, error: { code, charge: 'not-applicable' } });
  }
});

test('a key in a refusal is masked: in UTF-16 without a mark, and where words that are cut would be quoted', async () => {
  const licence = '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc';
  const observed: Exchange[] = [];
  const words = `The request for the balance of the licence with the id ${licence} was refused.`;
  answer = () => ({ status: 500, body: Buffer.from(`\r\n${words}`, 'utf16le') });
  const page = await call({ observe: (exchange) => observed.push(exchange) });
  expect(textOf(observed[0]?.raw?.text ?? '')).toContain('••••cccc was refused');
  answer = () => ({ body: wrapResult('GetAvailableCredits', words) });
  const notANumber = await call({ operation: 'GetAvailableCredits' });
  expect(notANumber).toMatchObject({
    error: { code: 'unreadable-answer', detail: expect.stringContaining('••••cccc') },
  });
  const everything = JSON.stringify([page, notANumber, observed]).replaceAll('\\u0000', '');
  for (const half of [licence.slice(0, 18), licence.slice(18)]) expect(everything).not.toContain(half);
});
