import {
  IconArrowsExchange,
  IconDeviceLaptopOff,
  IconDevicesPc,
  IconLicense,
  IconListCheck,
  IconNotebook,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Licence, nameOf } from '../../../shared/domain/licences/licence.ts';
import { useConnection } from '../../lib/connection/use-connection.ts';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { listPrice } from './prices.ts';
import { lastSeenQuery } from './queries.ts';

/** The palette's commands for licences. */
export function useLicenceCommands(): void {
  const go = useGo();
  const connectionId = useConnection()?.connection.id ?? null;
  const { data } = useQuery({ ...lastSeenQuery(connectionId ?? ''), enabled: connectionId !== null });
  const licences = data?.list.licences ?? noLicences;
  const source = useCallback(
    (query: string): readonly Command[] => {
      if (connectionId === null) return [];
      const commands: Command[] = [
        {
          id: 'licences-read',
          group: 'Commands',
          label: 'Read licences',
          icon: IconRefresh,
          words: 'refresh list seats expiry',
          price: listPrice(),
          run: () => go('licences', { do: 'read' }),
        },
        {
          id: 'licences-journal',
          group: 'Commands',
          label: 'Show the licence journal',
          icon: IconNotebook,
          words: 'history audit hash check',
          run: () => go('licences', { show: 'journal' }),
        },
        {
          id: 'licences-machines',
          group: 'Commands',
          label: 'Show the machines',
          icon: IconDevicesPc,
          words: 'inventory computers scan holds',
          run: () => go('licences', { show: 'machines' }),
        },
        {
          id: 'licences-dead-laptop',
          group: 'Commands',
          label: 'Move everything off a dead laptop…',
          icon: IconDeviceLaptopOff,
          words: 'broken lost failed computer machine find replace all licences',
          run: () => go('licences', { show: 'dead-laptop' }),
        },
        {
          id: 'licences-bulk',
          group: 'Commands',
          label: 'Change many licences from a table',
          icon: IconListCheck,
          words: 'bulk csv paste register many',
          run: () => go('licences', { show: 'bulk' }),
        },
      ];
      const saved = licences.map(
        (licence): Command => ({
          id: `licence-${licence.licenceNumber}-${licence.referenceNo}`,
          group: 'Saved',
          label: `${nameOf(licence)}, ${licence.typeName}`,
          icon: IconLicense,
          words: licence.licenceNumber,
          note: 'licence',
          run: () => go('licences', { licence: licence.licenceNumber }),
        }),
      );
      // Three commands for each licence would bury the others as long as nothing is typed.
      const changes = query.trim() === '' ? [] : licences.flatMap((licence) => changesOf(licence, go));
      return [...commands, ...changes, ...saved];
    },
    [connectionId, go, licences],
  );
  useCommands('licences', source);
}

const noLicences: readonly Licence[] = [];

const changesOf = (licence: Licence, go: ReturnType<typeof useGo>): Command[] =>
  (['move', 'register', 'unregister'] as const).map((verb) => ({
    id: `licence-${verb}-${licence.licenceNumber}-${licence.referenceNo}`,
    group: 'Commands',
    label: `${labels[verb][0]} ${nameOf(licence)}${labels[verb][1]}`,
    icon: verb === 'move' ? IconArrowsExchange : IconLicense,
    words: `licence ${licence.licenceNumber}`,
    run: () => go('licences', { licence: licence.licenceNumber, do: verb }),
  }));

const labels = {
  move: ['Move', ' to another machine…'],
  register: ['Register', ' to this machine…'],
  unregister: ['Unregister', '…'],
} as const;
