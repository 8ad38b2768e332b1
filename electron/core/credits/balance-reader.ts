import type { BalanceReading, BalanceSource, LedgerEntry } from '../../../shared/domain/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext, Caller } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Balances } from './balances.ts';
import type { Ledger } from './ledger.ts';
import { findMovement, movementOperation } from './movement.ts';
import type { Reconciler } from './reconcile.ts';
import { settleByReading } from './settle-by-reading.ts';

type Readable = Exclude<BalanceSource, 'licence'>;

export interface ReaderParts {
  clients: Clients;
  caller: Caller;
  balances: Balances;
  ledger: Ledger;
  log: ActivityLog;
  /** Knows whether keys share a balance. */
  reconciler: Pick<Reconciler, 'isShared'>;
  onReading(connectionId: string, reading: BalanceReading): void;
  /** The balance moved by what no call explains; it is in the ledger. */
  onUnexplained?(connectionId: string, entry: LedgerEntry): void;
  /** Entries of the ledger were settled. */
  onSettled(connectionId: string): void;
  /** Labels of the lookup keys, the preferred one first; each has a balance to be asked for. */
  lookupKeys?(connectionId: string): string[];
  /** What this account was measured to pay for an operation; undefined: never measured. */
  measuredPrice?(connectionId: string, operation: string): number | undefined;
  /** How long after a call without an answer an unmoved balance is no proof yet. Default 30 s. */
  graceMs?: number;
  /** Quiet time after a spend before its balance is read, so that a burst of calls is followed by one reading. Default 250 ms. */
  settleDelayMs?: number;
}

interface Figure {
  at: string;
  credits: number;
}

const faceOf: Record<Readable, 'rest' | 'soap'> = {
  'rest-key': 'rest',
  'soap-account': 'soap',
  'service-test': 'soap',
};

export type BalanceReader = ReturnType<typeof createBalanceReader>;

