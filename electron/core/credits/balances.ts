import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { BalanceSample, BalanceSource } from '../../../shared/domain/credits/credits.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow } from '../../ports.ts';
import type { Moment } from '../spend/facts.ts';
import type { Ledger, UnexplainedFall } from '../spend/ledger.ts';
import { openBalanceSamples } from '../storage/balance-samples-repository.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import type { Purse } from '../storage/one-balance.ts';
import type { Servers } from '../storage/servers.ts';

export type Balances = ReturnType<typeof createBalances>;

/** What makes a reading a fact: where the facts stood when it was requested, whose balance it is, and the call that read it. */
export interface TakenSample {
  asked: Moment;
  purse: Purse;
  /** The ledger's entry of a call that may itself cost something; null: published as free. */
  ownCall: string | null;
}

/** A reading this long before a call may still be the last one before it. */
const lookBackMs = 24 * 3_600_000;

/**
 * Every reading of every source, kept as samples. Nothing is averaged across sources. `serversFor`: where a connection leads now; what was
 * read elsewhere is not its latest, null: wherever it was read. Errors: `storage-failed`.
 */
export function createBalances(
  db: Database,
  clock: Clock,
  ledger: Ledger,
  serversFor: (connectionId: string) => Servers | null = () => null,
) {
  const rows = openBalanceSamples(db.sql);

  /** Stores a whole reading and returns it with its time, and with the falls that it shows and no call explains. */
  function recordSample(
    connectionId: string,
    read: Omit<BalanceSample, 'at'>,
    { asked, purse, ownCall }: TakenSample,
  ): Result<{ sample: BalanceSample; unexplained: UnexplainedFall[] }> {
    return db.transaction(() => {
      const timed = { ...read, at: isoNow(clock) };
      const sequence = rows.insert(connectionId, purse.origin, timed);
      const unexplained = read.credits === null ? [] : ledger.takeSample(sequence, asked, purse, ownCall);
      return ok({ sample: timed, unexplained });
    });
  }

  /** The last reading of each source and key. */
  const latestSamples = (connectionId: string): Result<BalanceSample[]> =>
    attempt(() => rows.latest(connectionId, isoNow(clock), serversFor(connectionId)));

  /** Of each key, the last sample in the day before a call, and the first `limit` from it on, oldest first. */
  const samplesAround = (
    { id: callId, connectionId, at }: Pick<CallRecord, 'id' | 'connectionId' | 'at'>,
    source: BalanceSource,
    limit: number,
  ): Result<BalanceSample[]> =>
    attempt(() => {
      const since = new Date(Date.parse(at) - lookBackMs).toISOString();
      return rows.around({ connectionId, source, callId, at, since, limit });
    });

  /** The newest figure of a source; undefined: it never returned one. */
  const newestFigure = (connectionId: string, source: BalanceSource): Result<BalanceSample | undefined> =>
    attempt(() => rows.newestFigure(connectionId, source, isoNow(clock), null, serversFor(connectionId))?.sample);

  return { recordSample, latestSamples, samplesAround, newestFigure };
}
