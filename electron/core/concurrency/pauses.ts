import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, elapsedOf, type Pauses } from '../../ports.ts';

/** Waits by the system's timer, counted by the clock that nobody can set. */
export const systemPauses = (clock: Clock): Pauses => ({
  uptime: () => elapsedOf(clock),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
});
