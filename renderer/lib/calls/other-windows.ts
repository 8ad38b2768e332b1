import type { QueryClient, QueryKey } from '@tanstack/react-query';

// What one window changes is shown by the others too. Each reads for itself: what is passed on is the name of what has changed, never a
// value. What the main process reports comes to every window, so nothing that follows from that is passed on.

let reported = false;

/** Runs what a message of the main process triggers: the other windows have the same message. */
export function asReported(run: () => void): void {
  reported = true;
  try {
    run();
  } finally {
    reported = false;
  }
}

/** How windows notify each other: a broadcast channel of one origin, on which a window does not hear itself. */
type Broadcast = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

/** Makes a client pass on to the other windows what is invalidated or replaced here, and invalidate what they pass on. */
export function joinWindows(client: QueryClient, broadcast: Broadcast = new BroadcastChannel('changed')): QueryClient {
  const [invalidate, put] = [client.invalidateQueries.bind(client), client.setQueryData.bind(client)];
  const handOn = (key: QueryKey | undefined): void => {
    if (key !== undefined && !reported) broadcast.postMessage(key);
  };
  client.invalidateQueries = (filters, options) => {
    handOn(filters?.queryKey);
    return invalidate(filters, options);
  };
  client.setQueryData = ((...given: Parameters<typeof put>) => {
    handOn(given[0]);
    return put(...given);
  }) as QueryClient['setQueryData'];
  broadcast.onmessage = ({ data: queryKey }: MessageEvent<QueryKey>) =>
    asReported(() => void readAgain(client, queryKey));
  return client;
}

/**
 * Reads again what was changed elsewhere, also on screens out of sight; resolves when it has been read. Only for keys whose query makes no
 * call to the service.
 */
export function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  // Data that was only set has no function to read it again: it is removed, and whoever shows it next reads it.
  client.removeQueries({ queryKey, type: 'inactive', predicate: ({ options }) => options.queryFn === undefined });
  return client.invalidateQueries({ queryKey, refetchType: 'all' });
}
