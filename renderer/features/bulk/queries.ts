import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';

export const bulkKey = (connectionId: string, moves: boolean) => ['licences', 'bulk', connectionId, moves] as const;

/** The last bulk change of a connection, of a table or (`moves`) to one machine, from the main process; makes no network call. */
export const bulkQuery = (connectionId: string, moves = false) =>
  queryOptions({
    queryKey: bulkKey(connectionId, moves),
    queryFn: () => call('bulk.latest', { connectionId, moves }),
  });

/** All that some machines were seen with; makes no network call. */
export const seenQuery = (connectionId: string, machines: readonly string[]) =>
  queryOptions({
    queryKey: ['licences', 'machines', connectionId, 'seen', machines.join('\n')],
    queryFn: () => call('machines.seen', { connectionId, machines: machines.slice(0, 50) }),
    placeholderData: keepPreviousData,
    // The list of all machines, under the same key, stays.
    gcTime: 60_000,
  });
