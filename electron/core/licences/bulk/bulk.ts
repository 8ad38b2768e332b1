import {
  type Bulk,
  type BulkRow,
  type BulkRowState,
  bulkRowStates,
} from '../../../../shared/domain/licences/licence-bulk.ts';
import { verdictText } from '../../../../shared/domain/licences/licence-verdicts.ts';
import { type CsvColumn, writeCsv } from '../../../../shared/domain/text/csv.ts';
import { countOf } from '../../../../shared/domain/text/figures.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { attempt } from '../../storage/database/errors.ts';
import type { ChangeDeps } from '../change/change-deps.ts';
import { findOld } from '../change/change-errors.ts';
import { formatUkMoment } from '../change/change-messages.ts';
import type { Journal } from '../journal/journal.ts';
import type { InventoryStore } from '../machines/inventory-store.ts';
import type { LicenceStore } from '../records/licence-store.ts';
import { type BulkRequest, seenEarlier } from './bulk-drafts.ts';
import { planBulk } from './bulk-plan.ts';
import { type BulkRun, rowAfter, runBulk } from './bulk-run.ts';

export interface BulkProgress {
  bulkId: string;
  connectionId: string;
  state: Bulk['state'];
  pause: string | null;
  /** The row that changed; null: only the bulk change as a whole did. */
  row: BulkRow | null;
  /** As of the bulk change. */
  confirmed?: number[] | undefined;
  leftOut?: number[] | undefined;
}

