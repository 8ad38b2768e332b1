import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { parseDelimited } from '../../../shared/domain/delimited-text.ts';
import type { ChangeKind } from '../../../shared/domain/licence.ts';
import {
  type Bulk,
  type BulkMapping,
  defaultMapping,
  guessMapping,
  mapRows,
  mostBulkRows,
} from '../../../shared/domain/licence-bulk.ts';
import { type AppError, appError } from '../../../shared/errors.ts';
import { announce } from '../../app/announce.tsx';
import { hideTask, showTask } from '../../app/long-tasks.ts';
import { refreshLocal } from '../../app/main-events.ts';
import { call, cancelCall, listen, newRequestId } from '../../lib/bridge.ts';
import { countOf } from '../../lib/format.ts';
import { bulkKey, errorOf } from './queries.ts';

/** A table that was opened or pasted, before it is planned. */
export interface Draft {
  source: string;
  rows: string[][];
  /** Whether the first row names the columns. */
  headed: boolean;
  mapping: BulkMapping;
  kind: ChangeKind;
}

export interface BulkFlow {
  draft: Draft | null;
  /** What is pasted, kept while the form is closed. */
  pasting: boolean;
  busy: { doing: 'plan' | 'run'; requestId: string; since: string } | null;
  stopping: boolean;
  failure: AppError | null;
  /** Rows that are left out, and rows taken in though advised against, by row number. */
  toggled: ReadonlySet<number>;
}

const idle: BulkFlow = {
  draft: null,
  pasting: false,
  busy: null,
  stopping: false,
  failure: null,
  toggled: new Set(),
};
const flows = new Map<string, BulkFlow>();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const read = (connectionId: string): BulkFlow => flows.get(connectionId) ?? idle;

export function changeBulk(connectionId: string, patch: Partial<BulkFlow>): void {
  flows.set(connectionId, { ...read(connectionId), ...patch });
  for (const listener of listeners) listener();
}

export const useBulkFlow = (connectionId: string): BulkFlow =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => read(connectionId), [connectionId]),
  );

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
  const { busy } = read(bulk.connectionId);
  if (busy?.doing !== 'run') return;
  const ended = bulk.rows.filter(({ state }) => state !== 'planned' && state !== 'skipped' && state !== 'sent').length;
  showTask({
    id: taskOf(bulk.connectionId),
    label: `Bulk change, ${countOf(ended, 'row')} ended`,
    since: busy.since,
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
    stop: () => stopPlanning(connectionId),
  });
}

/** Takes a table in: finds its head and what its columns say. */
export function takeTable(connectionId: string, source: string, text: string): void {
  const cells = parseDelimited(text);
  const mapping = guessMapping(cells[0] ?? []);
  const rows = cells.length - (mapping ? 1 : 0);
  const refuse = (message: string) =>
    changeBulk(connectionId, { failure: appError('bad-input', { message, charge: 'not-applicable' }) });
  if (rows < 1) refuse('There are no rows in it.');
  else if (rows > mostBulkRows) refuse(`It has ${rows} rows; at most ${mostBulkRows} are taken at once.`);
  else
    changeBulk(connectionId, {
      draft: {
        source,
        rows: cells,
        headed: mapping !== null,
        mapping: mapping ?? defaultMapping(Math.max(...cells.map((row) => row.length))),
        kind: 'register',
      },
      pasting: false,
      failure: null,
    });
}

export async function openTable(connectionId: string): Promise<void> {
  try {
    const { file } = await call('bulk.open', {});
    if (file) takeTable(connectionId, file.name, file.text);
  } catch (thrown) {
    changeBulk(connectionId, { failure: errorOf(thrown) });
  }
}

async function send(
  connectionId: string,
  client: QueryClient,
  doing: 'plan' | 'run',
  ask: (requestId: string) => Promise<Bulk>,
): Promise<Bulk | null> {
  if (read(connectionId).busy) return null;
  const requestId = newRequestId();
  const since = new Date().toISOString();
  changeBulk(connectionId, { busy: { doing, requestId, since }, failure: null, stopping: false });
  if (doing === 'plan') showPlanning(connectionId, since);
  try {
    const bulk = await ask(requestId);
    put(client, bulk);
    return bulk;
  } catch (thrown) {
    const error = errorOf(thrown);
    changeBulk(connectionId, { failure: error });
    announce(`${error.message} ${error.money}`, true);
    return null;
  } finally {
    changeBulk(connectionId, { busy: null, stopping: false });
    hideTask(taskOf(connectionId));
    refreshLocal(
      client,
      ['licences', 'last-seen', connectionId],
      ['licences', 'machines', connectionId],
      ['licences', 'unfinished'],
      ['licences', 'journal'],
      ['activity'],
    );
  }
}

/** Plans the table from reads. */
export async function planTable(connectionId: string, client: QueryClient): Promise<void> {
  const { draft } = read(connectionId);
  if (!draft) return;
  const rows = mapRows(draft.headed ? draft.rows.slice(1) : draft.rows, draft.mapping);
  const bulk = await send(connectionId, client, 'plan', (requestId) =>
    call('bulk.plan', { connectionId, source: draft.source.slice(0, 255), kind: draft.kind, rows }, { requestId }),
  );
  if (!bulk) return;
  changeBulk(connectionId, { draft: null, toggled: new Set() });
  announce(`${countOf(bulk.rows.filter(({ state }) => state === 'planned').length, 'row')} planned`);
}

export async function runRows(
  client: QueryClient,
  bulk: Bulk,
  rows: readonly number[],
  confirmed: string,
): Promise<void> {
  const running = send(bulk.connectionId, client, 'run', (requestId) =>
    call('bulk.run', { bulkId: bulk.id, rows: [...rows], confirmed }, { requestId }),
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
    changeBulk(bulk.connectionId, { stopping: false, failure: errorOf(thrown) });
  }
}

export function stopPlanning(connectionId: string): void {
  const { busy } = read(connectionId);
  if (busy?.doing === 'plan') cancelCall(busy.requestId);
}

export const describeCounts = (bulk: Bulk): string =>
  Object.entries(Object.groupBy(bulk.rows, ({ state }) => state))
    .map(([state, rows]) => `${rows?.length ?? 0} ${state}`)
    .join(', ');
