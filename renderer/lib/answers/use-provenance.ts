import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { call, listen, stopAll } from '../calls/bridge.ts';

/** The query key above every provenance, for refreshing them all. */
export const provenanceKey = ['lookup', 'provenance'] as const;

/**
 * What is known now of answers shown earlier, from the main process; of more than 200 ids only the first 200 are read. Read anew each time
 * it is shown, since a balance may have been read meanwhile.
 */
export const provenanceQuery = (answerIds: readonly string[]) =>
  queryOptions({
    queryKey: [...provenanceKey, ...answerIds],
    queryFn: () => call('lookup.provenance', { answerIds: answerIds.slice(0, 200) }),
    refetchOnMount: 'always',
  });

/** Where an answer came from, with what may be said of its cost now: that changes with each reading of the balance. */
export function useLatestProvenance(answer: Provenance): Provenance {
  const client = useQueryClient();
  const { data } = useQuery(provenanceQuery([answer.answerId]));
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: provenanceKey });
    return stopAll(listen('credits.sample', again), listen('credits.spent', again));
  }, [client]);
  return latestOf(answer, data?.answers);
}

/** An answer shown earlier, as it is now. `known`: what was read of it and others, without those removed since; undefined: not read yet. */
export function latestOf(answer: Provenance, known: readonly Provenance[] | undefined): Provenance {
  if (!known) return answer;
  const now = known.find(({ answerId }) => answerId === answer.answerId);
  // `cached` says whether this view came from the cache, which reading its provenance again does not change.
  return now ? { ...now, cached: answer.cached } : { ...answer, cachedFor: 'no', expiresAt: null };
}
