import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { lastSeenQuery } from '../../features/licences/queries.ts';

/**
 * Has the licences last seen at hand before their screen is opened: fifty thousand of them take seconds to hand over, and nobody
 * should wait for that with a key pressed. Asks the main process alone, once the window has nothing else to do.
 */
export function useLicencesAhead(connectionId: string | null): void {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const handle = requestIdleCallback(() => setIdle(true), { timeout: 4000 });
    return () => cancelIdleCallback(handle);
  }, []);
  useQuery({
    ...lastSeenQuery(connectionId ?? ''),
    enabled: idle && connectionId !== null,
    notifyOnChangeProps: [],
  });
}
