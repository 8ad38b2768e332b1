import { IconAppWindow, IconMapPin, IconPlugConnected, IconSunMoon } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import type { ChannelOutput } from '../../../shared/contract.ts';
import { connectionKindNames } from '../../../shared/domain/connection.ts';
import { places } from '../../../shared/places.ts';
import { call } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { settingsQuery } from '../../lib/calls/queries.ts';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { closeFailuresAbout, showFailure } from '../../lib/window/failure-notices.ts';
import type { Go } from '../../lib/window/routes.tsx';
import { openNewWindow } from '../new-window.ts';
import { icons } from '../screens/screens.tsx';

type CachedPremise = ChannelOutput<'lookup.cached'>['premises'][number];

export interface FrameCommandsInput {
  go: Go;
  connections: readonly ConnectionView[];
  currentId: string | null;
  onSwitch: (connectionId: string) => void;
  recent: readonly CachedPremise[];
}

async function changeScheme(client: QueryClient, colourScheme: Settings['colourScheme']): Promise<void> {
  // As it is named by the settings.
  const changing = 'Changing the appearance';
  try {
    client.setQueryData(settingsQuery().queryKey, await call('settings.save', { colourScheme }));
    closeFailuresAbout(changing);
  } catch (thrown) {
    showFailure(errorOf(thrown), changing);
  }
}

/** The palette's commands of the frame: the screens, the other connections, and the addresses saved for this one. */
export function useFrameCommands({ go, connections, currentId, onSwitch, recent }: FrameCommandsInput): void {
  const client = useQueryClient();
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
          note: connectionKindNames[connection.kind],
          run: () => onSwitch(connection.id),
        }),
      );
    const addresses = recent.map(
      ({ premiseId, line }): Command => ({
        id: `recent-${premiseId}`,
        group: 'Saved addresses',
        label: line,
        icon: IconMapPin,
        words: premiseId,
        price: { kind: 'cached' },
        run: () => go('lookup', { premise: premiseId }),
      }),
    );
    const schemes = (['light', 'dark', 'auto'] as const).map(
      (scheme): Command => ({
        id: `scheme-${scheme}`,
        group: 'Commands',
        label: scheme === 'auto' ? 'Appearance: as the system' : `Appearance: ${scheme}`,
        icon: IconSunMoon,
        words: 'light dark colours theme mode night look',
        run: () => void changeScheme(client, scheme),
      }),
    );
    const another: Command = {
      id: 'new-window',
      group: 'Commands',
      label: 'New window',
      icon: IconAppWindow,
      words: 'second another open beside',
      shortcut: 'new-window',
      run: openNewWindow,
    };
    return [...screens, another, ...switches, ...schemes, ...addresses];
  }, [client, go, connections, currentId, onSwitch, recent]);
  useCommands('frame', source);
}
