import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../lib/calls/bridge.ts';

const pageSize = 200;

/**
 * The calls of this console, newest first. Asked of the main process's own log: costs nothing, so it is read anew whenever the
 * screen comes into sight.
 */
export const activityQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'list', search],
    queryFn: ({ pageParam }) => call('activity.list', { search, before: pageParam, limit: pageSize }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    // Each text typed is an entry of its own: not kept for long.
    gcTime: 60_000,
    refetchOnMount: 'always',
  });
