import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CallProfile } from '../../../electron/core/connections/profile.ts';
import { callRest } from '../../../electron/core/rest/client.ts';
import { callSoap } from '../../../electron/core/soap/client.ts';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import { type Fault, type FaultKind, faultKinds } from '../../../electron/demo-service/faults.ts';
import { type AppError, type Charge, type ErrorCode, errorCodes } from '../../../shared/errors.ts';
import type { Result } from '../../../shared/result.ts';
import { fixtureNamespace } from '../../fixtures/soap/envelopes.ts';
import { buildProfile } from '../../fixtures/soap/profile.ts';
import { type DemoService, startDemo, startDemoProcess } from '../../helpers/demo-process.ts';
import { type Answerer, answerText, startTcpServer, type TestServer } from '../transport/servers.ts';

/**
 * Both clients with everything that can fail, one priced call each. The tables have the expected outcome: a code of the
 * closed list with the statement about the charge, or `ok`. In every case the server gets at most one request, and "not charged" is said only
 * if the meter took nothing.
 */

/** The expected outcome of a protocol's call. */
type Outcome = 'ok' | `${ErrorCode} ${'sure' | 'maybe'}`;
const charges: Record<string, Charge> = { sure: 'not-charged', maybe: 'may-have-been-charged' };

/** A limit for calls that never end; no time is measured. */
const guard = { timeout: 120_000 };

type Protocol = 'REST' | 'SOAP 1.1' | 'SOAP 1.2';
const protocols: readonly Protocol[] = ['REST', 'SOAP 1.1', 'SOAP 1.2'];
const priced: Record<Protocol, string> = {
  REST: 'GetPremise',
  'SOAP 1.1': 'GetPremiseAddress',
  'SOAP 1.2': 'GetPremiseAddress',
};

let transport: HttpTransport;
/** Ends the time limit of the call that has been sent; only the test calls this. */
let runOut: () => void;
beforeEach(() => {
  runOut = () => {
    throw new Error('No call is waiting for its answer.');
  };
  const after = (_ms: number, run: () => void) => {
    runOut = run;
    return () => {};
  };
  transport = createHttpTransport({ after });
});
afterEach(() => transport.close());

async function call(protocol: Protocol, profile: CallProfile, id: string): Promise<Result<{ value: unknown }>> {
  const { send } = transport;
  const timeoutMs = 600_000;
  if (protocol === 'REST')
    return callRest({ profile, endpoint: 'GetPremise', fields: { id }, transport: send, timeoutMs });
  const soapVersion = protocol === 'SOAP 1.1' ? '1.1' : '1.2';
  const versioned = { ...profile, connection: { ...profile.connection, soapVersion } } as CallProfile;
  const fields = { sUniqueDeliveryPointID: id };
  return callSoap({ profile: versioned, operation: 'GetPremiseAddress', fields, transport: send, timeoutMs });
}

function expectOutcome(result: Result<unknown>, ...allowed: Outcome[]): void {
  const said = result.ok ? 'ok' : `${result.error.code} ${result.error.charge}`;
  const expected = allowed.map((outcome) => outcome.replace(/ (\w+)$/, (_, word: string) => ` ${charges[word]}`));
  expect(expected, result.ok ? '' : JSON.stringify(result.error)).toContain(said);
  if (!result.ok) expectUsable(result.error);
}

/** Checks that an error is of the closed list and has its three sentences. */
function expectUsable(error: AppError): void {
  expect(Object.keys(errorCodes)).toContain(error.code);
  for (const sentence of [error.message, error.money, error.next]) expect(sentence).toMatch(/^[A-Z].*\.$/s);
}

