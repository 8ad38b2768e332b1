import {
  type ChangeOffer,
  type LicenceChange,
  mayHaveSent,
} from '../../../../shared/domain/licences/licence-change.ts';
import type { JournalEvent } from '../../../../shared/domain/licences/licence-journal.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { StorageFailure, storageError } from '../../storage/database/errors.ts';
import { draftFor } from '../journal/journal.ts';
import type { ChangeDeps } from './change-deps.ts';

/** Thrown inside the journal's transaction, so that nothing of the entry is kept. */
class Refused extends StorageFailure {}

/** A change under way: replaced by `record` only after the entry is on disk. */
export interface ChangeRun {
  change: LicenceChange;
  deps: Pick<ChangeDeps, 'store' | 'ctx' | 'onStep'>;
}

/** A run that reads and writes too. */
export interface Run extends ChangeRun {
  deps: ChangeDeps;
}

/**
 * One transition: the journal entry and the change it leads to are written in one transaction, then listeners are notified. Throws if that
 * fails; a change that another process has taken over meanwhile is refused as `unfinished-change`. `refuse` is asked in the transaction.
 */
export function record(
  run: ChangeRun,
  event: JournalEvent,
  text: string,
  update: Partial<LicenceChange> = {},
  { step = null, refuse }: { step?: number | null; refuse?: () => AppError | null } = {},
): void {
  const { store, ctx } = run.deps;
  const at = isoNow(ctx);
  const closed = update.state === 'finished' || update.state === 'dismissed';
  const next: LicenceChange = { ...run.change, ...update, ...(closed ? { finishedAt: at } : {}) };
  next.offers = update.offers ?? offersOf(next);
  ctx.journal.append(
    draftFor(next, at, { event, step, text, by: ctx.by }),
    (entry) => {
      next.journal = { first: run.change.journal?.first ?? entry.sequence, last: entry.sequence, hash: entry.hash };
      store.saveChange(next);
    },
    () => {
      const last = ctx.journal.ofChange(next.id).at(-1)?.sequence ?? null;
      const error = last === (run.change.journal?.last ?? null) ? (refuse?.() ?? null) : takenOver();
      if (error) throw new Refused(error);
    },
  );
  run.change = next;
  notify(run);
}

/** Shows a transition that needs no entry: what is being waited for. */
export function notify(run: ChangeRun): void {
  try {
    run.deps.onStep(structuredClone(run.change));
  } catch {
    // A listener's fault must not leave a licence between two machines.
  }
}

/** Replaces one step by its changed form; `number` counts from one. */
export function withStep(
  change: LicenceChange,
  number: number,
  update: Partial<LicenceChange['steps'][number]>,
): LicenceChange['steps'] {
  return change.steps.map((step) => (step.number === number ? { ...step, ...update } : step));
}

/** What was read last of each machine. */
export function withAfter(change: LicenceChange, latest: readonly MachineHoldings[]): MachineHoldings[] {
  const machines = new Set(latest.map((holding) => holding.machine));
  return [...change.after.filter((holding) => !machines.has(holding.machine)), ...latest];
}

function offersOf(change: LicenceChange): ChangeOffer[] {
  if (change.state === 'interrupted') {
    return mayHaveSent(change) ? ['check', 'finish', 'undo', 'dismiss'] : ['check', 'finish', 'dismiss'];
  }
  if (change.state !== 'finished') return [];
  if (change.verdict === 'seen' || change.verdict === 'confirmed') return ['undo'];
  return mayHaveSent(change) ? ['check'] : [];
}

const takenOver = (): AppError =>
  appError('unfinished-change', { message: 'Another window or command has gone on with this change.' });

/**
 * Runs work on a change that nothing else is working on, here or in another process, and turns a throw into an error. Errors:
 * `unfinished-change` if something is, `storage-failed`, and those of the work.
 */
export async function whileUnderWay<T>(
  deps: Pick<ChangeDeps, 'underWay'>,
  changeId: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    if (!deps.underWay.begin(changeId)) {
      return fail(
        appError('unfinished-change', { message: 'This change is being worked on.', next: 'Try again in a moment.' }),
      );
    }
  } catch (thrown) {
    return fail(storageError(thrown));
  }
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof Refused) return fail(thrown.error);
    return fail({
      ...storageError(thrown),
      money: 'If anything was sent, the journal says so and the change is offered for checking.',
    });
  } finally {
    deps.underWay.end(changeId);
  }
}
