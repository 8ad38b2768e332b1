import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen, stopAll } from '../calls/bridge.ts';
import { refreshLocal } from '../calls/queries.ts';
import { atMostEach } from './at-most-each.ts';

/**
 * Reads the queries under a key again when any call begins or ends, of this window, another or a batch: at most once in so many
 * milliseconds, since a batch makes ten calls a second. `queryKey` stays the same from one drawing to the next.
 */
export function useRefreshAfterCalls(queryKey: readonly string[], ms: number): void {
  const client = useQueryClient();
  useEffect(() => {
    const { run, stop } = atMostEach(ms, () => {
      refreshLocal(client, queryKey);
    });
    return stopAll(listen('calls.running', run), stop);
  }, [client, queryKey, ms]);
}
