import { IconCoins, IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { connectionsQuery } from '../../lib/calls/queries.ts';
import { type Command, type CommandSource, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { readBalance } from './balance/read-balances.ts';
import { type AskedSource, missingFor, sourcePrice } from './balance/sources.ts';

const labels: Readonly<Record<AskedSource, { id: string; label: string }>> = {
  // The menu runs this one by its id.
  'rest-key': { id: 'read-balances', label: 'Read the key balance' },
  'soap-account': { id: 'credits-read-account', label: 'Read the account balance over SOAP' },
  'service-test': { id: 'credits-service-test', label: 'Ask the service test' },
};

/** The palette's lines for credits. Running one shows the credits screen, where the reading and its failure have their place. */
export function useCreditCommands(): void {
  const go = useGo();
  const client = useQueryClient();
  const source = useCallback<CommandSource>(() => {
    const list = client.getQueryData(connectionsQuery().queryKey);
    const view = list?.connections.find(({ connection }) => connection.id === list.selectedId);
    if (!view) return [];
    const at = { connectionId: view.connection.id, client };
    const asks = (Object.keys(labels) as AskedSource[])
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
    return [
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
  }, [go, client]);
  useCommands('credits', source);
}