/** Reads balances, keeps every reading, and settles the ledger by them where they prove something. */
export function createBalanceReader(parts: ReaderParts) {
  const { clients, caller, balances, ledger, log, reconciler, graceMs = 30_000, settleDelayMs = 250 } = parts;
  const timers = new Map<string, NodeJS.Timeout>();
  /** The last reading of a source with no paid call under way: what the next one is held against. */
  const lastQuiet = new Map<string, Figure>();

  async function read(
    connectionId: string,
    source: Readable,
    context: CallContext = {},
    keyLabel?: string,
  ): Promise<Result<BalanceReading>> {
    const quietBefore = caller.isQuiet(connectionId);
    const asked = await ask[source](clients, connectionId, context, keyLabel);
    if (!asked.ok) return asked;
    const stream = streamOf(connectionId, source, asked.value);
    const before = lastQuiet.get(stream) ?? previousFigure(connectionId, source, asked.value);
    const kept = balances.recordReading(connectionId, asked.value);
    if (!kept.ok) return kept;
    const reading = kept.value;
    if (quietBefore && caller.isQuiet(connectionId) && reading.credits !== null) {
      const now = { at: reading.at, credits: reading.credits };
      // A clock that was set back: what lies between the two is not known, so the stretch begins anew.
      if (!before || before.at > now.at || settle(connectionId, source, before, { ...now, label: reading.label }))
        lastQuiet.set(stream, now);
    }
    parts.onReading(connectionId, reading);
    return ok(reading);
  }

  /** Keys that are known to share a balance are one stream of readings; all others are held against their own readings only. */
  function streamOf(
    connectionId: string,
    source: Readable,
    { label, keyLastFour }: Pick<BalanceReading, 'label' | 'keyLastFour'>,
  ) {
    const shared = source === 'rest-key' && reconciler.isShared(connectionId, 'rest') === true;
    return shared ? `${connectionId} ${source}` : `${connectionId} ${source} ${keyLastFour} ${label}`;
  }

  function previousFigure(
    connectionId: string,
    source: Readable,
    asked: Pick<BalanceReading, 'label' | 'keyLastFour'>,
  ): Figure | undefined {
    const latest = balances.latestReadings(connectionId);
    const stream = streamOf(connectionId, source, asked);
    const figures = latest.ok
      ? latest.value.filter(
          (one) => one.source === source && one.credits !== null && streamOf(connectionId, source, one) === stream,
        )
      : [];
    const newest = figures.sort((a, b) => b.at.localeCompare(a.at))[0];
    return newest?.credits == null ? undefined : { at: newest.at, credits: newest.credits };
  }

  /** Settles what two readings prove. False: a late charge may still come, so the first reading stays the one to compare with. */
  function settle(connectionId: string, source: Readable, before: Figure, after: Figure & { label: string }): boolean {
    const between = () => ledger.listBetween(connectionId, faceOf[source], before.at, after.at);
    const entries = between();
    if (!entries.ok) return false;
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
    if (late) {
      readLater(connectionId, source, Date.parse(late.at) + graceMs - Date.parse(after.at));
      return false;
    }
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
    return true;
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

  function readLater(connectionId: string, source: Readable, delayMs: number): void {
    if (source !== 'rest-key') return;
    clearTimeout(timers.get(connectionId));
    timers.set(
      connectionId,
      setTimeout(() => {
        timers.delete(connectionId);
        if (caller.isQuiet(connectionId)) void read(connectionId, source);
        else readLater(connectionId, source, settleDelayMs);
      }, delayMs),
    );
  }

  /** After a spend over REST: one free reading, once the burst is over. SOAP's readings have no published price, so none is made. */
  function readAfterSpend(connectionId: string, face: 'rest' | 'soap'): void {
    if (face === 'rest') readLater(connectionId, 'rest-key', settleDelayMs);
  }

  /** Each lookup key is asked for its own balance, the preferred one first; undefined stands for the only one there is. */
  function keysOf(connectionId: string, source: Readable): (string | undefined)[] {
    const keys = source === 'rest-key' ? (parts.lookupKeys?.(connectionId) ?? []) : [];
    return keys.length > 1 ? keys : [undefined];
  }

  /** Several sources one after the other; a source that fails does not stop the others. */
  async function readAll(
    connectionId: string,
    sources: readonly Readable[],
    context: CallContext = {},
  ): Promise<{ readings: BalanceReading[]; failures: { source: string; error: AppError }[] }> {
    const readings: BalanceReading[] = [];
    const failures: { source: string; error: AppError }[] = [];
    for (const source of sources) {
      for (const keyLabel of keysOf(connectionId, source)) {
        const reading = await read(connectionId, source, context, keyLabel);
        if (reading.ok) readings.push(reading.value);
        else failures.push({ source, error: named(reading.error, keyLabel) });
      }
    }
    return { readings, failures };
  }

  function close(): void {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }

  return { read, readAll, readAfterSpend, close };
}

/** Itself a call without a published price; its own cost cannot be told from the figure it brought, only from the next one. */
const accountReading = 'GetAvailableCredits';
/** Two readings with nothing else between them, this soon after each other, measure what a reading costs. */
const measuringMs = 60_000;

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

const named = (error: AppError, keyLabel: string | undefined): AppError =>
  keyLabel === undefined ? error : { ...error, message: `${keyLabel}: ${error.message}` };

type Ask = (
  clients: Clients,
  connectionId: string,
  context: CallContext,
  keyLabel?: string,
) => Promise<Result<Omit<BalanceReading, 'at'>>>;

const none = { used: null, total: null, expiryDate: null, text: null } as const;

const ask: Record<Readable, Ask> = {
  'rest-key': async (clients, connectionId, context, keyLabel) => {
    const answer = await clients.rest(
      { connectionId, operation: 'GetCredits', subject: 'balance', fields: {}, keyLabel },
      context,
    );
    if (!answer.ok) return answer;
    const { value, paidBy, keyLastFour } = answer.value;
    const { credits = null, used = null, total = null, expiryDate = null } = value.balance ?? {};
    return ok({ source: 'rest-key', label: paidBy, keyLastFour, credits, used, total, expiryDate, text: null });
  },
  'soap-account': async (clients, connectionId, context) => {
    const answer = await clients.soap(
      { connectionId, operation: 'GetAvailableCredits', subject: 'balance', fields: {} },
      context,
    );
    if (!answer.ok) return answer;
    const { value, paidBy, keyLastFour } = answer.value;
    return ok({ source: 'soap-account', label: paidBy, keyLastFour, credits: value.value, ...none });
  },
  'service-test': async (clients, connectionId, context) => {
    const answer = await clients.soap(
      { connectionId, operation: 'ServiceTest', subject: 'service test', fields: {} },
      context,
    );
    if (!answer.ok) return answer;
    const { value, paidBy, keyLastFour } = answer.value;
    // Its wording is not published, so no figure is read out of it: it is shown whole.
    return ok({ source: 'service-test', label: paidBy, keyLastFour, credits: null, ...none, text: value.value });
  },
};
