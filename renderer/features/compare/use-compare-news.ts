import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { comparisonKey, heldAnswersKey, premiseAnswersKey } from './queries.ts';

/** Keeps the lists of held answers true: they change with each spend, with the settings, and while one is elsewhere. */
export function useCompareNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () =>
      refreshLocal(client, premiseAnswersKey(connectionId), heldAnswersKey(connectionId), comparisonKey);
    refresh();
    const stops = [
      listen('credits.spent', (spent) => spent.connectionId === connectionId && refresh()),
      listen('settings.changed', refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}
