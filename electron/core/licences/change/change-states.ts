import {
  type ChangeOffer,
  type ChangeRead,
  type ChangeStep,
  isWriteUnread,
  type LicenceChange,
  machinesOf,
  mayHaveSent,
} from '../../../../shared/domain/licences/licence-change.ts';
import { holdsLicence, isSameHolding } from '../../../../shared/domain/licences/licence-ids.ts';
import type { JournalEvent } from '../../../../shared/domain/licences/licence-journal.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import type { ChangeDeps } from './change-deps.ts';
import { findBusy, findMoved, findOld, holdLeft, notKnown, notOffered, outdated, tooSoon } from './change-errors.ts';
import { describeChange, describeHoldings } from './change-messages.ts';
import { describeClaims, describeRead, readAll, readBack } from './change-reads.ts';
import { type Run, record, whileUnderWay, withStep } from './change-record.ts';
import { type StepPlan, stepsOf } from './change-steps.ts';
import { claimsOf, isEffectSeen, nextReadOf, openWrite, positionOf, sinceEnd, whereOn } from './evidence.ts';
import { guardCall, readMachines } from './read-machine.ts';
import { recordAnswer, recordSending } from './record-write.ts';
import { saidThen } from './said-then.ts';

/**
 * The states of a change, each on disk before the next thing is done:
 *
 *   planned ──run──► running ──write, read until it is seen──► running (the next write) ──► finished: seen
 *                       │
 *                       ├─ not seen within seconds ──► interrupted: on its way, or half done
 *                       └─ killed or stopped ────────► interrupted (recover finds it at the next start)
 *
 *   interrupted ──read again: by its schedule, at the next start, by a person──► finished: seen │ interrupted
 *               ──finish: by a person who saw the last read, once its time is over──► running
 *               ──dismiss──► dismissed          ──undo──► a plan of its own
 *               ──the reads of its schedule are over and nothing is half done──► finished: not seen
 *
 * A write is journalled, sent once, and read back whatever was answered. Only reads end a change. `calls` reads and writes, the
 * journal and the clock come as arguments.
 */

/** How a person started a planned change. */
export interface Confirmation {
  /** The machine's name as typed. */
  name: string;
  /** The tick needed for a licence that may not come back. */
  ticked?: boolean;
  /** Of a row of a bulk change: how it was confirmed, for the journal. */
  row?: string;
}

// planned → running

/**
 * Runs a planned change: the typed name must be the machine's, the plan must still hold, the intent is journalled, each write is sent once
 * and read back. The value is the change with its verdict, whatever that is; an error means that nothing was sent, except `storage-failed`,
 * whose text says otherwise. Errors: bad-input, not-confirmed, plan-outdated, wrong-origin, unfinished-change, cancelled, storage-failed,
 * those of the re-read.
 */
