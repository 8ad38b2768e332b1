import type { BalanceReading, LedgerEntry } from '../../../../shared/domain/credits.ts';

/** `by`: credits by which one reading is above the other; negative: below. */
export interface Comparison {
  by: number;
  /** Calls of this console in the ledger between the two. */
  calls: number;
  /** The ledger is loaded as far back as the earlier reading. */
  complete: boolean;
}

/** What is known of the entries loaded: they reach back to `since`; null: to the beginning. */
export interface LoadedLedger {
  entries: readonly LedgerEntry[];
  since: string | null;
}

/**
 * Two readings beside each other. They are seldom of the same moment, so the calls between them are counted; what those cost is not
 * taken off, since that is a conclusion with assumptions of its own. null: one of the readings has no figure.
 */
export function compareReadings(
  reading: BalanceReading,
  other: BalanceReading,
  { entries, since }: LoadedLedger,
): Comparison | null {
  if (reading.credits === null || other.credits === null) return null;
  const [from, to] = reading.at <= other.at ? [reading.at, other.at] : [other.at, reading.at];
  return {
    by: reading.credits - other.credits,
    calls: entries.filter(({ kind, at }) => kind === 'call' && at > from && at <= to).length,
    complete: since === null || since <= from,
  };
}
