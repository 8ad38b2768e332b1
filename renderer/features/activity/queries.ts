import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RowFilter } from '../../../shared/domain/row-filter.ts';
import { call } from '../../lib/calls/bridge.ts';

/** The key above all of this screen's queries. */
export const activityKey = ['activity'] as const;

const pageSize = 200;

// Read from the main process's own log: costs nothing, so it is read anew whenever the screen comes into sight.

/** The calls that a filter lets through, newest first. `fold`: balance reads in one line for each quiet stretch. */
export const activityQuery = (filter: RowFilter, fold: boolean) =>
  infiniteQueryOptions({
    queryKey: [...activityKey, 'list', filter, fold],
    queryFn: ({ pageParam, signal }) =>
      call('activity.list', { filter, before: pageParam, limit: pageSize, fold }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchOnMount: 'always',
  });

export const activitySumsQuery = (filter: RowFilter) =>
  queryOptions({
    queryKey: [...activityKey, 'sums', filter],
    queryFn: ({ signal }) => call('activity.sums', { filter }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const activityChoicesQuery = () =>
  queryOptions({
    queryKey: [...activityKey, 'choices'],
    queryFn: () => call('activity.choices', {}),
    refetchOnMount: 'always',
  });

/** The balance reads of one folded line, which never change. */
export const unfoldQuery = (newestId: string, oldestId: string) =>
  queryOptions({
    queryKey: [...activityKey, 'unfold', newestId, oldestId],
    queryFn: () => call('activity.unfold', { newestId, oldestId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
