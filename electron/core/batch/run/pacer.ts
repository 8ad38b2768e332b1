import type { Clock, Pauses } from '../../../ports.ts';

/** Why nothing is sent for a while; the batch resumes by itself. */
export interface Backoff {
  kind: 'network' | 'rate-limited';
  /** ISO 8601. */
  until: string;
  text: string;
}

export interface PacerParts {
  /** Calls a second. */
  rate: number;
  clock: Clock;
  pauses: Pauses;
  /** Aborted once nothing more is to be sent. */
  signal: AbortSignal;
  onBackoff(backoff: Backoff | null): void;
}

/** The longest a timer can be set for (ms); one set for longer runs at once. */
const longestTimer = 2 ** 31 - 1;

/** Releases calls one after the other at the allowed rate, and none while it backs off. */
export function createPacer({ rate, clock, pauses, signal, onBackoff }: PacerParts) {
  const stepMs = 1000 / rate;
  let nextAt = 0;
  let backedOffUntil = 0;
  let isBackedOff = false;

  /** Waits for the next call's turn. False: nothing is to be sent. */
  async function turn(): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const now = pauses.uptime();
      const at = Math.max(nextAt, backedOffUntil, now);
      if (at <= now) {
        nextAt = now + stepMs;
        return true;
      }
      if (backedOffUntil <= now) {
        // The place in the queue is taken now, so that lanes leave one after the other.
        nextAt = at + stepMs;
        await pauses.wait(at - now, signal);
        if (backedOffUntil <= pauses.uptime()) return !signal.aborted;
      } else await pauses.wait(Math.min(backedOffUntil - now, longestTimer), signal);
    }
  }

  function backOff(kind: Backoff['kind'], ms: number, text: string): void {
    const now = pauses.uptime();
    backedOffUntil = Math.max(backedOffUntil, now + ms);
    isBackedOff = true;
    onBackoff({ kind, until: new Date(clock.now() + backedOffUntil - now).toISOString(), text });
  }

  /** An answer came: a back-off whose time has passed is over. Before, it is the answer to a call that had left when it began. */
  function recovered(): void {
    if (!isBackedOff || backedOffUntil > pauses.uptime()) return;
    isBackedOff = false;
    onBackoff(null);
  }

  return { turn, backOff, recovered };
}
