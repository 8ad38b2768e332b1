import type { BalanceSample, LedgerEntry } from '../../../../shared/domain/credits/credits.ts';

/** `by`: credits by which one reading is above the other; negative: below. */
export interface Comparison {
  by: number;
  /** Calls of this connection in the ledger that were begun between the two. */
  calls: number;
  /** The ledger is loaded as far back as the earlier reading. */
  complete: boolean;
}

/** The entries loaded so far: they reach back to `since`; null: to the beginning. */
export interface LoadedLedger {
  entries: readonly LedgerEntry[];
  since: string | null;
}

/**
 * Two readings compared. They are seldom of the same moment, so the calls between them are counted; what those cost is not subtracted,
 * since that is a conclusion with assumptions of its own. null: one of the readings has no figure.
 */
export function compareSamples(
  sample: BalanceSample,
  other: BalanceSample,
  { entries, since }: LoadedLedger,
): Comparison | null {
  if (sample.credits === null || other.credits === null) return null;
  const [from, to] = sample.at <= other.at ? [sample.at, other.at] : [other.at, sample.at];
  return {
    by: sample.credits - other.credits,
    calls: entries.filter(({ kind, at }) => kind === 'call' && at > from && at <= to).length,
    complete: since === null || since <= from,
  };
}
