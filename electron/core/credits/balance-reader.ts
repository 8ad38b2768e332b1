import type { BalanceReading } from '../../../shared/domain/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { CallContext, Caller } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import { askBalance, type Readable } from './ask-balance.ts';
import type { Balances } from './balances.ts';
import { createSettleBetween, type Figure, type Settled, type SettleParts } from './settle-between.ts';

export interface ReaderParts extends SettleParts {
  clients: Clients;
  caller: Caller;
  balances: Balances;
  onReading(connectionId: string, reading: BalanceReading): void;
  /** Labels of the lookup keys, the preferred one first; each has a balance to be asked for. */
  lookupKeys?(connectionId: string): string[];
  /** Quiet time after a spend before its balance is read, so that a burst of calls is followed by one reading. Default 250 ms. */
  settleDelayMs?: number;
}

export type BalanceReader = ReturnType<typeof createBalanceReader>;

/** Reads balances, keeps every reading, and settles the ledger by them where they prove something. */
export function createBalanceReader(parts: ReaderParts) {
  const { clients, caller, balances, reconciler, settleDelayMs = 250 } = parts;
  const settleBetween = createSettleBetween(parts);
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
    const asked = await askBalance[source](clients, connectionId, context, keyLabel);
    if (!asked.ok) return asked;
    const stream = streamOf(connectionId, source, asked.value);
    const before = lastQuiet.get(stream) ?? previousFigure(connectionId, source, asked.value);
    const kept = balances.recordReading(connectionId, asked.value);
    if (!kept.ok) return kept;
    const reading = kept.value;
    if (quietBefore && caller.isQuiet(connectionId) && reading.credits !== null) {
      const now = { at: reading.at, credits: reading.credits };
      // A clock that was set back: what lies between the two is not known, so the stretch begins anew.
      const { settled, readAgainMs }: Settled =
        !before || before.at > now.at
          ? { settled: true }
          : settleBetween(connectionId, source, before, { ...now, label: reading.label });
      if (settled) lastQuiet.set(stream, now);
      if (readAgainMs !== undefined) readLater(connectionId, source, readAgainMs);
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

const named = (error: AppError, keyLabel: string | undefined): AppError =>
  keyLabel === undefined ? error : { ...error, message: `${keyLabel}: ${error.message}` };
