import { type Clock, elapsedOf } from '../../../ports.ts';

/** The balance is read again after so many free calls, or after so long. */
const longestRun = { calls: 10, ms: 30_000 };

/**
 * Calls that are free by published prices are in no ledger and under no limit: that the service charges for one all the same shows in
 * the balance alone. It is read before the first of a run and again and again between them, where reading it is free.
 */
export function createFreeCalls(parts: {
  clock: Clock;
  sampleBalance(): Promise<void>;
  /** A reading has come. `isFirst`: what it shows was before this run. */
  onSample(isFirst: boolean): void;
}) {
  let sent = 0;
  let since: { calls: number; at: number } | null = null;
  let sampling: Promise<void> | null = null;

  async function sample(): Promise<void> {
    const isFirst = since === null;
    await parts.sampleBalance();
    since = { calls: 0, at: elapsedOf(parts.clock) };
    parts.onSample(isFirst);
  }

  const isDue = (): boolean =>
    since === null || since.calls >= longestRun.calls || elapsedOf(parts.clock) - since.at >= longestRun.ms;

  return {
    /** Before the turn of each. */
    async before(): Promise<void> {
      if (!isDue() && !sampling) return;
      sampling ??= sample().finally(() => {
        sampling = null;
      });
      await sampling;
    },
    /** One leaves now. */
    count(): void {
      sent += 1;
      if (since !== null) since.calls += 1;
    },
    /** After the last: what those since the last reading came to is in the ledger, though it stops nothing any more. */
    async end(): Promise<void> {
      if (since !== null && since.calls > 0) await parts.sampleBalance();
    },
    sent: (): number => sent,
  };
}
