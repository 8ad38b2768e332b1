import type { LedgerEntry } from '../../../shared/domain/credits.ts';

/** What the ledger writes in the place of an operation where no call explains a movement. */
export const movementOperation = 'No call of this console';

export interface Movement {
  /** Credits that no call explains; negative: the balance rose by so many more than it should have fallen. */
  credits: number;
  /** Credits of the same stretch that calls of this console do explain. */
  explained: number;
}

/**
 * What of the movement between two readings no call of this console explains; undefined: all of it is, or nothing can be said. Pure.
 * `entries` are those of the same balance between the readings, after settling. Where a call's cost is unknown, a fall may be that
 * call's and nothing is claimed. A fall smaller than the calls' prices is no movement either: a call may have been cheaper.
 */
export function findMovement(before: number, after: number, entries: readonly LedgerEntry[]): Movement | undefined {
  const counted = entries.filter(({ verdict }) => !costless.has(verdict));
  const explained = counted.reduce((sum, { observed, expected }) => sum + (observed ?? expected ?? 0), 0);
  const someUnknown = counted.some(({ observed, expected }) => observed === null && expected === null);
  const fell = before - after;
  const rest = fell - explained;
  if (rest > 0 && !someUnknown) return { credits: rest, explained };
  if (rest < 0 && fell < 0) return { credits: rest, explained };
  return undefined;
}

const costless: ReadonlySet<LedgerEntry['verdict']> = new Set(['held-free', 'not-charged', 'unexplained'] as const);
