import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { joinWindows } from './other-windows.ts';

/**
 * How long the pages of a long list are kept, in milliseconds: its place is there for whoever comes back from another screen. Not for ever,
 * since each filter is an entry of its own.
 */
export const pagesKeptMs = 3_600_000;

/**
 * Under these keys each text typed, filter and stretch of time is an entry of its own, and main answers all of them free: what is no longer
 * shown is dropped, or each event would have all that was ever looked at read again.
 */
const droppedSoon: readonly QueryKey[] = [
  ['activity'],
  ['credits', 'history'],
  ['credits', 'reconcile'],
  ['lookup', 'compare'],
  ['lookup', 'distance-price'],
  ['lookup', 'place'],
  ['lookup', 'provenance'],
  ['lookup', 'raw-lines'],
  ['lookup', 'search-ways'],
  ['operations', 'history'],
  ['operations', 'price'],
  ['operations', 'raw'],
  ['operations', 'raw-find'],
  ['operations', 'rows'],
];

/**
 * A client that reads only on request. TanStack's defaults read again on focus, on reconnect, on mount and after a failure; here a read
 * may cost a credit.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        retryOnMount: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchOnMount: false,
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  for (const key of droppedSoon) client.setQueryDefaults(key, { gcTime: 60_000 });
  return joinWindows(client);
}