/** Bulk changes of every connection: planned, run, stopped, and shown again after a restart. */
export function createBulks(parts: {
  store: LicenceStore;
  inventory: InventoryStore;
  journal: Journal;
  inTransaction<T>(work: () => T): T;
  onProgress(progress: BulkProgress): void;
}) {
  const { store, inventory, journal } = parts;
  const running = new Map<string, { bulk: Bulk; run: BulkRun }>();

  const notify = (bulk: Bulk, row: BulkRow | null): void =>
    parts.onProgress({
      bulkId: bulk.id,
      connectionId: bulk.connectionId,
      state: bulk.state,
      pause: bulk.pause,
      row,
      ...(row === null ? { confirmed: bulk.confirmed, leftOut: bulk.leftOut } : {}),
    });

  /**
   * A bulk change as it is now: rows that were sent, or whose change has been resolved since, take the change's own state. Errors:
   * `bad-input` if none has this id.
   */
  function find(id: string): Result<Bulk> {
    const live = running.get(id);
    if (live) return ok(live.bulk);
    const found = attempt(() => {
      const bulk = inventory.bulk(id);
      if (!bulk) return null;
      const rows = bulk.rows.map((row) => {
        if (row.changeId === null || row.state === 'planned' || row.state === 'skipped' || row.state === 'seen')
          return row;
        const change = store.change(row.changeId);
        return change && change.state !== 'planned' ? rowAfter(row, change) : { ...row, state: outOf(row.state) };
      });
      // Only a kill leaves it running; what was not begun is still planned.
      const state =
        bulk.state !== 'running' ? bulk.state : rows.some((row) => row.state === 'planned') ? 'planned' : 'done';
      return { ...bulk, state, rows };
    });
    if (!found.ok) return found;
    return found.value
      ? ok(found.value)
      : fail(appError('bad-input', { message: 'No such bulk change was planned.', charge: 'not-applicable' }));
  }

  const latestId = (connectionId: string, moves: boolean): Result<string | undefined> =>
    attempt(() => inventory.latestBulk(connectionId, moves));

  /** The last bulk change of a table, or the last move of everything on a machine: no other one runs. */
  function latest(connectionId: string, moves = false): Result<Bulk | null> {
    const id = latestId(connectionId, moves);
    if (!id.ok) return id;
    return id.value === undefined ? ok(null) : find(id.value);
  }

  /**
   * The plan and its changes are stored. Errors: `unfinished-change` while the one before it runs, whose rows would be out of reach, also if
   * that began meanwhile; and those of `planBulk`.
   */
  async function plan(request: BulkRequest, deps: ChangeDeps, signal?: AbortSignal): Promise<Result<Bulk>> {
    const before = refuseBeside(request);
    if (before) return before;
    const drawn = await planBulk(request, deps, signal);
    if (!drawn.ok) return drawn;
    const { bulk, changes } = drawn.value;
    return (
      refuseBeside(request) ??
      attempt(() =>
        parts.inTransaction(() => {
          for (const change of changes) store.saveChange(change);
          inventory.saveBulk(bulk);
          return bulk;
        }),
      )
    );
  }

  function refuseBeside({ connectionId, moveTo }: BulkRequest): Result<never> | undefined {
    const last = latestId(connectionId, moveTo !== undefined);
    if (!last.ok) return last;
    const live = running.get(last.value ?? '')?.bulk;
    if (!live) return undefined;
    return fail(
      appError('unfinished-change', {
        message:
          live.moveTo === undefined ? 'A bulk change is running.' : `Licences are being moved to ${live.moveTo}.`,
        next: 'Wait until that has ended, or stop it, then plan again.',
        charge: 'not-applicable',
      }),
    );
  }

  /**
   * `confirmed`: the number of rows as typed, or the name of the machine that all of them are moved to. Empty: rows of such a move that
   * were released before continue after one that was not seen. Errors: `not-confirmed`, `bad-input`, `unfinished-change` if it is running
   * here, `plan-outdated` if it is more than a day old or not the latest, whose rows alone can be looked at, and those
   * of `runBulk`.
   */
  async function run(
    id: string,
    rows: readonly number[],
    confirmed: string,
    depsNow: () => Result<ChangeDeps>,
    ticked: readonly number[] = [],
  ): Promise<Result<Bulk>> {
    if (running.has(id)) return fail(appError('unfinished-change', { message: 'This bulk change is running.' }));
    const found = find(id);
    if (!found.ok) return found;
    const bulk = found.value;
    const chosen = bulk.rows.filter(({ row, state }) => state === 'planned' && rows.includes(row));
    const deps = depsNow();
    const refused = refuseRun(bulk, chosen, confirmed.trim(), ticked) ?? (deps.ok ? findOld(bulk, deps.value) : null);
    if (refused) return fail(refused);
    const last = latestId(bulk.connectionId, bulk.moveTo !== undefined);
    if (!last.ok) return last;
    if (last.value !== id)
      return fail(
        appError('plan-outdated', { message: 'Another one has been planned since.', charge: 'not-applicable' }),
      );
    const numbers = chosen.map(({ row }) => row);
    const letGo =
      confirmed.trim() === ''
        ? 'gone on with; it was started before'
        : `started by typing ${bulk.moveTo ?? chosen.length}`;
    bulk.confirmed = bulk.moveTo === undefined ? numbers : [...new Set([...(bulk.confirmed ?? []), ...numbers])];
    const state: BulkRun = { stopped: false };
    running.set(id, { bulk, run: state });
    try {
      return await runBulk(
        bulk,
        numbers,
        depsNow,
        {
          saveHead: inventory.saveBulkHead,
          saveRow: inventory.saveBulkRow,
          onRow: notify,
          onHead: (now) => notify(now, null),
        },
        state,
        letGo,
      );
    } finally {
      running.delete(id);
    }
  }

  /** Leaves out a row of a move that was released and for which nothing was sent, even while others are under way; or takes it in again. */
  function leaveOut(id: string, row: number, out: boolean): Result<Bulk> {
    const found = find(id);
    if (!found.ok) return found;
    const bulk = found.value;
    const waits =
      bulk.moveTo !== undefined &&
      bulk.rows.some((one) => one.row === row && one.state === 'planned') &&
      bulk.confirmed?.includes(row);
    if (!waits)
      return fail(
        appError('bad-input', {
          message: 'It is no longer waiting.',
          charge: 'not-applicable',
        }),
      );
    const others = (bulk.leftOut ?? []).filter((one) => one !== row);
    const leftOut = out ? [...others, row] : others;
    return attempt(() => {
      // What could not be stored is not so: the bulk change may be running.
      inventory.saveBulkHead({ ...bulk, leftOut });
      bulk.leftOut = leftOut;
      notify(bulk, null);
      return bulk;
    });
  }

  /** false: it is not running in this process. */
  function stop(id: string): boolean {
    const live = running.get(id);
    if (live) live.run.stopped = true;
    return live !== undefined;
  }

  /**
   * Its list for a file: `begin` enters that it leaves when all of it is on disk and before it gets its name, `end` whether it did. It is
   * entered as of when the text was made: what is found while a person chooses a place is not in it.
   */
  function exportCsv(id: string, now: () => string) {
    const asOf = attempt(store.lastEntry);
    if (!asOf.ok) return asOf;
    const found = find(id);
    if (!found.ok) return found;
    const list = () => ({
      about: id,
      connectionId: found.value.connectionId,
      asOf: asOf.value,
      at: now(),
    });
    let number: number | null = null;
    return ok({
      pieces: [csvOf(found.value)],
      begin: () =>
        attempt(() => {
          number = store.beginList(list());
        }),
      end: (isSaved: boolean) =>
        attempt(() => {
          if (number !== null) store.endList(number, isSaved, list());
        }),
    });
  }

  /** One text for the file: how many rows ended how, each row, and where the journal has it. */
  function receipt(id: string): Result<string> {
    const found = find(id);
    if (!found.ok) return found;
    const bulk = found.value;
    return attempt(() => {
      const entries = bulk.rows.flatMap(({ changeId }) => (changeId === null ? [] : journal.ofChange(changeId)));
      const sequences = entries.map(({ sequence }) => sequence);
      const last = entries.reduce((a, b) => (b.sequence > a.sequence ? b : a), entries[0] ?? { sequence: 0, hash: '' });
      const counts = bulkRowStates.map(
        (state) => [state, bulk.rows.filter((row) => row.state === state).length] as const,
      );
      return [
        bulk.moveTo === undefined
          ? 'Address Console: bulk change of licences'
          : `Address Console: licences to be moved to ${bulk.moveTo}`,
        `${bulk.source}, ${countOf(bulk.rows.length, 'row')}`,
        '',
        `Planned     ${formatUkMoment(bulk.plannedAt)}, from ${countOf(bulk.reads, 'read')}`,
        `By          ${bulk.by}`,
        `Connection  ${bulk.connectionName}`,
        ...counts.filter(([, count]) => count > 0).map(([state, count]) => `${formatState(state).padEnd(12)}${count}`),
        entries.length === 0
          ? 'Journal     nothing was begun'
          : `Journal     ${countOf(entries.length, 'entry', 'entries')} between ${Math.min(...sequences)} and ${Math.max(...sequences)}, last hash ${last.hash}`,
        '',
        ...bulk.rows.map(
          ({ row, kind, licenceReference, licenceNumber, from, to, state, text }) =>
            `${String(row).padStart(4)}  ${formatState(state).padEnd(12)}  ${kind ?? 'no change'} ${licenceReference || licenceNumber}${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}: ${text}`,
        ),
        '',
      ].join('\n');
    });
  }

  return { plan, run, leaveOut, stop, find, latest, exportCsv, receipt };
}

