import { findRestEndpoint } from './rest-endpoints.ts';
import { findSoapOperation } from './soap-operations.ts';
import type { Price } from './types.ts';

/**
 * Credits a call will cost by what is published, or undefined if nothing is. A field counts as it is sent: a form, a command and a batch have
 * “true”, “TRUE” or true for the same.
 */
export function publishedCredits(price: Price, fields: Readonly<Record<string, unknown>> = {}): number | undefined {
  if (price.kind === 'not-published') return undefined;
  const { extra } = price;
  const isExtra = extra && String(fields[extra.field]).trim().toLowerCase() === String(extra.equals);
  return price.credits + (isExtra ? extra.credits : 0);
}

/**
 * The price of an endpoint or operation by name. A data-set twin's price is published only with its operation's: the
 * field notes name `SearchPremise_*` as free, which covers those twins; for the others nothing is said, so nothing is claimed. Nor is a
 * price published for a name that the catalogue does not have.
 */
export function priceOf(name: string): Price {
  const endpoint = findRestEndpoint(name);
  if (endpoint) return endpoint.price;
  const found = findSoapOperation(name);
  if (!found) return { kind: 'not-published' };
  if (found.dataset && !name.startsWith('SearchPremise_')) return { kind: 'not-published' };
  return found.operation.price;
}

/** Whether a call is known to cost nothing: what may be polled (promise: free calls only). */
export function isKnownFree(name: string, fields: Readonly<Record<string, unknown>> = {}): boolean {
  return publishedCredits(priceOf(name), fields) === 0;
}
