import { IconSearch } from '@tabler/icons-react';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { type Go, useGo } from '../../lib/window/routes.tsx';

/** The palette's commands for lookups. Searching from there only fills the box: the price is on the button beside it. */
function lookupCommands(go: Go, query: string): readonly Command[] {
  const text = query.trim();
  const focus: Command = {
    id: 'lookup-focus',
    group: 'Commands',
    label: 'Go to the search box',
    words: 'lookup address postcode find',
    icon: IconSearch,
    shortcut: 'focus-search',
    run: () => go('lookup', { focus: 'search' }),
  };
  if (text === '') return [focus];
  return [
    focus,
    {
      id: 'lookup-search',
      group: 'Ask the service',
      label: `Search for “${text}” …`,
      icon: IconSearch,
      note: 'fills the box',
      always: true,
      run: () => go('lookup', { text, focus: 'search' }),
    },
  ];
}

/** Adds them to the palette. */
export function useLookupCommands(): void {
  const go = useGo();
  useCommands(
    'lookup',
    useCallback((query: string) => lookupCommands(go, query), [go]),
  );
}
