import { toSecond } from '../../../shared/claims/moment.ts';
import type { Assumption, MoneyClaim } from '../../../shared/claims/money-claims.ts';
import { calendarDay } from '../../../shared/domain/text/calendar-day.ts';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import type { Purse } from '../storage/one-balance.ts';
import { type CallFact, isBeside, isCandidate, isCleanCut, type SampleFact } from './facts.ts';

/**
 * Facts → segments → claims. Pure. A segment is the stretch of one balance between two clean cuts, with the calls whose whole charge
 * windows lie in it. Once closed it never changes: every later fact has a later number.
 */
export interface Segment extends Purse {
  from: SampleFact;
  to: SampleFact;
  /** Candidates for the movement, in the order they were sent. */
  calls: readonly CallFact[];
  movement: Movement;
}

/** unclear: the figures of a sample contradict each other, or a counter went back, so they show nothing. Figures in credits. */
export type Movement =
  | { kind: 'still' }
  /** `added`: credits added in the same stretch, if the service reports them separately; else 0. */
  | { kind: 'fell'; fall: number; added: number }
  | { kind: 'rose'; rise: number }
  | { kind: 'unclear' };

/** What a balance did between two samples. `used` and `total` distinguish spending from top-ups if both samples have them. */
export function movementBetween(from: SampleFact, to: SampleFact): Movement {
  if (addsUp(from) === false || addsUp(to) === false) return { kind: 'unclear' };
  if (addsUp(from) && addsUp(to)) {
    const fall = roundFigure((to.used ?? 0) - (from.used ?? 0));
    const added = roundFigure((to.total ?? 0) - (from.total ?? 0));
    // A counter that goes back was reset, or is another one: nothing follows in either direction.
    if (fall < 0 || added < 0) return { kind: 'unclear' };
    if (fall > 0) return { kind: 'fell', fall, added };
    return added > 0 ? { kind: 'rose', rise: added } : { kind: 'still' };
  }
  const fall = roundFigure(from.credits - to.credits);
  if (fall > 0) return { kind: 'fell', fall, added: 0 };
  return fall < 0 ? { kind: 'rose', rise: -fall } : { kind: 'still' };
}

/** undefined: the service gave no `used` or `total`. */
function addsUp({ credits, used, total }: SampleFact): boolean | undefined {
  return used === null || total === null ? undefined : roundFigure(total - used) === roundFigure(credits);
}

/** The sum of the highest prices; null: one of them has none published. */
export const sumOfPrices = (calls: readonly CallFact[]): number | null =>
  calls.reduce<number | null>((sum, { most }) => (sum === null || most === null ? null : sum + most), 0);

/**
 * The segments of one balance. `calls` and `samples` in the order of their numbers; samples of any balance. For the simulator: the program
 * has each of them closed by queries as its reading comes (conclusions.ts).
 */
export function findSegments(purse: Purse, calls: readonly CallFact[], samples: readonly SampleFact[]): Segment[] {
  const candidates = calls.filter((call) => isCandidate(call, purse, false));
  const segments: Segment[] = [];
  let from: SampleFact | undefined;
  for (const [index, sample] of samples.entries()) {
    if (sample.origin !== purse.origin || sample.fingerprint !== purse.fingerprint) continue;
    if (!isCleanCut(sample, candidates, samples.slice(0, index))) continue;
    if (isBeside(sample, from)) continue;
    if (from) segments.push(closeSegment(from, sample, candidates));
    from = sample;
  }
  return segments;
}

/** The segment between two clean cuts. */
export function closeSegment(from: SampleFact, to: SampleFact, candidates: readonly CallFact[]): Segment {
  const inside = (call: CallFact) =>
    call.sent.sequence > from.answered.sequence && call.sent.sequence <= to.asked.sequence;
  return {
    origin: to.origin,
    fingerprint: to.fingerprint,
    from,
    to,
    calls: candidates.filter(inside),
    movement: movementBetween(from, to),
  };
}

/** A late charge, of this call or of an earlier one, could make any conclusion from a fall false. */
const ofAnyFall: Assumption[] = ['O', 'A', 'C', 'H', 'F'];
/** What was added is seen. */
const besideAdded = ofAnyFall.map((one): Assumption => (one === 'A' ? 'R' : one));

const spanOf = ({ from, to, movement }: Segment) => ({
  from: toSecond(from.asked.at),
  to: toSecond(to.answered.at),
  ...(movement.kind === 'fell' && movement.added > 0 && { rise: movement.added }),
});

/**
 * The day (YYYY-MM-DD, whatever follows it) that a service sent as an expiry date; null: none, or none that is in the calendar, as
 * 30 February.
 */
export function readExpiryDay(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? '') ?? [];
  return calendarDay(Number(year), Number(month), Number(day));
}

/**
 * The day (YYYY-MM-DD) on which credits were to expire, if it is within the segment, allowing for the time zone in which the service counts
 * its days; null: it is not, or no day is known.
 */
export function expiryWithin({ from, to }: Segment): string | null {
  const day = readExpiryDay(from.expiryDate);
  if (day === null) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const halfDay = 12 * 3_600_000;
  return Date.parse(to.answered.at) >= midnight - halfDay && Date.parse(from.asked.at) <= midnight + 3 * halfDay
    ? day
    : null;
}

type Span = ReturnType<typeof spanOf>;
const sharedFall = (fall: number, span: Span, calls: readonly CallFact[]): MoneyClaim => {
  return { kind: 'shared', fall, ...span, calls: calls.length };
};
/** A fall larger than the prices of all its calls. */
const fallBeyond = (fall: number, span: Span, calls: readonly CallFact[], prices: number): MoneyClaim => {
  return { kind: 'beyond', fall, ...span, calls: calls.length, explained: prices };
};

