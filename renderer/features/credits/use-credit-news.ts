import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../../lib/bridge.ts';
import { evidenceKey, refreshCredits } from './queries.ts';

/** Keeps figures and ledger in step: a reading may settle entries. What came while the screen was out of sight is read on return. */
export function useCreditNews(connectionId: string, evidenceOf: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = (about: { connectionId: string }) => {
      if (about.connectionId !== connectionId) return;
      refreshCredits(client, connectionId);
      if (evidenceOf !== null) void client.invalidateQueries({ queryKey: evidenceKey(evidenceOf) });
    };
    const stops = [listen('credits.reading', refresh), listen('credits.spent', refresh)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, connectionId, evidenceOf]);
  useEffect(() => refreshCredits(client, connectionId), [client, connectionId]);
}
