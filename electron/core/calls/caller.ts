import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { CallRecord, RunningCall } from '../../../shared/domain/activity.ts';
import type { Connection, Protocol, SecretRole } from '../../../shared/domain/connection.ts';
import type { BalanceSource } from '../../../shared/domain/credits/credits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import { type CallProfile, payingSecret } from '../connections/profile.ts';
import { asFree } from '../rest/refusals.ts';
import type { CapsStore } from '../spend/caps-store.ts';
import type { BatchBudget, Ledger } from '../spend/ledger.ts';
import { originsOf } from '../spend/origins.ts';
import { attempt } from '../storage/database/errors.ts';
import { endWith } from '../transport/connect/opening-steps.ts';
import { endOf, outcomeOf } from './call-outcome.ts';
import { watchCalls } from './calls-under-way.ts';

/** One call to be made for a connection. */
export interface ApiCall<T> {
  /**
   * As it was read when the call was requested. An edit while it is on its way changes nothing for it; if its keys are read after an edit of
   * the address, it is not sent.
   */
  connection: Connection;
  interface: Protocol;
  operation: string;
  /** For the price: some depend on a field. */
  fields: Readonly<Record<string, unknown>>;
  /** What is asked for, as the activity log shows it. Never a secret. */
  subject: string;
  roles: readonly SecretRole[];
  /** The lookup key to use, if not the preferred one. */
  keyLabel?: string | undefined;
  /** How long the call has to answer, in milliseconds; the wait for a late charge follows from it. */
  timeoutMs: number;
  /** `callId`: its row in the activity log. */
  send(profile: CallProfile, signal: AbortSignal | undefined, callId: string): Promise<Result<T>>;
  /** For the log alone, whose outcome is then `nothing-found`. */
  foundNothing?(value: T): boolean;
}

export interface CallContext {
  signal?: AbortSignal | undefined;
  /** Shown in the status bar, and cancellable there; without one the call runs unseen (a free balance reading). */
  requestId?: string;
  /** What the log and the ledger say instead of the subject: of a row of a batch they know only the number. */
  logAs?: string;
  /** The longest it has to answer, in milliseconds, if that is less than the time limit of the settings. */
  limitMs?: number;
  /** The lookup key to use, whatever the call asks. */
  keyLabel?: string | undefined;
  /** The batch whose budget it counts against. */
  batch?: BatchBudget;
}

export interface CallResult<T> {
  value: T;
  /** As it was called. */
  connection: Connection;
  call: CallRecord;
  /** The ledger's entry; null: published as free. */
  spendId: string | null;
  /** Identifies the balance that may pay for it. */
  fingerprint: string;
  /** Label of the key that went with it, else the name of the account. */
  paidBy: string;
  /** Empty: no key is known. */
  keyLastFour: string;
}

export interface CallerParts {
  /** `protocol`: the interface of the call, and so the server that its secrets go to. Refuses if they may be another server's. */
  profileFor(
    connection: Connection,
    roles: readonly SecretRole[],
    keyLabel: string | undefined,
    protocol: Protocol,
  ): Promise<Result<CallProfile>>;
  log: ActivityLog;
  ledger: Ledger;
  caps: CapsStore;
  /** Of a secret (storage/fingerprints.ts). Throws where SQLite does. */
  fingerprint(secret: string): string;
  clock: Clock;
  /** Waits until a run of calls has been cut by a balance reading, if one is due. */
  beforeSpend?(connectionId: string, protocol: Protocol): Promise<void>;
  onRunning(calls: RunningCall[]): void;
  /** A call that may have cost something has ended. */
  onSpent(connection: Connection, paidBy: string): void;
}

export type Caller = ReturnType<typeof createCaller>;

/** The balance that a call over each interface draws on. */
export const sourceOf = { rest: 'rest-key', soap: 'soap-account' } as const satisfies Record<string, BalanceSource>;

/**
 * The one way out. In this order: secrets, price, the row of the activity log, caps and ledger in one transaction, the call itself, once,
 * and its result. Log and ledger are written before anything leaves; a call that the caps refuse is in the log. Errors are those of each
 * step; `callId` identifies the row in the log, and is absent if there is none yet.
 */
