import { IconHistory } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';

/** The palette's command for the activity log. */
export function useActivityCommands(): void {
  const go = useGo();
  useCommands(
    'activity',
    useCallback(
      (): readonly Command[] => [
        {
          id: 'activity-search',
          group: 'Commands',
          label: 'Search the calls of this console',
          icon: IconHistory,
          words: 'activity log find',
          run: () => go('activity', { focus: 'search' }),
        },
      ],
      [go],
    ),
  );
}
