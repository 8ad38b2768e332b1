import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import { type ChangeDeps, isoNow } from './change-deps.ts';
import { type ChangeRun, record, tell, withAfter, withStep } from './change-record.ts';
import { type StepPlan, stepsOf } from './change-steps.ts';
import { listIds, nameLicence, sayTime } from './change-words.ts';
import { conclude } from './conclude.ts';
import { holdsLicence } from './licence-ids.ts';
import { attempt, readMachine } from './read-machine.ts';
import { recordAnswer, recordSending } from './record-write.ts';

/**
 * Where a running change stands; `index` counts from zero.
 *   sending → reading-back → sending (the next write) or concluding → ended
 * Every arrow is on disk before the next thing is done. A write is journalled, sent once, and always read back, whatever
 * was answered.
 */
export type Phase =
  | { at: 'sending'; index: number }
  | { at: 'reading-back'; index: number }
  | { at: 'concluding' }
  | { at: 'ended' };

type Run = ChangeRun & { deps: ChangeDeps };

/** Carries a change from a phase to its end. Throws where the journal cannot be written: nothing more is then sent. */
export async function drive(run: Run, start: Phase): Promise<void> {
  let phase = start;
  while (phase.at !== 'ended') phase = await advance(run, phase);
}

async function advance(run: Run, phase: Phase): Promise<Phase> {
  const plan = phase.at === 'sending' || phase.at === 'reading-back' ? stepsOf(run.change)[phase.index] : undefined;
  if (phase.at === 'sending' && plan?.does === 'write') return send(run, phase.index, plan);
  if (phase.at === 'reading-back' && plan?.does === 'prove') return readBack(run, phase.index, plan);
  conclude(run);
  return { at: 'ended' };
}

async function send(run: Run, index: number, plan: StepPlan & { does: 'write' }): Promise<Phase> {
  const { deps } = run;
  const number = index + 1;
  const { licenceNumber } = run.change;
  if (deps.underWay.isStopAsked(run.change.id)) {
    const name = nameLicence(run.change);
    const where = run.change.kind === 'move' ? `: ${name} is on no machine of this change` : '';
    const conclusion = `Stopped before step ${number}${where}.`;
    record(run, 'stopped', conclusion, { state: 'interrupted', conclusion });
    return { at: 'ended' };
  }
  recordSending(run, number, `licence ${licenceNumber}, machine ${plan.machine}. To be sent once.`);
  const answer = await attempt(() =>
    plan.write === 'register'
      ? deps.calls.register(licenceNumber, plan.machine)
      : deps.calls.unregister(licenceNumber, plan.machine),
  );
  recordAnswer(run, number, answer);
  return { at: 'reading-back', index: index + 1 };
}

async function readBack(run: Run, index: number, plan: StepPlan & { does: 'prove' }): Promise<Phase> {
  const { deps } = run;
  const number = index + 1;
  const startedAt = isoNow(deps.ctx);
  run.change = { ...run.change, steps: withStep(run.change, number, { state: 'running', startedAt }) };
  tell(run);
  const reading = await readMachine(plan.machine, run.change.connectionId, deps);
  const name = nameLicence(run.change);
  if (!reading.ok) {
    const text = `${plan.machine} could not be read: ${reading.error.message}`;
    const steps = withStep(run.change, number, { state: 'unknown', result: text });
    record(run, 'read-back', text, { steps, verdict: 'unknown' }, { step: number });
    return { at: 'concluding' };
  }
  const { holdings, durationMs } = reading.value;
  const holds = holdsLicence(holdings.licenceNumbers, run.change.licenceNumber);
  const proved = holds === plan.mustHold;
  const isLast = number === run.change.steps.length;
  const update: Partial<LicenceChange> = {
    after: withAfter(run.change, [holdings]),
    steps: withStep(run.change, number, {
      state: proved ? 'done' : 'failed',
      durationMs,
      result: `holds ${listIds(holdings.licenceNumbers)}`,
    }),
    // Half of a move proves nothing of the whole.
    verdict: !proved ? 'contradicted' : isLast ? 'confirmed' : null,
    conclusion: `${plan.machine} ${holds ? 'holds' : 'does not hold'} ${name}, read back at ${sayTime(holdings.askedAt)}.`,
  };
  record(run, 'read-back', `${plan.machine} holds ${listIds(holdings.licenceNumbers)}`, update, { step: number });
  return proved && !isLast ? { at: 'sending', index: index + 1 } : { at: 'concluding' };
}
