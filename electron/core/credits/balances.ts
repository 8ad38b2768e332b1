import type { BalanceReading, BalanceSource, LedgerEntry } from '../../../shared/domain/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Moment, Purse } from '../spend/facts.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openReadingsRepository } from '../storage/readings-repository.ts';

export type Balances = ReturnType<typeof createBalances>;

/** What makes a reading a fact: where the facts stood when it was asked for, whose balance it is, and the call that read it. */
export interface TakenSample {
  asked: Moment;
  purse: Purse;
  /** The ledger's entry of a call that may itself cost; null: published as free. */
  ownCall: string | null;
}

/** A reading so long before a call may still be the last one before it. */
const lookBackMs = 24 * 3_600_000;

/** Every reading of every source, kept as samples. Nothing is averaged over sources. Errors: `storage-failed`. */
export function createBalances(db: Database, clock: Clock, ledger: Ledger) {
  const rows = openReadingsRepository(db.sql);

  /** Stores a reading, whole, and gives it back with its time, and with the movement that it shows and no call explains. */
  function recordReading(
    connectionId: string,
    reading: Omit<BalanceReading, 'at'>,
    sample: TakenSample,
  ): Result<{ reading: BalanceReading; movement: LedgerEntry | undefined }> {
    return db.transaction(() => {
      const timed = { ...reading, at: isoNow(clock) };
      const sequence = rows.insert(connectionId, timed);
      const movement =
        reading.credits === null ? undefined : ledger.takeSample(sequence, sample.asked, sample.purse, sample.ownCall);
      return ok({ reading: timed, movement });
    });
  }

  /** The last reading of each source and key. */
  const latestReadings = (connectionId: string): Result<BalanceReading[]> =>
    attempt(() => rows.latest(connectionId, isoNow(clock)));

  /** The last sample of a source in the day before a moment (ISO 8601 UTC), and the first `limit` from it on, oldest first. */
  const readingsAround = (
    connectionId: string,
    source: BalanceSource,
    at: string,
    limit: number,
  ): Result<BalanceReading[]> =>
    attempt(() => {
      const since = new Date(Date.parse(at) - lookBackMs).toISOString();
      return rows.around({ connectionId, source, at, since, limit });
    });

  /** The newest figure of a source; undefined: the source never gave one. */
  const newestFigure = (connectionId: string, source: BalanceSource): Result<BalanceReading | undefined> =>
    attempt(() => rows.lastFigure(connectionId, source, null, isoNow(clock)));

  return { recordReading, latestReadings, readingsAround, newestFigure };
}
