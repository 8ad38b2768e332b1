import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import { readHoldings } from '../records/read-holdings.ts';
import type { ChangeContext } from './change-deps.ts';
import type { LicenceCalls } from './licence-calls.ts';

export interface MachineSnapshot {
  holdings: MachineHoldings;
  durationMs: number;
  /** Row of the activity log. */
  callId: string;
}

/**
 * Reads the licences of one machine from the service and stores the answer, with the time of the request, unless a person has removed the
 * machine meanwhile. Errors: those of the call, and of `readHoldings`; that it could not be stored is none.
 */
export async function readMachine(
  machine: string,
  connectionId: string,
  { calls, store, ctx }: { calls: LicenceCalls; store: LicenceStore; ctx: ChangeContext },
  signal?: AbortSignal,
): Promise<Result<MachineSnapshot>> {
  const askedAt = isoNow(ctx);
  const removals = store.removals(connectionId, machine);
  const answer = await guardCall(() => calls.details(machine, signal));
  if (!answer.ok) return fail(unread(answer.error));
  const { callId } = answer.value;
  const parsed = readHoldings(answer.value.value);
  if (!parsed.ok) return fail(unusable(parsed.error, callId));
  // A number written in another form would not be found by comparison, so such an answer shows no absence.
  const strange = parsed.value.find((id) => !/^\d+$/.test(id));
  const doubt =
    answer.value.doubt !== undefined
      ? ctx.redact(answer.value.doubt)
      : strange === undefined
        ? undefined
        : `it named a licence by “${strange.slice(0, 40)}”, which is not a whole number`;
  // The answer may have cost something: it is returned even if it cannot be stored.
  if (ctx.leadsHere() && store.removals(connectionId, machine) === removals)
    attempt(() => {
      // A slow answer may come after one to a later read.
      if (!store.hasLaterAnswer(connectionId, machine, askedAt, isoNow(ctx)))
        store.saveHoldings(connectionId, { machine, licenceNumbers: parsed.value, askedAt }, doubt === undefined);
    });
  const thisMachine = machine === ctx.thisMachine;
  return ok({
    holdings: {
      machine,
      licenceNumbers: parsed.value,
      askedAt,
      thisMachine,
      ...(doubt === undefined ? {} : { doubt }),
    },
    durationMs: answer.value.durationMs,
    callId,
  });
}

/** Earlier reads for the same change may have left. */
const unread = (error: AppError): AppError =>
  error.charge === 'not-charged' ? { ...error, money: 'This read did not leave this computer.' } : error;

/** An answer that says nothing of the machine was paid for like any other: the error names its row of the log. */
export const unusable = ({ code, message }: Pick<AppError, 'code' | 'message'>, callId: string): AppError =>
  appError(code, { message, charge: 'may-have-been-charged', callId });

/** Reads several machines one after the other; the first that cannot be read ends it. */
export async function readMachines(
  machines: readonly string[],
  connectionId: string,
  deps: { calls: LicenceCalls; store: LicenceStore; ctx: ChangeContext },
  signal?: AbortSignal,
): Promise<Result<MachineSnapshot[]>> {
  const snapshots: MachineSnapshot[] = [];
  for (const machine of machines) {
    const snapshot = await readMachine(machine, connectionId, deps, signal);
    if (!snapshot.ok) return snapshot;
    snapshots.push(snapshot.value);
  }
  return ok(snapshots);
}

/** A call that throws has broken its contract; whether it was sent is then not known. */
export async function guardCall<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call();
  } catch (thrown) {
    const error: AppError = appError('internal', {
      charge: 'may-have-been-charged',
      detail: thrown instanceof Error ? thrown.name : 'unknown',
    });
    return fail(error);
  }
}
