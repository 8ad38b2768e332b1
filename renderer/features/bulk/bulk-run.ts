import type { QueryClient } from '@tanstack/react-query';
import {
  type Bulk,
  type BulkRow,
  type BulkRowInput,
  type BulkRowState,
  mapRows,
} from '../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { call, listen } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { refreshMachines } from '../../lib/licences/machines.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { announce, announceFailure } from '../../lib/window/announce.ts';
import { hideTask, showTask } from '../../lib/window/long-tasks.ts';
import { stateText } from './bulk-columns.tsx';
import { bulkCalls, changeBulk, movesPlace, placeOf, readBulk, readChoices } from './bulk-store.ts';
import { changeMoves } from './moves-store.ts';
import { bulkKey } from './queries.ts';

const put = (client: QueryClient, bulk: Bulk) =>
  client.setQueryData(bulkKey(bulk.connectionId, bulk.moveTo !== undefined), { bulk });

let following = false;

/** Follows every row that main reports, for the window's life. */
export function followBulks(client: QueryClient): void {
  if (following) return;
  following = true;
  listen('bulk.progress', ({ bulkId, connectionId, state, pause, row, confirmed, leftOut }) => {
    for (const moves of [false, true])
      client.setQueryData<{ bulk: Bulk | null }>(bulkKey(connectionId, moves), (now) => {
        if (now?.bulk?.id !== bulkId) return now;
        const rows = row === null ? now.bulk.rows : now.bulk.rows.map((one) => (one.row === row.row ? row : one));
        const bulk = {
          ...now.bulk,
          state,
          pause,
          rows,
          ...(confirmed ? { confirmed } : {}),
          ...(leftOut ? { leftOut } : {}),
        };
        showRun(bulk);
        // It has stopped, perhaps in another window: run again, it can be stopped again.
        if (state !== 'running') changeBulk(placeOf(bulk), { stopping: false });
        if (moves && row !== null && row.state !== 'sent') refreshMachines(client, connectionId);
        return { bulk };
      });
  });
}

const taskOf = (place: string): string => `bulk:${place}`;

function showRun(bulk: Bulk): void {
  const place = placeOf(bulk);
  const { running } = bulkCalls.read(place);
  if (running?.request !== 'run') return;
  const ended = bulk.rows.filter(({ state }) => state !== 'planned' && state !== 'skipped' && state !== 'sent').length;
  const seen = bulk.rows.filter(({ state }) => state === 'seen').length;
  showTask({
    id: taskOf(place),
    label:
      bulk.moveTo === undefined
        ? `Bulk change, ${countOf(ended, 'row')} ended`
        : `Moving licences to ${bulk.moveTo}, ${seen} seen there`,
    since: running.since,
    cancelLabel: bulk.moveTo === undefined ? 'Stop after these rows' : 'Stop after this one',
    stop: () => void stopRows(bulk),
  });
}

async function send(
  place: string,
  connectionId: string,
  client: QueryClient,
  doing: 'plan' | 'run',
  ask: (requestId: string) => Promise<Bulk>,
): Promise<Bulk | null> {
  if (bulkCalls.read(place).running) return null;
  changeBulk(place, { stopping: false });
  const sent = bulkCalls.start(place, doing, async (requestId) => {
    const bulk = await ask(requestId);
    put(client, bulk);
    return bulk;
  });
  const since = bulkCalls.read(place).running?.since;
  if (doing === 'plan' && since !== undefined)
    showTask({
      id: taskOf(place),
      label: place === connectionId ? 'Planning a bulk change' : 'Planning the moves',
      since,
      cancelLabel: 'Stop planning',
      stop: () => bulkCalls.stop(place),
    });
  const result = await sent;
  changeBulk(place, { stopping: false });
  hideTask(taskOf(place));
  refreshLocal(
    client,
    ['licences', 'bulk', connectionId],
    ['licences', 'last-seen', connectionId],
    ['licences', 'machines', connectionId],
    ['licences', 'unfinished'],
    ['licences', 'journal'],
    ['activity'],
  );
  if (result?.ok) return result.value;
  if (result) announceFailure(result.error);
  return null;
}

/** Plans the table from reads. */
export async function planTable(connectionId: string, client: QueryClient): Promise<void> {
  const { draft } = readBulk(connectionId);
  if (!draft) return;
  const rows = mapRows(draft.headed ? draft.rows.slice(1) : draft.rows, draft.mapping);
  await plan(connectionId, client, draft.source, draft.kind, rows);
}

