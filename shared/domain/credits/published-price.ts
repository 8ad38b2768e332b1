import { priceOf, publishedCredits } from '../../catalogue/price.ts';
import type { ShownPrice } from './credits.ts';

/** The price of an endpoint or operation as it is shown, by what is published alone. `values`: of the fields that its price depends on. */
export function publishedPrice(operation: string, values: Readonly<Record<string, unknown>> = {}): ShownPrice {
  const credits = publishedCredits(priceOf(operation), values);
  return credits === undefined ? { kind: 'not-published' } : { kind: 'credits', credits };
}

/** What several calls behind one button cost: known only if the price of each is, and measured if that of one is. */
export function sumPrices(prices: readonly ShownPrice[]): ShownPrice {
  let credits = 0;
  let times: number | null = null;
  for (const price of prices) {
    if (price.kind === 'not-published') return price;
    if (price.kind === 'cached') continue;
    credits += price.credits;
    if (price.kind === 'measured') times = times === null ? price.times : Math.min(times, price.times);
  }
  return times === null ? { kind: 'credits', credits } : { kind: 'measured', credits, times };
}

/** What calls of several endpoints or operations cost together, by what is published alone. */
export const priceOfCalls = (operations: readonly string[]): ShownPrice =>
  sumPrices(operations.map((operation) => publishedPrice(operation)));
