import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReadSchedule } from '../../../electron/core/licences/change/read-schedule.ts';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';

let set = 0;
beforeEach(() => {
  set = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const change = (id: string, nextRead: string | null) => ({ id, nextRead, state: 'interrupted' }) as LicenceChange;

function start(changes: LicenceChange[], onRead = (_: LicenceChange) => {}) {
  const reads: string[] = [];
  const began = Date.now();
  const schedule = createReadSchedule({
    now: () => Date.now() + set,
    uptime: () => Date.now(),
    due: () => changes,
    read: async (id, by) => {
      reads.push(`${id} ${by} ${Math.round((Date.now() - began) / 1000)}`);
      const one = changes.find((candidate) => candidate.id === id);
      if (one) onRead(one);
    },
  });
  return { reads, schedule };
}

test('each is read when it is due, and not again once nothing is planned', async () => {
  const { reads, schedule } = start([change('a', inSeconds(5)), change('b', inSeconds(130))], (one) => {
    one.nextRead = one.id === 'a' && reads.length === 1 ? inSeconds(60) : null;
  });
  schedule.look();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(reads).toEqual(['a schedule 5', 'a schedule 65', 'b schedule 130']);
});

test('reads planned for the next start happen only at the start', async () => {
  const { reads, schedule } = start([change('a', 'next-start'), change('b', null)], (one) => {
    one.nextRead = null;
  });
  schedule.look();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(reads).toEqual([]);
  await schedule.readAtStart();
  expect(reads).toEqual(['a start 600']);
});

test('a machine that cannot be read is not tried all the time, and nothing is read after the stop', async () => {
  const { reads, schedule } = start([change('a', inSeconds(0))]);
  schedule.look();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(reads.length).toBeLessThanOrEqual(6);
  const before = reads.length;
  schedule.stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(reads).toHaveLength(before);
});

test.each([
  ['back by an hour', -3_600_000],
  ['ahead by an hour, as after a sleep', 3_600_000],
])('a clock set %s in the middle of a wait postpones no read', async (_, ms) => {
  const { reads, schedule } = start([change('a', inSeconds(540))], (one) => {
    one.nextRead = null;
  });
  schedule.look();
  await vi.advanceTimersByTimeAsync(100_000);
  set = ms;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(reads).toHaveLength(1);
  expect(Number(reads[0]?.split(' ').at(-1))).toBeLessThanOrEqual(540);
});
