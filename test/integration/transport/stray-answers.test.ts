import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { callRest } from '../../../electron/core/rest/client.ts';
import type { RestFields } from '../../../electron/core/rest/parameters.ts';
import { callSoap } from '../../../electron/core/soap/client.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '../../../electron/core/transport/http/http-transport.ts';
import { wrapResult } from '../../fixtures/soap/envelopes.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { listenOnLoopback } from '../../helpers/loopback.ts';
import { connectionDraft } from '../../helpers/temp-database.ts';
import { type Answerer, answerText, startTcpServer, type TestServer } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const open = (options: HttpTransportOptions = {}): HttpTransport => {
  const transport = createHttpTransport(options);
  closers.push(transport.close);
  return transport;
};
const serve = async (answer: Answerer): Promise<TestServer> => {
  const server = await startTcpServer(answer);
  closers.push(server.close);
  return server;
};

const ask = (server: TestServer, transport: HttpTransport, endpoint: string, fields: RestFields, timeoutMs = 120_000) =>
  callRest({
    profile: {
      connection: { id: 'c1', ...connectionDraft('Test', { restBaseUrl: `http://127.0.0.1:${server.port}/` }) },
      secrets: { lookupKey: 'LKUP-0123456789-abcdefXYZ1' },
    },
    endpoint,
    fields,
    transport: transport.send,
    timeoutMs,
  });
const getPremise = (server: TestServer, transport: HttpTransport, id: string) =>
  ask(server, transport, 'GetPremise', { id });

const idOf = (request: string): string => /[?&]id=(\w+)/.exec(request)?.[1] ?? '';
const premise = (id: string): Buffer =>
  answerText(JSON.stringify({ item: { id, street: `Street ${id}`, city: 'Ely' } }));
const credits = answerText('{"credits":5}');

const soapPremise = (id: string): Buffer =>
  answerText(
    wrapResult(
      'GetPremiseAddress',
      `<List><AddressPremise><Unique_Delivery_Point>${id}</Unique_Delivery_Point><Street>Street ${id}</Street><IsError>false</IsError><Return_Code>1</Return_Code></AddressPremise></List>`,
    ),
    'content-type: text/xml; charset=utf-8\r\n',
  );
const getAddress = (server: TestServer, transport: HttpTransport, id: string) =>
  callSoap({
    profile: buildProfile({ soapUrl: `http://127.0.0.1:${server.port}/service.asmx` }),
    operation: 'GetPremiseAddress',
    fields: { sUniqueDeliveryPointID: id },
    transport: transport.send,
    timeoutMs: 120_000,
  });

const ids = Array.from({ length: 20 }, (_, index) => `000123${String(index).padStart(2, '0')}`);

/** What a server sends in addition to the answer to the first request. */
const strays: [string, (answer: Buffer) => { after?: Buffer; later?: Buffer; beforeSecond?: Buffer }][] = [
  ['sent twice at once', (answer) => ({ after: answer })],
  ['sent twice, 1 ms apart', (answer) => ({ later: answer })],
  ['sent again when the second question arrives', (answer) => ({ beforeSecond: answer })],
  [
    'sent again twice when the second question arrives',
    (answer) => ({ beforeSecond: Buffer.concat([answer, answer]) }),
  ],
  ['followed by half of itself', (answer) => ({ after: answer.subarray(0, 20), beforeSecond: answer.subarray(20) })],
  ['followed by bytes of nothing', () => ({ after: Buffer.from('\r\nrest of something') })],
];

/** A server that answers each request and sends a stray answer with the first or before the second. */
const serveWithStray = (
  answerTo: (id: string) => Buffer,
  readId: (request: string) => string,
  stray: (answer: Buffer) => { after?: Buffer; later?: Buffer; beforeSecond?: Buffer },
) => {
  const sent = stray(answerTo(ids[0] ?? ''));
  const none = Buffer.alloc(0);
  return serve((socket, request, nth) => {
    const answer = answerTo(readId(request));
    if (nth === 1) {
      socket.write(Buffer.concat([answer, sent.after ?? none]));
      if (sent.later) setTimeout(() => socket.write(sent.later ?? none), 1);
    } else if (nth === 2) socket.write(Buffer.concat([sent.beforeSecond ?? none, answer]));
    else socket.write(answer);
  });
};

