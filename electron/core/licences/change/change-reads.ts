import { renderLicenceClaims } from '../../../../shared/claims/licence-claims.ts';
import { anyDay } from '../../../../shared/claims/moment.ts';
import { type ChangeRead, type LicenceChange, machinesOf } from '../../../../shared/domain/licences/licence-change.ts';
import { holdsLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { isoNow } from '../../../ports.ts';
import { isUnsent } from '../../calls/call-outcome.ts';
import { notify, type Run, record, withAfter, withStep } from './change-record.ts';
import { absenceDue, claimsOf, isEffectSeen } from './evidence.ts';
import { readMachine, unusable } from './read-machine.ts';

// The reads of a change: each is entered as one of its facts, whatever came, and its claims say what it showed.

/** Pauses between the reads after a write has just left: an answer may come before its effect does (ms). */
const readBackPause = 5000;

/**
 * Reads a machine that was written to, four times at most, until it shows what was planned or an absence twice half a minute apart. A
 * second read that leaves nothing to wait for ends it, as after a register or a failed read. Throws if one cannot be journalled. `step`:
 * index of the reading step.
 */
export async function readBack(run: Run, step: number, machine: string): Promise<void> {
  const { ctx, underWay } = run.deps;
  const write = run.change.writes.at(-1);
  const number = step + 1;
  const startedAt = isoNow(ctx);
  for (let tries = 0; tries < 4; tries += 1) {
    const steps = withStep(run.change, number, { state: 'running', startedAt, result: null });
    run.change = { ...run.change, steps };
    notify(run);
    const { read } = await readForChange(run, machine);
    const seen = write !== undefined && isEffectSeen(run.change, write);
    const due = absenceDue(run.change, machine, ctx.uptime());
    const isOver =
      seen || (tries > 0 && (due === null || write?.write === 'register')) || underWay.isStopAsked(run.change.id);
    const state = seen ? 'done' : !isOver ? 'running' : read.found === 'unread' ? 'unknown' : 'failed';
    const result = isOver || tries > 0 ? describeRead(run.change, machine) : null;
    record(
      run,
      'read-back',
      describeRead(run.change, machine),
      {
        steps: withStep(run.change, number, {
          state,
          startedAt,
          durationMs: Math.max(0, ctx.now() - Date.parse(startedAt)),
          result,
        }),
      },
      { step: number },
    );
    if (isOver) return;
    await ctx.wait(
      write?.write === 'unregister' && due !== null ? due : readBackPause,
      underWay.signalOf(run.change.id),
    );
  }
}

/** One read of a machine, entered as a fact of the change whatever came of it. `error`: why it says nothing about the machine. */
async function readForChange(
  run: Run,
  machine: string,
  signal?: AbortSignal,
): Promise<{ read: ChangeRead; error: AppError | null }> {
  const { deps } = run;
  const { ctx, store } = deps;
  const { connectionId, licenceNumber, before } = run.change;
  const at = isoNow(ctx);
  const asked = ctx.uptime();
  const snapshot = await readMachine(machine, connectionId, deps, signal);
  const holdings = snapshot.ok ? snapshot.value.holdings : null;
  const isNamed = holdings !== null && holdsLicence(holdings.licenceNumbers, licenceNumber);
  const doubt = holdings?.doubt;
  const namedBefore = before.some((one) => one.machine === machine && holdsLicence(one.licenceNumbers, licenceNumber));
  const readable = holdings !== null && (isNamed || doubt === undefined);
  const error = !snapshot.ok
    ? snapshot.error
    : readable
      ? null
      : unusable({ code: 'unreadable-answer', message: doubt ?? '' }, snapshot.value.callId);
  const read: ChangeRead = {
    machine,
    at,
    uptime: ctx.uptime(),
    asked,
    found: !readable ? 'unread' : isNamed ? 'named' : holdings.licenceNumbers.length === 0 ? 'none' : 'others',
    of: holdings?.licenceNumbers.length ?? 0,
    // Every machine's list is searched only if that decides something.
    controlled: isNamed || namedBefore || (readable && isNamedElsewhere(store.holdings(connectionId), machine, at)),
    why: error?.message ?? null,
    left: error === null || !isUnsent(error),
    writes: run.change.writes.length,
  };
  const after = holdings === null || !readable ? run.change.after : withAfter(run.change, [holdings]);
  run.change = { ...run.change, reads: [...run.change.reads, read], after };
  return { read, error };
}

/** Whether a licence was named for another machine within a minute: then the read itself works. */
const isNamedElsewhere = (
  known: readonly { machine: string; licenceNumbers: string[]; askedAt: string }[],
  machine: string,
  at: string,
): boolean =>
  known.some(
    (one) =>
      one.machine !== machine &&
      one.licenceNumbers.length > 0 &&
      Math.abs(Date.parse(one.askedAt) - Date.parse(at)) <= 60_000,
  );

/** Reads every machine of the change, until it is asked to stop; returns the first error. */
export async function readAll(run: Run): Promise<AppError | null> {
  const signal = run.deps.underWay.signalOf(run.change.id);
  let failed: AppError | null = null;
  for (const machine of machinesOf(run.change)) {
    const { error } = await readForChange(run, machine, signal);
    if (error) failed ??= { ...error, message: `${machine} could not be read: ${error.message}` };
  }
  return failed;
}

/** Every time with its date: this text is read on other days. */
export const describeClaims = (claims: LicenceChange['claims']): string => renderLicenceClaims(claims, anyDay);

/** The claims about one machine as text, every time with its date; if there are none, that it was not read. */
export function describeRead(change: LicenceChange, machine: string): string {
  const of = { ...change, state: 'running' as const };
  return (
    describeClaims(claimsOf(of).filter((claim) => 'machine' in claim && claim.machine === machine)) ||
    `${machine} was not read.`
  );
}
