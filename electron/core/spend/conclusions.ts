import { protocolOfSource } from '../../../shared/domain/credits/credits.ts';
import { roundFigure } from '../../../shared/domain/text/figures.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database/database.ts';
import { nameOfBalance, namesIn } from '../storage/one-balance.ts';
import { type CallFact, isBeside, isCleanCut, isOwnPurse } from './facts.ts';
import type { LedgerRepository } from './ledger-repository.ts';
import { claimOfCall, closeSegment, reachesPrices, sumOfPrices, unexplainedOf } from './reconcile.ts';
import type { SegmentsRepository, StoredSample, StoredSegment } from './segments-repository.ts';
import type { SpendSums } from './spend-sums.ts';

/** Stored in place of an operation if no call explains a movement; free ones may have been open, so it is never shown. */
export const movementOperation = 'No call of this console';

interface ConclusionParts {
  rows: LedgerRepository;
  segments: SegmentsRepository;
  sums: SpendSums;
}

/** The row that shows a fall, or the part of it, that no call explains: one of its own, or of the call beside whose price it stands. */
interface UnexplainedRow {
  id: string;
  credits: number;
}

/**
 * What follows from the facts: segments between clean readings, with the verdicts on their calls and the rows of what no call explains.
 * A cache: `rebuildSegments` computes the same anew, in a transaction of its own if none is open. `closeAt` is called inside one and throws
 * where SQLite does.
 */