describe('the demo service’s fault switch', () => {
  let demo: DemoService;
  let profile: CallProfile;
  beforeAll(async () => {
    // A separate process, so that this process's memory is the client's only.
    demo = await startDemoProcess('--premises', '4000');
    const { accountName, licenceId, guid, licenceKey, lookupKey } = demo.demo;
    const { restBaseUrl, soapUrl, soapNamespace } = demo;
    profile = buildProfile(
      { restBaseUrl, soapUrl, soapNamespace, accountName },
      { licenceId, guid, licenceKey, lookupKey },
    );
  });
  afterAll(() => demo.stop());
  beforeEach(async () => {
    await demo.clearFaults();
    await demo.resetMeter();
  });

  const noAnswer: Outcome = 'sent-no-answer maybe';
  const unreadable: Outcome = 'unreadable-answer maybe';
  const tooLarge: Outcome = 'answer-too-large maybe';
  type Row = [fault: Omit<Fault, 'on'>, rest: Outcome, soap: Outcome];
  const table: Row[] = [
    [{ kind: 'delay' }, 'ok', 'ok'],
    [{ kind: 'delay', milliseconds: 60_000 }, noAnswer, noAnswer],
    [{ kind: 'hang' }, noAnswer, noAnswer],
    [{ kind: 'hang', execute: true }, noAnswer, noAnswer],
    [{ kind: 'reset' }, noAnswer, noAnswer],
    [{ kind: 'reset', execute: true }, noAnswer, noAnswer],
    [{ kind: 'close' }, noAnswer, noAnswer],
    [{ kind: 'close', execute: true }, noAnswer, noAnswer],
    [{ kind: 'cut' }, noAnswer, noAnswer],
    [{ kind: 'drip', milliseconds: 1 }, 'ok', 'ok'],
    [{ kind: 'drip', milliseconds: 1000 }, noAnswer, noAnswer],
    [{ kind: 'status' }, 'http-error maybe', 'http-error maybe'],
    [{ kind: 'status', execute: true }, 'http-error maybe', 'http-error maybe'],
    [{ kind: 'html' }, 'not-the-service maybe', 'not-the-service maybe'],
    [{ kind: 'html', execute: true }, 'not-the-service maybe', 'not-the-service maybe'],
    [{ kind: 'html', status: 503 }, 'http-error maybe', 'http-error maybe'],
    [{ kind: 'redirect' }, 'redirect-refused maybe', 'redirect-refused maybe'],
    [{ kind: 'redirect', status: 307 }, 'redirect-refused maybe', 'redirect-refused maybe'],
    [{ kind: 'redirect-loop' }, 'redirect-refused maybe', 'redirect-refused maybe'],
    [{ kind: 'empty' }, unreadable, unreadable],
    [{ kind: 'truncate' }, unreadable, unreadable],
    [{ kind: 'no-type' }, 'ok', 'ok'],
    [{ kind: 'wrong-type' }, 'ok', 'ok'],
    [{ kind: 'wrong-charset' }, 'ok', 'ok'],
    [{ kind: 'byte-order-mark' }, 'ok', 'ok'],
    [{ kind: 'garbage' }, unreadable, unreadable],
    [{ kind: 'bad-head' }, unreadable, unreadable],
    [{ kind: 'deep' }, unreadable, 'unsafe-answer maybe'],
    [{ kind: 'entity-bomb' }, unreadable, 'unsafe-answer maybe'],
    [{ kind: 'broken-gzip' }, unreadable, unreadable],
  ];

  const endless = ['huge', 'gzip-bomb'] as const;

  test('every kind of fault is in the table or has its own test', () => {
    const own: FaultKind[] = ['reset-reused', 'reset-connect', ...endless];
    expect([...new Set([...table.map(([fault]) => fault.kind), ...own])].sort()).toEqual([...faultKinds].sort());
  });

  // First, because the measured peak is that of the whole process so far.
  test('answers of half a gigabyte, plain and compressed, do not fill the memory', async () => {
    const before = process.resourceUsage().maxRSS;
    for (const protocol of protocols) {
      const on = priced[protocol];
      for (const kind of endless) {
        await demo.resetMeter();
        await demo.setFaults({ kind, on, megabytes: 512, times: 'always' });
        expectOutcome(await call(protocol, profile, demo.demo.sample.premiseId), tooLarge);
        await expectOneHit(on, tooLarge);
      }
    }
    // In kilobytes. The client keeps what arrives up to its limit, 128 MB over SOAP, and nothing beyond that.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(400 * 1024);
  });

  describe.each(protocols)('%s', (protocol) => {
    test.each(table)('%j', guard, async (fault, rest, soap) => {
      const on = priced[protocol];
      await demo.setFaults({ ...fault, on, times: 'always' });
      const calling = call(protocol, profile, demo.demo.sample.premiseId);
      if (fault.kind === 'hang' || (fault.milliseconds ?? 0) >= 1000) {
        // The service has the request and answers nothing, or too little.
        await expect.poll(async () => (await demo.meter()).calls[on]?.hits).toBe(1);
        runOut();
      }
      expectOutcome(await calling, protocol === 'REST' ? rest : soap);
      await expectOneHit(on, protocol === 'REST' ? rest : soap);
    });

    test('a reused connection that dies: not sent again', guard, async () => {
      const on = priced[protocol];
      await demo.setFaults({ kind: 'reset-reused', on, times: 'always' });
      const { premiseId } = demo.demo.sample;
      expectOutcome(await call(protocol, profile, premiseId), 'ok');
      // Of another premise: a second question about the same one has a connection of its own.
      expectOutcome(await call(protocol, profile, String(Number(premiseId) + 1)), noAnswer);
      expect((await demo.meter()).calls[on]?.hits).toBe(2);
    });

    test('a connection reset as it opens: not opened again', guard, async () => {
      // A service in this process, whose switch and meter are no connections of their own: the fault is the call's, and so is the count.
      const near = await startDemo('--premises', '4000');
      onTestFinished(() => near.stop());
      const { restBaseUrl, soapUrl } = near;
      const { connection } = profile;
      await near.setFaults({ kind: 'reset-connect', times: 1 });
      const nearProfile = { ...profile, connection: { ...connection, restBaseUrl, soapUrl } };
      // The reset may come before or after the request was sent; only in the first case is "not charged" sure.
      expectOutcome(await call(protocol, nearProfile, near.demo.sample.premiseId), noAnswer, 'connection-refused sure');
      const { connections, requests, credits } = await near.meter();
      expect([connections, requests, credits]).toEqual([1, 0, 0]);
    });

    test('after a fault the next call works', guard, async () => {
      await demo.setFaults({ kind: 'cut', on: priced[protocol] });
      expectOutcome(await call(protocol, profile, demo.demo.sample.premiseId), noAnswer);
      expectOutcome(await call(protocol, profile, demo.demo.sample.premiseId), 'ok');
    });
  });

  async function expectOneHit(name: string, outcome: Outcome): Promise<void> {
    const { calls, requests, credits } = await demo.meter();
    expect([requests, calls[name]?.hits]).toEqual([1, 1]);
    if (outcome.endsWith(' sure')) expect(credits).toBe(0);
    if (outcome === 'ok') expect(credits).toBe(1);
  }
});