/**
 * What follows for one call from a segment of a balance that may have paid for it. `prices`: the sum of its calls', which whoever asks for
 * each of many calls adds up once.
 */
export function claimOfCall(segment: Segment, call: CallFact, prices = sumOfPrices(segment.calls)): MoneyClaim {
  const { movement, calls } = segment;
  const span = spanOf(segment);
  if (movement.kind === 'unclear') return { kind: 'unclear', ...span };
  if (movement.kind === 'rose') return { kind: 'rose', rise: movement.rise, ...span };
  if (movement.kind === 'still') return { kind: 'no-fall', until: span.to };
  const { fall, added } = movement;
  const always = added > 0 ? besideAdded : ofAnyFall;
  const shared = sharedFall(fall, span, calls);
  if (expiryWithin(segment) !== null) return shared;
  if (calls.length === 1) return { kind: 'cost', fall, ...span, assumes: always };
  if (prices === null || call.most === null || fall > prices) return shared;
  const withPrices: Assumption[] = [...always, 'P'];
  if (fall === prices)
    return { kind: 'at-price', fall, ...span, calls: calls.length, price: call.most, assumes: withPrices };
  const least = Math.max(0, roundFigure(fall - (prices - call.most)));
  const most = Math.min(call.most, fall);
  return least > 0 ? { kind: 'between', fall, ...span, calls: calls.length, least, most, assumes: withPrices } : shared;
}

/**
 * Claims about the movement itself: credits added, a fall of which its calls explain nothing or only a part, and figures beside which no
 * call stands, and of which nothing follows. Empty: there is nothing to say, as when they explain all, or the price of one is not published.
 */
export function claimsOfMovement(segment: Segment): MoneyClaim[] {
  const { movement, calls } = segment;
  const span = spanOf(segment);
  const expiry = expiryWithin(segment);
  const expired: MoneyClaim[] = expiry === null ? [] : [{ kind: 'expiry', day: expiry }];
  if (movement.kind === 'unclear' && calls.length === 0) return [{ kind: 'unclear', ...span }, ...expired];
  if (movement.kind !== 'fell') return claimsOfAddition(segment);
  const { fall } = movement;
  if (calls.length === 0) return [{ kind: 'no-call', fall, ...span }, ...expired];
  const prices = sumOfPrices(calls);
  if (prices !== null && fall > prices) return [fallBeyond(fall, span, calls, prices), ...expired];
  const added = claimsOfAddition(segment);
  return added.length > 0 ? [...added, ...expired] : [];
}

/** What was added, with what was used in the same stretch if something was. */
export function claimsOfAddition(segment: Segment): MoneyClaim[] {
  const { movement } = segment;
  const span = spanOf(segment);
  if (movement.kind === 'rose') return [{ kind: 'added', rise: movement.rise, ...span }];
  return movement.kind === 'fell' && span.rise !== undefined
    ? [{ kind: 'added', ...span, rise: span.rise, fall: movement.fall }]
    : [];
}

/** What a balance did over a stretch of many calls, with their prices beside it. No verdict, and nothing for any one of the calls. */
export function claimsOfSpan(segment: Segment): MoneyClaim[] {
  const { movement, calls } = segment;
  const span = spanOf(segment);
  if (movement.kind === 'unclear') return [{ kind: 'unclear', ...span }];
  if (movement.kind === 'still') return [{ kind: 'no-fall', until: span.to }];
  const own = claimsOfMovement(segment);
  if (movement.kind === 'rose' || own.some(({ kind }) => kind === 'beyond' || kind === 'no-call')) return own;
  const { fall } = movement;
  const prices = sumOfPrices(calls);
  const fell = prices === null ? sharedFall(fall, span, calls) : fallBeyond(fall, span, calls, prices);
  const expiry = expiryWithin(segment);
  return [fell, ...(expiry === null ? [] : [{ kind: 'expiry' as const, day: expiry }])];
}

/**
 * Claims about a fall that is entered by itself. Where the prices of its calls reach it, the calls' own balances did not fall: then its calls
 * are counted, and no price stands beside it.
 */
export const claimsOfFall = (segment: Segment): MoneyClaim[] =>
  claimsOfSpan(segment).map((claim) =>
    claim.kind === 'beyond' && claim.fall <= claim.explained
      ? sharedFall(claim.fall, spanOf(segment), segment.calls)
      : claim,
  );

/**
 * Whether a fall is at least the prices of all its calls, and not across the expiry date. A smaller one may be the charge of any of them, so of
 * a balance that is not their own it shows none to count against it; but for a call that is alone in it.
 */
export function reachesPrices(segment: Segment): boolean {
  const { movement, calls } = segment;
  if (movement.kind !== 'fell' || expiryWithin(segment) !== null) return false;
  const prices = sumOfPrices(calls);
  return prices !== null && movement.fall >= prices;
}

/** Credits of a movement that no price of its calls explains; 0: none, or it is not known. */
export function unexplainedOf({ movement, calls }: Segment): number {
  if (movement.kind !== 'fell') return 0;
  const prices = sumOfPrices(calls);
  return prices === null ? 0 : Math.max(0, roundFigure(movement.fall - prices));
}

/** A price is learned from this many falls, each with a single call, all alike. Zero is never learned: a charge may be late. */
export const fallsToLearn = 3;

/** The price that the newest falls show; undefined: they do not agree, or there are too few. `falls`: newest first. */
export function learnPrice(falls: readonly number[]): number | undefined {
  const [price, ...others] = falls.slice(0, fallsToLearn);
  return price !== undefined && price > 0 && others.length === fallsToLearn - 1 && others.every((one) => one === price)
    ? price
    : undefined;
}
