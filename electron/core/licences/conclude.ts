import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import type { MachineHoldings } from '../../../shared/domain/licence-machines.ts';
import { type ChangeRun, record } from './change-record.ts';
import { describeChange, nameLicence, sayTime } from './change-words.ts';
import { holdsLicence } from './licence-ids.ts';

/**
 * Where the licence is, by what was read. goal: as wished. start: as before, nothing changed. neither and both: only a move
 * can be there, half way. unread: a machine of the change was not read since.
 */
export type Position = 'goal' | 'start' | 'neither' | 'both' | 'unread';

/** Works out where the licence is from the readings of the machines concerned. */
export function locate(change: LicenceChange, readings: readonly MachineHoldings[]): Position {
  const holds = (machine: string | null): boolean | null => {
    const reading = readings.find((holding) => holding.machine === machine);
    return reading ? holdsLicence(reading.licenceNumbers, change.licenceNumber) : null;
  };
  const at = holds(change.machine);
  if (change.kind !== 'move') {
    if (at === null) return 'unread';
    return at === (change.kind === 'register') ? 'goal' : 'start';
  }
  const from = holds(change.fromMachine);
  if (at === null || from === null) return 'unread';
  if (from) return at ? 'both' : 'start';
  return at ? 'goal' : 'neither';
}

/**
 * Ends a run by what was read back, never by what was answered. Proved, or proved not to have happened with nothing left half
 * done: finished. Half way, or not readable: interrupted, and the next start offers it again.
 */
export function conclude(run: ChangeRun): void {
  const { change } = run;
  if (change.verdict === 'confirmed') {
    finish(run, 'confirmed', describeGoal(change), change.steps);
    return;
  }
  if (change.verdict !== 'contradicted') {
    const unread = change.steps.find((step) => step.state === 'unknown' && step.effect === 'reads');
    const waiting = change.steps.find((step) => step.state === 'planned' && step.effect === 'writes');
    const rest = waiting === undefined ? '' : ` Step ${waiting.number} was not sent.`;
    const conclusion = `Whether the change to ${describeChange(change)} took effect is unknown: ${unread?.result ?? 'it was not read back.'}${rest}`;
    record(run, 'stopped', conclusion, { state: 'interrupted', verdict: 'unknown', conclusion });
    return;
  }
  // Only the machines written to were read back; a move's target, not yet asked to take it, is as it was before.
  const readings = change.before.map(
    (before) => change.after.find((holding) => holding.machine === before.machine) ?? before,
  );
  const position = locate(change, readings);
  if (position === 'start') {
    finish(run, 'contradicted', describeNothingChanged(change), skipRest(change.steps));
    return;
  }
  const conclusion = describeHalfWay(change, position);
  record(run, 'stopped', conclusion, { state: 'interrupted', verdict: 'contradicted', conclusion });
}

/** Steps that will not be taken any more. */
export const skipRest = (steps: LicenceChange['steps']): LicenceChange['steps'] =>
  steps.map((step) => (step.state === 'planned' ? { ...step, state: 'skipped' } : step));

/** Closes a change as proved. A change that undid another closes that one too. */
export function finish(
  run: ChangeRun,
  verdict: 'confirmed' | 'contradicted',
  conclusion: string,
  steps: LicenceChange['steps'],
): void {
  record(run, 'finished', conclusion, { state: 'finished', verdict, conclusion, steps });
  if (verdict === 'confirmed' && run.change.undoOf !== null) closeUndone(run, run.change.undoOf);
}

/** The undone change is finished by this one's proof; what it had proved before stays its verdict. */
function closeUndone(run: ChangeRun, changeId: string): void {
  const undone = run.deps.store.change(changeId);
  if (!undone) return;
  const conclusion = `Undone: ${run.change.conclusion}`;
  record({ change: undone, deps: run.deps }, 'undone', `Undone by change ${run.change.id}. ${run.change.conclusion}`, {
    state: 'finished',
    verdict: undone.verdict === 'confirmed' ? 'confirmed' : 'contradicted',
    conclusion,
    offers: [],
  });
}

/** “WY-20418 is on HFD-LT-0219”. */
export function describeGoal(change: LicenceChange): string {
  const name = nameLicence(change);
  if (change.kind === 'register') return `${name} is on ${change.machine}${readAt(change)}.`;
  if (change.kind === 'unregister') return `${name} is no longer on ${change.machine}${readAt(change)}.`;
  return `${name} is on ${change.machine} and no longer on ${change.fromMachine}${readAt(change)}.`;
}

/** The sentence for a change that reading shows not to have happened. */
export function describeNothingChanged(change: LicenceChange): string {
  const name = nameLicence(change);
  const said = change.serviceText.at(-1);
  const heard = said === undefined ? '' : ` The service had returned “${said}”.`;
  if (change.kind === 'register') return `${change.machine} does not hold ${name}${readAt(change)}.${heard}`;
  return `${name} is still on ${change.fromMachine ?? change.machine}${readAt(change)}.${heard}`;
}

/** The sentence for a move between its two machines. */
export function describeHalfWay(change: LicenceChange, position: Position): string {
  const name = nameLicence(change);
  if (position === 'both') return `${name} is on both ${change.fromMachine} and ${change.machine}${readAt(change)}.`;
  return `${name} is on neither ${change.fromMachine} nor ${change.machine}${readAt(change)}. Finishing puts it on ${change.machine}; undoing puts it back on ${change.fromMachine}.`;
}

function readAt(change: LicenceChange): string {
  const last = change.after
    .map((holding) => holding.askedAt)
    .sort()
    .at(-1);
  return last === undefined ? '' : `, read back at ${sayTime(last)}`;
}
