import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Fault, faultKinds } from '../../../electron/demo-service/faults.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { c1, callRest, callSoap, envelopes, postSoap, textOf } from './demo-client.ts';

/** Every fault does what its name says, seen over HTTP. */

let demo: RunningDemo;
beforeEach(async () => {
  demo = await startTestService({ premises: 2000 });
});
afterEach(() => demo.stop());

/** The outcome of one GET with Node's HTTP client. */
interface Seen {
  error?: string;
  status?: number;
  type?: string | undefined;
  encoding?: string | undefined;
  location?: string | undefined;
  declared?: number;
  body: Buffer;
  complete: boolean;
}

function get(path: string, options: { agent?: Agent; most?: number } = {}): Promise<Seen> {
  const url = `${demo.restBaseUrl}${path}${path.includes('?') ? '&' : '?'}key=${demo.demo.lookupKey}`;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const sent = httpRequest(url, { agent: options.agent ?? new Agent() }, (answer) => {
      const seen = (error?: string): Seen => ({
        ...(error === undefined ? {} : { error }),
        status: answer.statusCode ?? 0,
        type: answer.headers['content-type'],
        encoding: answer.headers['content-encoding'],
        location: answer.headers.location,
        declared: Number(answer.headers['content-length']),
        body: Buffer.concat(pieces),
        complete: answer.complete,
      });
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        if (options.most !== undefined && length > options.most) {
          sent.destroy();
          resolve(seen('stopped'));
        }
      });
      answer.on('end', () => resolve(seen()));
      answer.on('error', (error: NodeJS.ErrnoException) => resolve(seen(error.code ?? error.message)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ error: error.code ?? error.message, body: Buffer.alloc(0), complete: false }),
    );
    sent.end();
  });
}

const address = (): string => `/GetPremise?id=${demo.demo.sample.premiseId}`;
const meet = async (fault: Fault): Promise<Seen> => {
  demo.faults.set({ on: 'GetPremise', ...fault });
  return get(address());
};
const spent = (): number => demo.meter.read().credits;

describe('on the way to the service', () => {
  test.each(['reset', 'close'] as const)(
    '%s ends the socket before any header, charges nothing, and is counted',
    async (kind) => {
      const seen = await meet({ kind });
      expect(seen.error).toBe('ECONNRESET');
      expect(spent()).toBe(0);
      expect(demo.meter.hits('GetPremise')).toBe(1);
      expect((await get(address())).status).toBe(200);
    },
  );

  test('a reset may come after the request was carried out', async () => {
    expect((await meet({ kind: 'reset', execute: true })).error).toBe('ECONNRESET');
    expect(spent()).toBe(1);
  });

  test('reset-connect meets the connection, not a request', async () => {
    demo.faults.set({ kind: 'reset-connect' });
    expect((await get(address())).error).toBe('ECONNRESET');
    expect(demo.meter.hits()).toBe(0);
    expect(demo.meter.read().connections).toBe(1);
  });

  test('reset-reused resets the second request of a socket, not the first', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    demo.faults.set({ kind: 'reset-reused', on: 'GetPremise' });
    expect((await get(address(), { agent })).status).toBe(200);
    expect((await get(address(), { agent })).error).toBe('ECONNRESET');
    expect(demo.meter.hits('GetPremise')).toBe(2);
    expect(demo.meter.read().connections).toBe(1);
    agent.destroy();
  });

  test('hang answers nothing until the service stops', async () => {
    const answer = meet({ kind: 'hang' });
    await expect.poll(() => demo.meter.hits('GetPremise')).toBe(1);
    await demo.stop();
    expect((await answer).error).toBe('ECONNRESET');
  });

  test('status, html and redirects answer in the service’s place', async () => {
    expect(await meet({ kind: 'status', status: 418, body: 'no' })).toMatchObject({
      status: 418,
      body: Buffer.from('no'),
    });
    const portal = await meet({ kind: 'html' });
    expect(portal).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(portal.body.toString()).toContain('<form>');
    expect(await meet({ kind: 'redirect', location: 'https://elsewhere.example/' })).toMatchObject({
      status: 302,
      location: 'https://elsewhere.example/',
    });
    const loop = await meet({ kind: 'redirect-loop' });
    expect(loop.location).toContain('/v1/GetPremise');
    expect(spent()).toBe(0);
  });

  test('bad-head is no HTTP', async () => {
    expect((await meet({ kind: 'bad-head' })).error).toMatch(/^HPE_/);
  });
});

