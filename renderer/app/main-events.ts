import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EventPayload } from '../../shared/contract.ts';
import { listen } from '../lib/calls/bridge.ts';
import { refreshLocal, runningCallsKey, settingsQuery, updateStateQuery } from '../lib/calls/queries.ts';

/** Keeps what is shown in step with main's notifications, and passes menu commands on. Called once, by the frame. */
export function useMainEvents(onMenu: (command: EventPayload<'menu.command'>['command']) => void): void {
  const client = useQueryClient();
  const menu = useRef(onMenu);
  useEffect(() => {
    menu.current = onMenu;
  });
  useEffect(() => {
    const stops = [
      listen('calls.running', (calls) => void client.setQueryData(runningCallsKey, calls)),
      listen('credits.sample', ({ connectionId }) => refreshLocal(client, ['credits', 'overview', connectionId])),
      listen('credits.spent', ({ connectionId }) =>
        refreshLocal(
          client,
          ['credits', 'overview', connectionId],
          ['credits', 'ledger', connectionId],
          ['lookup', 'cached', connectionId],
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