export function openConclusions(db: Database, { rows, segments, sums }: ConclusionParts) {
  /**
   * Closes the segment that ends with a reading if neither a charge window nor the last cut of its balance meets it. Returns what
   * is unexplained of a fall; nothing for a rise, for figures of which nothing follows, and for a fall already seen with another key of the
   * origin. `beside`: the calls beside it (`callsBeside`).
   */
  function closeAt(sample: StoredSample, beside: readonly CallFact[]): UnexplainedRow[] {
    const meeting = segments.callsThatMayMeet(sample, beside).filter(({ id }) => id !== sample.ownCall);
    const from = segments.lastCutBefore(sample, sample.answered.sequence);
    const isCut =
      !isBeside(sample, from) &&
      meeting.every((call) => isCleanCut(sample, [call], segments.firstOfBoot(sample, call)));
    segments.markCut(sample.sequence, isCut);
    if (!isCut || !from) return [];
    const segment: StoredSegment = {
      ...closeSegment(from, sample, []),
      from,
      to: sample,
      id: sample.sequence,
      calls: segments.callsOf(from, sample),
    };
    segments.insert(segment);
    const overtaken = concludeCalls(segment);
    const falls = enterMovement(segment);
    // Another connection's reading gave its notice to that one.
    const given = overtaken.filter(({ to }) => to.connectionId === sample.connectionId);
    if (given.every((one) => fallOf(one) !== fallOf(segment))) falls.push(...beyondPrice(segment));
    for (const one of overtaken) {
      const entered = enterMovement(one);
      // Of a fall larger than the prices it was returned when its segment closed.
      if (unexplainedOf(one) === 0) falls.push(...entered);
    }
    return falls;
  }

  /** A fall that the row of the only call shows, larger than the call's price. */
  function beyondPrice(segment: StoredSegment): UnexplainedRow[] {
    const [call, ...others] = segment.calls;
    const credits = unexplainedOf(segment);
    if (!call || others.length > 0 || credits === 0 || sums.conclusionOf(call.id)?.segment !== segment.id) return [];
    return [{ id: call.id, credits }];
  }

  /** Returns the segments of other balances whose falls the rows of calls have shown until now, and no longer do. */
  function concludeCalls(segment: StoredSegment): StoredSegment[] {
    const { from, to, calls, movement } = segment;
    const overtaken = new Set<number>();
    const balance = nameOfBalance(protocolOfSource(to.source), segment);
    const accountsForAll = reachesPrices(segment);
    const shown: string[] = [];
    const prices = sumOfPrices(calls);
    for (const call of calls) {
      const own = isOwnPurse(call, segment);
      // Another balance shows something about a call only by falling, and yields to the call's own.
      if (!own && movement.kind !== 'fell') continue;
      const before = sums.conclusionOf(call.id);
      const claim = claimOfCall(segment, call, prices);
      const [origin = ''] = call.origins;
      const isOfServer = (name: string) => name.startsWith(`${call.interface} ${origin} `);
      const ofCall = nameOfBalance(call.interface, { origin, fingerprint: call.fingerprint });
      const drawnOn = before?.drawnOn ?? '';
      if (!own && before) {
        const shows = accountsForAll || (claim.kind === 'cost' && claim.fall === before.observed);
        // Against one of its own interface and server it counts anyway, as long as nobody has said that keys are separate.
        const counts = before.isOwn && isOfServer(balance);
        if (shows && !counts && !drawnOn.includes(balance)) shown.push(call.id);
        continue;
      }
      // A call that reads its own balance lies in the stretches before and after its reading: only both together clear it.
      if (claim.kind === 'no-fall' && before?.isOwn && before.verdict !== 'no-fall') continue;
      if (before && !before.isOwn) overtaken.add(before.segment);
      const observed = claim.kind === 'cost' ? claim.fall : claim.kind === 'at-price' ? claim.price : null;
      // A fall below the price shows the call by what it cost alone.
      const stay =
        before?.observed == null || before.observed === observed || before.observed >= (call.most ?? Infinity);
      const others = namesIn(drawnOn).filter((name) => stay && !isOfServer(name));
      const shownBy = own ? others : accountsForAll || claim.kind === 'cost' ? [balance] : [];
      rows.finishCall({
        id: call.id,
        verdict: claim.kind,
        observed,
        balanceBefore: own ? from.credits : null,
        balanceAfter: own ? to.credits : null,
        segment: segment.id,
        drawnOn: shownBy.length > 0 ? [ofCall, ...shownBy].join('') : '',
        alone: claim.kind === 'cost',
      });
    }
    rows.drawOn(shown, balance);
    // A fall may be the late charge of calls that were given back: they count again.
    if (movement.kind === 'fell') sums.countAgain(segment);
    return [...overtaken].flatMap((id) => segments.find(id) ?? []);
  }

  /** Credits of a fall that neither the prices of its calls explain nor the row of a call shows, by this balance or another. */
  function beyondOf(segment: StoredSegment): number {
    const { id, movement, calls } = segment;
    if (movement.kind !== 'fell') return 0;
    if (calls.length > 0 && calls.every((call) => sums.conclusionOf(call.id)?.verdict === 'no-fall'))
      return movement.fall;
    const [call, ...others] = calls;
    if (!call || others.length > 0) return unexplainedOf(segment);
    const only = sums.conclusionOf(call.id);
    if (only?.segment === id) return 0;
    // Of a balance that it shares with the call's own, this may be the same fall, and more.
    const cost = only?.observed ?? 0;
    const explained = Math.max(call.most ?? 0, cost <= movement.fall ? cost : 0);
    return Math.max(0, roundFigure(movement.fall - explained));
  }

  /** Enters what no call explains: a row of its own, about which a person can say something. */
  function enterMovement(segment: StoredSegment): UnexplainedRow[] {
    const { movement, calls, to: sample } = segment;
    const beyond = beyondOf(segment);
    const added = movement.kind === 'rose' ? movement.rise : movement.kind === 'fell' ? movement.added : 0;
    const enter = (id: string, observed: number | null): boolean => {
      const { origin, fingerprint } = segment;
      const seen = {
        origin,
        fingerprint,
        observed,
        balanceBefore: segment.from.credits,
        balanceAfter: sample.credits,
        at: sample.answered.at,
        explained: movement.kind === 'fell' ? roundFigure(movement.fall - beyond) : 0,
      };
      if (!segments.isSeparate(origin) && rows.isSeenElsewhere({ ...seen, from: segment.from.sequence })) return false;
      rows.insertRow({
        ...seen,
        id,
        run: db.run,
        connectionId: sample.connectionId,
        interface: protocolOfSource(sample.source),
        operation: movementOperation,
        subject: '',
        paidBy: sample.label,
        expected: 0,
        verdict: 'unexplained',
        since: segment.from.answered.at,
        note: '',
        madeUp: false,
        segment: segment.id,
      });
      return true;
    };
    if (added > 0) enter(`added-${sample.sequence}`, -added);
    // Calls show such a movement in their own rows.
    if (movement.kind === 'unclear' && calls.length === 0 && segment.from.credits !== sample.credits)
      enter(`unclear-${sample.sequence}`, null);
    const id = `movement-${sample.sequence}`;
    return beyond > 0 && enter(id, beyond) ? [{ id, credits: beyond }] : [];
  }

  /** Drops what was computed and computes it anew from the facts: the cache and this agree, or one of them is wrong. */
  const rebuildSegments = (): Result<void> =>
    db.transaction(() => {
      segments.clear();
      sums.forgetConclusions();
      rows.withdrawMovements();
      for (const { sample, beside } of segments.allSamples()) closeAt(sample, beside);
      rows.removeWithdrawn();
      return ok(undefined);
    });

  return { closeAt, rebuildSegments };
}

const fallOf = ({ movement }: StoredSegment): number => (movement.kind === 'fell' ? movement.fall : 0);
