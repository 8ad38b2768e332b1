import { useQuery } from '@tanstack/react-query';
import type { ShownPrice } from '../../../../shared/domain/credits/credits.ts';
import type { ReadableSource } from '../../../lib/calls/ask-balance.ts';
import { pricesQuery } from '../queries.ts';
import { sourceOperations, sourcePrice } from './sources.ts';

/** What asking a source costs: the published price, else what this account was measured to pay, else not published. */
export function useSourcePrice(connectionId: string): (source: ReadableSource) => ShownPrice {
  const { data } = useQuery(pricesQuery(connectionId));
  return (source) => {
    const published = sourcePrice(source);
    if (published.kind !== 'not-published') return published;
    const measured = data?.measured.find(({ operation }) => operation === sourceOperations[source]);
    return measured ? { kind: 'measured', credits: measured.credits, times: measured.times } : published;
  };
}
