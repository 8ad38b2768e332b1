import { IconFileImport, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { stateNames } from './messages.ts';
import { batchListQuery } from './queries.ts';

/** The palette's commands for batches: a new table, and each batch by its name. */
export function useBatchCommands(connectionId: string | null): void {
  const go = useGo();
  const { data } = useQuery({ ...batchListQuery(connectionId ?? ''), enabled: connectionId !== null });
  useCommands(
    'batch',
    useCallback((): readonly Command[] => {
      if (connectionId === null) return [];
      return [
        {
          id: 'batch-open',
          group: 'Commands',
          label: 'Open a table for a batch…',
          words: 'csv excel xlsx tsv spreadsheet list many addresses postcodes',
          icon: IconFileImport,
          run: () => go('lookup', { tab: 'batch', do: 'open-table' }),
        },
        {
          id: 'batch-paste',
          group: 'Commands',
          label: 'Paste a table for a batch',
          words: 'csv excel spreadsheet list many addresses postcodes',
          icon: IconTable,
          run: () => go('lookup', { tab: 'batch', do: 'paste-table' }),
        },
        ...(data?.batches ?? []).map(
          ({ id, name, state }): Command => ({
            id: `batch-${id}`,
            group: 'Saved',
            label: `Batch ${name}`,
            icon: IconTable,
            note: stateNames[state],
            run: () => go('lookup', { tab: 'batch', batch: id }),
          }),
        ),
      ];
    }, [connectionId, data, go]),
  );
}
