import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshLocal } from '../../app/main-events.ts';
import { listen } from '../../lib/bridge.ts';
import { distancePriceKey, provenanceKey, searchPriceKey, shapeKey } from './queries.ts';

/**
 * Keeps prices and verdicts true: what is held changes with each spend, with the settings, and while one is elsewhere; a verdict
 * settles with the balance reading after its call.
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
      listen('settings.changed', refresh),
      listen('connections.changed', refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}
