import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, listen, stopAll } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';

// The main process answers all of these from its storage: none asks the service, none costs anything.

export const premiseAnswersKey = (connectionId: string) => ['lookup', 'premise-answers', connectionId] as const;

/** All saved answers of one premise. */
export const premiseAnswersQuery = (connectionId: string, premiseId: string) =>
  queryOptions({
    queryKey: [...premiseAnswersKey(connectionId), premiseId],
    queryFn: () => call('lookup.premise-answers', { connectionId, premiseId }),
  });

export const cachedAnswersKey = (connectionId: string) => ['lookup', 'cached-answers', connectionId] as const;

/** How many cached answers can be chosen from; each of a premise's own comes besides. */
export const mostListed = 200;

/** Cached answers of any kind, newest first. */
export const cachedAnswersQuery = (connectionId: string) =>
  queryOptions({
    queryKey: cachedAnswersKey(connectionId),
    queryFn: () => call('lookup.cached-answers', { connectionId, search: '', limit: mostListed }),
  });

const comparisonKey = ['lookup', 'compare'] as const;

export const comparisonQuery = (leftId: string, rightId: string) =>
  queryOptions({
    queryKey: [...comparisonKey, leftId, rightId],
    queryFn: async () => {
      const first = await call('lookup.compare', { leftId, rightId, from: 0 });
      const rows = [...first.rows];
      // A long list crosses in parts.
      while (rows.length < first.total) {
        const part = await call('lookup.compare', { leftId, rightId, from: rows.length });
        if (part.rows.length === 0) break;
        rows.push(...part.rows);
      }
      return { ...first, rows };
    },
  });

/** Keeps the lists of saved answers up to date: they change with each spend, with the settings, and while the user is elsewhere. */
export function useCompareNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () =>
      refreshLocal(client, premiseAnswersKey(connectionId), cachedAnswersKey(connectionId), comparisonKey);
    refresh();
    return stopAll(
      listen('credits.spent', (spent) => spent.connectionId === connectionId && refresh()),
      listen('settings.changed', refresh),
    );
  }, [client, connectionId]);
}
