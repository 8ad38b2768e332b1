import type { Segment } from '../../electron/core/spend/reconcile.ts';
import { toSecond } from '../../shared/claims/moment.ts';
import type { Assumption, MoneyClaim } from '../../shared/claims/money-claims.ts';
import type { TrueCall, TrueSample, World } from './world.ts';

/**
 * Whether a claim is false: its facts are false, or its assumptions are true in the world and its conclusion is not. Returns why, or null. The
 * judge knows the truth and uses none of the program's rules.
 */
export function judgeCall(world: World, segment: Segment, call: TrueCall, claim: MoneyClaim): string | null {
  const [from, to] = samplesOf(world, segment);
  const open = openBetween(world, from, to);
  const cost = call.charges.reduce((sum, { credits }) => sum + credits, 0);
  const holds = (assumes: readonly Assumption[]) => assumes.every((one) => isSo(world, one, from, to, open));
  if (!open.includes(call)) return 'it was not open in that time';
  const bothAddUp = [from, to].every((one) => one.fact.used === null || addsUp(one));
  if (!bothAddUp) return claim.kind === 'unclear' ? null : `${claim.kind} of figures that do not add up`;
  switch (claim.kind) {
    case 'no-fall':
      if (claim.until !== toSecond(to.fact.answered.at)) return 'until another time';
      return isShown(from, to, {}) ? null : 'no fall, but one is shown';
    case 'cost':
      if (!isShown(from, to, claim)) return `fell by ${claim.fall} is not shown`;
      if (open.length !== 1) return `the only call, but ${open.length}`;
      return holds(claim.assumes) && cost !== claim.fall ? `cost ${claim.fall}, but ${cost}` : null;
    case 'at-price':
      if (!isShown(from, to, claim)) return `fell by ${claim.fall} is not shown`;
      if (open.length !== claim.calls) return `${claim.calls} calls, but ${open.length}`;
      if (claim.price !== call.fact.most) return 'another price';
      if (open.reduce((sum, { fact }) => sum + (fact.most ?? Number.NaN), 0) !== claim.fall)
        return 'not the sum of the prices';
      return holds(claim.assumes) && cost !== claim.price ? `cost ${claim.price}, but ${cost}` : null;
    case 'between':
      if (!isShown(from, to, claim) || open.length !== claim.calls) return 'other facts';
      return holds(claim.assumes) && (cost < claim.least || cost > claim.most)
        ? `${claim.least} to ${claim.most}, but ${cost}`
        : null;
    case 'shared':
      return isShown(from, to, claim) && claim.calls === open.length ? null : `${claim.calls} share ${claim.fall}`;
    case 'rose':
      return isShown(from, to, claim) ? null : `rose by ${claim.rise} is not shown`;
    case 'unclear':
      return wentBack(from, to) ? null : 'the figures add up';
    default:
      return `unexpected ${claim.kind}`;
  }
}

export function judgeMovement(world: World, segment: Segment, claim: MoneyClaim): string | null {
  const [from, to] = samplesOf(world, segment);
  if (from.shownAt > to.shownAt && !from.stale && !to.stale) return 'the first figure is the newer one';
  const open = openBetween(world, from, to);
  switch (claim.kind) {
    case 'no-call':
      if (!isShown(from, to, claim)) return `fell by ${claim.fall} is not shown`;
      return open.length === 0 ? null : `no call, but ${open.length}`;
    case 'beyond': {
      const prices = open.reduce((sum, { fact }) => sum + (fact.most ?? Number.NaN), 0);
      return isShown(from, to, claim) && claim.calls === open.length && claim.explained === prices
        ? null
        : 'other facts';
    }
    case 'added':
      return isShown(from, to, claim) ? null : `${claim.rise} added is not shown`;
    default:
      return null;
  }
}

function samplesOf(world: World, segment: Segment): [TrueSample, TrueSample] {
  const find = (id: string) => world.samples.find(({ fact }) => fact.id === id) as TrueSample;
  return [find(segment.from.id), find(segment.to.id)];
}

/** Calls whose charge window overlaps the time between two readings. */
const openBetween = (world: World, from: TrueSample, to: TrueSample): TrueCall[] =>
  world.calls.filter(
    ({ sentAt, closedAt, fact }) => sentAt < to.answeredAt && (fact.ended === null || closedAt > from.askedAt),
  );

const addsUp = ({ fact: { credits, used, total } }: TrueSample): boolean =>
  used !== null && total !== null && total - used === credits;

/** Whether a counter that can only grow has decreased, as when a stale copy answers. */
const wentBack = (from: TrueSample, to: TrueSample): boolean =>
  (to.fact.used ?? 0) < (from.fact.used ?? 0) || (to.fact.total ?? 0) < (from.fact.total ?? 0);

/** Whether the two balances shown differ by just what a claim says of them, and what is counted as used by what it says was used. */
function isShown(from: TrueSample, to: TrueSample, { fall = 0, rise = 0 }: Shown): boolean {
  if (from.fact.credits - to.fact.credits !== fall - rise) return false;
  return !addsUp(from) || !addsUp(to) || (to.fact.used ?? 0) - (from.fact.used ?? 0) === fall;
}
interface Shown {
  fall?: number | undefined;
  rise?: number | undefined;
}

/** Whether an assumption is true in the world between the times of two readings. */
function isSo(world: World, one: Assumption, from: TrueSample, to: TrueSample, open: readonly TrueCall[]): boolean {
  const purse = world.purseOf(from.fact.fingerprint);
  const between = (at: number) => at > Math.min(from.shownAt, to.shownAt) && at <= Math.max(from.shownAt, to.shownAt);
  const changed = (kind: string) =>
    world.changes.some((change) => change.kind === kind && change.purse === purse && between(change.at));
  switch (one) {
    case 'O':
      return !changed('other');
    case 'A':
      return !changed('added');
    // Here a refund is credits added, which the sentence says; nothing expires.
    case 'R':
      return true;
    case 'F':
      return !changed('free-call');
    case 'C':
      return !from.stale && !to.stale;
    case 'H':
      return !world.calls.some((call) =>
        call.charges.some(({ at }) => at > call.closedAt && (between(at) || open.includes(call))),
      );
    case 'P':
      return open.every(
        ({ fact, charges }) =>
          fact.most === null || charges.reduce((sum, { credits }) => sum + credits, 0) <= fact.most,
      );
  }
}
