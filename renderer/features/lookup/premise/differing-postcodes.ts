import type { PremiseView } from '../../../../shared/domain/lookup/lookup.ts';
import { readLookupText } from '../../../../shared/domain/lookup/lookup-text.ts';

const postcodeIn = (text: string): string | null => {
  const read = readLookupText(text);
  return read.kind === 'postcode' ? read.text : read.kind === 'address' ? read.postcode : null;
};

/**
 * The postcode of the row that was opened and that of the answer, if both have one and they differ; null: nothing speaks against the
 * answer. SOAP's delivery points and REST's ids look the same (field notes, "Values"); that they are the same is published nowhere.
 */
export function differingPostcodes(
  line: string,
  { fields }: Pick<PremiseView, 'fields'>,
): { listed: string; answered: string } | null {
  const listed = postcodeIn(line);
  const answered = postcodeIn(fields.find(({ name }) => name === 'postcode')?.value ?? '');
  return listed === null || answered === null || listed === answered ? null : { listed, answered };
}
