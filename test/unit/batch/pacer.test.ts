import { expect, test } from 'vitest';
import { createPacer } from '../../../electron/core/batch/run/pacer.ts';

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
    isStopped: () => false,
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
