import type { LicenceChange } from '../../../shared/domain/licence-change.ts';

/** How the licence of a change is called: its reference, or its id where the list gave none. */
export const changeLicence = (change: LicenceChange): string =>
  change.licenceReference.trim() || `licence ${change.licenceNumber}`;

export const kindWords = { register: 'Register', unregister: 'Unregister', move: 'Move' } as const;

/** "move WY-20418 to HFD-LT-0219": the wish, small at its start. */
export function changeTitle(change: LicenceChange): string {
  const name = changeLicence(change);
  if (change.kind === 'register') return `register ${name} to ${change.machine}`;
  if (change.kind === 'unregister') return `unregister ${name} from ${change.machine}`;
  return `move ${name} from ${change.fromMachine} to ${change.machine}`;
}

/** The headline over a change, true of what is proved now. */
export function changeHeadline(change: LicenceChange, running: boolean): string {
  const name = changeLicence(change);
  const { kind, machine } = change;
  if (running) {
    if (kind === 'register') return `Registering ${name} to ${machine}`;
    return kind === 'unregister' ? `Unregistering ${name} from ${machine}` : `Moving ${name} to ${machine}`;
  }
  if (change.state === 'finished') {
    if (change.verdict === 'confirmed') {
      return kind === 'unregister' ? `${name} is no longer on ${machine}` : `${name} is on ${machine}`;
    }
    if (change.verdict === 'contradicted') {
      return kind === 'register'
        ? `${name} is not on ${machine}`
        : `${name} is still on ${change.fromMachine ?? machine}`;
    }
  }
  if (change.state === 'interrupted') return `Unfinished: ${changeTitle(change)}`;
  if (change.state === 'dismissed') return `Left as it is: ${changeTitle(change)}`;
  if (kind === 'move') return `Move ${name} to ${machine}`;
  return kind === 'register' ? `Register ${name} to ${machine}` : `Unregister ${name} from ${machine}`;
}

/** How a confirmed, contradicted or unknown end was come to. */
export function changeProof(change: LicenceChange): string {
  if (change.state !== 'finished') return change.conclusion;
  const what = change.kind === 'move' ? 'both machines' : change.machine;
  if (change.verdict === 'confirmed') {
    return `Proved by reading ${what} after the change, not by what the service answered.`;
  }
  return change.conclusion;
}

/** What undoing a confirmed or half-way change would mean. */
export function undoWords(change: LicenceChange): { verb: string; what: string } {
  const name = changeLicence(change);
  if (change.kind === 'register')
    return { verb: 'Plan to take it off', what: `Takes ${name} off ${change.machine} again.` };
  if (change.kind === 'unregister')
    return { verb: 'Plan to put it back', what: `Puts ${name} back on ${change.machine}.` };
  return { verb: 'Plan the move back', what: `Puts ${name} back on ${change.fromMachine}.` };
}

/** Whether a write may have left: its step was begun. */
export const mayHaveSent = (change: LicenceChange): boolean =>
  change.steps.some((step) => step.effect === 'writes' && step.startedAt !== null);

/** What is known while a change runs. Main's conclusion is the last thing proved, so it says nothing of a write under way. */
export function describeRunning(change: LicenceChange): string {
  if (change.state === 'planned') return 'The machines are read once more before anything is sent.';
  if (!mayHaveSent(change)) return change.conclusion;
  const step = change.steps.find(({ state }) => state === 'running');
  const proved = change.after.length > 0 ? `${change.conclusion} ` : '';
  if (step?.effect === 'writes') return `${proved}Step ${step.number} is sent, and is read back whatever is answered.`;
  return `${proved}What came of the last write is being read.`;
}
