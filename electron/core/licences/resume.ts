import type { ChangeOffer, ChangeRequest, LicenceChange } from '../../../shared/domain/licence-change.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ChangeDeps } from './change-deps.ts';
import { drive } from './change-drive.ts';
import { type ChangeRun, record, whileUnderWay, withAfter } from './change-record.ts';
import { notKnown } from './change-saga.ts';
import { machinesOf, stepsOf } from './change-steps.ts';
import { describeHoldings, listIds } from './change-words.ts';
import {
  describeGoal,
  describeHalfWay,
  describeNothingChanged,
  finish,
  locate,
  type Position,
  skipRest,
} from './conclude.ts';
import { holdsLicence } from './licence-ids.ts';
import { planChange } from './plan.ts';
import { readMachines } from './read-machine.ts';

/** Reads the machines again and closes the change where that proves it done, or proves that nothing changed. Sends no write. */
export async function checkChange(changeId: string, deps: ChangeDeps): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'check', async (run) => {
    const position = await readPosition(run);
    if (!position.ok) return position;
    settle(run, position.value);
    return ok(run.change);
  });
}

/**
 * Goes on with what is left after reading afresh: a write that took effect is never sent again. Errors: plan-outdated where
 * the licence is where no step of this change leads from.
 */
export async function finishChange(changeId: string, deps: ChangeDeps): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'finish', async (run) => {
    const position = await readPosition(run);
    if (!position.ok) return position;
    if (position.value === 'goal') {
      settle(run, 'goal');
      return ok(run.change);
    }
    if (position.value === 'both' || position.value === 'unread') {
      const message = describeHalfWay(run.change, position.value);
      return fail(appError('plan-outdated', { message, charge: 'not-applicable' }));
    }
    const index = position.value === 'neither' ? 3 : 1;
    // `startedAt` stays: it is how a later start knows that a write may have left before.
    const left = settleSteps(run.change).map((step) =>
      step.number > index ? { ...step, state: 'planned' as const, durationMs: null, result: null } : step,
    );
    record(run, 'resumed', `Going on with step ${index + 1}: ${describeHoldings(run.change.after)}.`, {
      state: 'running',
      verdict: null,
      steps: left,
    });
    await drive(run, { at: 'sending', index });
    return ok(run.change);
  });
}

/** Plans the inverse of what has taken effect by now, to be confirmed and run as any change. Nothing is sent. */
export async function planUndo(changeId: string, deps: ChangeDeps): Promise<Result<LicenceChange>> {
  const change = deps.store.change(changeId);
  if (!change) return fail(notKnown());
  if (deps.underWay.has(changeId) || !change.offers.includes('undo')) return fail(notOffered('undo'));
  const readings = await readMachines(machinesOf(change), change.connectionId, deps);
  if (!readings.ok) return readings;
  const position = locate(
    change,
    readings.value.map((reading) => reading.holdings),
  );
  const inverse = invert(change, position);
  if (!inverse) {
    const message = `There is nothing to undo: ${describeNothingChanged({ ...change, serviceText: [] })}`;
    return fail(appError('plan-outdated', { message, charge: 'not-applicable' }));
  }
  return planChange(inverse, deps.calls, deps.store, deps.ctx, { undoOf: changeId });
}

/** Lets a change be as it is: journalled, with the verdict it had, unknown where it had none. */
export async function dismissChange(changeId: string, deps: ChangeDeps): Promise<Result<LicenceChange>> {
  return resume(changeId, deps, 'dismiss', async (run) => {
    const conclusion = `Left as it is by ${run.deps.ctx.by}. ${run.change.conclusion}`;
    record(run, 'dismissed', conclusion, {
      state: 'dismissed',
      verdict: run.change.verdict ?? 'unknown',
      conclusion,
    });
    return ok(run.change);
  });
}

type Run = ChangeRun & { deps: ChangeDeps };

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
    return work({ change, deps });
  });
}

const notOffered = (offer: ChangeOffer) =>
  appError('bad-input', {
    message: `This change is not waiting to be ${offered[offer]}.`,
    field: 'action',
    charge: 'not-applicable',
  });
const offered = { check: 'checked', finish: 'finished', undo: 'undone', dismiss: 'dismissed' } as const;

async function readPosition(run: Run): Promise<Result<Position>> {
  const readings = await readMachines(machinesOf(run.change), run.change.connectionId, run.deps);
  if (!readings.ok) return readings;
  const holdings = readings.value.map((reading) => reading.holdings);
  run.change = { ...run.change, after: withAfter(run.change, holdings) };
  return ok(locate(run.change, holdings));
}

function settle(run: Run, position: Position): void {
  const steps = settleSteps(run.change);
  const text = `Read: ${describeHoldings(run.change.after)}.`;
  const conclusion =
    position === 'goal'
      ? describeGoal(run.change)
      : position === 'start'
        ? describeNothingChanged(run.change)
        : describeHalfWay(run.change, position);
  const verdict = position === 'goal' ? 'confirmed' : 'contradicted';
  record(run, 'checked', text, { state: 'interrupted', verdict, conclusion, steps });
  if (position === 'goal' || position === 'start') finish(run, verdict, conclusion, skipRest(steps));
}

/** Each write and its proof by what was just read; the service's words stay beside them. */
function settleSteps(change: LicenceChange): LicenceChange['steps'] {
  const plans = stepsOf(change);
  return change.steps.map((step, index) => {
    const plan = plans[index];
    const proof = plan?.does === 'write' ? plans[index + 1] : plan;
    if (!plan || plan.does === 'read' || proof?.does !== 'prove') return step;
    const reading = change.after.find((holding) => holding.machine === proof.machine);
    const proved =
      reading !== undefined && holdsLicence(reading.licenceNumbers, change.licenceNumber) === proof.mustHold;
    const sent = change.steps[plan.does === 'write' ? index : index - 1]?.startedAt != null;
    const state = proved ? 'done' : sent ? 'failed' : 'planned';
    if (plan.does === 'write') return { ...step, state, result: step.result ?? (proved ? 'took effect' : null) };
    if (state === 'planned' || !reading) return { ...step, state };
    return { ...step, state, startedAt: reading.askedAt, result: `holds ${listIds(reading.licenceNumbers)}` };
  });
}

function invert(change: LicenceChange, position: Position): ChangeRequest | null {
  const { connectionId, licenceNumber, machine, fromMachine } = change;
  const base = { connectionId, licenceNumber };
  if (position === 'start' || position === 'unread') return null;
  if (change.kind === 'register') return { ...base, kind: 'unregister', machine };
  if (change.kind === 'unregister') return { ...base, kind: 'register', machine };
  if (fromMachine === null) return null;
  if (position === 'goal') return { ...base, kind: 'move', machine: fromMachine, fromMachine: machine };
  if (position === 'neither') return { ...base, kind: 'register', machine: fromMachine };
  return { ...base, kind: 'unregister', machine };
}
