import type { SpendingCaps } from '../../../shared/domain/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

export const noCaps: SpendingCaps = { perRun: null, perDay: null, floor: null };

export interface SpendAsked {
  /** Credits by what is published or measured; null: not published. */
  expected: number | null;
  spentThisRun: number;
  spentToday: number;
  /** The last reading less what was spent since; null: never read, and then a floor cannot be held. */
  lastBalance: number | null;
  /** A call that reads the balance is never held back: without it nobody would learn that credits were added. */
  readsBalance?: boolean;
}

const credits = (count: number): string => `${count.toLocaleString('en-GB')} credit${count === 1 ? '' : 's'}`;

const refuse = (message: string, next: string) =>
  fail(appError('cap-reached', { message, next, charge: 'not-charged' }));

/**
 * Whether the caps allow one call, before a socket opens (safety.md 5). Error `cap-reached`, saying which cap and how to raise it.
 *
 * A call without a known price cannot be counted against the caps per run and per day, and is let through: refusing it would
 * close every operation whose price is not published. A floor does hold it back once the balance is at the floor or under it.
 */
export function checkCaps(caps: SpendingCaps, asked: SpendAsked): Result<void> {
  const { expected, spentThisRun, spentToday, lastBalance } = asked;
  if (expected === 0 || asked.readsBalance) return ok(undefined);
  if (expected === null) {
    if (caps.floor === null || lastBalance === null || lastBalance > caps.floor) return ok(undefined);
    return refuse(
      `The balance (${credits(lastBalance)}) is at the floor of ${credits(caps.floor)}, and the price of this call is not published.`,
      'Lower the floor under Credits, or top up and read the balance.',
    );
  }
  if (caps.perRun !== null && spentThisRun + expected > caps.perRun) {
    return refuse(
      `This call costs ${credits(expected)}; ${credits(spentThisRun)} of the ${credits(caps.perRun)} allowed for this run are spent.`,
      'Raise the cap per run under Credits, or restart the program.',
    );
  }
  if (caps.perDay !== null && spentToday + expected > caps.perDay) {
    return refuse(
      `This call costs ${credits(expected)}; ${credits(spentToday)} of the ${credits(caps.perDay)} allowed for today are spent.`,
      'Raise the cap per day under Credits, or wait until tomorrow.',
    );
  }
  if (caps.floor !== null && lastBalance !== null && lastBalance - expected < caps.floor) {
    return refuse(
      `This call costs ${credits(expected)} and would take the balance of ${credits(lastBalance)} under the floor of ${credits(caps.floor)}.`,
      'Lower the floor under Credits, or top up and read the balance.',
    );
  }
  return ok(undefined);
}
