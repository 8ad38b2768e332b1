import { priceOf, publishedCredits } from '../../catalogue/price.ts';
import type { ShownPrice } from './credits.ts';

/** The price of an endpoint or operation as it is shown, by what is published alone. */
export function publishedPrice(operation: string): ShownPrice {
  const credits = publishedCredits(priceOf(operation));
  return credits === undefined ? { kind: 'not-published' } : { kind: 'credits', credits };
}
