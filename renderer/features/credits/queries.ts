import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SpendGrouping } from '../../../shared/domain/credits/credits-history.ts';
import type { RowFilter } from '../../../shared/domain/row-filter.ts';
import { call, listen, stopAll } from '../../lib/calls/bridge.ts';
import { readLocal, refreshLocal } from '../../lib/calls/queries.ts';
import { pagesKeptMs } from '../../lib/calls/query-client.ts';
import { atMostEach } from '../../lib/window/at-most-each.ts';

// The main process answers these from its storage: none asks the service, none costs anything. What asks the service is in read-balances.ts
// and lib/answers/use-evidence.ts, and is sent only by a click or Enter.

const ledgerPage = 100;
export const ledgerKey = (connectionId: string) => ['credits', 'ledger', connectionId] as const;

/** The ledger, newest first, page by page. */
export const ledgerQuery = (connectionId: string, filter: RowFilter) =>
  infiniteQueryOptions({
    queryKey: [...ledgerKey(connectionId), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      call('credits.ledger', { connectionId, before: pageParam, limit: ledgerPage, filter }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    gcTime: pagesKeptMs,
    refetchOnMount: true,
  });

/** The sums of the entries that match a filter. */
export const ledgerSumsQuery = (connectionId: string, filter: RowFilter) =>
  queryOptions({
    queryKey: [...ledgerKey(connectionId), 'sums', filter],
    queryFn: ({ signal }) => call('credits.ledger-sums', { connectionId, filter }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    refetchOnMount: true,
  });

export const ledgerChoicesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: [...ledgerKey(connectionId), 'choices'],
    queryFn: () => call('credits.ledger-choices', { connectionId }),
    refetchOnMount: true,
  });

/** Invalidates everything that a balance reading may have changed in the main process. */
export function refreshCredits(client: QueryClient, connectionId: string): void {
  refreshLocal(client, ['credits', 'overview', connectionId], ledgerKey(connectionId), ...derivedKeys(connectionId), [
    'activity',
  ]);
}

const inSteps = (
  connectionId: string,
  what: 'history' | 'forecast' | 'reconcile' | 'prices' | 'alerts' | 'set-prices' | 'separate',
) => ['credits', what, connectionId] as const;

/** Everything that a reading or a spend may change. */
const derivedKeys = (connectionId: string) =>
  (['history', 'forecast', 'reconcile', 'prices', 'alerts'] as const).map((what) => inSteps(connectionId, what));

export interface Range {
  /** ISO 8601 UTC. */
  from: string;
  to: string;
}

/** Balance and spend over a range; the previous range stays while another one is read. */
export const historyQuery = (connectionId: string, range: Range, by: SpendGrouping) =>
  queryOptions({
    queryKey: [...inSteps(connectionId, 'history'), range, by],
    queryFn: () => call('credits.history', { connectionId, from: range.from, to: range.to, by }),
    placeholderData: keepPreviousData,
  });

export const forecastQuery = (connectionId: string) =>
  queryOptions({
    queryKey: inSteps(connectionId, 'forecast'),
    queryFn: () => call('credits.forecast', { connectionId }),
  });

export const reconcileQuery = (connectionId: string, range: Range) =>
  queryOptions({
    queryKey: [...inSteps(connectionId, 'reconcile'), range],
    queryFn: () => call('credits.reconcile', { connectionId, from: range.from, to: range.to }),
  });

export const pricesQuery = (connectionId: string) =>
  queryOptions({ queryKey: inSteps(connectionId, 'prices'), queryFn: () => call('credits.prices', { connectionId }) });

export const alertsQuery = (connectionId: string) =>
  queryOptions({ queryKey: inSteps(connectionId, 'alerts'), queryFn: () => call('credits.alerts', { connectionId }) });

/** Figures that a person set for operations without a published price. */
export const setPricesQuery = (connectionId: string) =>
  queryOptions({
    queryKey: inSteps(connectionId, 'set-prices'),
    queryFn: () => call('credits.set-prices', { connectionId }),
  });

/** Whether a person has said that the keys of this address have balances of their own. */
export const separateQuery = (connectionId: string) =>
  queryOptions({
    queryKey: inSteps(connectionId, 'separate'),
    queryFn: () => call('credits.separate', { connectionId }),
  });

/**
 * Keeps the ledger up to date after readings, which may change the claims about its entries; the frame updates the figures, and the ledger
 * after a spend. What came while the screen was out of sight is read on return. All of it from the main process, free.
 */
export function useCreditNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => refreshLocal(client, ledgerKey(connectionId), ...derivedKeys(connectionId)), [client, connectionId]);
  useEffect(() => {
    // A batch makes many calls a second, and a long range takes longer to read than the next one takes.
    const { run, stop } = atMostEach(1000, () =>
      readLocal(client, ledgerKey(connectionId), ...derivedKeys(connectionId)),
    );
    const refresh = (about: { connectionId: string }) => {
      if (about.connectionId === connectionId) run();
    };
    return stopAll(
      stop,
      listen('credits.sample', refresh),
      listen('credits.spent', refresh),
      listen('credits.alert', refresh),
    );
  }, [client, connectionId]);
}