export function createCaller(parts: CallerParts) {
  const { profileFor, log, ledger, caps, clock } = parts;
  const underWay = watchCalls(clock, (calls) => parts.onRunning(calls));

  const execute = <T>(apiCall: ApiCall<T>, context: CallContext = {}): Promise<Result<CallResult<T>>> =>
    underWay.track(carryOut(apiCall, context).finally(() => underWay.hide(context.requestId)));

  async function carryOut<T>(asked: ApiCall<T>, context: CallContext): Promise<Result<CallResult<T>>> {
    const apiCall: ApiCall<T> = {
      ...asked,
      subject: context.logAs ?? asked.subject,
      keyLabel: context.keyLabel ?? asked.keyLabel,
    };
    const { operation, subject } = apiCall;
    const { id: connectionId, name: connectionName } = apiCall.connection;
    const profile = await profileFor(apiCall.connection, apiCall.roles, apiCall.keyLabel, apiCall.interface);
    if (!profile.ok) return notSent(profile.error);
    const payer = describePayer(profile.value);
    const expected = publishedCredits(priceOf(operation), apiCall.fields) ?? null;

    const begun = log.beginCall({
      connectionId,
      connectionName,
      interface: apiCall.interface,
      operation,
      subject,
      paidBy: payer.label,
      expectedCredits: expected,
    });
    if (!begun.ok) return notSent(begun.error);
    const call = begun.value;
    underWay.show(context.requestId, { operation, subject });
    if (expected !== 0 && parts.beforeSpend) {
      const ready = parts.beforeSpend(connectionId, apiCall.interface).then(ok);
      const waited = await (context.signal ? endWith(context.signal, ready) : ready);
      if (!waited.ok) return notSent(end(call, 0, waited.error));
    }
    const paying = payingSecret(profile.value.secrets, apiCall.interface);
    const known = attempt(() => parts.fingerprint(paying ?? `connection ${connectionId}`));
    if (!known.ok) return notSent(end(call, 0, known.error));
    const fingerprint = known.value;
    const admitted = admit(apiCall, {
      expected,
      payer,
      callId: call.id,
      fingerprint,
      connection: profile.value.connection,
      batch: context.batch,
    });
    if (!admitted.ok) return notSent(end(call, 0, admitted.error));

    const spendId = admitted.value;
    const started = performance.now();
    if (spendId !== null) underWay.beginPaid(connectionId);
    let sent: Result<T>;
    try {
      sent = await apiCall.send(profile.value, context.signal, call.id);
    } finally {
      if (spendId !== null) underWay.endPaid(connectionId);
    }
    const durationMs = performance.now() - started;
    if (!sent.ok) {
      const logged = end(call, durationMs, expected === 0 ? asFree(sent.error) : sent.error);
      const error = apiCall.interface === 'rest' ? namingKey(logged, profile.value) : logged;
      if (spendId !== null) {
        const ended = endOf(error);
        ledger.endCall(spendId, ended);
        if (ended.how !== 'unsent') parts.onSpent(profile.value.connection, payer.label);
      }
      return fail(error);
    }
    const outcome = apiCall.foundNothing?.(sent.value) ? 'nothing-found' : 'answered';
    log.finishCall(call.id, { outcome, errorCode: null, observedCredits: null, durationMs });
    if (spendId !== null) {
      ledger.endCall(spendId, { how: 'answered', code: null });
      parts.onSpent(profile.value.connection, payer.label);
    }
    return ok({
      value: sent.value,
      connection: profile.value.connection,
      call: { ...call, outcome, durationMs },
      spendId,
      fingerprint,
      paidBy: payer.label,
      keyLastFour: payer.lastFour,
    });
  }

  /** Enters the call and checks the caps in one step; null: published as free. */
  function admit<T>(
    apiCall: ApiCall<T>,
    known: {
      expected: number | null;
      payer: Payer;
      callId: string;
      fingerprint: string;
      connection: Connection;
      batch: BatchBudget | undefined;
    },
  ): Result<string | null> {
    const { expected, payer, callId, fingerprint, connection, batch } = known;
    const inForce = caps.inForce(connection.id, fingerprint);
    if (!inForce.ok) return inForce;
    const entry = ledger.admit(
      {
        connectionId: connection.id,
        callId,
        interface: apiCall.interface,
        operation: apiCall.operation,
        subject: apiCall.subject,
        paidBy: payer.label,
        expected,
        fingerprint,
        origins: originsOf(connection, apiCall.interface),
        timeoutMs: apiCall.timeoutMs,
      },
      inForce.value,
      batch,
    );
    return entry.ok ? ok(entry.value?.id ?? null) : entry;
  }

  /** Records in the log how a call failed, and puts the log row into the error. */
  function end(call: CallRecord, durationMs: number, error: AppError): AppError {
    log.finishCall(call.id, { outcome: outcomeOf(error), errorCode: error.code, observedCredits: null, durationMs });
    return { ...error, callId: call.id };
  }

  /** Before the program ends: tries once more to record how calls ended, where that could not be written. */
  function writeEnds(): void {
    log.writeEnds();
    ledger.writeEnds();
  }

  const { isQuiet, whenQuiet, ended, running } = underWay;
  return { execute, isQuiet, whenQuiet, ended, writeEnds, running };
}

interface Payer {
  label: string;
  lastFour: string;
}

/** Who pays, as the ledger names it: the label of the key that goes with the call, or the account if none is known. */
const describePayer = ({ connection, keys: [key] = [] }: CallProfile): Payer =>
  key
    ? { label: key.label, lastFour: key.lastFour }
    : { label: connection.accountName || connection.name, lastFour: '' };

/** For a refusal over REST: the key that was sent. SOAP takes several credentials and does not say which one it refused. */
const namingKey = (error: AppError, { keys: [key] = [] }: CallProfile): AppError =>
  error.code === 'credentials-refused' && key
    ? { ...error, sentWith: { id: key.id, label: key.label, lastFour: key.lastFour } }
    : error;

/** Refuse to send a call that cannot be recorded (promise 7): its credit could not be accounted for. */
const notSent = (error: AppError): Result<never> =>
  fail(
    error.code === 'storage-failed'
      ? {
          ...error,
          charge: 'not-charged',
          money: 'No request left this computer: a call that cannot be entered in the ledger is not made.',
        }
      : error,
  );
