import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshLocal } from '../../app/main-events.ts';
import { listen } from '../../lib/bridge.ts';
import { searchPriceKey } from './queries.ts';

/** Keeps the price on the search button true: what is held changes with each spend, with the settings, and while one is elsewhere. */
export function useLocalNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => refreshLocal(client, searchPriceKey(connectionId));
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
