import type { ChannelInput } from '../../../shared/contract.ts';
import type { Batch, BatchWant, OpenTable } from '../../../shared/domain/batch.ts';
import { createCallStore } from '../../lib/session/call-store.ts';
import { createKeyedStore } from '../../lib/session/keyed-store.ts';

/** How a person chose that a table is read, without its id. */
export type TableChanges = Omit<ChannelInput<'batch.read-as'>, 'tableId'>;
/** What a person sets before a batch runs. */
export type Terms = Omit<ChannelInput<'batch.run'>, 'batchId'>;

interface BatchForm {
  /** What is shown: all batches, the open table, or one batch. */
  view: 'start' | 'table' | 'batch';
  table: OpenTable | null;
  changes: TableChanges;
  wants: readonly BatchWant[];
  batchId: string | null;
  /** Whether the form to paste into is open. */
  pasting: boolean;
  /** How many rows a call has read, as main last reported. */
  read: { requestId: string; rows: number } | null;
}

const forms = createKeyedStore<BatchForm>({
  view: 'start',
  table: null,
  changes: {},
  wants: ['exists'],
  batchId: null,
  pasting: false,
  read: null,
});
/** By connection. */
export const readBatchForm = forms.read;
export const changeBatchForm = forms.change;
export const useBatchForm = forms.use;

/** Takes over how many rows a call has read, if it is of this connection's table in this window. */
export function takeRowsRead(connectionId: string, read: { requestId: string; rows: number }): void {
  if (batchCalls.read(connectionId).running?.requestId === read.requestId) forms.change(connectionId, { read });
}

/** Rows of the table that the call under way has read; null: none is under way, or nothing is reported of it. */
export function useRowsRead(connectionId: string): number | null {
  const { running } = batchCalls.use(connectionId);
  const { read } = forms.use(connectionId);
  return read !== null && read.requestId === running?.requestId ? read.rows : null;
}

/** Shows a batch, by its connection. */
export const showBatch = (connectionId: string, batchId: string): void =>
  forms.change(connectionId, { view: 'batch', batchId, pasting: false });
export const showBatches = (connectionId: string): void =>
  forms.change(connectionId, { view: 'start', pasting: false });

const termsKept = createKeyedStore<{ changes: Partial<Terms>; setFor: string }>({ changes: {}, setFor: '' });
export const termsOf = ({ credits, minimumBalance, rate, keyLabel, goOnUntil }: Batch): Terms => ({
  limit: credits.limit,
  minimumBalance,
  rate,
  keyLabel: keyLabel === '' ? null : keyLabel,
  goOnUntil,
});
/**
 * What terms are set for: a plan, or a wait under terms as they were then, which another window or a command may have changed since. A
 * plan's key changes with the preferred one.
 */
const setForOf = (batch: Batch): string =>
  batch.state === 'planned' ? batch.state : JSON.stringify([batch.wait, termsOf(batch)]);
/** The batch's own terms, with what a person has changed here and not yet sent. */
export function useTerms(batch: Batch): [Terms, (change: Partial<Terms>) => void] {
  const kept = termsKept.use(batch.id);
  const setFor = setForOf(batch);
  const changes = kept.setFor === setFor ? kept.changes : {};
  return [
    { ...termsOf(batch), ...changes },
    (change) => termsKept.change(batch.id, { changes: { ...changes, ...change }, setFor }),
  ];
}
/** Forgets the terms set here: the batch has taken them over. */
export const forgetTerms = (batchId: string): void => termsKept.change(batchId, { changes: {} });

/**
 * What is under way, one at a time: by connection the reading and planning of tables, by batch what changes it. `file`: dialogs and files,
 * which send nothing.
 */
export const batchCalls = createCallStore<'read' | 'plan' | 'run' | 'pause' | 'stop' | 'balance' | 'file', unknown>();
