import type { BalanceReading, BalanceSource } from '../../../shared/domain/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../platform/clock.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { openReadingsRepository } from '../storage/readings-repository.ts';
import type { Ledger } from './ledger.ts';

export type Balances = ReturnType<typeof createBalances>;

/** Every reading of every source, kept as samples. Nothing is averaged over sources. Errors: `storage-failed`. */
export function createBalances(db: Database, clock: Clock) {
  const rows = openReadingsRepository(db.sql);

  /** Keeps a reading and gives it back with its time. */
  function recordReading(connectionId: string, reading: Omit<BalanceReading, 'at'>): Result<BalanceReading> {
    return attempt(() => {
      const timed = { ...reading, at: isoNow(clock) };
      rows.insert(connectionId, timed);
      return timed;
    });
  }

  /** The last reading of each source and key. */
  const latestReadings = (connectionId: string): Result<BalanceReading[]> =>
    attempt(() => rows.latest(connectionId, isoNow(clock)));

  /** Samples from a moment on (ISO 8601 UTC), oldest first. */
  const readingsSince = (connectionId: string, at: string): Result<BalanceReading[]> =>
    attempt(() => rows.since(connectionId, at));

  /**
   * What should be left: the last figure of a source less everything spent since, by any key of the connection. That can only be
   * too low, which is the safe side for a floor. null: the source never gave a figure.
   */
  function lastBalance(
    ledger: Ledger,
    connectionId: string,
    source: BalanceSource,
    keyLastFour: string | null = null,
  ): Result<number | null> {
    const reading = attempt(() => rows.lastFigure(connectionId, source, keyLastFour, isoNow(clock)));
    if (!reading.ok) return reading;
    const { value } = reading;
    if (value?.credits === undefined || value.credits === null) return ok(null);
    const spent = ledger.spentAfterReading(connectionId, value.at);
    return spent.ok ? ok(value.credits - spent.value.credits) : spent;
  }

  return { recordReading, latestReadings, readingsSince, lastBalance };
}
