import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../lib/calls/bridge.ts';
import { listKey, priceKey } from './queries.ts';

/** What main tells that changes prices, marks or credentials: all of it is read again from main, which asks nobody. */
export function useOperationNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const again = () => {
      void client.invalidateQueries({ queryKey: listKey(connectionId) });
      void client.invalidateQueries({ queryKey: priceKey });
    };
    const stops = [
      listen('connections.changed', again),
      listen('credits.spent', again),
      listen('credits.reading', again),
      listen('settings.changed', again),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}
