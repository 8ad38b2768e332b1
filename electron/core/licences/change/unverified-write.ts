import { type LicenceClaim, renderLicenceClaims } from '../../../../shared/claims/licence-claims.ts';
import { anyDay, toSecond } from '../../../../shared/claims/moment.ts';
import {
  type LicenceChange,
  nameLicence,
  type writeOperations,
} from '../../../../shared/domain/licences/licence-change.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { attempt } from '../../storage/database/errors.ts';
import { readServiceText } from '../../transport/redact/service-text.ts';
import type { ChangeDeps } from './change-deps.ts';
import { findBusy } from './change-errors.ts';
import { type ChangeRun, record, withStep } from './change-record.ts';
import type { LicenceAnswer } from './licence-calls.ts';
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

/** The write among the steps of every change: reads come before it, the read-back after it. */
const writeStep = 2;

/**
 * Journals a licence write that is called by its name alone, as when an operation is tried out: before it leaves and, by the returned
 * function, what came of it. Nothing is read before or after, so the most it ends with is an unknown outcome, which the window offers to
 * check. Errors, after which nothing may be sent: `unfinished-change` for a licence that a change may not write to either, `storage-failed`.
 */
export function beginUnverifiedWrite(
  request: UnverifiedWrite,
  deps: ChangeDeps,
): Result<(outcome: UnverifiedOutcome) => Result<void>> {
  const { ctx, underWay } = deps;
  const snapshots = {
    list: { licences: [], readAt: null },
    before: [],
    durationMs: 0,
    known: [],
    knownMachines: [],
    statusLabels: new Map<string, string>(),
  };
  const plan = drawPlan(request, snapshots, ctx);
  const unread = { state: 'skipped', startedAt: null, durationMs: null, result: 'not read' } as const;
  const change: LicenceChange = { ...plan, warnings: [], steps: withStep(plan, 1, unread) };
  const run: ChangeRun = { change, deps };
  const begun = attempt(() => {
    underWay.begin(change.id);
    const about = `licence ${change.licenceNumber}, machine ${change.machine}. Called by its name, without a plan; to be sent once.`;
    const write = { write: request.kind, machine: change.machine };
    recordSending(run, writeStep, write, about, { state: 'running' }, () => findBusy(change, deps));
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
  const unsent = run.change.writes.at(-1)?.left === false;
  const claims: LicenceClaim[] = [unsent ? { kind: 'nothing-left' } : notReadBack(run, outcome)];
  const conclusion = renderLicenceClaims(claims, anyDay);
  // Without an answer it is shown first at the next start, like every interrupted change.
  if (!outcome.ok && isUnanswered(outcome.error)) {
    record(run, 'stopped', conclusion, {
      state: 'interrupted',
      verdict: 'on-its-way',
      claims,
      conclusion,
      nextRead: run.deps.ctx.readsAgain(run.change) === 'never' ? null : 'next-start',
    });
    return;
  }
  const verdict = unsent ? 'not-seen' : 'unknown';
  record(run, 'finished', conclusion, { state: 'finished', verdict, claims, conclusion, steps });
}

/** What came of the call, which says nothing about what the service did. */
function notReadBack({ change, deps }: ChangeRun, outcome: UnverifiedOutcome): LicenceClaim {
  const { redact } = deps.ctx;
  const came = outcome.ok ? 'text' : isUnanswered(outcome.error) ? 'no-answer' : 'error';
  return {
    kind: 'not-read-back',
    operation: change.kind === 'unregister' ? 'UnregisterLicense' : 'RegisterLicense',
    licence: nameLicence(change),
    machine: change.machine,
    came,
    words: outcome.ok ? readServiceText(outcome.value.value, redact) : outcome.error.message,
    at: toSecond(isoNow(deps.ctx)),
  };
}
