import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { EventPayload } from '../../shared/contract.ts';
import { listen, stopAll } from '../lib/calls/bridge.ts';
import { asReported, readAgain } from '../lib/calls/other-windows.ts';
import {
  cachedPremisesQuery,
  everyEvidenceKey,
  readLocal,
  refreshLocal,
  setRunningCalls,
  settingsQuery,
  updateStateQuery,
} from '../lib/calls/queries.ts';
import { atMostEach } from '../lib/window/at-most-each.ts';

/** The keys of what main answers from the database, except what belongs to one answer or one batch. No query under them makes a call. */
const fromStorage: readonly QueryKey[] = [
  ['activity'],
  ['batch', 'list'],
  ['connections'],
  ['credits'],
  ['licences'],
  ['lookup'],
  ['operations', 'history'],
  ['operations', 'list'],
  ['operations', 'price'],
  ['operations', 'saved'],
  ['settings'],
  ['setup'],
];

/** Keeps what is shown in step with main's notifications, and passes menu commands on. Called once, by the frame. */
export function useMainEvents(onMenu: (command: EventPayload<'menu.command'>['command']) => void): void {
  const client = useQueryClient();
  const runCommand = useEffectEvent(onMenu);
  useEffect(() => {
    // A long list takes longer to read than the next message takes to come: the next reading waits for the end of this one.
    const readAll = (...keys: readonly QueryKey[]) => readLocal(client, ...keys);
    // Each step of a change, in this window or not, of which a bulk change has many under way: its row takes the change's own state.
    const stepped = new Set<string>();
    const afterSteps = atMostEach(1000, () => {
      const keys = [...stepped].map((connectionId) => ['licences', 'bulk', connectionId]);
      stepped.clear();
      return readAll(['licences', 'unfinished'], ...keys);
    });
    // A change that has been read: with the next answer of its machines, whatever lists them is out of date.
    const changed = new Set<string>();
    const afterReads = atMostEach(1000, () => {
      const keys = [...changed].flatMap((connectionId) => [
        ['licences', 'machines', connectionId],
        ['licences', 'last-seen', connectionId],
      ]);
      changed.clear();
      return readAll(['licences', 'journal'], ...keys);
    });
    // A batch pays for several answers a second.
    const paid = new Set<string>();
    const afterPayments = atMostEach(0, () => {
      const keys = [...paid].map((connectionId) => cachedPremisesQuery(connectionId).queryKey);
      paid.clear();
      return readAll(...keys);
    });
    // Where none of it is shown it is read when it is.
    const readWhereShown = (queryKey: QueryKey) => client.invalidateQueries({ queryKey });
    // The more calls there were, the longer it takes to read what counts today and to sum the rows that a filter lets through.
    const spent = new Set<string>();
    const afterSpends = atMostEach(1000, () => {
      const ids = [...spent];
      spent.clear();
      // Every filter of the ledger that was looked at in the last hour is kept.
      const shown = [everyEvidenceKey, ['activity'], ...ids.map((connectionId) => ['credits', 'ledger', connectionId])];
      const overviews = ids.map((connectionId) => ['credits', 'overview', connectionId]);
      return Promise.all([...shown.map(readWhereShown), readAll(...overviews)]);
    });
    // A command that runs a batch writes all the time, and reading again what the day’s screens have read may take longer than the next
    // report takes to come.
    const afterOthers = atMostEach(1000, () => Promise.all(fromStorage.map((queryKey) => readAgain(client, queryKey))));
    // At midnight nothing is reported, and what counts by days is out of date: today's calls, reminders, licences that expire.
    let day = new Date().toDateString();
    const days = setInterval(() => {
      const today = new Date().toDateString();
      if (today === day) return;
      day = today;
      // Each window has a clock.
      asReported(() =>
        refreshLocal(
          client,
          ['credits', 'overview'],
          ['credits', 'forecast'],
          ['credits', 'alerts'],
          ['licences', 'own'],
          ['licences', 'machines'],
        ),
      );
    }, 60_000);
    return stopAll(
      () => clearInterval(days),
      afterSteps.stop,
      afterReads.stop,
      afterPayments.stop,
      afterSpends.stop,
      afterOthers.stop,
      listen('calls.running', (calls) => void setRunningCalls(client, calls)),
      listen('credits.sample', () => {
        void readWhereShown(everyEvidenceKey);
        // Of every connection: another one may have the same key.
        refreshLocal(client, ['credits', 'overview']);
      }),
      listen('credits.spent', ({ connectionId }) => {
        spent.add(connectionId);
        afterSpends.run();
        paid.add(connectionId);
        afterPayments.run();
      }),
      listen('connections.changed', () => refreshLocal(client, ['connections'], ['credits', 'overview'])),
      listen('secrets.store', () => refreshLocal(client, ['connections'])),
      listen('licences.change', ({ state, connectionId }) => {
        stepped.add(connectionId);
        afterSteps.run();
        if (state === 'planned' || state === 'running') return;
        changed.add(connectionId);
        afterReads.run();
      }),
      listen('storage.changed', afterOthers.run),
      listen('settings.changed', (settings) => void client.setQueryData(settingsQuery().queryKey, settings)),
      listen('updates.changed', (state) => void client.setQueryData(updateStateQuery().queryKey, state)),
      listen('menu.command', ({ command }) => runCommand(command)),
    );
  }, [client]);
}