describe.each(strays)('the first answer %s, then nineteen other questions', (_name, stray) => {
  test('over REST no premise is shown as another', async () => {
    const server = await serveWithStray(premise, idOf, stray);
    const transport = open();
    const shown: string[] = [];
    for (const id of ids) {
      const answer = await getPremise(server, transport, id);
      if (answer.ok) {
        expect(answer.value.address?.premiseId).toBe(id);
        shown.push(id);
      } else expect(answer.error).toMatchObject({ charge: 'may-have-been-charged' });
    }
    expect(shown.length).toBeGreaterThanOrEqual(19);
    expect(server.hits.map(idOf)).toEqual(ids);
  });

  test('over REST another question about that premise is not answered by it', async () => {
    const [id = ''] = ids;
    const { after, later, beforeSecond } = stray(premise(id));
    const ofGeoData = answerText(JSON.stringify({ item: { id, lat: '52.05', long: '-2.71', uprn: '100012345678' } }));
    let first: Socket | undefined;
    const server = await serve((socket, request) => {
      if (request.includes('GetPremiseGeoData')) {
        if (first?.writable && beforeSecond) first.write(beforeSecond);
        setTimeout(() => socket.write(ofGeoData), 20);
        return;
      }
      first = socket;
      socket.write(after ? Buffer.concat([premise(id), after]) : premise(id));
      if (later) setTimeout(() => socket.write(later), 1);
    });
    const transport = open();
    expect((await getPremise(server, transport, id)).ok).toBe(true);
    const second = await ask(server, transport, 'GetPremiseGeoData', { id });
    expect(second).toMatchObject({ ok: true, value: { address: { fields: { uprn: { value: '100012345678' } } } } });
    expect(server.hits).toHaveLength(2);
  });

  test('over SOAP likewise', async () => {
    const readId = (request: string): string => /PointID>(\w+)</.exec(request)?.[1] ?? '';
    const server = await serveWithStray(soapPremise, readId, stray);
    const transport = open();
    let shown = 0;
    for (const id of ids) {
      const answer = await getAddress(server, transport, id);
      if (answer.ok) expect(answer.value.value.List.map((one) => one.Unique_Delivery_Point)).toEqual([id]);
      shown += answer.ok ? 1 : 0;
    }
    expect(shown).toBeGreaterThanOrEqual(19);
    expect(server.hits.map(readId)).toEqual(ids);
  });
});

test('an answer to something else is reported as such: it may have been charged, and its connection is closed', async () => {
  const server = await serve((socket, _request, nth) =>
    socket.write(nth === 1 ? premise('00000002') : premise('00000003')),
  );
  const transport = open();
  expect(await getPremise(server, transport, '00000001')).toMatchObject({
    ok: false,
    error: { code: 'answered-other', charge: 'may-have-been-charged', detail: expect.stringContaining('00000002') },
  });
  expect((await getPremise(server, transport, '00000003')).ok).toBe(true);
  expect(server.connections).toBe(2);
});

test('two questions in a row about the same premise or postcode have a connection each', async () => {
  const [id = ''] = ids;
  const soap = await serve((socket) => socket.write(soapPremise(id)));
  const overSoap = open();
  for (const _ of [1, 2]) expect((await getAddress(soap, overSoap, id)).ok).toBe(true);
  expect(soap.connections).toBe(2);
  const found = { results: [{ key: id, text: '1 High Street', type: 'Premise', postcode: 'CB7 4AA' }] };
  const rest = await serve((socket) => socket.write(answerText(JSON.stringify(found))));
  const overRest = open();
  for (const query of ['CB7 4AA', 'cb74aa']) expect((await ask(rest, overRest, 'Search', { query })).ok).toBe(true);
  expect(rest.connections).toBe(2);
});

