import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventPayload } from '../../shared/contract.ts';
import { listen } from '../lib/bridge.ts';
import { runningCallsKey, settingsQuery, updateStateQuery } from './queries.ts';

/**
 * Reads again what the main process holds and has changed. Screens out of sight are included: nothing is asked again when they come
 * back. Only for keys whose query asks nobody but the main process.
 */
export function refreshLocal(client: QueryClient, ...keys: readonly (readonly string[])[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey: [...queryKey], refetchType: 'all' });
}

/** Keeps what is shown in step with what main tells unasked, and hands menu commands on. Once, in the frame. */
export function useMainEvents(onMenu: (command: EventPayload<'menu.command'>['command']) => void): void {
  const client = useQueryClient();
  const menu = useRef(onMenu);
  useEffect(() => {
    menu.current = onMenu;
  });
  useEffect(() => {
    const stops = [
      listen('calls.running', (calls) => void client.setQueryData(runningCallsKey, calls)),
      listen('credits.reading', ({ connectionId }) => refreshLocal(client, ['credits', 'overview', connectionId])),
      listen('credits.spent', ({ connectionId }) =>
        refreshLocal(
          client,
          ['credits', 'overview', connectionId],
          ['credits', 'ledger', connectionId],
          ['lookup', 'held', connectionId],
          ['activity'],
        ),
      ),
      listen('connections.changed', () => refreshLocal(client, ['connections'])),
      listen('secrets.store', () => refreshLocal(client, ['connections'])),
      listen('licences.change', () => refreshLocal(client, ['licences', 'unfinished'])),
      listen('settings.changed', (settings) => void client.setQueryData(settingsQuery().queryKey, settings)),
      listen('updates.changed', (state) => void client.setQueryData(updateStateQuery().queryKey, state)),
      listen('menu.command', ({ command }) => menu.current(command)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}
