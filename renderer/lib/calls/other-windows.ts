import type { QueryClient, QueryKey } from '@tanstack/react-query';

// What one window changes is shown by the others too. Each reads for itself: what is handed over is the name of what has changed, never
// a value. What the main process reports comes to every window, so nothing is handed on of what follows from that.

let reported = false;

/** Runs what a message of the main process brings: the other windows have the same message. */
export function asReported(run: () => void): void {
  reported = true;
  try {
    run();
  } finally {
    reported = false;
  }
}

/** How windows hear of each other; the same-named channel of one origin, which a window does not hear itself on. */
type Line = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

/** Has a client hand on to the other windows what is read again or put in its place here, and read again what they hand on. */
export function joinWindows(client: QueryClient, line: Line = new BroadcastChannel('changed')): QueryClient {
  const [invalidate, put] = [client.invalidateQueries.bind(client), client.setQueryData.bind(client)];
  const handOn = (key: QueryKey | undefined): void => {
    if (key !== undefined && !reported) line.postMessage(key);
  };
  client.invalidateQueries = (filters, options) => {
    handOn(filters?.queryKey);
    return invalidate(filters, options);
  };
  client.setQueryData = ((...given: Parameters<typeof put>) => {
    handOn(given[0]);
    return put(...given);
  }) as QueryClient['setQueryData'];
  line.onmessage = ({ data: queryKey }: MessageEvent<QueryKey>) => {
    // What was only put there cannot be read again by itself: whoever shows it next reads it.
    client.removeQueries({ queryKey, type: 'inactive', predicate: ({ options }) => options.queryFn === undefined });
    void invalidate({ queryKey, refetchType: 'all' });
  };
  return client;
}
