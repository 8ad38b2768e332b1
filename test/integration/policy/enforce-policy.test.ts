import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCachedAnswers } from '../../../electron/core/answers/cached-answers.ts';
import { chooseProxy } from '../../../electron/core/policy/apply-policy.ts';
import { removeOutdated, transportWithPolicy } from '../../../electron/core/policy/enforce-policy.ts';
import type { Policy } from '../../../electron/core/policy/policy-schema.ts';
import { proxyAsksForPassword } from '../../../electron/core/transport/connect/proxy-messages.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { AppError } from '../../../shared/errors.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';
import { startProxy, startTcpServer } from '../transport/servers.ts';

const hour = 3_600_000;

describe('saved answers under a policy', () => {
  let temp: TempDatabase;
  beforeEach(() => {
    temp = openTempDatabase();
  });
  afterEach(() => temp.remove());

  const open = () => {
    const cached = openCachedAnswers(temp.db, temp.clock);
    const { id: connectionId } = temp.addConnection();
    return {
      cached,
      store: (subject: string) =>
        unwrap(cached.store({ connectionId, operation: 'GetPremise', input: { id: subject } }, { subject }, 'answer')),
      left: () => unwrap(cached.listRecent(connectionId, { mode: 'days', amount: 30 }, 10)).length,
    };
  };
  const report = (error: AppError) => {
    throw new Error(error.message);
  };

  /** How many of two saved answers, three hours and one hour old, are left on disk, and how often their removal was reported. */
  function leftAfter(heldAnswerHoursMax: number | undefined): [left: number, reported: number] {
    const { cached, store, left } = open();
    store('old');
    temp.clock.time += 2 * hour;
    store('new');
    temp.clock.time += hour;
    const onRemoved = vi.fn();
    const policy: Policy = { version: 1, ...(heldAnswerHoursMax === undefined ? {} : { heldAnswerHoursMax }) };
    removeOutdated(cached, policy, { report, onRemoved })();
    return [left(), onRemoved.mock.calls.length];
  }

  it('all stay without a policy', () => expect(leftAfter(undefined)).toEqual([2, 0]));
  it('are removed from the disk at the start when they are too old', () => expect(leftAfter(2)).toEqual([1, 1]));
  it('are all removed if none may be saved', () => expect(leftAfter(0)).toEqual([0, 1]));

  it('are removed while the program runs, and the windows are told only if one was', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { cached, store, left } = open();
      store('one');
      const onRemoved = vi.fn();
      const stop = removeOutdated(cached, { version: 1, heldAnswerHoursMax: 2 }, { report, onRemoved });
      temp.clock.time += hour;
      vi.advanceTimersByTime(hour);
      expect([left(), onRemoved.mock.calls.length]).toEqual([1, 0]);
      temp.clock.time += 2 * hour;
      vi.advanceTimersByTime(hour);
      expect([left(), onRemoved.mock.calls.length]).toEqual([0, 1]);
      stop();
    } finally {
      vi.useRealTimers();
    }
  });
});

it('opens sockets only to what the policy allows and to the demo service', async () => {
  const server = await startTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
  });
  const transport = createHttpTransport();
  try {
    let demoOrigin: string | null = null;
    const send = transportWithPolicy(
      transport.send,
      { version: 1, allowedBaseUrls: ['https://lookup.example'] },
      () => demoOrigin,
    );
    const url = new URL(`http://127.0.0.1:${server.port}/Search`);
    const request = { method: 'GET' as const, url, headers: {}, timeoutMs: 120_000, maxBytes: 1000 };
    expect(await send(request)).toMatchObject({ ok: false, error: { code: 'policy-forbids', charge: 'not-charged' } });
    expect(server.connections).toBe(0);
    demoOrigin = url.origin;
    expect((await send(request)).ok).toBe(true);
    expect(server.hits).toHaveLength(1);
  } finally {
    await transport.close();
    await server.close();
  }
});

it('a proxy that wants a password: says what can be done, and sends nothing', async () => {
  const proxy = await startProxy(true);
  const transport = createHttpTransport({
    proxyFor: chooseProxy({ version: 1, proxy: `http://127.0.0.1:${proxy.port}` }, async () => null),
  });
  try {
    const url = new URL('https://service.example/Search');
    expect(await transport.send({ method: 'GET', url, headers: {}, timeoutMs: 120_000, maxBytes: 1000 })).toMatchObject(
      {
        ok: false,
        error: { code: 'proxy-failed', charge: 'not-charged', ...proxyAsksForPassword },
      },
    );
    expect(proxy.tunnels).toEqual(['service.example:443']);
  } finally {
    await transport.close();
    await proxy.close();
  }
});