/** Why these rows may not be run as requested; null: they may. */
function refuseRun(
  bulk: Bulk,
  chosen: readonly BulkRow[],
  confirmed: string,
  ticked: readonly number[],
): AppError | null {
  const unconfirmed = (message: string, next: string) =>
    appError('not-confirmed', { message, next, charge: 'not-applicable' });
  if (chosen.length === 0)
    return appError('bad-input', { message: 'None of these rows is waiting to be run.', charge: 'not-applicable' });
  const wentBefore = chosen.every(({ row }) => bulk.confirmed?.includes(row));
  if (bulk.moveTo !== undefined && confirmed !== bulk.moveTo && !(confirmed === '' && wentBefore))
    return unconfirmed('The name typed is not the name of the machine.', `Type ${bulk.moveTo}.`);
  if (bulk.moveTo === undefined && confirmed !== String(chosen.length))
    return unconfirmed('The number typed is not the number of rows.', `Type ${chosen.length}.`);
  const unticked = chosen.find(({ row, tick }) => tick !== undefined && !ticked.includes(row));
  return unticked
    ? unconfirmed(
        `Row ${unticked.row} needs a tick of its own: ${unticked.tick}.`,
        'Tick that row by itself, or leave it out.',
      )
    : null;
}

/** Every row with its state; when loaded again, those seen as planned are left out and the rest is planned anew. */
function csvOf(bulk: Bulk): { text: string; rows: number } {
  const columns: CsvColumn[] = [
    { head: 'Row' },
    { head: 'Licence', kind: 'identifier' },
    { head: 'Reference' },
    { head: 'Change' },
    { head: 'From', kind: 'identifier' },
    { head: 'To', kind: 'identifier' },
    { head: 'State' },
    { head: 'Found' },
    { head: 'The service said' },
    { head: 'Change id' },
  ];
  const rows = bulk.rows.map((row) => [
    String(row.row),
    row.licenceNumber,
    row.licenceReference,
    row.kind ?? '',
    row.from ?? '',
    row.to ?? '',
    // Else the next run of this file would plan it anew.
    row.state === 'skipped' && row.text === seenEarlier ? 'seen' : formatState(row.state),
    row.text,
    row.serviceText,
    row.changeId ?? '',
  ]);
  return { text: writeCsv(columns, rows), rows: rows.length };
}

/** As it leaves the program: what an earlier version called done or not done is marked as its wording. */
const formatState = (state: BulkRowState): string =>
  state === 'confirmed' || state === 'contradicted' ? verdictText[state] : state;

/** A row that was sent and whose change never began was not sent. */
const outOf = (state: BulkRowState): BulkRowState => (state === 'sent' ? 'planned' : state);