export async function runChange(
  changeId: string,
  { name, ticked = false, row }: Confirmation,
  deps: ChangeDeps,
): Promise<Result<LicenceChange>> {
  return whileUnderWay(deps, changeId, async () => {
    const change = deps.store.change(changeId);
    if (!change) return fail(notKnown());
    const refused =
      refuse(change, name, ticked) ?? findOld(change, deps) ?? findMoved(change, deps) ?? findBusy(change, deps);
    if (refused) return fail(refused);

    const snapshots = await readMachines(
      machinesOf(change),
      change.connectionId,
      deps,
      deps.underWay.signalOf(changeId),
    );
    if (!snapshots.ok) return snapshots;
    const before = snapshots.value.map(({ holdings }) => holdings);
    // Other rows of a bulk change may have put further licences on the machine since its plan.
    const isSame = (now: MachineHoldings, planned: MachineHoldings): boolean =>
      row !== undefined
        ? holdsLicence(now.licenceNumbers, change.licenceNumber) ===
          holdsLicence(planned.licenceNumbers, change.licenceNumber)
        : isSameHolding(now.licenceNumbers, planned.licenceNumbers);
    const holds = change.before.every((planned) =>
      before.some((now) => now.machine === planned.machine && isSame(now, planned)),
    );
    if (!holds) return fail(outdated(`The plan no longer matches what the service says: ${describeHoldings(before)}.`));
    if (deps.underWay.isStopAsked(changeId)) return fail(appError('cancelled', { charge: 'not-applicable' }));

    const run: Run = { change, deps };
    const steps = withStep(change, 1, {
      startedAt: before[0]?.askedAt ?? null,
      durationMs: snapshots.value.reduce((sum, { durationMs }) => sum + durationMs, 0),
      result: describeHoldings(before),
    });
    const tick = ticked ? change.warnings.find((warning) => warning.tick) : undefined;
    const started = row ?? `Started by typing ${name}.`;
    record(
      run,
      'intent',
      `To ${describeChange(change)}. ${started}${tick ? ` Ticked: ${tick.tick}` : ''}`,
      { state: 'running', conclusion: 'No change has been sent yet.', before, steps, by: deps.ctx.by },
      // Checked again inside the transaction: two windows may have come this far together.
      { refuse: () => findBusy(change, deps) },
    );
    await writeFrom(run, 1);
    return ok(run.change);
  });
}

function refuse(change: LicenceChange, name: string, ticked: boolean): AppError | null {
  if (change.state !== 'planned') return outdated('This plan has been used.');
  if (name !== change.machine) return appError('not-confirmed', { field: 'confirmedName', charge: 'not-applicable' });
  const blocking = change.warnings.find((warning) => warning.blocks);
  if (blocking) return outdated(`The change cannot be made: ${blocking.text}`);
  const tick = change.warnings.find((warning) => warning.tick !== undefined);
  if (!tick || ticked) return null;
  return appError('not-confirmed', {
    message: `Needs a tick of its own: ${tick.text}`,
    field: 'ticked',
    charge: 'not-applicable',
  });
}

// running: write → read until it is seen → the next write, or on its way

/** Sends the writes from a step on, each only after the effect of the one before was seen. `index` counts from zero. */
async function writeFrom(run: Run, start: number): Promise<void> {
  for (let index = start; index < run.change.steps.length; index += 2) {
    const plan = stepsOf(run.change)[index];
    if (plan?.does !== 'write') break;
    if (run.deps.underWay.isStopAsked(run.change.id)) {
      interrupt(run, 'stopped', `Stopped before step ${index + 1}.`);
      return;
    }
    await send(run, index, plan);
    if (!run.change.writes.at(-1)?.left) {
      endUnsent(run);
      return;
    }
    await readBack(run, index + 1, plan.machine);
    const sent = run.change.writes.at(-1);
    if (sent && !isEffectSeen(run.change, sent)) break;
  }
  endRun(run, 'finished');
}

async function send(run: Run, index: number, plan: StepPlan & { does: 'write' }): Promise<void> {
  const { deps } = run;
  const { licenceNumber } = run.change;
  recordSending(run, index + 1, plan, `licence ${licenceNumber}, machine ${plan.machine}. To be sent once.`);
  const answer = await guardCall(() => deps.calls[plan.write](licenceNumber, plan.machine));
  recordAnswer(run, index + 1, answer);
}

/** Nothing left this computer. If the second write of a move was not sent, the licence stays where the first write put it. */
function endUnsent(run: Run): void {
  if (run.change.writes.some(({ left }) => left)) interrupt(run, 'stopped');
  else close(run, 'not-seen');
}

// → finished, or interrupted

