import type { LicenceChange } from '../../../shared/domain/licence-change.ts';
import type { MachineHoldings } from '../../../shared/domain/licence-machines.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ChangeDeps } from './change-deps.ts';
import { drive } from './change-drive.ts';
import { record, whileUnderWay, withStep } from './change-record.ts';
import { machinesOf } from './change-steps.ts';
import { describeChange, describeHoldings } from './change-words.ts';
import { holdsLicence, isSameHolding } from './licence-ids.ts';
import { findUnfinished } from './plan.ts';
import { readMachines } from './read-machine.ts';

/** A change that is a row of a bulk change. */
export interface BulkPlace {
  /** How it was confirmed, for the journal. */
  confirmation: string;
  /** Changes of the other rows. */
  siblings: ReadonlySet<string>;
}

/**
 * Runs a planned change: the typed name must be the machine's, the plan must still hold, the intent is journalled, each write
 * is sent once and read back. The value is the change with its verdict, whatever that is; an error means that nothing was
 * sent, except `storage-failed`, whose text says otherwise.
 *
 * Errors: not-confirmed, plan-outdated, unfinished-change, cancelled, storage-failed, those of the re-read.
 */
export async function runChange(
  changeId: string,
  confirmedName: string,
  deps: ChangeDeps,
  row?: BulkPlace,
): Promise<Result<LicenceChange>> {
  return whileUnderWay(deps, changeId, async () => {
    const change = deps.store.change(changeId);
    const refused = change === undefined ? notKnown() : refuse(change, confirmedName, deps, row);
    if (refused || !change) return fail(refused ?? notKnown());

    const readings = await readMachines(machinesOf(change), change.connectionId, deps);
    if (!readings.ok) return readings;
    const before = readings.value.map((reading) => reading.holdings);
    // Other rows of a bulk change may have put other licences on the machine since its plan.
    const isSame = (now: MachineHoldings, planned: MachineHoldings): boolean =>
      row
        ? holdsLicence(now.licenceNumbers, change.licenceNumber) ===
          holdsLicence(planned.licenceNumbers, change.licenceNumber)
        : isSameHolding(now.licenceNumbers, planned.licenceNumbers);
    const holds = change.before.every((planned) =>
      before.some((now) => now.machine === planned.machine && isSame(now, planned)),
    );
    if (!holds) {
      const message = `The plan no longer matches what the service says: ${describeHoldings(before)}.`;
      return fail(appError('plan-outdated', { message, charge: 'not-applicable' }));
    }
    if (deps.underWay.isStopAsked(changeId)) return fail(appError('cancelled', { charge: 'not-applicable' }));

    const run = { change, deps };
    const steps = withStep(change, 1, {
      startedAt: before[0]?.askedAt ?? null,
      durationMs: readings.value.reduce((sum, reading) => sum + reading.durationMs, 0),
      result: describeHoldings(before),
    });
    record(
      run,
      'intent',
      `To ${describeChange(change)}. ${row?.confirmation ?? `Confirmed by typing ${confirmedName}.`}`,
      { state: 'running', conclusion: 'Nothing has been sent yet.', before, steps, by: deps.ctx.by },
      // Asked again inside the transaction: two windows may have come this far together.
      { refuse: () => findUnfinished(change, deps.store, change.undoOf, row?.siblings) },
    );
    await drive(run, { at: 'sending', index: 1 });
    return ok(run.change);
  });
}

/** Asks a running change to stop: a write under way is still read back. False where the change is not running here. */
export function stopAfterThisStep(changeId: string, deps: Pick<ChangeDeps, 'underWay'>): boolean {
  return deps.underWay.stopAfterThisStep(changeId);
}

/** The answer where no change of that id was planned. */
export const notKnown = (): AppError =>
  appError('bad-input', { message: 'No such change was planned.', field: 'changeId', charge: 'not-applicable' });

function refuse(
  change: LicenceChange,
  confirmedName: string,
  { store }: ChangeDeps,
  row: BulkPlace | undefined,
): AppError | null {
  if (change.state !== 'planned') {
    return appError('plan-outdated', { message: 'This plan has been used.', charge: 'not-applicable' });
  }
  if (confirmedName !== change.machine) {
    return appError('not-confirmed', { field: 'confirmedName', charge: 'not-applicable' });
  }
  const blocking = change.warnings.find((warning) => warning.blocks);
  if (blocking) {
    const message = `The change cannot be made: ${blocking.text}`;
    return appError('plan-outdated', { message, charge: 'not-applicable' });
  }
  return findUnfinished(change, store, change.undoOf, row?.siblings);
}
