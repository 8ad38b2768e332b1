import { anyDay, formatMoment } from '../../../shared/claims/moment.ts';
import type { SpendingCaps } from '../../../shared/domain/credits/credits.ts';
import { formatCredits as credits, roundFigure } from '../../../shared/domain/text/figures.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { CapScope } from './spend-sums.ts';

export const noCaps: SpendingCaps = { perRun: null, perDay: null, floor: null };

/** Caps with whose calls they count. */
export interface NamedCaps extends SpendingCaps {
  scope: CapScope;
}

/** The last balance read less every call that it may not show yet. */
export interface BalanceLeft {
  credits: number;
  /** ISO 8601 UTC. */
  readAt: string;
}

export interface SpendAsked {
  /** Credits the call counts for: its highest published price, or the figure a person set; null: neither. */
  counted: number | null;
  operation: string;
  /**
   * It reads a balance: a minimum balance does not refuse it for what is left, else nobody would learn that credits were added. One that
   * cannot be counted is refused all the same.
   */
  readsBalance: boolean;
  spentThisRun(): number;
  spentToday(): number;
  /** undefined: never read. */
  balance(): BalanceLeft | undefined;
}

/** As the figures are written: in binary fractions 2.8 and 0.2 can be more than 3, and 8.2 less 0.2 is less than 8. */
const exceeds = (figure: number, limit: number): boolean => roundFigure(figure - limit) > 0;

/** With the time of the reading: a later one may have given no figure. */
const takesBelow = (counted: number, balance: BalanceLeft, minimum: number): string =>
  `This call counts ${credits(counted)} and could take the balance of ${credits(balance.credits)} (read at ${formatMoment(balance.readAt, anyDay)}, less what was sent since) below the minimum of ${credits(minimum)}.`;

const refuse = (message: string, next: string) =>
  fail(appError('cap-reached', { message, next, charge: 'not-charged' }));

/**
 * Whether caps allow one call, before a socket opens (promise 5). Every call counts at its highest price from before it is sent. Error
 * `cap-reached`, saying which cap and how to go on. A call without a published price is not sent while a cap or a minimum balance is on,
 * unless a person has set a figure for it: it cannot be counted, and letting it through would bypass every cap.
 */
export function checkCaps(caps: SpendingCaps, asked: SpendAsked): Result<void> {
  const { counted } = asked;
  if (caps.perRun === null && caps.perDay === null && caps.floor === null) return ok(undefined);
  if (counted === null)
    return refuse(
      `The price of ${asked.operation} is not published, so it is not sent while a cap or a minimum balance is on.`,
      'Set a figure for it under Credits, Caps and alerts, or take off each cap and minimum balance.',
    );
  if (caps.perRun !== null && exceeds(asked.spentThisRun() + counted, caps.perRun))
    return refuse(
      `This call counts ${credits(counted)}. Counted since the program started: ${credits(asked.spentThisRun())}, of ${credits(caps.perRun)} allowed.`,
      'Raise the cap under Credits, or restart the program.',
    );
  if (caps.perDay !== null && exceeds(asked.spentToday() + counted, caps.perDay))
    return refuse(
      `This call counts ${credits(counted)}. Counted today: ${credits(asked.spentToday())}, of ${credits(caps.perDay)} allowed.`,
      'Raise the cap per day under Credits, or wait until tomorrow.',
    );
  if (caps.floor === null || asked.readsBalance) return ok(undefined);
  const balance = asked.balance();
  if (balance === undefined)
    return refuse(
      'A minimum balance is set, and no figure of the balance that pays for this call has been read.',
      'Read the balance under Credits first.',
    );
  if (exceeds(caps.floor, balance.credits - counted))
    return refuse(
      takesBelow(counted, balance, caps.floor),
      'Lower the minimum balance under Credits, or top up and read the balance.',
    );
  return ok(undefined);
}

/** Why a batch's budget refuses a call, by the field of its terms. */
export type BatchRefusal = 'batch.limit' | 'batch.minimumBalance' | 'batch.price';

/**
 * Whether the budget of a batch allows one of its calls, in addition to the caps: in the same transaction, with every call under way at its
 * highest price. Error `cap-reached`, whose field says which term.
 */
export function checkBatch(
  terms: { limit: number; minimumBalance: number | null },
  asked: { counted: number | null; operation: string; spent(): number; balance(): BalanceLeft | undefined },
): Result<void> {
  const { counted } = asked;
  const no = (field: BatchRefusal, message: string, next: string) =>
    fail(appError('cap-reached', { message, next, charge: 'not-charged', field }));
  if (counted === null)
    return no(
      'batch.price',
      `The price of ${asked.operation} is not published, so it cannot be counted towards the limit of the batch.`,
      'Set a figure for it under Credits, Caps and alerts.',
    );
  if (exceeds(asked.spent() + counted, terms.limit))
    return no(
      'batch.limit',
      `This call counts ${credits(counted)}. Sent for the batch: ${credits(asked.spent())}, of its limit of ${credits(terms.limit)}.`,
      'Raise the limit of the batch, then resume.',
    );
  if (terms.minimumBalance === null) return ok(undefined);
  const balance = asked.balance();
  if (balance === undefined)
    return no(
      'batch.minimumBalance',
      'A minimum balance is set for the batch, and no figure of the balance that pays for this call has been read.',
      'Read the balance under Credits first.',
    );
  if (exceeds(terms.minimumBalance, balance.credits - counted))
    return no(
      'batch.minimumBalance',
      takesBelow(counted, balance, terms.minimumBalance),
      'Lower the minimum balance of the batch, or top up and read the balance.',
    );
  return ok(undefined);
}
