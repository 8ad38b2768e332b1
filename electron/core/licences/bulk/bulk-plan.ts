import type { Licence } from '../../../../shared/domain/licences/licence.ts';
import type { Bulk, BulkRow } from '../../../../shared/domain/licences/licence-bulk.ts';
import { isNameWarning, type LicenceChange, machinesOf } from '../../../../shared/domain/licences/licence-change.ts';
import { plainId } from '../../../../shared/domain/licences/licence-ids.ts';
import type { MachineHoldings } from '../../../../shared/domain/licences/licence-machines.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { isoNow } from '../../../ports.ts';
import { mapWithLimit } from '../../concurrency/map-with-limit.ts';
import { storageError } from '../../storage/database/errors.ts';
import type { ChangeDeps } from '../change/change-deps.ts';
import { readsOf } from '../change/change-steps.ts';
import { drawPlan, findUnfinished, readList, subjectOf, unfinishedBeside } from '../change/plan.ts';
import { readMachine } from '../change/read-machine.ts';
import { type BulkRequest, type Draft, draftRows, endDraft, refuseRepeats } from './bulk-drafts.ts';

const readAtOnce = 4;

/**
 * Plans every row from reads alone: the list once, each machine once, four at a time. Duplicates, conflicts, rows that would change nothing
 * and rows done in an earlier run are skipped with their reason; a row whose machine cannot be read has failed. Stores nothing of it.
 * Errors: those of the list, `cancelled`, `storage-failed`.
 */
export async function planBulk(
  request: BulkRequest,
  deps: ChangeDeps,
  signal?: AbortSignal,
): Promise<Result<{ bulk: Bulk; changes: LicenceChange[] }>> {
  const { connectionId } = request;
  const { calls, store, ctx } = deps;
  try {
    const known = store.holdings(connectionId);
    const knownMachines = store.knownMachines(connectionId);
    const statusLabels = store.statusLabels(connectionId);
    const list = await readList(connectionId, calls, store, ctx, signal);
    if (!list.ok) return list;
    const drafts = draftRows(request, list.value);
    refuseRepeats(drafts);
    refuseUnfinished(drafts, deps);

    const wanted = drafts.flatMap(({ request: one }) => (one ? machinesOf(subjectOf(one)) : []));
    const machines = [...new Set(wanted)];
    const snapshots = new Map<string, { holdings: MachineHoldings; durationMs: number }>();
    const failures = new Map<string, string>();
    let stopped: Result<never> | null = null;
    await mapWithLimit(machines, readAtOnce, async (machine) => {
      if (stopped) return;
      const snapshot = await readMachine(machine, connectionId, deps, signal);
      if (snapshot.ok) snapshots.set(machine, snapshot.value);
      else if (signal?.aborted) stopped = snapshot;
      else failures.set(machine, snapshot.error.message);
    });
    if (stopped) return stopped;

    // No change of it is older than it is, nor forgotten before it is too old itself.
    const plannedAt = isoNow(ctx);
    const changes: LicenceChange[] = [];
    const seats = new Map<string, number | null>();
    for (const draft of drafts) {
      if (!draft.request) continue;
      const concerned = machinesOf(subjectOf(draft.request));
      const unread = concerned.find((machine) => !snapshots.has(machine));
      if (unread !== undefined) {
        endDraft(draft, 'failed', `not planned: ${unread} could not be read. ${failures.get(unread) ?? ''}`.trim());
        continue;
      }
      const found = concerned.flatMap((machine) => snapshots.get(machine) ?? []);
      const change = drawPlan(
        draft.request,
        {
          list: list.value,
          before: found.map(({ holdings }) => holdings),
          durationMs: found.reduce((sum, { durationMs }) => sum + durationMs, 0),
          known,
          knownMachines,
          statusLabels,
        },
        ctx,
      );
      if (describeRow(draft, change, list.value.licences, seats, request.moveTo)) changes.push(change);
    }
    const rows = drafts.map(({ row }) => row);
    const bulk: Bulk = {
      id: crypto.randomUUID(),
      connectionId,
      connectionName: ctx.connectionName,
      source: request.source,
      plannedAt,
      by: ctx.by,
      reads: 1 + snapshots.size,
      state: rows.some(({ state }) => state === 'planned') ? 'planned' : 'done',
      pause: null,
      ...(request.moveTo === undefined
        ? {}
        : { moveTo: request.moveTo, before: [...snapshots.values()].map(({ holdings }) => holdings) }),
      rows,
    };
    return ok({ bulk, changes });
  } catch (thrown) {
    return fail(storageError(thrown));
  }
}

const tickOf = ({ warnings }: LicenceChange): Pick<BulkRow, 'tick' | 'tickReason'> => {
  const asked = warnings.find((warning) => warning.tick !== undefined);
  return asked?.tick === undefined ? {} : { tick: asked.tick, tickReason: asked.text };
};

/** Warnings that are no doubt about a row: shown elsewhere, or, for the machine that everything is moved from, the reason for the move. */
const isDoubt = ({ code, text }: LicenceChange['warnings'][number], moveTo: string | undefined): boolean =>
  code !== 'not-this-machine' &&
  code !== 'seats-unknown' &&
  code !== 'bound-elsewhere' &&
  (!isNameWarning(code) || moveTo === undefined || text.includes(`“${moveTo}”`));

function refuseUnfinished(drafts: readonly Draft[], deps: ChangeDeps): void {
  for (const draft of drafts) {
    const open = draft.request && findUnfinished(draft.request, unfinishedBeside(draft.request, deps), undefined);
    if (open) endDraft(draft, 'skipped', open.message);
  }
}

/** Records what the row will do, or why not; true if it may be run. */
function describeRow(
  draft: Draft,
  change: LicenceChange,
  licences: readonly Licence[],
  seats: Map<string, number | null>,
  moveTo: string | undefined,
): boolean {
  const { row } = draft;
  const listed = licences.find((licence) => plainId(licence.licenceNumber) === row.licenceNumber);
  const blocking = change.warnings.find(({ blocks }) => blocks);
  if (blocking) {
    endDraft(
      draft,
      'skipped',
      blocking.code === 'already-bound' && row.kind === 'register' ? `named for ${row.to} already` : blocking.text,
    );
    return false;
  }
  const doubts = change.warnings.filter((warning) => isDoubt(warning, moveTo)).map(({ text }) => text);
  // A move takes one seat and gives one back.
  if (row.kind !== 'move') {
    const isRegister = row.kind === 'register';
    const left = seats.has(row.licenceNumber) ? (seats.get(row.licenceNumber) ?? null) : (listed?.seatsFree ?? null);
    if (isRegister && left === 0 && !change.warnings.some(({ code }) => code === 'none-free'))
      doubts.push('by “Available” no seat is left after the rows above');
    // A row that is not advised may not be run: it gives nothing back.
    const taken = isRegister ? 1 : doubts.length === 0 ? -1 : 0;
    seats.set(row.licenceNumber, left === null ? null : Math.max(0, left - taken));
  }
  const writes = change.steps.filter(({ effect }) => effect === 'writes').length;
  const reads = readsOf(change);
  const calls = `${writes === 1 ? '1 write' : `${writes} writes`}, ${reads} reads`;
  draft.row = {
    ...row,
    changeId: change.id,
    advised: doubts.length === 0,
    ...tickOf(change),
    text: doubts.length === 0 ? calls : `${doubts.join(' ')} (${calls})`,
  };
  return true;
}
