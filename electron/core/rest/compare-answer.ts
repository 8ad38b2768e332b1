import { isWholePostcode } from '../../../shared/domain/address/postcode.ts';
import { type Compared, compareIds, comparePostcodes, unknown } from '../transport/compare-answer.ts';
import type { RestFields } from './parameters.ts';
import type { ReadValue } from './rest-answer.ts';

const textOf = (value: RestFields[string]): string => (typeof value === 'string' ? value : '');
const wordsOf = (fields: RestFields): string => textOf(fields.query) || textOf(fields.phrase);

/** Whether an answer of this endpoint can name what these fields ask for. */
export const isComparable = (endpoint: string, fields: RestFields): boolean =>
  endpoint === 'Search' ? isWholePostcode(wordsOf(fields)) : textOf(fields.id).trim() !== '';

/** The premise or postcode that these fields ask for. */
export const askedOf = (fields: RestFields): string[] => [textOf(fields.id), wordsOf(fields)];

/**
 * Compares an answer with its question: a premise by its identifier (shape A also gives the UDPRN, which some identifiers are), a search
 * for a whole postcode by the postcodes of what was found.
 */
export function compareAnswer(endpoint: string, fields: RestFields, { address, search }: ReadValue): Compared {
  if (search !== undefined && endpoint === 'Search')
    return comparePostcodes(
      [wordsOf(fields)],
      search.items.flatMap((item) => item.fields.postcode ?? []),
    );
  // An answer without an identifier cannot be compared.
  if (address === undefined || address.premiseId === '') return unknown;
  return compareIds([textOf(fields.id)], [address.premiseId, address.fields.udprn?.value ?? '']);
}
