import type { QueryClient } from '@tanstack/react-query';
import { type Bulk, type BulkRow, type BulkRowInput, mapRows } from '../../../shared/domain/licences/licence-bulk.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { call, listen } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { countOf } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { hideTask, showTask } from '../../lib/window/long-tasks.ts';
import { bulkCalls, changeBulk, readBulk } from './bulk-store.ts';
import { bulkKey } from './queries.ts';

const put = (client: QueryClient, bulk: Bulk) => client.setQueryData(bulkKey(bulk.connectionId), { bulk });

let following = false;

/** Follows every row that main tells of, for the window's life. */
export function followBulks(client: QueryClient): void {
  if (following) return;
  following = true;
  listen('bulk.progress', ({ bulkId, connectionId, state, pause, row }) => {
    client.setQueryData<{ bulk: Bulk | null }>(bulkKey(connectionId), (now) => {
      if (now?.bulk?.id !== bulkId) return now;
      const rows = row === null ? now.bulk.rows : now.bulk.rows.map((one) => (one.row === row.row ? row : one));
      const bulk = { ...now.bulk, state, pause, rows };
      showRun(bulk);
      return { bulk };
    });
  });
}

const taskOf = (connectionId: string): string => `bulk:${connectionId}`;

function showRun(bulk: Bulk): void {
  const { running } = bulkCalls.read(bulk.connectionId);
  if (running?.request !== 'run') return;
  const ended = bulk.rows.filter(({ state }) => state !== 'planned' && state !== 'skipped' && state !== 'sent').length;
  showTask({
    id: taskOf(bulk.connectionId),
    label: `Bulk change, ${countOf(ended, 'row')} ended`,
    since: running.since,
    cancelLabel: 'Stop after these rows',
    stop: () => void stopRows(bulk),
  });
}

function showPlanning(connectionId: string, since: string): void {
  showTask({
    id: taskOf(connectionId),
    label: 'Planning a bulk change',
    since,
    cancelLabel: 'Stop planning',
    stop: () => bulkCalls.stop(connectionId),
  });
}

async function send(
  connectionId: string,
  client: QueryClient,
  doing: 'plan' | 'run',
  ask: (requestId: string) => Promise<Bulk>,
): Promise<Bulk | null> {
  if (bulkCalls.read(connectionId).running) return null;
  changeBulk(connectionId, { stopping: false });
  const sent = bulkCalls.start(connectionId, doing, async (requestId) => {
    const bulk = await ask(requestId);
    put(client, bulk);
    return bulk;
  });
  const since = bulkCalls.read(connectionId).running?.since;
  if (doing === 'plan' && since !== undefined) showPlanning(connectionId, since);
  const result = await sent;
  changeBulk(connectionId, { stopping: false });
  hideTask(taskOf(connectionId));
  refreshLocal(
    client,
    ['licences', 'last-seen', connectionId],
    ['licences', 'machines', connectionId],
    ['licences', 'unfinished'],
    ['licences', 'journal'],
    ['activity'],
  );
  if (result?.ok) return result.value;
  if (result) announce(`${result.error.message} ${result.error.money}`, true);
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

/** Plans the rows that were not done once more, each from reads of its own: what may not be sent again yet is left out with its reason. */
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

async function plan(
  connectionId: string,
  client: QueryClient,
  source: string,
  kind: ChangeKind,
  rows: BulkRowInput[],
): Promise<void> {
  const bulk = await send(connectionId, client, 'plan', (requestId) =>
    call('bulk.plan', { connectionId, source: source.slice(0, 255), kind, rows }, { requestId }),
  );
  if (!bulk) return;
  changeBulk(connectionId, { draft: null, toggled: new Set(), fresh: bulk.id });
  announce(`${countOf(bulk.rows.filter(({ state }) => state === 'planned').length, 'row')} planned`);
}

export async function runRows(
  client: QueryClient,
  bulk: Bulk,
  rows: readonly number[],
  confirmed: string,
): Promise<void> {
  // Such a row is never chosen by itself: whoever chose it ticked it.
  const ticked = bulk.rows.filter(({ row, tick }) => tick !== undefined && rows.includes(row)).map(({ row }) => row);
  const running = send(bulk.connectionId, client, 'run', (requestId) =>
    call('bulk.run', { bulkId: bulk.id, rows: [...rows], confirmed, ticked }, { requestId }),
  );
  showRun(bulk);
  const done = await running;
  if (done) announce(done.pause ?? describeCounts(done), done.pause !== null);
}

/** Rows under way are brought to their end; no further one begins. */
export async function stopRows(bulk: Bulk): Promise<void> {
  changeBulk(bulk.connectionId, { stopping: true });
  try {
    await call('bulk.stop', { bulkId: bulk.id });
  } catch (thrown) {
    changeBulk(bulk.connectionId, { stopping: false });
    bulkCalls.fail(bulk.connectionId, 'stop', thrown);
  }
}

const describeCounts = (bulk: Bulk): string =>
  Object.entries(Object.groupBy(bulk.rows, ({ state }) => state))
    .map(([state, rows]) => `${rows?.length ?? 0} ${state}`)
    .join(', ');
