import type { BalanceReading, LedgerEntry } from '../../../shared/domain/credits.ts';

/** `by`: credits this source says more (negative: less) than the other, once the calls between the two readings are taken off. */
export type Comparison =
  | { kind: 'agrees'; movedBetween: number }
  | { kind: 'disagrees'; by: number; unknownBetween: boolean };

/** What is known of the entries loaded: they reach back to `since`; null: to the beginning. */
export interface LoadedLedger {
  entries: readonly LedgerEntry[];
  since: string | null;
}

/** What one entry took off the balance; null: not known. */
function movementOf({ verdict, observed, expected }: LedgerEntry): number | null {
  if (verdict === 'held-free' || verdict === 'not-charged') return 0;
  if (verdict === 'unsettled') return null;
  return observed ?? expected;
}

/**
 * Holds a source's figure against another's. Readings are seldom of the same moment, so what the ledger knows to have been spent
 * between them is taken off first. null: one of them has no figure. Neither figure is ever changed or averaged.
 */
export function compareReadings(
  reading: BalanceReading,
  other: BalanceReading,
  ledger: LoadedLedger,
): Comparison | null {
  if (reading.credits === null || other.credits === null) return null;
  const [from, to] = reading.at <= other.at ? [reading.at, other.at] : [other.at, reading.at];
  const between = ledger.entries.filter(({ at }) => at > from && at <= to);
  const movements = between.map(movementOf);
  const movedBetween = movements.reduce<number>((sum, moved) => sum + (moved ?? 0), 0);
  const atSameTime = reading.at <= other.at ? reading.credits - movedBetween : reading.credits + movedBetween;
  const by = atSameTime - other.credits;
  if (by === 0) return { kind: 'agrees', movedBetween };
  // Equal figures are not a disagreement, whatever the calls between them may have cost.
  const unknownBetween = movements.includes(null) || (ledger.since !== null && ledger.since > from);
  if (unknownBetween && reading.credits === other.credits) return { kind: 'agrees', movedBetween: 0 };
  return { kind: 'disagrees', by, unknownBetween };
}