describe('on the way back', () => {
  test('delay and drip bring the whole answer in the end', async () => {
    const plain = await get(address());
    const late = await meet({ kind: 'delay', milliseconds: 20 });
    const slow = await meet({ kind: 'drip', milliseconds: 0 });
    expect(late.body).toEqual(plain.body);
    expect(slow.body).toEqual(plain.body);
    expect(spent()).toBe(3);
  });

  test('cut declares more than it sends; truncate sends half as if it were all', async () => {
    const plain = await get(address());
    const cut = await meet({ kind: 'cut' });
    expect(cut.error).toBe('ECONNRESET');
    expect(cut.declared).toBe(plain.body.length);
    expect(cut.body.length).toBeLessThan(plain.body.length);
    const half = await meet({ kind: 'truncate' });
    expect(half).toMatchObject({ status: 200, complete: true });
    expect(() => JSON.parse(half.body.toString())).toThrow();
    expect(spent()).toBe(3);
  });

  test('types and charsets that are not what they say', async () => {
    expect((await meet({ kind: 'no-type' })).type).toBeUndefined();
    expect((await meet({ kind: 'wrong-type' })).type).toBe('text/plain; charset=utf-8');
    const wide = await meet({ kind: 'wrong-charset' });
    expect(wide.type).toContain('utf-8');
    expect(JSON.parse(wide.body.toString('utf16le'))).toHaveProperty('item');
    expect([...(await meet({ kind: 'byte-order-mark' })).body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect((await meet({ kind: 'empty' })).body).toHaveLength(0);
    expect((await meet({ kind: 'garbage' })).body).toHaveLength(4096);
  });

  test('bombs are as large as they say', async () => {
    const huge = await meet({ kind: 'huge', megabytes: 3 });
    expect(huge.body.length).toBeGreaterThan(3 * 1024 * 1024);
    demo.faults.set({ kind: 'huge', on: 'GetPremise' });
    expect((await get(address(), { most: 1_000_000 })).error).toBe('stopped');
    const packed = await meet({ kind: 'gzip-bomb', megabytes: 8 });
    expect(packed.encoding).toBe('gzip');
    expect(packed.body.length).toBeLessThan(20_000);
    expect((await meet({ kind: 'broken-gzip' })).encoding).toBe('gzip');
    expect((await meet({ kind: 'deep' })).body.toString().startsWith('[[[[')).toBe(true);
    expect((await meet({ kind: 'entity-bomb' })).body.length).toBeGreaterThan(100_000);
    expect(spent()).toBe(0);
  });
});

test('a fault applies only to its operation, as often as it says, also over SOAP', async () => {
  demo.faults.set({ kind: 'status', on: 'GetPremiseAddress', times: 2, after: 1 });
  const { premiseId, postcode } = demo.demo.sample;
  const open = async () => {
    const fields = { sUniqueDeliveryPointID: premiseId, ...c1(demo) };
    return callSoap(demo, 'GetPremiseAddress', fields).then(
      ({ status }) => status,
      () => 'no XML',
    );
  };
  const search = await callSoap(demo, 'SearchPremise_ByPostcode', { sPostcode: postcode, ...c1(demo) });
  expect(search.status).toBe(200);
  expect([await open(), await open(), await open(), await open()]).toEqual([200, 'no XML', 'no XML', 200]);
  expect(demo.meter.read().calls.GetPremiseAddress).toEqual({ hits: 4, answered: 2, refused: 0, credits: 2 });
  demo.faults.set({ kind: 'entity-bomb', on: 'GetPremiseAddress', times: 'always' });
  expect([await open(), await open()]).toEqual(['no XML', 'no XML']);
  demo.faults.clear();
  expect(await open()).toBe(200);
});

test('every kind of fault can be set from outside when admin is on, and nothing can when it is off', async () => {
  const admin = (service: RunningDemo, path: string, method = 'GET', body?: unknown) =>
    fetch(new URL(path, service.restBaseUrl), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  expect((await admin(demo, '/__demo/meter')).status).toBe(404);
  const open = await startTestService({ premises: 2000, admin: true });
  try {
    // reset-connect would apply to this test's next connection.
    const kinds = faultKinds.filter((kind) => kind !== 'reset-connect');
    const faults = kinds.map((kind) => ({ kind, on: 'nothing' }));
    expect((await admin(open, '/__demo/faults', 'POST', faults)).status).toBe(200);
    expect(await (await admin(open, '/__demo/faults')).json()).toEqual(faults);
    expect((await admin(open, '/__demo/faults', 'POST', { kind: 'other' })).status).toBe(400);
    await admin(open, '/__demo/faults', 'DELETE');
    await callRest(open, '/Search', { query: open.demo.sample.postcode });
    expect(await (await admin(open, '/__demo/meter')).json()).toMatchObject({ requests: 1, credits: 1 });
    await admin(open, '/__demo/credits', 'POST', { add: 10 });
    expect((await callRest(open, '/GetCredits')).body.credits).toBe(5009);
    expect((await admin(open, '/__demo/credits', 'POST', { add: 10, licence: 1 })).status).toBe(404);
    const number = open.demo.licences.free;
    await admin(open, '/__demo/licence', 'POST', { number, bind: 'THEIRS' });
    const { result } = await callSoap(open, 'GetLicenseDetails', { sMachineName: 'THEIRS' });
    expect(textOf(result, 'LicenseID')).toBe(String(number));
    await admin(open, '/__demo/time', 'POST', { milliseconds: 86_400_000 });
    await admin(open, '/__demo/meter', 'DELETE');
    expect(await (await admin(open, '/__demo/meter')).json()).toMatchObject({ requests: 0, credits: 0 });
  } finally {
    await open.stop();
  }
});

describe('requests that are wrong', () => {
  const envelope = (version: '1.1' | '1.2', inner: string, before = ''): string =>
    `${before}<e:Envelope xmlns:e="${envelopes[version]}" xmlns="${demo.soapNamespace}"><e:Body>${inner}</e:Body></e:Envelope>`;
  const headers = (operation: string): Record<string, string> => ({
    'content-type': 'text/xml; charset=utf-8',
    soapaction: `"${demo.soapNamespace}${operation}"`,
  });
  const ask = async (body: string | Uint8Array<ArrayBuffer>, given = headers('ServiceTest')) => {
    const response = await postSoap(demo.soapUrl, body, given);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  test.each([
    ['XML that is none', () => '<a><b></a>', /unable to read request/],
    ['nothing', () => '', /Root element is missing|unable to read/],
    ['a DOCTYPE', () => envelope('1.1', '<ServiceTest/>', '<!DOCTYPE a [<!ENTITY b "c">]>'), /DTD is prohibited/],
    ['an unknown entity', () => envelope('1.1', '<ServiceTest>&nbsp;</ServiceTest>'), /entity/],
    [
      'a forbidden character',
      () => envelope('1.1', '<ServiceTest>&#1;</ServiceTest>'),
      /Invalid character|XML cannot carry/,
    ],
    ['too much depth', () => envelope('1.1', '<a>'.repeat(100) + '</a>'.repeat(100)), /nested too deeply/],
    ['an empty body', () => envelope('1.1', ''), /body is empty/],
    ['the other version', () => envelope('1.2', '<ServiceTest/>'), /version mismatch/],
    [
      'elements where text belongs',
      () => envelope('1.1', '<ServiceTest><AccountName><b/></AccountName></ServiceTest>'),
      /holds elements/,
    ],
    ['another namespace', () => envelope('1.1', '<ServiceTest xmlns="urn:other"/>'), /did not recognize the request/],
  ])('%s is a fault', async (_name, body, message) => {
    const { status, type, text } = await ask(body());
    expect(status).toBe(500);
    expect(type).toBe('text/xml; charset=utf-8');
    expect(text).toContain('<faultcode>soap:');
    expect(text).toMatch(message);
  });

  test('a wrong type is a fault in the form of its version', async () => {
    const register = '<RegisterLicense><iLicenseID>many</iLicenseID></RegisterLicense>';
    const old = await ask(envelope('1.1', register), headers('RegisterLicense'));
    expect(old).toMatchObject({ status: 500, text: expect.stringContaining('<faultcode>soap:Client</faultcode>') });
    const recent = await ask(envelope('1.2', register), { 'content-type': 'application/soap+xml' });
    expect(recent).toMatchObject({ status: 500, type: 'application/soap+xml; charset=utf-8' });
    expect(recent.text).toContain('<soap12:Value>soap12:Sender</soap12:Value>');
  });

  test('the action must be there and name the operation of the body', async () => {
    const body = envelope('1.1', '<ServiceTest/>');
    const { 'content-type': type = '' } = headers('');
    expect((await ask(body, { 'content-type': type })).text).toMatch(/valid soap action/);
    expect((await ask(body, headers('GetPremiseAddress'))).text).toMatch(/did not recognize the value of HTTP Header/);
    demo.settings.action = 'lenient';
    expect((await ask(body, { 'content-type': type })).status).toBe(200);
  });

  test('bytes that are not their charset, and other media types', async () => {
    const latin = Buffer.from(envelope('1.1', '<ServiceTest><AccountName>Café</AccountName></ServiceTest>'), 'latin1');
    expect((await ask(new Uint8Array(latin))).text).toMatch(/body is not utf-8/);
    expect((await ask('{}', { 'content-type': 'application/json' })).status).toBe(415);
    expect((await ask(new Uint8Array(1024 * 1024 + 1))).status).toBe(413);
  });

  test('fields out of order are refused when the order is strict', async () => {
    const swapped = envelope('1.1', '<ServiceTest><LicenceID/><AccountName/></ServiceTest>');
    expect((await ask(swapped)).status).toBe(200);
    demo.settings.fieldOrder = 'strict';
    expect((await ask(swapped)).status).toBe(500);
  });

  test('bytes that are no HTTP do not stop the service', async () => {
    const { port } = new URL(demo.soapUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('\u0000\u0001 what\r\n\r\n'));
      socket.on('data', () => undefined);
      socket.on('close', () => resolve());
    });
    expect((await get(address())).status).toBe(200);
  });
});
