import type { LedgerEntry } from '../../../shared/domain/credits.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import { faceOf, type Readable } from './ask-balance.ts';
import { accountReading, drawnFrom } from './drawn-from.ts';
import type { Ledger } from './ledger.ts';
import { findMovement, movementOperation } from './movement.ts';
import type { Reconciler } from './reconcile.ts';
import { settleByReading } from './settle-by-reading.ts';

export interface SettleParts {
  ledger: Ledger;
  log: ActivityLog;
  /** Knows whether keys share a balance. */
  reconciler: Pick<Reconciler, 'isShared'>;
  /** The balance moved by what no call explains; it is in the ledger. */
  onUnexplained?(connectionId: string, entry: LedgerEntry): void;
  /** Entries of the ledger were settled. */
  onSettled(connectionId: string): void;
  /** What this account was measured to pay for an operation; undefined: never measured. */
  measuredPrice?(connectionId: string, operation: string): number | undefined;
  /** How long after a call without an answer an unmoved balance is no proof yet. Default 30 s. */
  graceMs?: number;
}

/** A balance at a time (ISO, UTC). */
export interface Figure {
  at: string;
  credits: number;
}

/** Not settled: the first figure stays the one to compare with. `readAgainMs`: a late charge may still come until then. */
export interface Settled {
  settled: boolean;
  readAgainMs?: number;
}

/** Two readings with nothing else between them, this soon after each other, measure what a reading costs. */
const measuringMs = 60_000;

/** Gives the function that settles in the ledger what two readings of one source prove, and enters what no call explains. */
export function createSettleBetween(parts: SettleParts) {
  const { ledger, log, reconciler, graceMs = 30_000 } = parts;

  function settleBetween(
    connectionId: string,
    source: Readable,
    before: Figure,
    after: Figure & { label: string },
  ): Settled {
    const between = () => ledger.listBetween(connectionId, faceOf[source], before.at, after.at);
    const entries = between();
    if (!entries.ok) return { settled: false };
    const separate = source === 'rest-key' && reconciler.isShared(connectionId, 'rest') === false;
    const readings = settleReadings(connectionId, before, after, entries.value);
    const start = before.credits - readings.cost;
    const counted = drawnFrom(start - after.credits, after.label, entries.value, separate);
    const settlements = settleByReading(start, after.credits, counted);
    const late = counted.find(
      ({ id, at, verdict }) =>
        verdict === 'unsettled' &&
        Date.parse(after.at) - Date.parse(at) < graceMs &&
        settlements.some((one) => one.id === id && one.outcome.verdict === 'not-charged'),
    );
    if (late) return { settled: false, readAgainMs: Date.parse(late.at) + graceMs - Date.parse(after.at) };
    for (const { id, outcome } of settlements) {
      const entry = ledger.settleSpend(id, outcome);
      if (entry.ok && entry.value.callId !== null && outcome.observed !== null)
        log.observeCost(entry.value.callId, outcome.observed);
    }
    const settled = between();
    const own = new Set(counted.map(({ id }) => id));
    const moved =
      settled.ok &&
      (readings.known || start < after.credits) &&
      enterMovement(
        connectionId,
        source,
        { ...before, credits: start },
        after,
        settled.value.filter(({ id }) => own.has(id)),
      );
    if (settlements.length > 0 || moved) parts.onSettled(connectionId);
    return { settled: true };
  }

  /** What the readings between cost. Not known: a fall may be theirs, so nothing is claimed of it. */
  function settleReadings(
    connectionId: string,
    before: Figure,
    after: Figure,
    entries: readonly LedgerEntry[],
  ): { cost: number; known: boolean } {
    const own = entries.filter(({ operation, verdict }) => operation === accountReading && verdict !== 'not-charged');
    const [only] = own;
    if (!only) return { cost: 0, known: true };
    const fell = before.credits - after.credits;
    if (entries.length === 1 && fell >= 0 && Date.parse(after.at) - Date.parse(before.at) < measuringMs) {
      ledger.settleSpend(only.id, {
        observed: fell,
        balanceBefore: before.credits,
        balanceAfter: after.credits,
        alone: true,
      });
      return { cost: fell, known: true };
    }
    const price = parts.measuredPrice?.(connectionId, accountReading);
    if (price === undefined) return { cost: 0, known: false };
    for (const { id, verdict } of own)
      if (verdict === 'not-read') ledger.settleSpend(id, { observed: price, balanceAfter: after.credits });
    return { cost: price * own.length, known: true };
  }

  /** Writes down what no call explains: a row of its own, which a person can say something about. */
  function enterMovement(
    connectionId: string,
    source: Readable,
    before: Figure,
    after: Figure & { label: string },
    entries: readonly LedgerEntry[],
  ): boolean {
    const movement = findMovement(before.credits, after.credits, entries);
    if (!movement) return false;
    const entered = ledger.recordSpend(
      {
        connectionId,
        callId: null,
        interface: faceOf[source],
        operation: movementOperation,
        subject: '',
        paidBy: after.label,
        expected: 0,
        at: after.at,
        since: before.at,
        explained: movement.explained,
        balanceBefore: before.credits,
      },
      { observed: movement.credits, balanceAfter: after.credits, verdict: 'unexplained' },
    );
    if (entered.ok) parts.onUnexplained?.(connectionId, entered.value);
    return entered.ok;
  }

  return settleBetween;
}