/** Ends a run, or a read of its machines, by what was read: as requested, or on its way. */
function endRun(run: Run, event: JournalEvent, isLast = false): void {
  const position = positionOf(run.change);
  if (position === 'goal') {
    close(run, 'seen');
    return;
  }
  const nextRead = nextReadOf(run.change, run.deps.ctx, isLast);
  const isUnsent = position === 'start' && run.change.writes.every(({ left }) => !left);
  // Its reading schedule is over and nothing is between two machines: there is nothing left to wait for.
  const isOver = isLast && nextRead === null && openWrite(run.change) && (position === 'start' || position === 'open');
  if (isUnsent || isOver) close(run, 'not-seen');
  else interrupt(run, event === 'finished' ? 'stopped' : event, '', nextRead);
}

/** Leaves a change to the next read, the next start, or a person. */
function interrupt(run: Run, event: JournalEvent, first = '', nextRead?: string | null): void {
  const { ctx } = run.deps;
  const position = positionOf(run.change);
  const isHalfDone = position === 'both' || position === 'neither';
  const hasLeft = run.change.writes.some(({ left }) => left);
  const write = openWrite(run.change);
  const holdFor = write ? write.holdMs - sinceEnd(write, ctx.now(), ctx.uptime()) : 0;
  const update = {
    state: 'interrupted',
    nextRead: nextRead === undefined ? nextReadOf(run.change, ctx, false) : nextRead,
    writeAfter: holdFor > 0 ? new Date(ctx.now() + holdFor).toISOString() : null,
    verdict: isHalfDone ? 'half-done' : hasLeft ? 'on-its-way' : null,
  } satisfies Partial<LicenceChange>;
  const claims = claimsOf({ ...run.change, ...update });
  const wasSent = (number: number) => run.change.writes.some(({ step, left }) => left && step === number);
  const unsent = run.change.steps.find(({ number, effect }) => effect === 'writes' && !wasSent(number));
  const rest = unsent && hasLeft ? `Step ${unsent.number} was not sent.` : '';
  const conclusion = [first, describeClaims(claims), rest].filter(Boolean).join(' ');
  const told = [...claims, ...saidThen(run.change, conclusion, run.deps)];
  record(run, event, conclusion, { ...update, claims: told, conclusion });
}

/** Closes a change. One that undid another closes that one first: killed in between it is itself found again, and ends here. */
function close(run: Run, verdict: 'seen' | 'not-seen'): void {
  const done = { state: 'finished', verdict, nextRead: null, writeAfter: null } as const;
  const steps = resolveSteps(run.change, verdict);
  const claims = claimsOf({ ...run.change, ...done });
  const conclusion = describeClaims(claims);
  const { undoOf } = run.change;
  const { store, ctx } = run.deps;
  const undone = verdict === 'seen' && undoOf !== null ? store.change(undoOf) : undefined;
  if (undone && ctx.journal.ofChange(undone.id).at(-1)?.event !== 'undone') {
    const text = `Undone by change ${run.change.id}. ${conclusion}`;
    record({ change: undone, deps: run.deps }, 'undone', text, {
      state: 'finished',
      verdict: undone.verdict ?? 'unknown',
      undoneBy: run.change.id,
      claims: saidThen(undone, text, run.deps),
      conclusion: `Undone: ${conclusion}`,
      nextRead: null,
      writeAfter: null,
      offers: [],
    });
  }
  const told = [...claims, ...saidThen(run.change, conclusion, run.deps)];
  record(run, 'finished', conclusion, { ...done, steps, claims: told, conclusion });
}

/** Steps that will no longer be taken are marked as skipped; those that prove something get what is seen now. */
function resolveSteps(change: LicenceChange, verdict: 'seen' | 'not-seen'): ChangeStep[] {
  const plans = stepsOf(change);
  return change.steps.map((step, index) => {
    const plan = plans[index];
    if (plan?.does !== 'prove')
      return step.state === 'planned' ? { ...step, state: step.startedAt === null ? 'skipped' : 'unknown' } : step;
    const read = change.reads.findLast(({ machine }) => machine === plan.machine);
    if (!read) return step.state === 'planned' ? { ...step, state: 'skipped' } : step;
    const state = verdict === 'seen' ? 'done' : step.state === 'planned' ? 'skipped' : step.state;
    return { ...step, state, startedAt: step.startedAt ?? read.at, result: describeRead(change, plan.machine) };
  });
}

