import { IconMapPin, IconPlugConnected } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { ChannelOutput } from '../../../shared/contract.ts';
import { places } from '../../../shared/places.ts';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import type { Go } from '../../lib/window/routes.tsx';
import { kindWords } from '../frame/top-bar.tsx';
import { icons } from '../screens/screens.tsx';

type CachedPremise = ChannelOutput<'lookup.held'>['premises'][number];

interface FrameCommandsInput {
  go: Go;
  connections: readonly ConnectionView[];
  currentId: string | null;
  onSwitch: (connectionId: string) => void;
  held: readonly CachedPremise[];
}

/** The palette's own lines: the screens, the other connections, and the addresses saved for this one. */
export function useFrameCommands({ go, connections, currentId, onSwitch, held }: FrameCommandsInput): void {
  const source = useCallback((): readonly Command[] => {
    if (connections.length === 0) return [];
    const screens = places.map(
      ({ id, label }): Command => ({
        id: `screen-${id}`,
        group: 'Screens',
        label,
        icon: icons[id],
        words: 'screen open go',
        shortcut: id,
        run: () => go(id),
      }),
    );
    const switches = connections
      .filter((view) => view.connection.id !== currentId)
      .map(
        ({ connection }): Command => ({
          id: `connection-${connection.id}`,
          group: 'Commands',
          label: `Use the connection ${connection.name}`,
          icon: IconPlugConnected,
          words: 'switch',
          note: kindWords[connection.kind],
          run: () => onSwitch(connection.id),
        }),
      );
    const addresses = held.map(
      ({ premiseId, line }): Command => ({
        id: `held-${premiseId}`,
        group: 'Addresses you hold',
        label: line,
        icon: IconMapPin,
        words: premiseId,
        price: { kind: 'held' },
        run: () => go('lookup', { premise: premiseId }),
      }),
    );
    return [...screens, ...switches, ...addresses];
  }, [go, connections, currentId, onSwitch, held]);
  useCommands('frame', source);
}
