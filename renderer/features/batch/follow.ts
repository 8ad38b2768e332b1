import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import { countedText } from '../../../shared/domain/text/figures.ts';
import { call, listen, stopAll } from '../../lib/calls/bridge.ts';
import { asReported } from '../../lib/calls/other-windows.ts';
import { countOf, formatNumber } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { showFailure } from '../../lib/window/failure-notices.ts';
import { hideTask, showTask } from '../../lib/window/long-tasks.ts';
import { type Go, useGo } from '../../lib/window/routes.tsx';
import { batchCalls, showBatch, takeRowsRead } from './batch-store.ts';
import { rowsToGo, toGoText } from './messages.ts';
import { batchKey, batchListKey, batchListQuery, batchRowsKey } from './queries.ts';

type List = ChannelOutput<'batch.list'>;

/** Milliseconds between two looks at what another process does with a batch: nothing of it is reported here. */
const elsewhereEveryMs = 2000;

/** Milliseconds: a batch sends notifications more often than rows need to be read again. */
const rowsEveryMs = 700;
const due = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads the rows in sight again; the last change is never left out. */
export function refreshRows(client: QueryClient, batchId: string): void {
  if (due.has(batchId)) return;
  due.set(
    batchId,
    setTimeout(() => {
      due.delete(batchId);
      void client.invalidateQueries({ queryKey: [...batchRowsKey(batchId)] });
    }, rowsEveryMs),
  );
}

/** Shows a batch as it is now, wherever it is shown. */
export function takeBatch(client: QueryClient, batch: Batch): void {
  const before = client.getQueryData<Batch>(batchKey(batch.id));
  client.setQueryData(batchKey(batch.id), batch);
  client.setQueryData<List>(
    batchListKey(batch.connectionId),
    (list) => list && { batches: inList(list.batches, batch) },
  );
  refreshRows(client, batch.id);
  if (before) announceChange(before, batch);
}

const inList = (batches: readonly Batch[], batch: Batch): Batch[] =>
  batches.some(({ id }) => id === batch.id)
    ? batches.map((one) => (one.id === batch.id ? batch : one))
    : [batch, ...batches];

const quartersToGo = (batch: Batch): number => Math.ceil((4 * rowsToGo(batch)) / Math.max(1, batch.plan.rows.total));

/** Announces what a person who cannot see the screen must know: each quarter of the rows, its end, and that it waits. */
function announceChange(before: Batch, now: Batch): void {
  if (before.state !== now.state) {
    if (now.state === 'waiting' && now.wait) announce(`Batch ${now.name} waits for you. ${now.wait.title}`, true);
    else if (now.state === 'done') announce(`Batch ${now.name} is done, ${countOf(now.plan.rows.total, 'row')}`);
    else if (now.state === 'stopped') announce(`Batch ${now.name} is stopped`);
    else if (now.state === 'paused') announce(`Batch ${now.name} is paused`);
    else if (now.state === 'running') announce(`Batch ${now.name} is running`);
  } else if (now.state === 'running' && quartersToGo(now) < quartersToGo(before)) announce(toGoText(now));
}

const longestName = 40;
/** Shortens a name in its middle, so that the figures after it stay visible. */
const short = (name: string): string =>
  name.length <= longestName ? name : `${name.slice(0, longestName - 16)}…${name.slice(-15)}`;

/** What the status bar says of it on every screen. */
function showInStatusBar(client: QueryClient, go: Go, batch: Batch): void {
  const id = `batch:${batch.id}`;
  const { name } = batch;
  const { counted, limit } = batch.credits;
  const spent = counted === null ? countedText(counted) : `${formatNumber(counted)} of ${formatNumber(limit)} credits`;
  const look = () => {
    showBatch(batch.connectionId, batch.id);
    go('lookup', { tab: 'batch', batch: batch.id });
  };
  if (batch.state === 'running')
    showTask({
      id,
      label: `Batch ${short(name)}: ${toGoText(batch)}, ${spent}`,
      since: batch.startedAt ?? batch.createdAt,
      ...(batch.elsewhere
        ? { cancelLabel: 'Look at it', stop: look }
        : { cancelLabel: 'Pause', stop: () => pause(client, batch.id) }),
    });
  else if (batch.state === 'waiting')
    showTask({
      id,
      label: `Batch ${short(name)} waits for you`,
      since: batch.createdAt,
      waits: true,
      cancelLabel: 'Look at it',
      stop: look,
    });
  else hideTask(id);
}

const allBatches = (lists: readonly { data: List | undefined }[]): Batch[] =>
  lists.flatMap(({ data }) => data?.batches ?? []);

function pause(client: QueryClient, batchId: string): void {
  void batchCalls
    .start(batchId, 'pause', (requestId) => call('batch.pause', { batchId }, { requestId }))
    .then((result) => {
      if (!result) return;
      if (result.ok) takeBatch(client, result.value as Batch);
      else showFailure(result.error, 'Pausing the batch');
    });
}

/**
 * Keeps every batch in step with main, and in the status bar, whichever screen is shown and whichever connection is in use. Called once, by
 * the frame. `connectionIds`: all there are; `currentId`: the one in use.
 */
export function useBatchesFollowed(connectionIds: readonly string[], currentId: string | null): void {
  const client = useQueryClient();
  const go = useGo();
  const batches = useQueries({
    queries: connectionIds.map((id) => ({
      ...batchListQuery(id),
      refetchInterval: ({ state }: { state: { data: List | undefined } }) =>
        state.data?.batches.some(({ elsewhere }) => elsewhere) ? elsewhereEveryMs : (false as const),
    })),
    combine: allBatches,
  });
  useEffect(() => {
    for (const batch of batches) {
      showInStatusBar(client, go, batch);
      // Each window looks for itself. In a list a batch has no claims.
      if (batch.elsewhere || client.getQueryData<Batch>(batchKey(batch.id))?.elsewhere)
        asReported(() => {
          takeBatch(client, batch);
          void client.invalidateQueries({ queryKey: batchKey(batch.id) });
        });
    }
  }, [batches, client, go]);
  useEffect(() => {
    return stopAll(
      listen('batch.changed', (batch) => {
        takeBatch(client, batch);
        showInStatusBar(client, go, batch);
      }),
      // What the balance did during a batch shows with the first reading after it.
      listen('credits.sample', () => void client.invalidateQueries({ queryKey: ['batch', 'one'] })),
      // A command may have resumed and ended one between two looks.
      listen('storage.changed', () => void client.invalidateQueries({ queryKey: ['batch', 'one'] })),
      listen('batch.rows-read', (read) => {
        if (currentId !== null) takeRowsRead(currentId, read);
      }),
    );
  }, [client, go, currentId]);
}
