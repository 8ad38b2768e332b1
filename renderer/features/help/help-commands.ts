import { IconHelp } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { helpPages } from './pages.ts';

/** Words by which somebody may look for a page without knowing its name. */
const synonyms: Readonly<Record<string, string>> = {
  words: 'glossary uprn udprn meaning cap saved',
  states: 'row state on its way not seen',
  keys: 'api key master guid licence key where',
  tables: 'csv columns sample bulk export',
  network: 'hosts ports firewall proxy',
  handing: 'set-up setup export import colleague support bundle provider masked',
  data: 'backup move remove uninstall folder',
  'command-line': 'cli script scheduler terminal',
};

/** The palette's commands for the help. */
export function useHelpCommands(): void {
  const go = useGo();
  const source = useCallback(
    (query: string): readonly Command[] => [
      {
        id: 'help',
        group: 'Commands',
        label: 'Help',
        icon: IconHelp,
        words: 'manual how what is guide',
        shortcut: 'help',
        run: () => go('help'),
      },
      {
        id: 'help-shortcuts',
        group: 'Commands',
        label: 'Help: Shortcuts',
        icon: IconHelp,
        words: 'keyboard keys hotkeys',
        shortcut: 'shortcuts',
        run: () => go('help', { page: 'shortcuts' }),
      },
      // Ten more lines would bury the other commands as long as nothing is typed.
      ...(query.trim() === ''
        ? []
        : helpPages.map(
            ({ id, title }): Command => ({
              id: `help-${id}`,
              group: 'Commands',
              label: `Help: ${title}`,
              icon: IconHelp,
              words: `help ${synonyms[id] ?? ''}`,
              run: () => go('help', { page: id }),
            }),
          )),
    ],
    [go],
  );
  useCommands('help', source);
}