// interrupted → read again, finished by a person, undone, dismissed

/** What causes a read: a person, the change's own `nextRead`, or the start of the program, which is the last of its schedule. */
export type ReadBy = 'person' | 'schedule' | 'start';

/**
 * Reads the machines again and closes the change if that shows it as planned, or if the reads of its schedule are over and nothing is half
 * done. Sends no write. A read that fails is an error only for a person.
 */
export async function checkChange(
  changeId: string,
  deps: ChangeDeps,
  by: ReadBy = 'person',
): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'check', async (run) => {
    const { reads } = run.change;
    const failed = await readAll(run);
    if (failed && by === 'person') return endFailedRead(run, reads, failed);
    // A read at the start that failed is left to the next start.
    endRun(run, 'checked', run.change.state === 'finished' || (by === 'start' && !failed));
    return ok(run.change);
  });
}

/**
 * Ends reads of a person of which one failed, which is the error unless the change was seen all the same. What another machine answered is
 * entered; if none answered, nothing is.
 */
function endFailedRead(run: Run, before: readonly ChangeRead[], failed: AppError): Result<LicenceChange> {
  const isAnswered = run.change.reads.slice(before.length).some(({ found }) => found !== 'unread');
  if (isAnswered) endRun(run, 'checked', run.change.state === 'finished');
  return run.change.verdict === 'seen' ? ok(run.change) : fail(failed);
}

/**
 * Continues with what is left, for a person who saw the last read (`seenRead`: its time as the change has it), once the time of the last
 * write is over. Reads first: a write whose effect is seen is never sent again. Errors: unfinished-change before the time is over,
 * plan-outdated if the reads differ from what the person saw, or the licence is where no step leads from.
 */
export async function finishChange(
  changeId: string,
  seenRead: string | null,
  deps: ChangeDeps,
): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'finish', async (run) => {
    if (isWriteUnread(run.change))
      return fail(outdated('No read of the machine has been answered since it was written to. Read it first.'));
    if (run.change.writes.some(({ left }) => left) && seenRead !== run.change.reads.at(-1)?.at)
      return fail(outdated('Look at what was read last before anything is written again.'));
    if (holdLeft(run.change, run.deps) > 0) return fail(tooSoon(run.change, run.deps));
    // What undoes it may be under way, or on its way.
    const busy = findBusy(run.change, run.deps);
    if (busy) return fail(busy);
    const seen = machinesOf(run.change).map((machine) => whereOn(run.change, machine));
    const { reads } = run.change;
    const failed = await readAll(run);
    if (failed) return endFailedRead(run, reads, failed);
    const position = positionOf(run.change);
    if (position === 'goal') {
      endRun(run, 'checked');
      return ok(run.change);
    }
    const now = machinesOf(run.change).map((machine) => whereOn(run.change, machine));
    // Unread can only be a machine that nothing was sent to.
    const same = seen.every((where, index) => where === 'unread' || (where === 'seen') === (now[index] === 'seen'));
    const index = position === 'neither' ? 3 : position === 'start' ? 1 : null;
    if (index === null || (!same && run.change.writes.length > 0)) {
      endRun(run, 'checked');
      return fail(outdated(run.change.conclusion));
    }
    // The rest of an earlier attempt stays until the step begins anew: that its write may have left, and what was answered.
    const left = run.change.steps.map((step) => (step.number > index ? { ...step, state: 'planned' as const } : step));
    record(
      run,
      'resumed',
      `Going on with step ${index + 1}: ${describeHoldings(run.change.after)}.`,
      {
        state: 'running',
        verdict: null,
        nextRead: null,
        writeAfter: null,
        steps: left,
        before: withBefore(run.change),
      },
      { refuse: () => findBusy(run.change, run.deps) },
    );
    await writeFrom(run, index);
    return ok(run.change);
  });
}

