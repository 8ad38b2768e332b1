import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { CacheMode } from '../../../../shared/domain/call.ts';
import type { Connection } from '../../../../shared/domain/connection.ts';
import { premiseKey, premises, searches, searchKey } from '../asks.ts';
import { type Question, useLookupState } from '../lookup-state.ts';
import { usePremise } from '../premise/use-premise.ts';
import { searchWaysQuery } from '../queries.ts';

const begun = new Set<string>();
const isEmpty = (state: { answer: unknown; running: unknown; failure: unknown }): boolean =>
  state.answer === null && state.running === null && state.failure === null;

/**
 * For a window restarted after its process ended: the search and the premise it showed are shown again if main has their answers. An answer
 * that came meanwhile is saved too, so it appears as soon as its price says so. Nothing is asked of the service.
 */
export function useComeAgain(
  connection: Connection,
  ask: (question: Question, cache: CacheMode) => Promise<void>,
): void {
  const connectionId = connection.id;
  const [{ question, premise }] = useLookupState(connectionId);
  const { open } = usePremise(connection);
  const askAgain = useEffectEvent(ask);
  const openAgain = useEffectEvent(open);
  const isMissing = question !== null && isEmpty(searches.read(searchKey(connection, question)));
  const ways = useQuery({
    ...searchWaysQuery(connectionId, question ?? { text: '' }),
    enabled: isMissing,
  }).data?.ways;
  const isSaved = ways?.some((way) => way.interface === question?.interface && way.price.kind === 'cached');
  useEffect(() => {
    if (isMissing && isSaved && question) void askAgain(question, 'only-if-cached');
  }, [isMissing, isSaved, question]);
  useEffect(() => {
    // Once for each connection; after that only a click opens something.
    if (begun.has(connectionId)) return;
    begun.add(connectionId);
    if (premise && isEmpty(premises.read(premiseKey(connection, premise.id))))
      void openAgain(premise.id, premise.line, { cachedShown: true });
  }, [connection, connectionId, premise]);
}
