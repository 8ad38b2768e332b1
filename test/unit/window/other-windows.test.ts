import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { activityQuery, activitySumsQuery } from '../../../renderer/features/activity/queries.ts';
import { seenQuery } from '../../../renderer/features/bulk/queries.ts';
import {
  historyQuery,
  ledgerQuery,
  ledgerSumsQuery,
  reconcileQuery,
} from '../../../renderer/features/credits/queries.ts';
import { journalQuery } from '../../../renderer/features/licences/queries.ts';
import { searchWaysQuery, suggestQuery } from '../../../renderer/features/lookup/queries.ts';
import { asReported, joinWindows, readAgain } from '../../../renderer/lib/calls/other-windows.ts';
import { connectionsQuery, setRunningCalls } from '../../../renderer/lib/calls/queries.ts';
import { createQueryClient } from '../../../renderer/lib/calls/query-client.ts';
import { atMostEach } from '../../../renderer/lib/window/at-most-each.ts';
import { wholeJournal } from '../../../shared/domain/licences/journal-filter.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';

// Windows of one program, each with a separate client, over a channel that does not deliver to its sender.

function openWindows(count: number) {
  const asked: string[] = [];
  const handed: unknown[] = [];
  const lines = Array.from({ length: count }, () => ({
    onmessage: null as BroadcastChannel['onmessage'],
    postMessage(data: unknown) {
      handed.push(data);
      for (const other of lines)
        if (other !== this) other.onmessage?.call(null as never, { data: structuredClone(data) } as MessageEvent);
    },
  }));
  const windows = lines.map((line, nth) => {
    const client = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    });
    const read = (...key: string[]) =>
      client.fetchQuery({
        queryKey: key,
        queryFn: async () => {
          asked.push(`${nth}: ${key.join(' ')}`);
          return 'read';
        },
      });
    return { client: joinWindows(client, line as unknown as BroadcastChannel), read };
  });
  return { windows, asked, handed };
}
const turns = () => new Promise((done) => setTimeout(done));

test('what one window invalidates or sets, the others read again once, without passing it on', async () => {
  const { windows, asked, handed } = openWindows(3);
  for (const { read } of windows) await read('credits', 'overview', 'a');
  asked.length = 0;
  windows[0]?.client.setQueryData(['credits', 'overview', 'a'], 'put');
  await turns();
  expect(asked).toEqual(['1: credits overview a', '2: credits overview a']);
  asked.length = 0;
  // By the beginning of the key, although this window has no query with the rest.
  void windows[1]?.client.invalidateQueries({ queryKey: ['credits'], refetchType: 'all' });
  await turns();
  expect(asked.sort()).toEqual(['0: credits overview a', '1: credits overview a', '2: credits overview a']);
  expect(handed.length).toBe(2);
});

test('what follows from a message of main is not passed on, since every window gets that message', async () => {
  const { windows, asked, handed } = openWindows(2);
  for (const { read } of windows) await read('settings');
  asked.length = 0;
  asReported(() => windows[0]?.client.setQueryData(['settings'], 'new'));
  expect(() =>
    asReported(() => {
      throw new Error('a listener');
    }),
  ).toThrow();
  await turns();
  expect([asked, handed]).toEqual([[], []]);
  windows[0]?.client.setQueryData(['settings'], 'newer');
  await turns();
  expect(asked).toEqual(['1: settings']);
});

test('data that was only set is removed, not shown as failed', async () => {
  const { windows } = openWindows(2);
  for (const { client } of windows) asReported(() => client.setQueryData(['batch', 'one'], 'old'));
  windows[0]?.client.setQueryData(['batch', 'one'], 'new');
  await turns();
  expect(windows[1]?.client.getQueryState(['batch', 'one'])).toBeUndefined();
});

test('nor is what follows from it later: at the end of an interval, or after an older read was given up', async () => {
  const { windows, handed } = openWindows(2);
  const client = windows[0]?.client ?? new QueryClient();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let times = 0;
  const { run, stop } = atMostEach(1000, () => {
    times += 1;
    void client.invalidateQueries({ queryKey: ['licences'] });
  });
  asReported(run);
  asReported(run);
  vi.advanceTimersByTime(1000);
  stop();
  expect(times).toBe(2);
  const calls = [{ requestId: 'r1', operation: 'Search', subject: 'HR10 2DT', startedAt: '2026-03-04T10:00:00.000Z' }];
  let set: Promise<void> | undefined;
  asReported(() => {
    set = setRunningCalls(client, calls);
  });
  await set;
  expect(client.getQueryData(['calls', 'running'])).toEqual(calls);
  expect(handed).toEqual([]);
});

test('the reading of what another process changed ends when it has been read', async () => {
  const client = new QueryClient();
  const ends: ((value: string) => void)[] = [];
  const first = client.fetchQuery({
    queryKey: ['credits'],
    queryFn: () => new Promise<string>((end) => ends.push(end)),
  });
  ends[0]?.('old');
  await first;
  let isRead = false;
  const reading = readAgain(client, ['credits']).then(() => {
    isRead = true;
  });
  await turns();
  expect([ends.length, isRead]).toEqual([2, false]);
  ends[1]?.('new');
  await reading;
  expect(client.getQueryData(['credits'])).toBe('new');
});

test('what takes long is not begun again before its end, however often it is requested', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ends: (() => void)[] = [];
  const { run, stop } = atMostEach(1000, () => new Promise<void>((end) => ends.push(end)));
  for (let times = 0; times < 3; times += 1) run();
  vi.advanceTimersByTime(5000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  vi.advanceTimersByTime(999);
  expect(ends).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(ends).toHaveLength(2);
  stop();
  ends[1]?.();
  run();
  await vi.advanceTimersByTimeAsync(0);
  vi.advanceTimersByTime(5000);
  expect(ends).toHaveLength(2);
});

test('what was typed or looked at is dropped soon after it was shown, so that no event has all of it read again', () => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', class {});
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const client = createQueryClient();
  const add = (options: { queryKey: QueryKey }) =>
    client.getQueryCache().build(client, client.defaultQueryOptions(options));
  for (const search of ['1', '12', '12 high']) {
    const filter = { ...wholeTable, search };
    const range = { from: search, to: search };
    for (const options of [
      activityQuery(filter, true),
      activitySumsQuery(filter),
      ledgerQuery('a', filter),
      ledgerSumsQuery('a', filter),
      historyQuery('a', range, 'key'),
      reconcileQuery('a', range),
      journalQuery({ ...wholeJournal, search }),
      seenQuery('a', [search]),
      searchWaysQuery('a', { text: search }),
      suggestQuery('a', search),
    ])
      add(options);
  }
  add(connectionsQuery());
  expect(client.getQueryCache().getAll()).toHaveLength(31);
  const left = () =>
    client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey.slice(0, 2));
  vi.advanceTimersByTime(61_000);
  const lists = [
    ['credits', 'ledger'],
    ['licences', 'journal'],
  ];
  expect(left()).toEqual([...lists, ...lists, ...lists, ['connections']]);
  vi.advanceTimersByTime(3_600_000);
  expect(left()).toEqual([['connections']]);
});
