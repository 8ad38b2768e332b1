import { queryOptions } from '@tanstack/react-query';
import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { call } from '../../lib/calls/bridge.ts';

export const bulkKey = (connectionId: string) => ['licences', 'bulk', connectionId] as const;

/** The last bulk change of a connection, from the main process; makes no network call else. */
export const bulkQuery = (connectionId: string) =>
  queryOptions({
    queryKey: bulkKey(connectionId),
    queryFn: () => call('bulk.latest', { connectionId }),
  });

/** What several calls cost: known only where each is. */
export function priceOfCalls(operations: readonly string[]): ShownPrice {
  let credits = 0;
  for (const operation of operations) {
    const one = publishedCredits(priceOf(operation));
    if (one === undefined) return { kind: 'not-published' };
    credits += one;
  }
  return { kind: 'credits', credits };
}
