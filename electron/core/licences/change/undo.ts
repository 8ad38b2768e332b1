import {
  type ChangeRequest,
  type LicenceChange,
  machinesOf,
} from '../../../../shared/domain/licences/licence-change.ts';
import { holdsLicence } from '../../../../shared/domain/licences/licence-ids.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { ChangeDeps } from './change-deps.ts';
import { findMoved, holdLeft, notKnown, notOffered, outdated, tooSoon } from './change-errors.ts';
import { describeHoldings } from './change-messages.ts';
import { planChange } from './plan.ts';
import { readMachines, unusable } from './read-machine.ts';

/**
 * Plans the inverse of what is seen now, to be confirmed and run like any change. Sends reads alone. Errors: bad-input, wrong-origin,
 * unfinished-change while its time runs, plan-outdated if there is nothing to undo, storage-failed, and those of `planChange`.
 */
export async function planUndo(
  changeId: string,
  deps: ChangeDeps,
  signal?: AbortSignal,
): Promise<Result<LicenceChange>> {
  const found = attempt(() => ({ change: deps.store.change(changeId), isUnderWay: deps.underWay.has(changeId) }));
  if (!found.ok) return found;
  const { change, isUnderWay } = found.value;
  if (!change) return fail(notKnown());
  if (isUnderWay || !change.offers.includes('undo')) return fail(notOffered('undo'));
  const moved = findMoved(change, deps);
  if (moved) return fail(moved);
  if (holdLeft(change, deps) > 0) return fail(tooSoon(change, deps));
  const snapshots = await readMachines(machinesOf(change), change.connectionId, deps, signal);
  if (!snapshots.ok) return snapshots;
  // Of a licence that such an answer leaves out nothing follows: neither that there is nothing to undo, nor what would undo it.
  for (const { holdings, callId } of snapshots.value) {
    const { machine, doubt, licenceNumbers } = holdings;
    if (doubt === undefined || holdsLicence(licenceNumbers, change.licenceNumber)) continue;
    return fail(unusable({ code: 'unreadable-answer', message: `${machine} could not be read: ${doubt}` }, callId));
  }
  const isOn = (machine: string | null): boolean =>
    snapshots.value.some(
      ({ holdings }) => holdings.machine === machine && holdsLicence(holdings.licenceNumbers, change.licenceNumber),
    );
  const inverse = invert(change, isOn(change.machine), isOn(change.fromMachine));
  if (!inverse) {
    const said = describeHoldings(snapshots.value.map(({ holdings }) => holdings));
    return fail(outdated(`By what was read there is nothing to undo: ${said}.`));
  }
  return planChange(inverse, deps.calls, deps.store, deps.ctx, { undoOf: changeId, signal });
}

function invert(change: LicenceChange, isOnTarget: boolean, isOnSource: boolean): ChangeRequest | null {
  const { connectionId, licenceNumber, machine, fromMachine, kind } = change;
  const base = { connectionId, licenceNumber };
  if (kind === 'register') return isOnTarget ? { ...base, kind: 'unregister', machine } : null;
  if (kind === 'unregister') return isOnTarget ? null : { ...base, kind: 'register', machine };
  if (fromMachine === null) return null;
  if (isOnTarget && isOnSource) return { ...base, kind: 'unregister', machine };
  if (isOnTarget) return { ...base, kind: 'move', machine: fromMachine, fromMachine: machine };
  return isOnSource ? null : { ...base, kind: 'register', machine: fromMachine };
}
