import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../lib/calls/bridge.ts';
import { refreshLocal } from '../../lib/calls/queries.ts';
import { derivedKeys, ledgerKey } from './queries.ts';

/**
 * Keeps the ledger in step with readings, from which more may follow for its entries; the frame does the figures, and the ledger after a
 * spend. What came while the screen was out of sight is read on return. All of it from the main process, for nothing.
 */
export function useCreditNews(connectionId: string): void {
  const client = useQueryClient();
  useEffect(() => refreshLocal(client, ledgerKey(connectionId), ...derivedKeys(connectionId)), [client, connectionId]);
  useEffect(() => {
    const refresh = (about: { connectionId: string }) => {
      if (about.connectionId !== connectionId) return;
      refreshLocal(client, ledgerKey(connectionId), ...derivedKeys(connectionId));
    };
    const stops = [
      listen('credits.reading', refresh),
      listen('credits.spent', refresh),
      listen('credits.alert', refresh),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId]);
}
