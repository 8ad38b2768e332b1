import { readFileSync } from 'node:fs';
import type { Clock } from '../ports.ts';

/** Linux has an id for each boot. On other systems each process counts as a boot of its own, which only makes waits longer. */
function nameBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return crypto.randomUUID();
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => Number(process.hrtime.bigint() / 1_000_000n),
  boot: nameBoot(),
};