describe('statuses', () => {
  const rows: [status: number, rest: Outcome, soap: Outcome][] = [
    [400, 'input-refused maybe', 'http-error maybe'],
    [401, 'credentials-refused maybe', 'credentials-refused maybe'],
    [402, 'no-credits maybe', 'http-error maybe'],
    [403, 'not-permitted maybe', 'not-permitted maybe'],
    [404, 'not-found maybe', 'http-error maybe'],
    [405, 'http-error maybe', 'http-error maybe'],
    [407, 'http-error maybe', 'http-error maybe'],
    [408, 'http-error maybe', 'http-error maybe'],
    [410, 'not-found maybe', 'http-error maybe'],
    [413, 'http-error maybe', 'http-error maybe'],
    [418, 'http-error maybe', 'http-error maybe'],
    [422, 'input-refused maybe', 'http-error maybe'],
    [429, 'rate-limited maybe', 'rate-limited maybe'],
    [500, 'http-error maybe', 'http-error maybe'],
    [502, 'http-error maybe', 'http-error maybe'],
    [503, 'http-error maybe', 'http-error maybe'],
    [504, 'http-error maybe', 'http-error maybe'],
    [511, 'not-the-service maybe', 'not-the-service maybe'],
    [599, 'http-error maybe', 'http-error maybe'],
    [204, 'unreadable-answer maybe', 'unreadable-answer maybe'],
    [300, 'redirect-refused maybe', 'redirect-refused maybe'],
    [304, 'http-error maybe', 'http-error maybe'],
  ];
  describe.each(protocols)('%s', (protocol) => {
    test.each(rows)('%i', guard, async (status, rest, soap) => {
      const bodyless = status === 204 || status === 304;
      await expectRaw(
        protocol,
        answerOnce(bodyless ? `HTTP/1.1 ${status} X\r\n\r\n` : answerText('no', '', `${status} X`)),
        protocol === 'REST' ? rest : soap,
      );
    });
  });
});

