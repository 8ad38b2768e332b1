import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { CallRecord, RunningCall } from '../../../shared/domain/activity.ts';
import type { SecretRole } from '../../../shared/domain/connection.ts';
import type { BalanceSource } from '../../../shared/domain/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { Connections } from '../connections/connections.ts';
import type { CallProfile } from '../connections/profile.ts';
import type { ProfileFor } from '../connections/profiles.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Balances } from '../credits/balances.ts';
import type { CapsStore } from '../credits/caps-store.ts';
import type { Ledger } from '../credits/ledger.ts';
import { sayFree } from '../rest/refusals.ts';
import { outcomeOf } from './call-outcome.ts';
import { watchCalls } from './calls-under-way.ts';
import { describePayer, type Payer } from './payer.ts';

/** One call to be made for a connection. */
export interface Errand<T> {
  connectionId: string;
  interface: 'rest' | 'soap';
  operation: string;
  /** For the price: some depend on a field. */
  fields: Readonly<Record<string, unknown>>;
  /** What is asked for, as the activity log shows it. Never a secret. */
  subject: string;
  roles: readonly SecretRole[];
  /** The lookup key meant, where it is not the preferred one. */
  keyLabel?: string | undefined;
  /** Reads a balance: never held back by a cap. */
  readsBalance?: boolean;
  send(profile: CallProfile, signal: AbortSignal | undefined): Promise<Result<T>>;
  foundNothing?(value: T): boolean;
}

export interface CallContext {
  signal?: AbortSignal | undefined;
  /** Shown in the status bar, and cancellable there; without one the call runs unseen (a free balance reading). */
  requestId?: string;
}

export interface Done<T> {
  value: T;
  call: CallRecord;
  /** The ledger's entry; null: known to be free. */
  spendId: string | null;
  paidBy: string;
  keyLastFour: string;
}

export interface CallerParts {
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  profileFor: ProfileFor;
  log: ActivityLog;
  ledger: Ledger;
  caps: CapsStore;
  balances: Balances;
  clock: Clock;
  onRunning(calls: RunningCall[]): void;
  /** A call that may have cost something has ended. */
  onSpent(connectionId: string, face: 'rest' | 'soap'): void;
}

export type Caller = ReturnType<typeof createCaller>;

/** The balance that a call of each interface draws on. */
export const sourceOf = { rest: 'rest-key', soap: 'soap-account' } as const satisfies Record<string, BalanceSource>;

/**
 * The one way out. In this order: connection, secrets, price and caps, activity log and ledger (both written before anything
 * leaves), the call itself, once, and what came of it. Errors are those of each step; `callId` says which row of the log it is.
 */
export function createCaller(parts: CallerParts) {
  const { connections, secrets, profileFor, log, ledger, caps, balances, clock } = parts;
  const underWay = watchCalls(clock, (calls) => parts.onRunning(calls));

  const perform = <T>(errand: Errand<T>, context: CallContext = {}): Promise<Result<Done<T>>> =>
    underWay.track(carryOut(errand, context));

  async function carryOut<T>(errand: Errand<T>, context: CallContext): Promise<Result<Done<T>>> {
    const { connectionId, operation, subject } = errand;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const profile = await profileFor(connectionId, errand.roles, errand.keyLabel);
    if (!profile.ok) return notSent(profile.error);
    const payer = describePayer(connection.value, errand, secrets);
    const expected = publishedCredits(priceOf(operation), errand.fields) ?? null;

    const begun = log.beginCall({
      connectionId,
      connectionName: connection.value.name,
      interface: errand.interface,
      operation,
      subject,
      paidBy: payer.label,
      expectedCredits: expected,
    });
    if (!begun.ok) return notSent(begun.error);
    const call = begun.value;
    const admitted = admit(errand, expected, payer, call.id);
    if (!admitted.ok) return notSent(end(call, 0, { error: admitted.error }));

    const spendId = admitted.value;
    const started = performance.now();
    if (spendId !== null) underWay.beginPaid(connectionId);
    underWay.show(context.requestId, { operation, subject });
    let sent: Result<T>;
    try {
      sent = await errand.send(profile.value, context.signal);
    } finally {
      if (spendId !== null) underWay.endPaid(connectionId);
      underWay.hide(context.requestId);
    }
    const durationMs = performance.now() - started;
    if (!sent.ok) {
      const error = end(call, durationMs, { error: expected === 0 ? sayFree(sent.error) : sent.error });
      if (spendId !== null) {
        settleFailure(spendId, error);
        if (error.charge !== 'not-charged') parts.onSpent(connectionId, errand.interface);
      }
      return fail(error);
    }
    const outcome = errand.foundNothing?.(sent.value) ? 'nothing-found' : 'answered';
    log.finishCall(call.id, { outcome, errorCode: null, observedCredits: null, durationMs });
    if (spendId !== null) {
      ledger.settleSpend(spendId, { observed: null, balanceAfter: null });
      parts.onSpent(connectionId, errand.interface);
    }
    return ok({
      value: sent.value,
      call: { ...call, outcome, durationMs },
      spendId,
      paidBy: payer.label,
      keyLastFour: payer.lastFour,
    });
  }

  /** Enters the spend and checks the caps in one step; null: known to be free. */
  function admit<T>(errand: Errand<T>, expected: number | null, payer: Payer, callId: string): Result<string | null> {
    const allowed = caps.read(errand.connectionId);
    if (!allowed.ok) return allowed;
    const lastBalance = balances.lastBalance(ledger, errand.connectionId, sourceOf[errand.interface]);
    if (!lastBalance.ok) return lastBalance;
    const entry = ledger.admitSpend(
      {
        connectionId: errand.connectionId,
        callId,
        interface: errand.interface,
        operation: errand.operation,
        subject: errand.subject,
        paidBy: payer.label,
        expected,
        balanceBefore: lastBalance.value,
      },
      allowed.value,
      { lastBalance: lastBalance.value, readsBalance: errand.readsBalance ?? false },
    );
    return entry.ok ? ok(entry.value?.id ?? null) : entry;
  }

  /** Tells the log how a call failed, and gives the error its row. */
  function end(call: CallRecord, durationMs: number, { error }: { error: AppError }): AppError {
    log.finishCall(call.id, { outcome: outcomeOf(error), errorCode: error.code, observedCredits: null, durationMs });
    return { ...error, callId: call.id };
  }

  /** An unknown outcome stays unsettled, and counts against the caps in full until a balance reading settles it. */
  function settleFailure(spendId: string, error: AppError): void {
    if (error.charge === 'not-charged' || error.charge === 'not-applicable')
      ledger.settleSpend(spendId, { observed: 0, balanceAfter: null, verdict: 'not-charged' });
    else if (error.charge === 'charged')
      ledger.settleSpend(spendId, { observed: null, balanceAfter: null, verdict: 'charged-answer-lost' });
  }

  const { isQuiet, ended, running } = underWay;
  return { perform, isQuiet, ended, running };
}

/** What cannot be entered in log and ledger is not sent (safety.md 7): a credit that nobody could account for. */
const notSent = (error: AppError): Result<never> =>
  fail(
    error.code === 'storage-failed'
      ? {
          ...error,
          charge: 'not-charged',
          money: 'Nothing was sent, so nothing was charged: a call that cannot be entered in the ledger is not made.',
        }
      : error,
  );
