import type { QueryClient } from '@tanstack/react-query';
import type { ChannelOutput } from '../../../shared/contract.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import { call } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { announce, announceFailure } from '../../lib/window/announce.ts';
import { batchCalls, changeBatchForm, forgetTerms, readBatchForm, showBatch, type Terms } from './batch-store.ts';
import { takeBatch } from './follow.ts';
import { questionOf } from './messages.ts';
import { type Again, batchListKey } from './queries.ts';
import { dismissIfLeft } from './take-table.ts';

type Doing = 'plan' | 'run' | 'pause' | 'stop' | 'file';

/** Sends once; resolves with the batch as it is afterwards. */
async function change(
  client: QueryClient,
  key: string,
  doing: Doing,
  ask: (requestId: string) => Promise<Batch>,
): Promise<Batch | null> {
  const result = await batchCalls.start(key, doing, ask);
  if (!result) return null;
  if (!result.ok) {
    announceFailure(result.error);
    return null;
  }
  const batch = result.value as Batch;
  takeBatch(client, batch);
  return batch;
}

/** Makes the plan of the open table. Sends nothing. */
export async function planTable(client: QueryClient, connectionId: string): Promise<void> {
  const { table, wants } = readBatchForm(connectionId);
  if (!table || wants.length === 0) return;
  const batch = await change(client, connectionId, 'plan', (requestId) =>
    call('batch.plan', { tableId: table.tableId, wants: [...wants] }, { requestId }),
  );
  if (batch) refreshLocal(client, ['batch', 'list', connectionId]);
  if (dismissIfLeft(connectionId, table) || !batch) return;
  forgetTerms(batch.id);
  showBatch(connectionId, batch.id);
  announce(`Planned: ${questionOf(batch)}. Nothing has been sent.`);
}

/** Starts or resumes a batch under these terms. false: that failed, or a request about the batch is under way already. */
export async function runBatch(client: QueryClient, batchId: string, terms: Terms): Promise<boolean> {
  const batch = await change(client, batchId, 'run', (requestId) =>
    call('batch.run', { batchId, ...terms }, { requestId }),
  );
  if (batch) forgetTerms(batchId);
  return batch !== null;
}

/** Runs the rows that are not done. */
export async function runNotDone(client: QueryClient, batchId: string, again: Again, terms: Terms): Promise<boolean> {
  const batch = await change(client, batchId, 'run', (requestId) =>
    call('batch.run-not-done', { batchId, ...again, ...terms }, { requestId }),
  );
  if (batch) forgetTerms(batchId);
  return batch !== null;
}

/** Calls under way are finished; nothing more is sent until a person resumes. */
export const pauseBatch = (client: QueryClient, batchId: string): Promise<Batch | null> =>
  change(client, batchId, 'pause', (requestId) => call('batch.pause', { batchId }, { requestId }));

/** Ends it; its waiting rows can be run later with those that are not done. */
export const stopBatch = (client: QueryClient, batchId: string): Promise<Batch | null> =>
  change(client, batchId, 'stop', (requestId) => call('batch.stop', { batchId }, { requestId }));

/** Removes the texts of its rows now. */
export const forgetRows = (client: QueryClient, batchId: string): Promise<Batch | null> =>
  change(client, batchId, 'file', (requestId) => call('batch.forget', { batchId }, { requestId }));

/** Deletes a batch that was planned and never run. */
export async function discardBatch(client: QueryClient, connectionId: string, batchId: string): Promise<void> {
  const result = await batchCalls.start(batchId, 'file', (requestId) =>
    call('batch.discard', { batchId }, { requestId }),
  );
  if (!result) return;
  if (!result.ok) announceFailure(result.error);
  forgetTerms(batchId);
  client.setQueryData<ChannelOutput<'batch.list'>>(
    batchListKey(connectionId),
    (list) => list && { batches: list.batches.filter(({ id }) => !result.ok || id !== batchId) },
  );
  if (result.ok) announce('Discarded. Nothing had been sent.');
}

/** Saves the sample file and announces the result. */
export async function saveSample(connectionId: string): Promise<void> {
  try {
    const { saved, fileName } = await call('batch.sample', {});
    if (saved) announce(`Saved as ${fileName}`);
  } catch (thrown) {
    batchCalls.fail(connectionId, 'file', thrown);
  }
}

/** Back from a plan to its table, if that is still open. */
export const backToTable = (connectionId: string): void => changeBatchForm(connectionId, { view: 'table' });
