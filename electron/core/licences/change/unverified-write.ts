import type { LicenceChange } from '../../../../shared/domain/licence-change.ts';
import { failsBeforeSending } from '../../../../shared/errors.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { ChangeDeps } from './change-deps.ts';
import { describeChange } from './change-messages.ts';
import { type ChangeRun, record, withStep } from './change-record.ts';
import type { LicenceAnswer, writeOperations } from './licence-calls.ts';
import { drawPlan } from './plan.ts';
import { isUnanswered, recordAnswer, recordSending } from './record-write.ts';

export interface UnverifiedWrite {
  connectionId: string;
  kind: keyof typeof writeOperations;
  licenceNumber: string;
  machine: string;
}

/** The service's words and how long they took, or why there are none. */
export type UnverifiedOutcome = Result<Pick<LicenceAnswer<string>, 'value' | 'durationMs'>>;

/** The write among the steps of every change: reading comes before it, the proof after it. */
const writeStep = 2;

/**
 * Journals a licence write that is called by its name alone, as an operation is tried: before it leaves, and by the function given
 * back what came of it. Nothing is read before or after, so the most it ends with is an unknown outcome, which the window offers to
 * check. Errors: `storage-failed`, and then nothing may be sent.
 */
export function beginUnverifiedWrite(
  request: UnverifiedWrite,
  deps: ChangeDeps,
): Result<(outcome: UnverifiedOutcome) => Result<void>> {
  const { ctx, underWay } = deps;
  const readings = { licences: [], before: [], durationMs: 0, known: [], knownMachines: [] };
  const plan = drawPlan(request, readings, ctx);
  const unread = { state: 'skipped', startedAt: null, durationMs: null, result: 'not read' } as const;
  const change: LicenceChange = { ...plan, warnings: [], steps: withStep(plan, 1, unread) };
  const run: ChangeRun = { change, deps };
  const begun = attempt(() => {
    underWay.begin(change.id);
    const about = `licence ${change.licenceNumber}, machine ${change.machine}. Called by its name, without a plan; to be sent once.`;
    recordSending(run, writeStep, { write: request.kind, machine: change.machine }, about, { state: 'running' });
  });
  if (!begun.ok) {
    underWay.end(change.id);
    return begun;
  }
  return ok((outcome) => {
    const told = attempt(() => end(run, outcome));
    underWay.end(change.id);
    return told;
  });
}

function end(run: ChangeRun, outcome: UnverifiedOutcome): void {
  recordAnswer(run, writeStep, outcome);
  const steps = run.change.steps.map((step) =>
    step.state === 'planned' ? { ...step, state: 'skipped' as const } : step,
  );
  const text = steps[writeStep - 1]?.result;
  const unknown = `Whether the change to ${describeChange(run.change)} took effect is unknown: ${text}, and it was not read back.`;
  // Without an answer it is shown first at the next start, as every change that was cut off.
  if (!outcome.ok && isUnanswered(outcome.error)) {
    record(run, 'stopped', unknown, {
      state: 'interrupted',
      verdict: 'on-its-way',
      conclusion: unknown,
      nextRead: 'next-start',
    });
    return;
  }
  const unsent = !outcome.ok && failsBeforeSending.has(outcome.error.code);
  const conclusion = unsent ? `Not sent: ${text}` : unknown;
  const verdict = unsent ? 'not-seen' : 'unknown';
  record(run, 'finished', conclusion, { state: 'finished', verdict, conclusion, steps });
}
