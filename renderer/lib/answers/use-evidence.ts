import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findRestEndpoint } from '../../../shared/catalogue/rest-endpoints.ts';
import type { Evidence } from '../../../shared/contract/credits.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import { call, newRequestId } from '../calls/bridge.ts';
import { everyEvidenceKey } from '../calls/queries.ts';
import { formatMoment } from '../text/format.ts';

const evidenceKey = (callId: string) => [...everyEvidenceKey, callId] as const;

/** The evidence of a call. Read anew each time it is shown, since a balance may have been read meanwhile. */
export const evidenceQuery = (callId: string) =>
  queryOptions({
    queryKey: evidenceKey(callId),
    queryFn: () => call('credits.evidence', { callId }),
    refetchOnMount: 'always',
  });

/** Whether readings of the balance say anything of a call, whether or not a further one is awaited. */
export const isReadable = (evidence: Evidence | undefined): boolean =>
  evidence !== undefined && evidence.claims.length > 0;

/** What reading the balance behind a call costs: over SOAP no price is published. */
export const balanceReadPrice = (operation: string): ShownPrice =>
  publishedPrice(findRestEndpoint(operation) ? 'GetCredits' : 'GetAvailableCredits');

/**
 * The evidence of one call, kept up with what is read in the meantime. `isOpen`: the reading that `read` starts, at `balanceReadPrice`,
 * may show more of it. `underWay`: that reading; `since` is ISO 8601.
 */
export function useEvidence(callId: string, onRead: (now: Evidence) => void) {
  const client = useQueryClient();
  const evidence = useQuery(evidenceQuery(callId));
  const [underWay, setUnderWay] = useState<{ requestId: string; since: string } | null>(null);
  const read = useMutation({
    mutationFn: () => {
      const requestId = newRequestId();
      setUnderWay({ requestId, since: new Date().toISOString() });
      return call('credits.read-evidence', { callId }, { requestId });
    },
    meta: {
      subject: `Reading the balance for the call${evidence.data ? ` of ${formatMoment(evidence.data.at)}` : ''}`,
    },
    onSuccess: (now) => {
      client.setQueryData(evidenceKey(callId), now);
      onRead(now);
    },
    onSettled: () => setUnderWay(null),
  });
  return { evidence, isOpen: evidence.data?.mayShowMore === true, read, underWay };
}