/** What a second write starts from: a licence named now is what its absence will be compared with. */
const withBefore = ({ before, after }: LicenceChange): MachineHoldings[] => (before.length === 0 ? after : before);

/** Dismisses a change as it is: journalled, with the verdict it had and the person's reason. */
export async function dismissChange(changeId: string, deps: ChangeDeps, reason = ''): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'dismiss', async (run) => {
    const why = reason.trim() === '' ? '' : ` Reason: ${reason.trim()}`;
    const conclusion = `Left as it is by ${run.deps.ctx.by}, and not read again. Until then: ${run.change.conclusion}${why}`;
    record(run, 'dismissed', conclusion, {
      state: 'dismissed',
      verdict: run.change.verdict ?? 'unknown',
      nextRead: null,
      conclusion,
    });
    return ok(run.change);
  });
}

function resume(
  changeId: string,
  deps: ChangeDeps,
  offer: ChangeOffer,
  work: (run: Run) => Promise<Result<LicenceChange>>,
): Promise<Result<LicenceChange>> {
  return whileUnderWay(deps, changeId, async () => {
    const change = deps.store.change(changeId);
    if (!change) return fail(notKnown());
    if (!change.offers.includes(offer)) return fail(notOffered(offer));
    const moved = findMoved(change, deps);
    if (moved) return fail(moved);
    return work({ change, deps });
  });
}

// killed → interrupted

/**
 * The changes that began and are not over, oldest first. One that no living process works on was interrupted: it is marked so in the
 * journal, with what is known, or ended if only that entry was missing. Call it before anything else is offered. Throws where SQLite does.
 */
export function findUnfinishedChanges(deps: Omit<ChangeDeps, 'calls'>): LicenceChange[] {
  return deps.ctx.journal.unfinished().flatMap((entry) => {
    const change = deps.store.change(entry.changeId);
    if (!change) return [];
    if (entry.state === 'interrupted' || !deps.underWay.begin(change.id)) return [change];
    try {
      return recoverInterrupted(change.id, deps);
    } finally {
      deps.underWay.end(change.id);
    }
  });
}

/** Looked at again once it is this process's alone: another may have ended it in the meantime. Empty: it is over. */
function recoverInterrupted(changeId: string, deps: Omit<ChangeDeps, 'calls'>): LicenceChange[] {
  const change = deps.store.change(changeId);
  const entry = deps.ctx.journal.ofChange(changeId).at(-1);
  if (!change || !entry || (entry.state !== 'running' && entry.state !== 'interrupted')) return [];
  if (entry.state === 'interrupted') return [change];
  const { ctx } = deps;
  const steps = change.steps.map((step) => (step.state === 'running' ? { ...step, state: 'unknown' as const } : step));
  // A write whose end nobody saw has ended by now at the latest: its time runs from here.
  const writes = change.writes.map((write) =>
    write.endedAt === null ? { ...write, endedAt: isoNow(ctx), uptime: ctx.uptime() } : write,
  );
  const run = { change: { ...change, steps, writes }, deps: deps as ChangeDeps };
  const isSeen = positionOf(run.change) === 'goal';
  if (isSeen || (writes.length > 0 && writes.every(({ left }) => !left))) {
    close(run, isSeen ? 'seen' : 'not-seen');
    return [];
  }
  const sent = change.steps.find(({ number }) => number === entry.step);
  const where =
    entry.event === 'sending'
      ? `during step ${entry.step}: ${sent?.operation} may have been sent`
      : mayHaveSent(change)
        ? 'before it had been read to its end'
        : 'before a change was sent';
  interrupt(
    run,
    'found',
    `Interrupted ${where}. It was to ${describeChange(change)}.`,
    mayHaveSent(change)
      ? { 'in-time': isoNow(ctx), 'at-start': 'next-start', never: null }[ctx.readsAgain(change)]
      : null,
  );
  return [run.change];
}
