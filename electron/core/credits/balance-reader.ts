import type { BalanceReading, BalanceSource } from '../../../shared/domain/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext, Caller } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Balances } from './balances.ts';
import type { Ledger } from './ledger.ts';
import { settleByReading } from './settle-by-reading.ts';

type Readable = Exclude<BalanceSource, 'licence'>;

export interface ReaderParts {
  clients: Clients;
  caller: Caller;
  balances: Balances;
  ledger: Ledger;
  log: ActivityLog;
  onReading(connectionId: string, reading: BalanceReading): void;
  /** Entries of the ledger were settled. */
  onSettled(connectionId: string): void;
  /** How long after a call without an answer an unmoved balance is no proof yet. Default 30 s. */
  graceMs?: number;
}

/** Quiet time after a spend before its balance is read, so that a burst of calls is followed by one reading. */
const settleDelayMs = 250;
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
  const { clients, caller, balances, ledger, log, graceMs = 30_000 } = parts;
  const timers = new Map<string, NodeJS.Timeout>();
  /** The last reading of a source with no paid call under way: what the next one is held against. */
  const lastQuiet = new Map<string, Figure>();

  async function read(
    connectionId: string,
    source: Readable,
    context: CallContext = {},
  ): Promise<Result<BalanceReading>> {
    const quietBefore = caller.isQuiet(connectionId);
    const before = lastQuiet.get(`${connectionId} ${source}`) ?? previousFigure(connectionId, source);
    const asked = await ask[source](clients, connectionId, context);
    if (!asked.ok) return asked;
    const kept = balances.recordReading(connectionId, asked.value);
    if (!kept.ok) return kept;
    const reading = kept.value;
    if (quietBefore && caller.isQuiet(connectionId) && reading.credits !== null) {
      const now = { at: reading.at, credits: reading.credits };
      if (!before || settle(connectionId, source, before, now)) lastQuiet.set(`${connectionId} ${source}`, now);
    }
    parts.onReading(connectionId, reading);
    return ok(reading);
  }

  function previousFigure(connectionId: string, source: Readable): Figure | undefined {
    const latest = balances.latestReadings(connectionId);
    const figures = latest.ok ? latest.value.filter((one) => one.source === source && one.credits !== null) : [];
    const newest = figures.sort((a, b) => b.at.localeCompare(a.at))[0];
    return newest?.credits == null ? undefined : { at: newest.at, credits: newest.credits };
  }

  /** Settles what two readings prove. False: a late charge may still come, so the first reading stays the one to compare with. */
  function settle(connectionId: string, source: Readable, before: Figure, after: Figure): boolean {
    const entries = ledger.listBetween(connectionId, faceOf[source], before.at, after.at);
    if (!entries.ok) return false;
    // A reading is itself a call without a published price; its own cost cannot be told from the figure it brought.
    const counted = entries.value.filter(({ operation }) => !readingOperations.has(operation));
    const settlements = settleByReading(before.credits, after.credits, counted);
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
    if (settlements.length > 0) parts.onSettled(connectionId);
    return true;
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

  /** Several sources one after the other; a source that fails does not stop the others. */
  async function readAll(
    connectionId: string,
    sources: readonly Readable[],
    context: CallContext = {},
  ): Promise<{ readings: BalanceReading[]; failures: { source: string; error: AppError }[] }> {
    const readings: BalanceReading[] = [];
    const failures: { source: string; error: AppError }[] = [];
    for (const source of sources) {
      const reading = await read(connectionId, source, context);
      if (reading.ok) readings.push(reading.value);
      else failures.push({ source, error: reading.error });
    }
    return { readings, failures };
  }

  function close(): void {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }

  return { read, readAll, readAfterSpend, close };
}

const readingOperations = new Set(['GetAvailableCredits', 'ServiceTest']);

type Ask = (
  clients: Clients,
  connectionId: string,
  context: CallContext,
) => Promise<Result<Omit<BalanceReading, 'at'>>>;

const none = { used: null, total: null, expiryDate: null, text: null } as const;

const ask: Record<Readable, Ask> = {
  'rest-key': async (clients, connectionId, context) => {
    const answer = await clients.rest(
      { connectionId, operation: 'GetCredits', subject: 'balance', fields: {} },
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
