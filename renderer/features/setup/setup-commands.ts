import { IconFileExport, IconFileImport } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';

/** The palette's commands for the set-up file. */
export function useSetupCommands(): void {
  const go = useGo();
  const source = useCallback(
    (): readonly Command[] => [
      {
        id: 'setup-import',
        group: 'Commands',
        label: 'Import a set-up file',
        icon: IconFileImport,
        words: 'settings hand over colleague restore load configuration',
        run: () => go('setup', { do: 'import' }),
      },
      {
        id: 'setup-save',
        group: 'Commands',
        label: 'Save the set-up as a file',
        icon: IconFileExport,
        words: 'settings hand over colleague export backup configuration',
        run: () => go('setup', { do: 'save' }),
      },
    ],
    [go],
  );
  useCommands('setup', source);
}
