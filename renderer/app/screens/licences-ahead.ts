import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { prepareFigures } from '../../features/licences/list/figures.ts';
import { lastSeenQuery } from '../../features/licences/queries.ts';

/**
 * Loads the licences last seen before their screen is opened, with what it says of all of them: fifty thousand take seconds to transfer,
 * and nobody should wait for that with a key pressed. Asks only the main process, once the window is idle.
 */
export function useLicencesAhead(connectionId: string | null): void {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const handle = requestIdleCallback(() => setIdle(true), { timeout: 4000 });
    return () => cancelIdleCallback(handle);
  }, []);
  const { data } = useQuery({
    ...lastSeenQuery(connectionId ?? ''),
    enabled: idle && connectionId !== null,
    notifyOnChangeProps: ['data'],
  });
  useEffect(() => data && prepareFigures(data.list.licences, data.machines, localDay(new Date())), [data]);
}
