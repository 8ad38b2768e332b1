import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/bridge.ts';

// Answered by the main process from what it holds: none of these asks the service, none costs anything. What costs is in asks.ts.

export const searchPriceKey = (connectionId: string) => ['lookup', 'search-price', connectionId] as const;

/** What a search for a text would cost now. Empty text: the price of a search that is not held. */
export const searchPriceQuery = (connectionId: string, text: string) =>
  queryOptions({
    queryKey: [...searchPriceKey(connectionId), text],
    queryFn: () => call('lookup.search-price', { connectionId, text }),
    // One entry for each text typed: not kept.
    gcTime: 60_000,
  });

export const rawAnswerQuery = (answerId: string) =>
  queryOptions({
    queryKey: ['lookup', 'raw', answerId],
    queryFn: () => call('lookup.raw', { answerId }),
    gcTime: 60_000,
  });

export const evidenceKey = (callId: string) => ['credits', 'evidence', callId] as const;

/** What is known of a call whose outcome is unknown. Read anew each time it is shown: readings come in between. */
export const evidenceQuery = (callId: string) =>
  queryOptions({
    queryKey: evidenceKey(callId),
    queryFn: () => call('credits.evidence', { callId }),
    refetchOnMount: 'always',
  });
