import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { cachedPremisesQuery } from '../calls/queries.ts';

/** What a call asked for, as a text: the address of a premise that is saved here, else the text as it was sent. */
export function useSubjects(connectionId: string | null): (subject: string) => string {
  const { data } = useQuery({ ...cachedPremisesQuery(connectionId ?? ''), enabled: connectionId !== null });
  const lines = useMemo(
    () => new Map((data?.premises ?? []).map(({ premiseId, line }) => [premiseId, line])),
    [data?.premises],
  );
  return useCallback((subject) => lines.get(subject) ?? subject, [lines]);
}
