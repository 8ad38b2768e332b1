import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHttpTransport, type HttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { OutgoingRequest } from '../../../electron/core/transport/transport.ts';
import { answerText, startTcpServer, type TestServer } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const open = (options = {}): HttpTransport => {
  const transport = createHttpTransport(options);
  closers.push(transport.close);
  return transport;
};
const track = (server: TestServer): TestServer => {
  closers.push(server.close);
  return server;
};
const request = (port: number, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  method: 'GET',
  url: new URL(`http://127.0.0.1:${port}/Search?query=x`),
  headers: {},
  timeoutMs: 120_000,
  matches: () => true,
  maxBytes: 100_000,
  ...more,
});

describe.each(['GET', 'POST'] as const)('a %s', (method) => {
  const body = method === 'POST' ? { method, body: '<a/>' } : { method };

  test('on a reused socket that dies before headers is sent once', async () => {
    const server = track(
      await startTcpServer((socket, _request, nth) => {
        if (nth === 1) socket.write(answerText('{}'));
        else socket.destroy();
      }),
    );
    const transport = open();
    const first = await transport.send(request(server.port, body));
    expect(first.ok).toBe(true);
    const second = await transport.send(request(server.port, body));
    expect(second).toMatchObject({ ok: false, error: { code: 'sent-no-answer', charge: 'may-have-been-charged' } });
    expect(server.connections).toBe(1);
    expect(server.hits).toHaveLength(2);
    // A later call is a new one: it opens a new connection and is the third hit, not a retry of the second.
    await transport.send(request(server.port, body));
    expect(server.hits).toHaveLength(3);
  });

  test('whose reused socket is reset or ended politely before headers is sent once', async () => {
    for (const end of ['reset', 'end'] as const) {
      const server = track(
        await startTcpServer((socket, _request, nth) => {
          if (nth === 1) socket.write(answerText('{}'));
          else if (end === 'reset') socket.resetAndDestroy();
          else socket.end();
        }),
      );
      const transport = open();
      await transport.send(request(server.port, body));
      const second = await transport.send(request(server.port, body));
      expect(second).toMatchObject({ ok: false, error: { code: 'sent-no-answer' } });
      expect(server.hits).toHaveLength(2);
    }
  });

  test('on a fresh socket that dies before headers is sent once', async () => {
    const server = track(await startTcpServer((socket) => socket.destroy()));
    const result = await open().send(request(server.port, body));
    expect(result).toMatchObject({ ok: false, error: { code: 'sent-no-answer', charge: 'may-have-been-charged' } });
    expect(server.hits).toHaveLength(1);
  });

  test('whose idle socket the server has closed opens another, and is sent once', async () => {
    const closed = Promise.withResolvers<void>();
    const server = track(
      await startTcpServer((socket) => {
        socket.write(answerText('{}'));
        socket.once('close', () => closed.resolve());
        setImmediate(() => socket.end());
      }),
    );
    const transport = open();
    await transport.send(request(server.port, body));
    await closed.promise;
    expect((await transport.send(request(server.port, body))).ok).toBe(true);
    expect(server.hits).toHaveLength(2);
    expect(server.connections).toBe(2);
  });

  test('opens another after the computer has slept, whatever its idle socket seems to be', async () => {
    const server = track(await startTcpServer((socket) => void socket.write(answerText('{}'))));
    const transport = open();
    await transport.send(request(server.port, body));
    expect((await transport.send(request(server.port, body))).ok).toBe(true);
    expect(server.connections).toBe(1);
    // Of the two clocks, the date's goes on meanwhile on every system.
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    try {
      expect((await transport.send(request(server.port, body))).ok).toBe(true);
    } finally {
      now.mockRestore();
    }
    expect(server.connections).toBe(2);
  });

  test('is not repeated after 503 with Retry-After, nor after a redirect', async () => {
    const server = track(
      await startTcpServer((socket, _request, nth) => {
        socket.write(
          nth === 1
            ? answerText('', 'retry-after: 0\r\n', '503 Busy')
            : answerText('', 'location: /elsewhere\r\n', '302 Found'),
        );
      }),
    );
    const transport = open();
    expect(await transport.send(request(server.port, body))).toMatchObject({ ok: true, value: { status: 503 } });
    expect(await transport.send(request(server.port, body))).toMatchObject({
      ok: true,
      value: { status: 302, headers: { location: '/elsewhere' } },
    });
    expect(server.hits).toHaveLength(2);
  });

  test('that is answered by silence ends at its time limit as sent', async () => {
    const server = track(await startTcpServer(() => undefined));
    const send = (timeoutMs: number) => open().send(request(server.port, { ...body, timeoutMs }));
    let result = await send(150);
    // On a busy computer the time may be over before it is connected.
    for (let timeoutMs = 300; !result.ok && result.error.code === 'connect-timeout'; timeoutMs *= 2)
      result = await send(timeoutMs);
    expect(result).toMatchObject({ ok: false, error: { code: 'sent-no-answer', charge: 'may-have-been-charged' } });
    expect(server.hits).toHaveLength(1);
  });

  test('cancelled after it was written is distinguished from one cancelled before', async () => {
    const controller = new AbortController();
    const server = track(await startTcpServer(() => controller.abort()));
    const transport = open();
    const after = await transport.send(request(server.port, { ...body, signal: controller.signal }));
    expect(after).toMatchObject({
      ok: false,
      error: { code: 'cancelled-after-sending', charge: 'may-have-been-charged' },
    });
    const before = await transport.send(request(server.port, { ...body, signal: controller.signal }));
    expect(before).toMatchObject({ ok: false, error: { code: 'cancelled', charge: 'not-charged' } });
    expect(server.hits).toHaveLength(1);
  });
});

