import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { type BalanceSample, protocolOfSource } from '../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { type Clock, elapsedOf } from '../../ports.ts';
import { type CallContext, type Caller, sourceOf } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger, UnexplainedFall } from '../spend/ledger.ts';
import { originsOf, serversOf } from '../spend/origins.ts';
import { askBalance, type Readable } from './ask-balance.ts';
import type { Balances } from './balances.ts';

export interface ReaderParts {
  clients: Clients;
  caller: Caller;
  balances: Balances;
  ledger: Ledger;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  onSample(connectionId: string, sample: BalanceSample): void;
  /** The balance fell by what no call explains; it is in the ledger. */
  onUnexplained?(connectionId: string, fall: UnexplainedFall): void;
  /** The claims about calls may have changed. */
  onConcluded(connectionId: string): void;
  /** Labels of the lookup keys, the preferred one first. Each is read by itself: whether they share a balance is not known. */
  lookupKeys?(of: Connection | string): string[];
  /** Quiet time after a call before its balance is read, so that a burst of calls is followed by one reading. Default 250 ms. */
  readDelayMs?: number | undefined;
}

export type BalanceReader = ReturnType<typeof createBalanceReader>;

/** A run of calls is cut by a reading after this many calls, or this long. */
const longestRun = { calls: 10, ms: 30_000 };
/** A call waits for that reading. One that takes longer is given up: the next shows the same. */
const longestCutMs = 5000;

/** Reads balances and stores each as a fact, from which the ledger draws what it shows. */
export function createBalanceReader(parts: ReaderParts) {
  const { connections, clients, caller, balances, ledger, clock, readDelayMs = 250 } = parts;
  const timers = new Map<string, NodeJS.Timeout>();
  /** Calls since the last reading that may have cost something, by connection, with when the first of them ended. */
  const runs = new Map<string, { calls: number; since: number; keys: Set<string> }>();
  const cutting = new Map<string, Promise<void>>();

  /**
   * One reading of one source. `keyLabel`: the lookup key to ask with; absent: the preferred one. Errors: `no-connection`,
   * `storage-failed`, and those of the call.
   */
  async function read(
    connectionId: string,
    source: Readable,
    context: CallContext = {},
    keyLabel?: string,
  ): Promise<Result<BalanceSample>> {
    const asked = ledger.beginSample();
    if (!asked.ok) return asked;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const answer = await askBalance[source](clients, connection.value, context, keyLabel);
    if (!answer.ok) return answer;
    const { fingerprint, ownCall, sample } = answer.value;
    const [origin = ''] = originsOf(answer.value.connection, protocolOfSource(source));
    const stored = balances.recordSample(connectionId, sample, {
      asked: asked.value,
      purse: { origin, fingerprint },
      ownCall,
    });
    if (!stored.ok) return stored;
    for (const fall of stored.value.unexplained) parts.onUnexplained?.(connectionId, fall);
    parts.onConcluded(connectionId);
    parts.onSample(connectionId, stored.value.sample);
    return ok(stored.value.sample);
  }

  function readLater(connectionId: string, delayMs: number): void {
    clearTimeout(timers.get(connectionId));
    timers.set(
      connectionId,
      setTimeout(() => {
        timers.delete(connectionId);
        if (caller.isQuiet(connectionId)) void readRun(connectionId);
        else readLater(connectionId, readDelayMs);
      }, delayMs),
    );
  }

  /** Reads the balance of each key that paid for a run of calls. Errors are ignored: the next reading shows what this one would. */
  async function readRun(connectionId: string, context: CallContext = {}): Promise<void> {
    const run = runs.get(connectionId);
    runs.delete(connectionId);
    const known = parts.lookupKeys?.(connectionId) ?? [];
    const keys = [...(run?.keys ?? [])].filter((label) => known.includes(label));
    for (const label of keys.length > 0 ? keys : [undefined]) await read(connectionId, 'rest-key', context, label);
  }

  /**
   * After a call that may have cost something: one free reading, once the burst is over. SOAP's own readings have no published price, so
   * none is made; where the connection has a REST address, its free one is used, since the same account may stand behind both.
   */
  function readAfterSpend(connection: Connection, paidBy: string): void {
    if (!hasFreeBalanceRead(connection)) return;
    const connectionId = connection.id;
    const run = runs.get(connectionId) ?? { calls: 0, since: elapsedOf(clock), keys: new Set<string>() };
    run.calls += 1;
    run.keys.add(paidBy);
    runs.set(connectionId, run);
    readLater(connectionId, readDelayMs);
  }

  /** One free reading, where possible. Errors are ignored: the next reading shows what this one would. */
  async function readFree(connectionId: string): Promise<void> {
    const connection = connections.find(connectionId);
    if (connection.ok && hasFreeBalanceRead(connection.value)) await readRun(connectionId);
  }

  const hasFreeBalanceRead = (connection: Connection): boolean =>
    serversOf(connection).rest !== '' && (parts.lookupKeys?.(connection).length ?? 1) > 0;

  /** Called before a call: if so many calls were made since the last reading that their costs could not be separated, waits for a reading. */
  function cutRun(connectionId: string): Promise<void> {
    const run = runs.get(connectionId);
    const underWay = cutting.get(connectionId);
    if (underWay) return underWay;
    if (!run || (run.calls < longestRun.calls && elapsedOf(clock) - run.since < longestRun.ms))
      return Promise.resolve();
    const cut = caller
      .whenQuiet(connectionId)
      .then(() => readRun(connectionId, { limitMs: longestCutMs }))
      .finally(() => cutting.delete(connectionId));
    cutting.set(connectionId, cut);
    return cut;
  }

  /** The lookup keys whose balances are read, the preferred one first; undefined: the only key there is. */
  function keysOf(connectionId: string, source: Readable): (string | undefined)[] {
    const keys = source === 'rest-key' ? (parts.lookupKeys?.(connectionId) ?? []) : [];
    return keys.length > 1 ? keys : [undefined];
  }

  /** One reading of the balance that a call may have fallen on: of the key that paid for it, if the connection still has it. */
  function readPayer(call: CallRecord, context: CallContext = {}): Promise<Result<BalanceSample>> {
    const source = sourceOf[call.interface];
    const paidBy = keysOf(call.connectionId, source).find((label) => label === call.paidBy);
    return read(call.connectionId, source, context, paidBy);
  }

  /** Several sources one after the other; a failing source does not stop the others. */
  async function readAll(
    connectionId: string,
    sources: readonly Readable[],
    context: CallContext = {},
  ): Promise<{ samples: BalanceSample[]; failures: { source: string; error: AppError }[] }> {
    const samples: BalanceSample[] = [];
    const failures: { source: string; error: AppError }[] = [];
    for (const source of sources) {
      for (const keyLabel of keysOf(connectionId, source)) {
        const sample = await read(connectionId, source, context, keyLabel);
        if (sample.ok) samples.push(sample.value);
        else failures.push({ source, error: named(sample.error, keyLabel) });
      }
    }
    return { samples, failures };
  }

  function close(): void {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }

  return { read, readPayer, readAll, readFree, readAfterSpend, cutRun, close };
}

const named = (error: AppError, keyLabel: string | undefined): AppError =>
  keyLabel === undefined ? error : { ...error, message: `${keyLabel}: ${error.message}` };
