import { QueryClient } from '@tanstack/react-query';
import { joinWindows } from './other-windows.ts';

/**
 * A client that reads only on request. TanStack's defaults read again on focus, on reconnect, on mount and after a failure; here a read
 * may cost a credit.
 */
export function createQueryClient(): QueryClient {
  return joinWindows(
    new QueryClient({
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
    }),
  );
}
