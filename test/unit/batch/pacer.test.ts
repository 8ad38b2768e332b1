import { expect, test } from 'vitest';
import { createPacer } from '../../../electron/core/batch/run/pacer.ts';

test('a shorter back-off does not end a longer one, and says when that ends; no wait is longer than a timer can be', async () => {
  let uptime = 0;
  const told: string[] = [];
  const waits: number[] = [];
  const pacer = createPacer({
    rate: 100,
    clock: { now: () => uptime },
    pauses: {
      uptime: () => uptime,
      wait: async (ms) => {
        waits.push(ms);
        uptime += ms;
      },
    },
    signal: new AbortController().signal,
    onBackoff: (backoff) => told.push(backoff?.until ?? ''),
  });
  const days = 40 * 86_400_000;
  pacer.backOff('rate-limited', days, 'Too many requests.');
  pacer.backOff('rate-limited', 5000, 'Too many requests.');
  expect(told).toEqual([new Date(days).toISOString(), new Date(days).toISOString()]);
  expect(await pacer.turn()).toBe(true);
  expect(uptime).toBe(days);
  // Node runs a timer set for longer at once.
  expect(Math.max(...waits)).toBeLessThan(2 ** 31);
});

test('an answer to a call that had left before a back-off does not end it; the first one after it does', async () => {
  let uptime = 1000;
  const told: (string | null)[] = [];
  const pacer = createPacer({
    rate: 100,
    clock: { now: () => uptime },
    pauses: {
      uptime: () => uptime,
      wait: async (ms) => {
        uptime += ms;
      },
    },
    signal: new AbortController().signal,
    onBackoff: (backoff) => told.push(backoff?.kind ?? null),
  });
  expect(await pacer.turn()).toBe(true);
  pacer.backOff('rate-limited', 60_000, 'Too many requests.');
  pacer.recovered();
  expect(told).toEqual(['rate-limited']);
  expect(await pacer.turn()).toBe(true);
  expect(uptime).toBeGreaterThanOrEqual(61_000);
  pacer.recovered();
  expect(told).toEqual(['rate-limited', null]);
});