describe('what is compared', () => {
  const other = { ok: false, error: { code: 'answered-other', charge: 'may-have-been-charged' } };
  const rest = async (endpoint: string, fields: RestFields, answer: unknown) => {
    const server = await serve((socket) => socket.write(answerText(JSON.stringify(answer))));
    return ask(server, open(), endpoint, fields);
  };
  const id = '00123456';

  test.each([
    ['GetPremise', { item: { id: '00123457', city: 'Ely' } }],
    ['GetPremise', { premise: { id: '00123457', town: 'Ely' } }],
    ['GetPremiseGeoData', { item: { id: '00123457', lat: '52.1', long: '0.1' } }],
    ['GetPremiseGeoData', { geoData: { premiseId: '00123457', latitude: 52.1, longitude: 0.1 } }],
  ])('%s of another premise: %j', async (endpoint, answer) => {
    expect(await rest(endpoint, { id }, answer)).toMatchObject(other);
  });

  test.each([
    ['as asked', { item: { id, city: 'Ely' } }],
    ['without leading zeros', { item: { id: '123456', city: 'Ely' } }],
    ['as a number', { item: { id: 123456, city: 'Ely' } }],
    ['under another identifier, with the UDPRN that was asked', { item: { id: 'x-1', udprn: id, city: 'Ely' } }],
    ['without any', { item: { city: 'Ely', udprn: '99999999' } }],
  ])('a premise with its identifier %s is shown', async (_name, answer) => {
    expect((await rest('GetPremise', { id }, answer)).ok).toBe(true);
  });

  const found = (...postcodes: string[]) => ({
    results: postcodes.map((postcode, index) => ({ id: String(index + 1), address: 'x', postcode })),
    totalResults: postcodes.length,
  });
  test.each([
    ['CB7 4AA', found('SW1A 1AA', 'SW1A 1AB'), false],
    ['CB7 4AA', found('cb74aa'), true],
    ['CB7 4AA', found('SW1A 1AA', 'CB7 4AA'), true],
    ['CB7 4AA', found(), true],
    ['CB7 4AA', found('', ''), true],
    // Half a postcode or words may find several postcodes.
    ['CB7', found('SW1A 1AA'), true],
    ['Ely CB7 4AA', found('SW1A 1AA'), true],
  ])('a search for %s: %j is its answer: %s', async (query, answer, good) => {
    const result = await rest('Search', { query }, answer);
    if (good) expect(result.ok).toBe(true);
    else expect(result).toMatchObject(other);
  });

  test('a postcode that may have been replaced: says which to search for, and shows the answer for neither', async () => {
    const result = await rest('Search', { query: 'cb7 4aa' }, found('CB7 4ZX', 'CB7 4ZX'));
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'answered-other',
        charge: 'may-have-been-charged',
        detail: 'postcode cb7 4aa was asked for; the answer is about CB7 4ZX.',
        next: expect.stringMatching(
          /^If cb7 4aa was withdrawn and CB7 4ZX took its place, search for CB7 4ZX\. If not, .* ask again/,
        ),
      },
    });
    // An identifier is never replaced by a newer one, so the advice about that is missing.
    const premise = await rest('GetPremise', { id }, { item: { id: '00123457', city: 'Ely' } });
    expect(JSON.stringify(premise)).not.toContain('withdrawn');
  });

  const soap = async (operation: string, fields: Record<string, string | string[]>, result: string) => {
    const server = await serve((socket) =>
      socket.write(answerText(wrapResult(operation, result), 'content-type: text/xml; charset=utf-8\r\n')),
    );
    return callSoap({
      profile: buildProfile({ soapUrl: `http://127.0.0.1:${server.port}/service.asmx` }),
      operation,
      fields,
      transport: open().send,
      timeoutMs: 120_000,
    });
  };
  const geographic = (...postcodes: string[]) =>
    `<List>${postcodes.map((one) => `<Geographic><Postcode>${one}</Postcode><Return_Code>1</Return_Code></Geographic>`).join('')}</List>`;
  const nearest = (datum: string) =>
    `<List><Nearest><Postcode_Datum>${datum}</Postcode_Datum><Distance_Miles>1</Distance_Miles><Return_Code>1</Return_Code></Nearest></List>`;
  test.each([
    [
      'GetPremiseAddressFromUDP',
      { sUniqueDeliveryPointID: id },
      '<Unique_Delivery_Point>9</Unique_Delivery_Point>',
      false,
    ],
    ['GetPremiseAddressFromUDP', { sUniqueDeliveryPointID: id }, '<Unique_Delivery_Point/><Street>x</Street>', true],
    ['GetAddress', { sUDP: id }, '<Unique_Delivery_Point>123456</Unique_Delivery_Point>', true],
    ['GeoData_ForPostcode', { sPostcodes: ['CB7 4AA', 'CB7 4AB'] }, geographic('SW1A 1AA'), false],
    ['GeoData_ForPostcode', { sPostcodes: 'CB7 4AA,CB7 4AB' }, geographic('CB74AB', 'CB7 4AA'), true],
    ['CoordinateData_ForPostcode', { sPostcode: 'CB7 4AA' }, geographic('CB7 4AB'), false],
    ['DistanceBetween_Postcodes', { sPostcodeDatum: 'CB7 4AA', sPostcodeCheck: 'CB7 4AB' }, nearest('CB7 4AA'), true],
    ['DistanceBetween_Postcodes', { sPostcodeDatum: 'CB7 4AA', sPostcodeCheck: 'CB7 4AB' }, nearest('SW1A 1AA'), false],
  ] as const)('%s of %j', async (operation, fields, result, good) => {
    const answer = await soap(operation, fields as never, result);
    if (good) expect(answer.ok).toBe(true);
    else expect(answer).toMatchObject(other);
  });
});

test('a request whose answer cannot be compared has a connection of its own, before and after others', async () => {
  const server = await serve((socket, request) =>
    socket.write(request.includes('GetCredits') ? credits : premise(idOf(request))),
  );
  const transport = open({ perOrigin: 1 });
  expect((await getPremise(server, transport, '00000001')).ok).toBe(true);
  expect((await ask(server, transport, 'GetCredits', {})).ok).toBe(true);
  expect((await getPremise(server, transport, '00000002')).ok).toBe(true);
  expect(server.connections).toBe(3);
  // Requests whose answers are compared with them share a connection.
  expect((await getPremise(server, transport, '00000003')).ok).toBe(true);
  expect(server.connections).toBe(3);
});

