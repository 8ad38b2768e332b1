import { priceOf, publishedCredits } from '../../../shared/catalogue/price.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';

/** The price of an endpoint or operation as it is shown, by what is published alone. */
export function publishedPrice(operation: string): ShownPrice {
  const credits = publishedCredits(priceOf(operation));
  return credits === undefined ? { kind: 'not-published' } : { kind: 'credits', credits };
}
