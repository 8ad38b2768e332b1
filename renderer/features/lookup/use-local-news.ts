import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { provenanceKey } from '../../lib/answers/use-provenance.ts';
import { listen } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { distancePriceKey, searchPriceKey, shapeKey } from './queries.ts';

/**
 * Keeps prices and claims true: what is saved changes with each spend, with the settings, and while one is elsewhere; what may be said of
 * a call changes with each reading of its balance.
 */
export function useLocalNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () =>
      refreshLocal(
        client,
        searchPriceKey(connectionId),
        distancePriceKey(connectionId),
        provenanceKey,
        shapeKey(connectionId),
      );
    refresh();
    const stops = [
      listen('credits.spent', (spent) => spent.connectionId === connectionId && refresh()),
      listen('credits.reading', (read) => read.connectionId === connectionId && refresh()),
      listen('settings.changed', refresh),
      listen('connections.changed', refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}