test('a connection that received anything since its last answer is not used again', async () => {
  const sockets: Socket[] = [];
  const server = await serve((socket, request) => {
    sockets.push(socket);
    socket.write(premise(idOf(request)));
  });
  const transport = open({ perOrigin: 1 });
  expect((await getPremise(server, transport, '00000001')).ok).toBe(true);
  const [first] = sockets;
  const ended = first && once(first, 'close');
  first?.write(premise('00000001'));
  await ended;
  expect((await getPremise(server, transport, '00000002')).ok).toBe(true);
  expect(server.connections).toBe(2);
  expect(server.hits).toHaveLength(2);
});

test('a server that sends before a request gets no request', async () => {
  const hits: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).on('data', (bytes) => hits.push(String(bytes)));
    socket.write(credits);
  });
  await listenOnLoopback(server);
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const transport = open();
  for (let nth = 0; nth < 20; nth++)
    expect(await ask({ port } as TestServer, transport, 'GetCredits', {})).toMatchObject({
      ok: false,
      error: { code: 'connection-refused', charge: 'not-charged' },
    });
  expect(hits).toEqual([]);
});

describe('interim answers', () => {
  const askAfter = async (before: string, timeoutMs?: number) => {
    const server = await serve((socket, request) => {
      socket.write(before);
      socket.write(premise(idOf(request)));
    });
    const answer = await ask(server, open(), 'GetPremise', { id: '00000001' }, timeoutMs);
    expect(server.hits).toHaveLength(1);
    return answer;
  };
  const noAnswer = { ok: false, error: { code: 'sent-no-answer', charge: 'may-have-been-charged' } };
  const fields = (bytes: number): string => `x-y: ${'z'.repeat(bytes)}\r\n`;

  test.each([
    ['an unasked 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a hundred of them', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)],
    [
      'a hundred of several kinds',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(50),
    ],
    ['60 kB of them', `HTTP/1.1 103 Early Hints\r\n${fields(20_000)}\r\n`.repeat(3)],
  ])('%s before a paid answer lose nothing', async (_name, before) => {
    expect(await askAfter(before)).toMatchObject({ ok: true, value: { address: { premiseId: '00000001' } } });
  });

  test.each([
    ['more than a hundred', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(101)],
    ['a flood', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50_000)],
    ['more than 64 kB', `HTTP/1.1 103 Early Hints\r\n${fields(20_000)}\r\n`.repeat(4)],
    ['a change of the protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('%s: no complete answer', async (_name, before) => {
    expect(await askAfter(before)).toMatchObject(noAnswer);
  });
});

describe('an idle connection', () => {
  const hinting = (hint: string) =>
    serve((socket, request) =>
      socket.write(answerText(premise(idOf(request)).toString().split('\r\n\r\n')[1] ?? '', hint)),
    );

  test('is ended by the program, however long the server would wait', async () => {
    const ends: Promise<unknown>[] = [];
    const server = await serve((socket, request) => {
      ends.push(once(socket, 'close'));
      socket.write(
        answerText(premise(idOf(request)).toString().split('\r\n\r\n')[1] ?? '', 'keep-alive: timeout=600\r\n'),
      );
    });
    const transport = open({ idleMs: 1 });
    expect((await getPremise(server, transport, '00000001')).ok).toBe(true);
    await ends[0];
    expect((await getPremise(server, transport, '00000002')).ok).toBe(true);
    expect(server.connections).toBe(2);
  });

  test('is not used once roots, proxies or sign-ins have changed', async () => {
    const server = await hinting('');
    const transport = open();
    await getPremise(server, transport, '00000001');
    transport.renew();
    expect((await getPremise(server, transport, '00000002')).ok).toBe(true);
    expect(server.connections).toBe(2);
  });

  test('is not kept if the server ends it within a second', async () => {
    const server = await hinting('keep-alive: timeout=1\r\n');
    const transport = open();
    await getPremise(server, transport, '00000001');
    expect((await getPremise(server, transport, '00000002')).ok).toBe(true);
    expect(server.connections).toBe(2);
  });
});

test('waiting for a turn counts towards the time-out, and nothing was sent', async () => {
  const server = await serve(() => undefined);
  const transport = open({ perOrigin: 1 });
  const first = getPremise(server, transport, '00000001');
  while (server.hits.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask(server, transport, 'GetPremise', { id: '00000002' }, 20)).toMatchObject({
    ok: false,
    error: { code: 'connect-timeout', charge: 'not-charged', message: expect.stringContaining('turn') },
  });
  expect(server.hits).toHaveLength(1);
  await transport.close();
  expect(await first).toMatchObject({ ok: false, error: { code: 'cancelled-after-sending' } });
});
