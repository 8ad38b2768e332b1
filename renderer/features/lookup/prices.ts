import type { Protocol } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import { readLookupText } from '../../../shared/domain/lookup/lookup-text.ts';
import type { PremiseRequest } from './asks.ts';
import type { Question } from './lookup-state.ts';

/** The operation that opens a premise over each interface. */
const openOperations = { rest: 'GetPremise', soap: 'GetPremiseAddress' } as const;

/** What asking a search again costs. */
export const searchPrice = ({ interface: protocol, of, text }: Question): ShownPrice => {
  if (of.kind === 'on-street') return publishedPrice('SearchPremise_ByThouroughfareID');
  if (of.kind === 'streets') return publishedPrice('SearchThoroughfare_ByStreet');
  const soap = readLookupText(text).asks?.operation ?? 'SearchPremise_ByWordMatchOnAll';
  return publishedPrice(protocol === 'rest' ? 'Search' : soap);
};

/** What opening a premise costs if no answer of it is saved. */
export const openPrice = (protocol: Protocol): ShownPrice => publishedPrice(openOperations[protocol]);

/** What a call for a premise costs; GetPremise is asked with uprn=true for the UPRN. */
export const premisePrice = (request: PremiseRequest): ShownPrice =>
  request.kind === 'uprn' ? publishedPrice(request.operation, { uprn: true }) : openPrice(request.interface);

/** Whether an answer is saved and will be returned again for free. */
export const isCachedNow = ({ cachedFor, expiresAt }: Provenance, now: Date): boolean =>
  cachedFor === 'run' || (cachedFor === 'time' && expiresAt !== null && new Date(expiresAt).getTime() > now.getTime());

/** What a premise costs over an interface, given its saved answers. */
export function priceOver(protocol: Protocol, cached: readonly Provenance[], now: Date): ShownPrice {
  const operation: string = openOperations[protocol];
  const free = cached.some((answer) => answer.operation === operation && isCachedNow(answer, now));
  return free ? { kind: 'cached' } : openPrice(protocol);
}
