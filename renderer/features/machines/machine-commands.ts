import { IconDeviceLaptop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { machinesQuery } from '../../lib/licences/machines.ts';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';

/** The palette's commands for machines, by name, nickname, owner and site. The machines are read when something is first typed there. */
export function useMachineCommands(): void {
  const go = useGo();
  const connectionId = useConnection()?.connection.id ?? null;
  const [isWanted, setWanted] = useState(false);
  const { data } = useQuery({
    ...machinesQuery(connectionId ?? ''),
    enabled: isWanted && connectionId !== null,
  });
  const machines = data?.machines;
  const source = useCallback(
    (query: string): readonly Command[] => {
      if (query.trim() === '') return [];
      // Not during the palette's render, in which no state may be set.
      if (!isWanted) queueMicrotask(() => setWanted(true));
      return (machines ?? []).map(
        ({ name, nickname, owner, site }): Command => ({
          id: `machine-${name}`,
          group: 'Saved',
          label: nickname === '' ? name : `${name}, ${nickname}`,
          icon: IconDeviceLaptop,
          words: `${owner} ${site}`,
          note: 'machine',
          run: () => go('licences', { show: 'machines', machine: name }),
        }),
      );
    },
    [go, machines, isWanted],
  );
  useCommands('machines', source);
}