/** Rows that were not sent, or after which the machine was seen as before: they can be planned again, from what is read now. */
export const isNotDone = ({ state }: BulkRow): boolean =>
  state === 'failed' || state === 'not-seen' || state === 'contradicted';

/** Plans the rows that were not done again, each from new reads: what may not be sent again yet is left out with its reason. */
export async function planNotDone(client: QueryClient, { connectionId, source, rows }: Bulk): Promise<void> {
  const again = rows.filter(isNotDone).map(({ row, licenceNumber, kind, to, from }) => ({
    row,
    licence: licenceNumber,
    change: kind ?? '',
    machine: (kind === 'unregister' ? from : to) ?? '',
    from: (kind === 'move' ? from : null) ?? '',
    state: '',
  }));
  await plan(connectionId, client, source, 'register', again);
}

/** Plans moving licences to one machine, each from the machine it was seen on. */
export const planMoves = (
  client: QueryClient,
  connectionId: string,
  source: string,
  moveTo: string,
  licences: readonly { licenceNumber: string; from: string }[],
): Promise<void> =>
  plan(
    connectionId,
    client,
    source,
    'move',
    licences.map(({ licenceNumber, from }, index) => ({
      row: index + 1,
      licence: licenceNumber,
      change: 'move',
      machine: moveTo,
      from,
      state: '',
    })),
    moveTo,
  );

async function plan(
  connectionId: string,
  client: QueryClient,
  source: string,
  kind: ChangeKind,
  rows: BulkRowInput[],
  moveTo?: string,
): Promise<void> {
  const place = moveTo === undefined ? connectionId : movesPlace(connectionId);
  const bulk = await send(place, connectionId, client, 'plan', (requestId) =>
    call(
      'bulk.plan',
      { connectionId, source: source.slice(0, 255), kind, rows, ...(moveTo === undefined ? {} : { moveTo }) },
      { requestId },
    ),
  );
  if (!bulk) return;
  if (moveTo === undefined) changeBulk(connectionId, { draft: null, fresh: bulk.id });
  else changeMoves(connectionId, { shown: bulk.id });
  announce(`${countOf(bulk.rows.filter(({ state }) => state === 'planned').length, 'row')} planned`);
}

/** Chosen rows whose licence the service may not give back, and which have no tick of their own yet. */
export const findUnticked = (
  rows: readonly BulkRow[],
  chosen: ReadonlySet<number>,
  ticked: ReadonlySet<number>,
): BulkRow[] => rows.filter(({ row, tick }) => tick !== undefined && chosen.has(row) && !ticked.has(row));

/** `confirmed`: as typed; empty: the rest of a move that has begun continues. */
export async function runRows(
  client: QueryClient,
  bulk: Bulk,
  rows: readonly number[],
  confirmed: string,
): Promise<void> {
  const place = placeOf(bulk);
  const ticked = [...readChoices(bulk.id).ticked].filter((row) => rows.includes(row));
  const running = send(place, bulk.connectionId, client, 'run', (requestId) =>
    call('bulk.run', { bulkId: bulk.id, rows: [...rows], confirmed, ticked }, { requestId }),
  );
  showRun(bulk);
  const done = await running;
  if (done) announce(done.pause ?? describeCounts(done), done.pause !== null);
}

/** Leaves a waiting row of a move out, or includes it again; nothing is sent. false: it does not wait any more, or main failed. */
export async function leaveRowOut(client: QueryClient, bulk: Bulk, { row }: BulkRow, out: boolean): Promise<boolean> {
  try {
    put(client, await call('bulk.leave-out', { bulkId: bulk.id, row, out }));
    return true;
  } catch (thrown) {
    bulkCalls.fail(placeOf(bulk), 'stop', thrown);
    return false;
  }
}

/** Finishes the rows under way and begins no further one. */
export async function stopRows(bulk: Bulk): Promise<void> {
  const place = placeOf(bulk);
  changeBulk(place, { stopping: true });
  try {
    await call('bulk.stop', { bulkId: bulk.id });
  } catch (thrown) {
    changeBulk(place, { stopping: false });
    bulkCalls.fail(place, 'stop', thrown);
  }
}

export const describeCounts = ({ rows }: Pick<Bulk, 'rows'>): string =>
  Object.entries(Object.groupBy(rows, ({ state }) => state))
    .map(([state, inState]) => `${formatNumber(inState?.length ?? 0)} ${stateText[state as BulkRowState]}`)
    .join(', ');
