import { IconBell, IconCoins, IconDownload, IconRefresh, IconReportMoney } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import type { ReadableSource } from '../../lib/calls/ask-balance.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { formatCredits, formatWhen } from '../../lib/text/format.ts';
import { announce } from '../../lib/window/announce.ts';
import { type Command, type CommandSource, useCommands } from '../../lib/window/commands.ts';
import { closeFailuresAbout, showFailure } from '../../lib/window/failure-notices.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { type At, readBalance } from './balance/read-balances.ts';
import { missingFor, sourcePrice } from './balance/sources.ts';
import { addingAlert } from './caps/alert-words.ts';
import { alertsQuery } from './queries.ts';

const labels: Readonly<Record<ReadableSource, { id: string; label: string }>> = {
  // The menu runs this one by its id.
  'rest-key': { id: 'read-balances', label: 'Read the key balance' },
  'soap-account': { id: 'credits-read-account', label: 'Read the SOAP balance' },
  'service-test': { id: 'credits-service-test', label: 'Run the service test' },
};

/** Adds an alert below a figure; the result is announced, and its pane is shown. */
async function addAlert({ connectionId, client }: At, name: string, threshold: number): Promise<void> {
  // As the pane's own is named.
  const adding = drawable(`${addingAlert({ kind: 'below-credits', threshold })} under ${name}`);
  try {
    const { alerts } = await call('credits.alerts', { connectionId });
    const alert = { kind: 'below-credits' as const, threshold };
    const known = alerts.find((one) => one.kind === alert.kind && one.threshold === threshold);
    const others = alerts.map(({ kind, threshold }) => ({ kind, threshold }));
    if (!known?.isOn)
      client.setQueryData(
        alertsQuery(connectionId).queryKey,
        known
          ? await call('credits.turn-alert', { connectionId, alert, isOn: true })
          : await call('credits.save-alerts', { connectionId, alerts: [...others, alert] }),
      );
    closeFailuresAbout(adding);
    const figure = formatCredits(threshold);
    announce(
      known?.isOn && known.toldAt !== null
        ? `This alert was sent ${formatWhen(known.toldAt)}. It is sent again when the balance that it watches is read below ${figure} after a reading that was not.`
        : `You will be told when the balance that this alert watches is read below ${figure}.`,
    );
  } catch (thrown) {
    showFailure(errorOf(thrown), adding);
  }
}

/** The palette's commands for credits. Running one shows the credits screen, where the reading and its failure are shown. */
export function useCreditCommands(): void {
  const go = useGo();
  const client = useQueryClient();
  const source = useCallback<CommandSource>(
    (query) => {
      const list = client.getQueryData(connectionsQuery().queryKey);
      const view = list?.connections.find(({ connection }) => connection.id === list.selectedId);
      if (!view) return [];
      const at = { connectionId: view.connection.id, client };
      const asks = (Object.keys(labels) as ReadableSource[])
        .filter((source) => missingFor(source, view) === null)
        .map(
          (source): Command => ({
            ...labels[source],
            group: 'Ask the service',
            words: 'balance credits left remaining',
            icon: IconRefresh,
            price: sourcePrice(source),
            run: () => {
              go('credits', { do: 'show-balances' });
              void readBalance(at, source);
            },
          }),
        );
      // Beside a word alone: a number by itself is that of an address or a licence, and Enter would save an alert.
      const figure = /[^\d\s]/.test(query) ? Number(/(?:^|\s)(\d{1,9})(?:\s|$)/.exec(query)?.[1] ?? 0) : 0;
      const keys = [...new Set(view.secrets.map(({ label }) => label))];
      return [
        {
          id: 'credits-add-alert',
          group: 'Commands',
          label: figure > 0 ? `Alert me below ${formatCredits(figure)}` : 'Add an alert',
          // The figure as it was typed: the label has a comma in it from a thousand on.
          words: `alert notify notice warn low balance threshold days left${figure > 0 ? ` ${figure}` : ''}`,
          icon: IconBell,
          ...(figure > 0 ? {} : { note: 'type a figure: alert 500' }),
          run: () => {
            go('credits', { do: 'alerts' });
            if (figure > 0) void addAlert(at, view.connection.name, figure);
          },
        },
        {
          id: 'credits-export',
          group: 'Commands',
          label: 'Export the ledger',
          words: 'csv json save file spend download',
          icon: IconDownload,
          run: () => go('credits', { do: 'export' }),
        },
        {
          id: 'credits-statement',
          group: 'Commands',
          label: 'Show the statement of a month',
          words: 'spent spend month cost centre pounds invoice report',
          icon: IconReportMoney,
          run: () => go('credits', { do: 'statement' }),
        },
        ...(query.trim() === '' ? [] : keys).map(
          (label): Command => ({
            id: `credits-export-${label}`,
            group: 'Commands',
            label: `Export this month of ${label}`,
            words: 'csv spend ledger key month',
            icon: IconDownload,
            run: () => go('credits', { do: 'export', key: label }),
          }),
        ),
        {
          id: 'credits-change-caps',
          group: 'Commands',
          label: 'Change the spending caps',
          words: 'credits cap limit minimum balance floor day run',
          icon: IconCoins,
          run: () => go('credits', { do: 'change-caps' }),
        },
        ...asks,
      ];
    },
    [go, client],
  );
  useCommands('credits', source);
}
