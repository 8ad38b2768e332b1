import type { LedgerEntry } from '../../../shared/domain/credits.ts';
import type { SpendOutcome } from './ledger.ts';

export interface Settlement {
  id: string;
  outcome: SpendOutcome;
}

/** Spends whose own cost a reading can still tell. */
const open = new Set<LedgerEntry['verdict']>(['not-read', 'unsettled']);

/**
 * What two readings of one source say of the calls between them. Pure. `entries` are all entries of that source after the first
 * reading and before the second, oldest first; nothing was under way at either reading. Rules, in this order:
 *
 * - all have a price and the balance fell by their sum: each cost what was expected;
 * - just one call: it cost the difference, whatever was expected; without a published price this is a measurement;
 * - one call is unsettled and the others have a price: the rest of the difference says whether it was charged (0: not; its price:
 *   yes, though another key of the account could have paid the same);
 * - anything else is left open: what does not fit is not shared out by guessing.
 */
export function settleByReading(before: number, after: number, entries: readonly LedgerEntry[]): Settlement[] {
  const counted = entries.filter(({ verdict }) => open.has(verdict));
  const fell = before - after;
  const unsettled = counted.filter(({ verdict }) => verdict === 'unsettled');
  const [only] = counted;

  if (unsettled.length === 0 && counted.every(({ expected }) => expected !== null)) {
    const sum = counted.reduce((total, { expected }) => total + (expected ?? 0), 0);
    if (sum === fell) return runningMatches(before, counted);
  }
  if (counted.length === 1 && only && unsettled.length === 0 && fell >= 0) {
    return [{ id: only.id, outcome: { observed: fell, balanceBefore: before, balanceAfter: after, alone: true } }];
  }
  const [uncertain] = unsettled;
  const others = counted.filter(({ verdict }) => verdict !== 'unsettled');
  if (unsettled.length === 1 && uncertain && others.every(({ expected }) => expected !== null)) {
    const rest = fell - others.reduce((total, { expected }) => total + (expected ?? 0), 0);
    const settled = settleUncertain(uncertain, rest, after);
    if (settled) return [...runningMatches(before, others), settled];
  }
  return [];
}

/** Each entry with the balance after it, in the order in which they were made. */
function runningMatches(before: number, entries: readonly LedgerEntry[]): Settlement[] {
  let balance = before;
  return entries.map(({ id, expected }) => {
    const cost = expected ?? 0;
    const balanceBefore = balance;
    balance -= cost;
    return { id, outcome: { observed: cost, balanceBefore, balanceAfter: balance, verdict: 'matches' as const } };
  });
}

function settleUncertain({ id, expected }: LedgerEntry, rest: number, after: number): Settlement | undefined {
  if (rest === 0) return { id, outcome: { observed: 0, balanceAfter: after, verdict: 'not-charged' } };
  if (expected !== null && rest === expected)
    return { id, outcome: { observed: rest, balanceAfter: after, verdict: 'charged-answer-lost' } };
  return undefined;
}
