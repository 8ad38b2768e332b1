import { queryOptions } from '@tanstack/react-query';
import type { ChannelInput } from '../../../shared/contract.ts';
import { call } from '../../lib/calls/bridge.ts';

// All from main's own data: none of these asks the service.

export type RowFilter = ChannelInput<'batch.rows'>['filter'];

export const batchListKey = (connectionId: string) => ['batch', 'list', connectionId] as const;
export const batchKey = (batchId: string) => ['batch', 'one', batchId] as const;
export const batchRowsKey = (batchId: string) => ['batch', 'rows', batchId] as const;

/** The batches of a connection, the one that waits for a person first. */
export const batchListQuery = (connectionId: string) =>
  queryOptions({ queryKey: batchListKey(connectionId), queryFn: () => call('batch.list', { connectionId }) });

/** One batch; kept up to date by the event `batch.changed`. Read again when it comes back into sight after a reading of the balance. */
export const batchQuery = (batchId: string) =>
  queryOptions({ queryKey: batchKey(batchId), queryFn: () => call('batch.get', { batchId }), refetchOnMount: true });

/** Rows of a page: so many are read again a few times a second while a batch runs. */
export const rowsOfPage = 100;

/** A page of the rows that match a filter, by their number. Read again when it comes back into sight after a change. */
export const batchRowsQuery = (batchId: string, filter: RowFilter, page: number) =>
  queryOptions({
    queryKey: [...batchRowsKey(batchId), filter, page],
    queryFn: () => call('batch.rows', { batchId, filter, from: page * rowsOfPage, limit: rowsOfPage }),
    refetchOnMount: true,
    gcTime: 60_000,
  });

/** The premises that fit a row. Free. */
export const severalQuery = (batchId: string, row: number) =>
  queryOptions({
    queryKey: ['batch', 'several', batchId, row],
    queryFn: () => call('batch.several', { batchId, row }),
    gcTime: 60_000,
  });

/** Rows that are run again, besides those waiting or stopped. */
export type Again = Omit<ChannelInput<'batch.not-done'>, 'batchId'>;

/** What running the rows that are not done would take. */
export const notDoneQuery = (batchId: string, again: Again) =>
  queryOptions({
    queryKey: [...batchRowsKey(batchId), 'not-done', again],
    queryFn: () => call('batch.not-done', { batchId, ...again }),
    gcTime: 60_000,
  });

/** How a row would look in the result file. */
export const resultSampleQuery = (batchId: string, row: number | null) =>
  queryOptions({
    queryKey: [...batchRowsKey(batchId), 'sample', row],
    queryFn: () => call('batch.result-sample', { batchId, row }),
    gcTime: 0,
  });