test('four calls run at once to one origin, the rest wait in order, and a waiting one can be cancelled', async () => {
  const waiting: (() => void)[] = [];
  const server = track(
    await startTcpServer((socket) => {
      waiting.push(() => socket.write(answerText('{}')));
    }),
  );
  const transport = open();
  const controller = new AbortController();
  const url = (n: number): URL => new URL(`http://127.0.0.1:${server.port}/?n=${n}`);
  const calls = [1, 2, 3, 4, 5, 6, 7].map((n) =>
    transport.send(request(server.port, { url: url(n), ...(n === 6 ? { signal: controller.signal } : {}) })),
  );
  const until = async (count: number): Promise<void> => {
    while (server.hits.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(4);
  controller.abort();
  expect(await calls[5]).toMatchObject({ ok: false, error: { code: 'cancelled', charge: 'not-charged' } });
  waiting[0]?.();
  await until(5);
  expect(server.hits[4]).toContain('n=5');
  waiting[1]?.();
  await until(6);
  expect(server.hits[5]).toContain('n=7');
  for (const release of waiting.slice(2)) release();
  const rest = await Promise.all([0, 1, 2, 3, 4, 6].map((index) => calls[index]));
  expect(rest.every((result) => result?.ok)).toBe(true);
  // A fifth at once would have opened one of its own.
  expect(server.connections).toBe(4);
});

test('over an open connection nothing is sent once too little time is left for its answer', async () => {
  const server = track(await startTcpServer((socket) => void socket.write(answerText('{}'))));
  const transport = open();
  await transport.send(request(server.port));
  const late = transport.send(request(server.port, { timeoutMs: 20 }));
  // The program is busy, or the computer sleeps, longer than that.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  expect(await late).toMatchObject({ ok: false, error: { code: 'connect-timeout', charge: 'not-charged' } });
  expect(server.hits).toHaveLength(1);
});

test('closing ends calls in flight and refuses later ones', async () => {
  const server = track(await startTcpServer(() => void transport.close()));
  const transport = open();
  expect(await transport.send(request(server.port))).toMatchObject({
    ok: false,
    error: { code: 'cancelled-after-sending' },
  });
  expect(await transport.send(request(server.port))).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(server.hits).toHaveLength(1);
});
