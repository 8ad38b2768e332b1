import type { LedgerEntry } from '../../../shared/domain/credits.ts';

/** Itself a call without a published price; its own cost cannot be told from the figure it brought, only from the next one. */
export const accountReading = 'GetAvailableCredits';

/**
 * The calls that a balance paid for. Keys may share one balance or have their own, which the service does not say: where the fall
 * is just what this key's calls cost, only those are meant; else all calls of the interface are.
 */
export function drawnFrom(
  fell: number,
  label: string,
  entries: readonly LedgerEntry[],
  separate = false,
): LedgerEntry[] {
  const calls = entries.filter(({ operation, verdict }) => operation !== accountReading && verdict !== 'unexplained');
  const own = calls.filter(({ paidBy }) => paidBy === label);
  const cost = (list: readonly LedgerEntry[]) =>
    list.reduce((sum, { observed, expected }) => sum + (observed ?? expected ?? 0), 0);
  if (separate) return own;
  return own.length < calls.length && cost(calls) !== fell && cost(own) === fell ? own : calls;
}
