import { readFileSync } from 'node:fs';

/** Time is injected, so that days can pass in a test. */
export interface Clock {
  /** Milliseconds since 1970, UTC: can be set, and jumps. */
  now(): number;
  /** Milliseconds of a clock that cannot be set and may stand still in sleep. Without one `now` is taken: a clock of a test. */
  elapsed?(): number;
  /** Names the run of the computer in which `elapsed` may be compared, also between processes. */
  readonly boot?: string;
}

/** Linux tells its boots apart. Elsewhere each process is a boot of its own, which only makes waits longer. */
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

/** Milliseconds that never go back, within `bootOf(clock)`. */
export const elapsedOf = (clock: Clock): number => clock.elapsed?.() ?? clock.now();
export const bootOf = (clock: Clock): string => clock.boot ?? 'one';

/** The calendar day of a moment (ISO 8601, or milliseconds since 1970) in this computer's zone, YYYY-MM-DD. */
export function localDay(at: string | number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** ISO 8601 in UTC, as stored everywhere. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();
