import { type Clock, elapsedOf } from '../../../ports.ts';

/** The balance is read again after this many free calls, or after this long. */
const longestRun = { calls: 10, ms: 30_000 };

/**
 * Calls that are free by published prices are in no ledger and under no limit: if the service charges for one all the same, only the
 * balance shows it. So the balance is read before the first of a run and repeatedly between them, where reading it is free.
 */
export function createFreeCalls(parts: {
  clock: Clock;
  sampleBalance(): Promise<void>;
  /** A reading has come in. `isFirst`: what it shows happened before this run. */
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
    /** After the last call: what those since the last reading came to is in the ledger, though it no longer stops anything. */
    async end(): Promise<void> {
      if (since !== null && since.calls > 0) await parts.sampleBalance();
    },
    sent: (): number => sent,
  };
}