const envelope = (body: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
const inResult = (content: string): string =>
  envelope(
    `<GetPremiseAddressResponse xmlns="${fixtureNamespace}"><GetPremiseAddressResult>${content}</GetPremiseAddressResult></GetPremiseAddressResponse>`,
  );
const answerOnce =
  (bytes: Buffer | string): Answerer =>
  (socket) =>
    void socket.write(bytes);
/** Sends an answer and then ends the time limit. The client is in this process and reads the answer in its next turns. */
const answerAndStop =
  (bytes: Buffer | string): Answerer =>
  (socket) =>
    void socket.write(bytes, () => setImmediate(() => setImmediate(() => setImmediate(runOut))));
const answerAndEnd =
  (bytes: Buffer | string): Answerer =>
  (socket) =>
    void socket.end(bytes);

async function withServer<T>(
  answer: Answerer,
  run: (server: TestServer, profile: CallProfile) => Promise<T>,
): Promise<T> {
  const server = await startTcpServer(answer);
  const origin = `http://127.0.0.1:${server.port}`;
  try {
    return await run(server, buildProfile({ restBaseUrl: `${origin}/v1`, soapUrl: `${origin}/s.asmx` }));
  } finally {
    await server.close();
  }
}

async function expectRaw(protocol: Protocol, answer: Answerer, expected: Outcome): Promise<void> {
  await withServer(answer, async (server, profile) => {
    expectOutcome(await call(protocol, profile, '00000001'), expected);
    expect([server.hits.length, server.connections]).toEqual([1, 1]);
  });
}

describe('bytes on the wire, the same for both protocols', () => {
  const good: Record<Protocol, string> = {
    REST: '{"item":{"id":"00000001","line1":"1 High Street"}}',
    'SOAP 1.1': inResult(
      '<List><AddressPremise><Post_Town>A</Post_Town><Return_Code>1</Return_Code></AddressPremise></List>',
    ),
    'SOAP 1.2': inResult(
      '<List><AddressPremise><Post_Town>A</Post_Town><Return_Code>1</Return_Code></AddressPremise></List>',
    ),
  };
  const chunked = (...chunks: string[]): string =>
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')}`;
  const rows: [name: string, answer: (body: string) => Answerer, outcome: Outcome][] = [
    ['an answer', (body) => answerOnce(answerText(body)), 'ok'],
    ['one without a length, ended by closing', (body) => answerAndEnd(`HTTP/1.0 200 OK\r\n\r\n${body}`), 'ok'],
    ['chunks', (body) => answerOnce(`${chunked(body.slice(0, 9), body.slice(9))}0\r\n\r\n`), 'ok'],
    ['chunks without end', (body) => answerAndEnd(chunked(body)), 'sent-no-answer maybe'],
    [
      'a chunk of no number',
      () => answerOnce('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
      'unreadable-answer maybe',
    ],
    [
      'a body longer than it says',
      (body) => answerAndEnd(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length - 5}\r\n\r\n${body}`),
      'unreadable-answer maybe',
    ],
    [
      'a body shorter than it says',
      (body) => answerAndEnd(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 5}\r\n\r\n${body}`),
      'sent-no-answer maybe',
    ],
    [
      'a body that stops coming',
      (body) => answerAndStop(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 5}\r\n\r\n${body}`),
      'sent-no-answer maybe',
    ],
    [
      'two lengths',
      (body) => answerOnce(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
      'unreadable-answer maybe',
    ],
    [
      'a length and chunks',
      (body) => answerOnce(`HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${body}`),
      'unreadable-answer maybe',
    ],
    ['another protocol', () => answerOnce('SSH-2.0-OpenSSH_9\r\n'), 'unreadable-answer maybe'],
    [
      'another version of HTTP',
      () => answerOnce('HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n'),
      'unreadable-answer maybe',
    ],
    ['zeros', () => answerOnce(Buffer.alloc(4096)), 'unreadable-answer maybe'],
    ['a closed door', () => answerAndEnd(''), 'sent-no-answer maybe'],
    ['half a head', () => answerAndEnd('HTTP/1.1 200 OK\r\ncontent-'), 'sent-no-answer maybe'],
    ['a head that stops coming', () => answerAndStop('HTTP/1.1 200 OK\r\ncontent-'), 'sent-no-answer maybe'],
    [
      'a head without end',
      () => answerOnce(`HTTP/1.1 200 OK\r\n${'x-y: z\r\n'.repeat(20_000)}`),
      'answer-too-large maybe',
    ],
    [
      'early hints and then the answer',
      (body) =>
        answerOnce(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'), answerText(body)])),
      'ok',
    ],
    ['only early hints', () => answerAndStop('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'), 'sent-no-answer maybe'],
    [
      'an upgrade nobody asked for',
      () => answerOnce('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      'sent-no-answer maybe',
    ],
    [
      'a cut gzip',
      (body) => answerOnce(answerText(gzipSync(body).subarray(0, -9), 'content-encoding: gzip\r\n')),
      'unreadable-answer maybe',
    ],
    ['a gzip', (body) => answerOnce(answerText(gzipSync(body), 'content-encoding: gzip\r\n')), 'ok'],
    [
      'a coding nobody asked for',
      (body) => answerOnce(answerText(body, 'content-encoding: zstd\r\n')),
      'unreadable-answer maybe',
    ],
    [
      'a charset that does not exist',
      (body) => answerOnce(answerText(body, 'content-type: text/xml; charset=utf-99\r\n')),
      'ok',
    ],
    [
      'a sign-in page',
      () => answerOnce(answerText('\n<!-- hi --><HTML><body>Sign in</body></HTML>', 'content-type: text/html\r\n')),
      'not-the-service maybe',
    ],
    ['blank', () => answerOnce(answerText(' \r\n\t')), 'unreadable-answer maybe'],
    ['plain words', () => answerOnce(answerText('Service unavailable, sorry')), 'unreadable-answer maybe'],
    [
      'binary',
      () => answerOnce(answerText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0, 0, 0]))),
      'unreadable-answer maybe',
    ],
  ];
  describe.each(protocols)('%s', (protocol) => {
    test.each(rows)('%s', guard, async (_name, answer, outcome) => {
      await expectRaw(protocol, answer(good[protocol]), outcome);
    });

    test('bytes after an answer are never taken for the next one', guard, async () => {
      const stale = good[protocol].replace(/High Street|<Post_Town>A/, (found) => found.replace(/High|A$/, 'STALE'));
      expect(stale).toContain('STALE');
      const answer: Answerer = (socket) =>
        void socket.write(Buffer.concat([answerText(good[protocol]), answerText(stale)]));
      await withServer(answer, async (server, profile) => {
        for (let nth = 1; nth <= 3; nth += 1) {
          const result = await call(protocol, profile, '00000001');
          expect(JSON.stringify(result)).not.toContain('STALE');
          expect(server.hits.length).toBeLessThanOrEqual(nth);
        }
      });
    });
  });
});

describe('SOAP bodies', () => {
  const rows: [name: string, body: string, outcome: Outcome][] = [
    [
      'a fault in 200',
      envelope('<s:Fault><faultcode>s:Server</faultcode><faultstring>No.</faultstring></s:Fault>'),
      'soap-fault maybe',
    ],
    [
      'a fault of 1.2',
      envelope(
        '<s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text>No.</s:Text></s:Reason></s:Fault>',
      ),
      'soap-fault maybe',
    ],
    ['a fault with no text', envelope('<s:Fault/>'), 'soap-fault maybe'],
    ['no body', '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"/>', 'unreadable-answer maybe'],
    ['an empty body', envelope(''), 'unreadable-answer maybe'],
    ['another document', '<rss><channel/></rss>', 'unreadable-answer maybe'],
    ['JSON', '{"item":{}}', 'unreadable-answer maybe'],
    ['crossed tags', inResult('<List><AddressPremise></List></AddressPremise>'), 'unreadable-answer maybe'],
    ['two roots', `${inResult('')}${inResult('')}`, 'unreadable-answer maybe'],
    ['a DOCTYPE', `<!DOCTYPE x>${inResult('')}`, 'unsafe-answer maybe'],
    ['a DOCTYPE inside', inResult('<!DOCTYPE x SYSTEM "file:///etc/passwd">'), 'unsafe-answer maybe'],
    [
      'an external entity',
      `<!DOCTYPE x [<!ENTITY y SYSTEM "http://127.0.0.1:1/">]>${inResult('&y;')}`,
      'unsafe-answer maybe',
    ],
    ['an element of Object’s', inResult('<__proto__><a>1</a></__proto__>'), 'unsafe-answer maybe'],
    ['nothing found: an empty result', inResult(''), 'ok'],
    [
      'nothing found: code 0',
      inResult('<List><AddressPremise><Return_Code>0</Return_Code></AddressPremise></List>'),
      'ok',
    ],
    [
      'code 2',
      inResult('<List><AddressPremise><Return_Code>2</Return_Code></AddressPremise></List>'),
      'service-error maybe',
    ],
    [
      'code 201',
      inResult('<List><AddressPremise><Return_Code>201</Return_Code></AddressPremise></List>'),
      'credentials-refused maybe',
    ],
    [
      'code 203',
      inResult('<List><AddressPremise><Return_Code>203</Return_Code></AddressPremise></List>'),
      'no-credits maybe',
    ],
    [
      'code 301',
      inResult('<List><AddressPremise><Return_Code>301</Return_Code></AddressPremise></List>'),
      'input-refused maybe',
    ],
    [
      'code 302',
      inResult('<List><AddressPremise><Return_Code>302</Return_Code></AddressPremise></List>'),
      'input-refused maybe',
    ],
    [
      'an error flag',
      inResult('<List><AddressPremise><IsError>true</IsError><ErrorMessage>No.</ErrorMessage></AddressPremise></List>'),
      'service-error maybe',
    ],
    ['a million elements', inResult(`<List>${'<a/>'.repeat(1_000_000)}</List>`), 'unreadable-answer maybe'],
    [
      'a hundred thousand attributes',
      inResult(`<List ${Array.from({ length: 100_000 }, (_, n) => `a${n}="b"`).join(' ')}/>`),
      'unsafe-answer maybe',
    ],
    [
      'ten megabytes of stray ampersands',
      inResult(`<List>${'&'.repeat(10_000_000)}</List>`),
      'unreadable-answer maybe',
    ],
    [
      'an attribute without end',
      `${inResult('').slice(0, -60)}<a b="${'c'.repeat(5_000_000)}`,
      'unreadable-answer maybe',
    ],
    ['sixty-three levels', inResult('<a>'.repeat(59) + '</a>'.repeat(59)), 'unreadable-answer maybe'],
    ['two hundred levels', inResult('<a>'.repeat(200) + '</a>'.repeat(200)), 'unsafe-answer maybe'],
  ];
  test.each(rows)('%s', guard, async (_name, body, outcome) => {
    await expectRaw('SOAP 1.1', answerOnce(answerText(body, 'content-type: text/xml; charset=utf-8\r\n')), outcome);
  });
});

describe('REST bodies', () => {
  const rows: [name: string, body: string, outcome: Outcome][] = [
    ['a fragment', '{"item":', 'unreadable-answer maybe'],
    ['two documents', '{"item":{"id":"1","line1":"a"}}{}', 'unreadable-answer maybe'],
    ['null', 'null', 'unreadable-answer maybe'],
    ['a number', '42', 'unreadable-answer maybe'],
    ['an empty list', '[]', 'not-found maybe'],
    ['an empty object', '{}', 'unreadable-answer maybe'],
    ['no item', '{"item":null}', 'not-found maybe'],
    ['an empty item', '{"item":{}}', 'not-found maybe'],
    ['another shape', '{"house":{"name":"x"}}', 'unreadable-answer maybe'],
    ['an error in 200', '{"error":{"code":"oops","message":"No."}}', 'service-error maybe'],
    ['a status in 200', '{"status":401,"message":"No."}', 'credentials-refused maybe'],
    ['a member of Object’s', '{"item":{"id":"1","line1":"a","__proto__":{"x":1},"constructor":1}}', 'ok'],
    ['a member twice', '{"item":{"id":"1"},"item":{"id":"2","line1":"b"}}', 'answered-other maybe'],
    ['a number too long', '{"item":{"id":"1","line1":"a","uprn":10000000000000000000000000001}}', 'ok'],
    ['XML', '<item><id>1</id></item>', 'unreadable-answer maybe'],
    [
      'half a million members',
      `{"item":{"id":"1","line1":"a",${Array.from({ length: 300_000 }, (_, n) => `"a${n}":${n}`).join()}}}`,
      'ok',
    ],
    ['seven megabytes of quotes', `{"item":{"id":"1","line1":"${'\\"'.repeat(3_500_000)}"}}`, 'ok'],
    [
      'nested a hundred thousand deep',
      `{"item":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      'unreadable-answer maybe',
    ],
  ];
  test.each(rows)('%s', guard, async (_name, body, outcome) => {
    await expectRaw('REST', answerOnce(answerText(body, 'content-type: application/json\r\n')), outcome);
  });
});
