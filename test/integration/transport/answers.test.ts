import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { OutgoingRequest } from '../../../electron/core/transport/transport.ts';
import { answerText, startTcpServer, type TestServer } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const open = (): HttpTransport => {
  const transport = createHttpTransport();
  closers.push(transport.close);
  return transport;
};
const serve = async (...answers: (Buffer | string)[]): Promise<TestServer> => {
  const server = await startTcpServer((socket, _request, nth) => {
    const answer = answers[nth - 1];
    if (typeof answer === 'string') socket.end(answer, 'latin1');
    else socket.write(answer ?? answerText('no more'));
  });
  closers.push(server.close);
  return server;
};
const request = (server: TestServer, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: new URL(`http://127.0.0.1:${server.port}/a`),
  headers: { accept: 'application/json' },
  timeoutMs: 120_000,
  matches: () => true,
  maxBytes: 1_000_000,
  ...more,
});
const words = '{"name":"Llanfairpwll – ŵ"}'.repeat(50);

test.each([
  ['gzip', gzipSync(words)],
  ['deflate', deflateSync(words)],
  ['deflate', deflateRawSync(words)],
  ['br', brotliCompressSync(words)],
  ['gzip, br', brotliCompressSync(gzipSync(words))],
  ['identity', Buffer.from(words)],
  // A charset, or a coding of mail, in the place of a compression.
  ['utf-8', Buffer.from(words)],
  ['None', Buffer.from(words)],
  ['gzip, UTF-8', gzipSync(words)],
])('undoes %s', async (encoding, body) => {
  const server = await serve(answerText(body, `content-encoding: ${encoding}\r\n`), answerText('second'));
  const transport = open();
  const result = await transport.send(request(server));
  expect(result.ok && Buffer.from(result.value.body).toString()).toBe(words);
  const again = await transport.send(request(server));
  expect(again.ok && Buffer.from(again.value.body).toString()).toBe('second');
  expect(again.ok && again.value.timings.reusedConnection).toBe(true);
  expect(server.connections).toBe(1);
});

test('a long answer arrives byte for byte, up to the cap and no further', async () => {
  // Longer than the size from which the buffer grows in place; no two parts of it are alike, so that a misplaced part is noticed.
  const long = Buffer.alloc(11_000_003);
  for (let at = 0; at + 4 <= long.length; at += 4) long.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  const server = await serve(
    answerText(long),
    answerText(gzipSync(long, { level: 1 }), 'content-encoding: gzip\r\n'),
    answerText(long),
  );
  const transport = open();
  for (const maxBytes of [long.length, 40_000_000]) {
    const whole = await transport.send(request(server, { maxBytes, timeoutMs: 60_000 }));
    // Not toEqual, which would print megabytes if it failed.
    expect(whole.ok && Buffer.compare(whole.value.body, long)).toBe(0);
    // The body is the whole buffer, so it can be transferred to the decoding thread without a copy.
    expect(whole.ok && whole.value.body.byteLength === whole.value.body.buffer.byteLength).toBe(true);
  }
  expect(await transport.send(request(server, { maxBytes: long.length - 1, timeoutMs: 60_000 }))).toMatchObject({
    ok: false,
    error: { code: 'answer-too-large' },
  });
});

test('stops a decompression bomb at the cap, without holding what it would become', async () => {
  const bomb = gzipSync(Buffer.alloc(300_000_000));
  expect(bomb.length).toBeLessThan(1_000_000);
  const server = await serve(answerText(bomb, 'content-encoding: gzip\r\n'));
  const before = process.memoryUsage.rss();
  const result = await open().send(request(server));
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'answer-too-large', charge: 'may-have-been-charged' },
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
});

