import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import type { JournalEntry } from '../../../shared/domain/licence-journal.ts';
import type { ChangeDeps } from './change-deps.ts';
import { type ChangeRun, mayHaveSent, record } from './change-record.ts';
import { describeChange, nameLicence } from './change-words.ts';

/**
 * The changes that began and were neither proved nor dismissed, oldest first. One that no one in this process is working on
 * was cut off: it is marked so in the journal, with what is known. Call it before anything else is offered. Throws where
 * SQLite does.
 */
export function findUnfinishedChanges(
  deps: Pick<ChangeDeps, 'store' | 'ctx' | 'underWay' | 'onStep'>,
): LicenceChange[] {
  return deps.ctx.journal.unfinished().flatMap((entry) => {
    const change = deps.store.change(entry.changeId);
    if (!change) return [];
    if (entry.state === 'interrupted' || !deps.underWay.begin(change.id)) return [change];
    try {
      return markCutOff(change.id, deps);
    } finally {
      deps.underWay.end(change.id);
    }
  });
}

/** Looked at again once it is this process's alone: another may have ended it in the meantime. */
function markCutOff(
  changeId: string,
  deps: Pick<ChangeDeps, 'store' | 'ctx' | 'underWay' | 'onStep'>,
): LicenceChange[] {
  const change = deps.store.change(changeId);
  const entry = deps.ctx.journal.ofChange(changeId).at(-1);
  if (!change || !entry || (entry.state !== 'running' && entry.state !== 'interrupted')) return [];
  if (entry.state === 'interrupted') return [change];
  const run: ChangeRun = { change, deps };
  const conclusion = describeCutOff(change, entry);
  const steps = change.steps.map((step) => (step.state === 'running' ? { ...step, state: 'unknown' as const } : step));
  const verdict = mayHaveSent(change) ? 'unknown' : null;
  record(run, 'found', conclusion, { state: 'interrupted', verdict, conclusion, steps });
  return [run.change];
}

/** What is known of a change that was cut off, from its last entry. */
function describeCutOff(change: LicenceChange, last: JournalEntry): string {
  const wish = describeChange(change);
  const step = change.steps.find(({ number }) => number === last.step);
  const name = nameLicence(change);
  if (last.event === 'sending') {
    return `The program ended during step ${last.step} of the change to ${wish}: ${step?.operation} may have been sent. Checking reads what came of it.`;
  }
  if (last.event === 'answered') {
    return `The program ended after step ${last.step} of the change to ${wish}: ${step?.result}. It has not been read back.`;
  }
  if (last.event === 'read-back') {
    return last.verdict === null
      ? `The program ended half way through the change to ${wish}. ${change.conclusion} ${change.machine} had not been asked to take ${name}.`
      : `The program ended before the change to ${wish} was closed. ${change.conclusion}`;
  }
  if (mayHaveSent(change)) return `The program ended before it went on with the change to ${wish}.`;
  return `The program ended before anything was sent of the change to ${wish}.`;
}
