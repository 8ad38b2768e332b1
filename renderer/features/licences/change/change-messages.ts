import {
  type ChangeWrite,
  type LicenceChange,
  mayHaveSent,
  nameLicence,
  writeOperations,
} from '../../../../shared/domain/licences/licence-change.ts';
import { countOf } from '../../../lib/text/format.ts';
import { isTwice } from '../prices.ts';

/** "move WY-20418 to HFD-LT-0219": what was asked for, beginning with a small letter. */
export function changeTitle(change: LicenceChange): string {
  const name = nameLicence(change);
  if (change.kind === 'register') return `register ${name} to ${change.machine}`;
  if (change.kind === 'unregister') return `unregister ${name} from ${change.machine}`;
  return `move ${name} from ${change.fromMachine} to ${change.machine}`;
}

/** The headline of a change: what was seen, in its shortest form. */
export function changeHeadline(change: LicenceChange, running: boolean): string {
  const name = nameLicence(change);
  const { kind, machine, fromMachine, verdict } = change;
  if (running) {
    if (kind === 'register') return `Registering ${name} to ${machine}`;
    return kind === 'unregister' ? `Unregistering ${name} from ${machine}` : `Moving ${name} to ${machine}`;
  }
  if (change.undoneBy !== undefined) return `Undone: ${changeTitle(change)}`;
  if (change.state === 'finished') {
    if (verdict === 'seen')
      return kind === 'unregister' ? `${name} was not seen on ${machine}` : `${name} was seen on ${machine}`;
    if (verdict === 'not-seen') {
      if (!change.writes.some(({ left }) => left)) return `No request was sent to ${changeTitle(change)}`;
      if (kind === 'register') return `${name} was not seen on ${machine}`;
      const from = fromMachine ?? machine;
      // Its reads may be over with one that did not name it, and that nothing stood beside.
      return change.claims.some((claim) => claim.kind === 'seen' && claim.machine === from)
        ? `${name} was still seen on ${from}`
        : `Not seen as planned: ${changeTitle(change)}`;
    }
    if (verdict === 'confirmed' || verdict === 'contradicted')
      return `An earlier version closed this: ${changeTitle(change)}`;
  }
  if (change.state === 'interrupted') {
    const half = change.claims.find((claim) => claim.kind === 'half-done');
    if (half) return `Half done: seen on ${half.on}`;
    if (verdict === 'on-its-way') return `On its way: ${changeTitle(change)}`;
    return `Unfinished: ${changeTitle(change)}`;
  }
  if (change.state === 'dismissed') return `Left as it is: ${changeTitle(change)}`;
  if (kind === 'move') return `Move ${name} to ${machine}`;
  return kind === 'register' ? `Register ${name} to ${machine}` : `Unregister ${name} from ${machine}`;
}

/** What undoing a change would mean. */
export function undoText(change: LicenceChange): { verb: string; what: string } {
  const name = nameLicence(change);
  if (change.kind === 'register')
    return { verb: 'Plan to take it off', what: `Takes ${name} off ${change.machine} again.` };
  if (change.kind === 'unregister')
    return { verb: 'Plan to put it back', what: `Puts ${name} back on ${change.machine}.` };
  return { verb: 'Plan the move back', what: `Puts ${name} back on ${change.fromMachine}.` };
}

/** "RegisterLicense begun": whether it left before the program ended, nobody saw. "Not sent" is certain. */
export const describeWrite = ({ write, left }: Pick<ChangeWrite, 'write' | 'left'>): string =>
  `${writeOperations[write]} ${left ? 'begun' : 'not sent'}`;

/** What is known while a change runs. Main's verdict is about what was read last, so it says nothing about a write under way. */
export function describeRunning(change: LicenceChange): string {
  if (change.state === 'planned') return 'The machines are read once more before anything is sent.';
  if (!mayHaveSent(change)) return change.conclusion;
  const step = change.steps.find(({ state }) => state === 'running');
  if (step?.effect === 'writes') return `Step ${step.number} is being sent, and is read back whatever the answer.`;
  return change.writes.at(-1)?.write === 'unregister'
    ? 'What came of the last write is being read: twice, half a minute apart, where the licence is no longer named.'
    : 'What came of the last write is being read.';
}

/** "2 writes, 5 reads": of a plan and while it runs, what is to be sent; then what was. */
export function countCalls(change: LicenceChange): string {
  const { state, steps, writes, reads, before } = change;
  const isOver = state !== 'planned' && state !== 'running' && writes.length > 0;
  const toWrite = steps.filter(({ effect }) => effect === 'writes');
  const toRead = steps
    .filter(({ effect }) => effect === 'reads')
    .reduce((sum, step) => sum + (isTwice(step) ? 2 : 1), 0);
  const written = isOver ? writes.filter(({ left }) => left).length : toWrite.length;
  const read = isOver ? before.length + reads.filter(({ left }) => left !== false).length : toRead;
  const isUnknown = isOver && toWrite.some(({ state: is }) => is === 'unknown');
  return `${countOf(written, 'write')}${isUnknown ? ' begun' : ''}, ${countOf(read, 'read')}`;
}

/** The current step of a running change. `isStepping`: main has reported a step. */
export function describeProgress(change: LicenceChange, isStepping: boolean): string {
  if (!isStepping && change.state === 'planned') return 'Comparing the plan with what the service says now.';
  if (!isStepping && change.state === 'interrupted')
    return 'Reading what the service says now, before anything else is sent.';
  const isDone = (number: number) => change.steps.some((step) => step.number === number && step.state === 'done');
  const reading = change.steps.find(({ state, effect }) => state === 'running' && effect === 'reads');
  const before = change.steps.find(({ number }) => number === (reading?.number ?? 0) - 1);
  if (before?.effect === 'writes' && before.state !== 'done')
    return 'No usable answer came to the write. The machine is read all the same.';
  if (change.kind !== 'move') {
    const what = change.kind === 'register' ? 'take' : 'let go of';
    return isDone(2)
      ? `${change.machine} was asked to ${what} the licence, and is being read.`
      : `${change.machine} is being asked to ${what} the licence, and is then read.`;
  }
  if (isDone(4)) return 'The new machine was asked to take the licence, and is being read.';
  if (isDone(3)) return 'It is no longer named for the old machine; the new one is being asked to take it.';
  return isDone(2)
    ? 'The old machine was asked to let go of the licence, and is being read.'
    : 'The old machine is being asked to let go of the licence.';
}