test('stops an uncompressed answer at the cap, and an endless one', async () => {
  const server = await startTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(0x1000)}\r\n`));
    };
    socket.on('drain', more);
    more();
  });
  closers.push(server.close);
  expect(await open().send(request(server))).toMatchObject({ ok: false, error: { code: 'answer-too-large' } });
  const exact = await serve(answerText('x'.repeat(1000)), answerText('x'.repeat(1001)));
  expect((await open().send(request(exact, { maxBytes: 1000 }))).ok).toBe(true);
  expect(await open().send(request(exact, { maxBytes: 1000 }))).toMatchObject({
    ok: false,
    error: { code: 'answer-too-large' },
  });
});

test.each([
  ['a damaged compression', answerText('not gzip at all', 'content-encoding: gzip\r\n'), 'unreadable-answer'],
  [
    'a compression cut short',
    answerText(gzipSync(words).subarray(0, 40), 'content-encoding: gzip\r\n'),
    'unreadable-answer',
  ],
  ['a coding nobody asked for', answerText('x', 'content-encoding: zstd\r\n'), 'unreadable-answer'],
  ['too many layers', answerText('x', 'content-encoding: br, br, br, br\r\n'), 'unreadable-answer'],
  ['something else than HTTP', 'SSH-2.0-OpenSSH_9\r\n', 'unreadable-answer'],
  ['a status that no answer has', answerText('{"a":1}', '', '099 OK'), 'unreadable-answer'],
  [
    'a length beside chunks, which only a lenient reader takes',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    'unreadable-answer',
  ],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, 'answer-too-large'],
  ['headers cut short', 'HTTP/1.1 200 OK\r\ncontent-le', 'sent-no-answer'],
  ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":', 'sent-no-answer'],
  ['chunks cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n', 'sent-no-answer'],
  ['nothing', '', 'sent-no-answer'],
])('%s', async (_name, answer, code) => {
  const server = await serve(answer);
  const result = await open().send(request(server));
  expect(result).toMatchObject({ ok: false, error: { code, charge: 'may-have-been-charged' } });
  expect(server.hits).toHaveLength(1);
});

test('an informational answer before the real one is passed over', async () => {
  const server = await serve(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${answerText('real')}`);
  const result = await open().send(request(server));
  expect(result.ok && [result.value.status, Buffer.from(result.value.body).toString()]).toEqual([200, 'real']);
});

test('sends what it was given, headers joined and lower-case on the way back', async () => {
  const server = await serve(answerText('{}', 'X-One: a\r\nx-one: b\r\nSet-Cookie: c=1\r\nset-cookie: d=2\r\n'));
  const result = await open().send(
    request(server, {
      method: 'POST',
      url: new URL(`http://127.0.0.1:${server.port}/x?y=${encodeURIComponent('ŵ &')}`),
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '"urn:x"' },
      body: '<a>ŵ</a>',
    }),
  );
  expect(result).toMatchObject({ ok: true, value: { headers: { 'x-one': 'a, b', 'set-cookie': 'c=1, d=2' } } });
  const [sent] = server.hits;
  expect(sent).toContain('POST /x?y=%C5%B5%20%26 HTTP/1.1');
  expect(sent).toMatch(/soapaction: "urn:x"/i);
  expect(sent).toMatch(/accept-encoding: gzip, deflate, br/i);
  // A gateway may refuse a request without one as a robot's.
  expect(sent).toMatch(/user-agent: Address Console\r/i);
  expect(Buffer.from(sent ?? '', 'latin1').toString('utf8')).toContain('<a>ŵ</a>');
});

test('times every phase that happened, and only those', async () => {
  const server = await serve(answerText('{}'), answerText('{}'));
  const transport = open();
  const url = new URL(`http://localhost:${server.port}/`);
  const first = await transport.send(request(server, { url }));
  if (!first.ok) throw new Error(first.error.detail);
  for (const phase of ['queued', 'name', 'tcp', 'sent', 'waiting', 'received', 'total'] as const) {
    expect(first.value.timings[phase], phase).toBeGreaterThanOrEqual(0);
  }
  expect(first.value.timings.tls).toBeUndefined();
  expect(first.value.timings.reusedConnection).toBe(false);
  const second = await transport.send(request(server, { url }));
  if (!second.ok) throw new Error(second.error.detail);
  expect(second.value.timings.name).toBeUndefined();
  expect(second.value.timings.tcp).toBeUndefined();
  expect(second.value.timings.reusedConnection).toBe(true);
});
