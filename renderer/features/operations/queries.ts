import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChannelInput } from '../../../shared/contract.ts';
import { call, listen, stopAll } from '../../lib/calls/bridge.ts';

// The main process answers these from its storage: none asks the service, none costs anything. What costs is in runs.ts.

export const listKey = (connectionId: string) => ['operations', 'list', connectionId] as const;
export const listQuery = (connectionId: string) =>
  queryOptions({
    queryKey: listKey(connectionId),
    queryFn: () => call('operations.list', { connectionId }),
    refetchOnMount: 'always',
  });

export const priceKey = ['operations', 'price'] as const;
/** What the call in the form would cost now. */
export const priceQuery = (asked: ChannelInput<'operations.price'>) =>
  queryOptions({
    queryKey: [...priceKey, asked],
    queryFn: () => call('operations.price', asked),
  });

const rowsAtOnce = 1000;
export type RowView = NonNullable<ChannelInput<'operations.rows'>['view']>;
/** Rows of one table, sorted and filtered where the answer is. */
export const rowsQuery = (answerId: string, table: number, view: RowView) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'rows', answerId, table, view],
    queryFn: ({ pageParam }) => call('operations.rows', { answerId, table, from: pageParam, count: rowsAtOnce, view }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * rowsAtOnce < total ? pages.length * rowsAtOnce : undefined),
  });

/** The key above every operation's calls. */
export const historyKey = ['operations', 'history'] as const;

const historyPage = 200;
export const historyQuery = (connectionId: string, operation: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...historyKey, connectionId, operation, search],
    queryFn: ({ pageParam }) =>
      call('operations.history', { connectionId, operation, search, before: pageParam, limit: historyPage }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnMount: 'always',
  });

export const savedKey = ['operations', 'saved'] as const;
export const savedQuery = () => queryOptions({ queryKey: savedKey, queryFn: () => call('operations.saved', {}) });

/** Notifications from main that change prices, marks or credentials: all of it is read again from main, which makes no network call. */
export function useOperationNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const again = () => {
      void client.invalidateQueries({ queryKey: listKey(connectionId) });
      void client.invalidateQueries({ queryKey: priceKey });
    };
    return stopAll(
      listen('connections.changed', again),
      listen('credits.spent', again),
      listen('credits.sample', again),
      listen('settings.changed', again),
    );
  }, [client, connectionId]);
}
