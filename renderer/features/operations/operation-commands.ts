import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Command, useCommands } from '../../lib/window/commands.ts';
import { useGo } from '../../lib/window/routes.tsx';
import { listQuery, savedQuery } from './queries.ts';

/**
 * Saved lookups and every operation, in the palette. Choosing one there only fills the form: the price is on its
 * button.
 */
export function useOperationCommands(connectionId: string | null): void {
  const go = useGo();
  const enabled = connectionId !== null;
  const forms = useQuery({ ...listQuery(connectionId ?? ''), enabled }).data?.operations;
  const saved = useQuery({ ...savedQuery(), enabled }).data?.saved;
  useCommands(
    'operations',
    useCallback(
      (query: string): readonly Command[] => [
        ...(forms
          ? [
              {
                id: 'operations-find',
                group: 'Commands',
                label: 'Find an operation',
                words: 'soap rest explorer call',
                run: () => go('lookup', { tab: 'operations', focus: 'find' }),
              } satisfies Command,
            ]
          : []),
        ...(saved ?? []).map(
          ({ id, name, folder, operation }): Command => ({
            id: `saved-${id}`,
            group: 'Saved',
            label: folder === '' ? name : `${folder} / ${name}`,
            words: `${operation} lookup`,
            note: operation,
            run: () => go('lookup', { tab: 'operations', savedId: id }),
          }),
        ),
        // Forty more lines would bury the other commands as long as little is typed.
        ...(query.trim().length < 2 ? [] : (forms ?? [])).map(
          ({ name, help }): Command => ({
            id: `operation-${name}`,
            group: 'Commands',
            label: name,
            words: help,
            note: 'operation',
            run: () => go('lookup', { tab: 'operations', operation: name }),
          }),
        ),
      ],
      [forms, saved, go],
    ),
  );
}
