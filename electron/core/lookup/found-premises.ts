import type { FoundPremise } from '../answers/stored-answer.ts';
import type { RestSearchItem } from '../rest/transform.ts';

const subBuilding =
  /^(?:flats?|apartments?|apt|units?|suites?|studios?|rooms?|floors?|blocks?|basement|ground|first|second|third|maisonette|penthouse|annexe?|shops?|stalls?)\b|\d/i;

/**
 * The organisation at the start of a line, where the published fields show that what stands there is neither the building nor the
 * street nor a part of a building; else empty. Only for showing it quieter: the line stays as it came.
 */
export function organisationOf(line: string, fields: Readonly<Record<string, string>>): string {
  const parts = line.split(',').map((part) => part.trim());
  const [first = ''] = parts;
  const { buildingName = '', buildingNumber = '', street = '', locality = '' } = fields;
  const known = [buildingName, street, locality, `${buildingNumber} ${street}`].map((text) =>
    text.trim().toLowerCase(),
  );
  const isKnown = (part: string) => known.some((text) => text !== '' && part.toLowerCase() === text);
  if (first === '' || isKnown(first) || subBuilding.test(first)) return '';
  return parts.slice(1, 4).some(isKnown) ? first : '';
}

/** A row of a REST search in either form. */
export function fromRestItem({ premiseId, line, kind, fields }: RestSearchItem): FoundPremise {
  const organisation = kind === 'premise' ? organisationOf(line, fields) : '';
  return { premiseId, line, kind, ...(organisation === '' ? {} : { organisation }) };
}

/** Rows of a SOAP list; records without a delivery point cannot be opened and are left out. */
export function fromSoapList(
  list: readonly { Unique_Delivery_Point?: string | null; List_Address?: string | null }[],
): FoundPremise[] {
  return list.flatMap((row) => {
    const premiseId = (row.Unique_Delivery_Point ?? '').trim();
    return premiseId === '' ? [] : [{ premiseId, line: (row.List_Address ?? '').trim(), kind: 'premise' as const }];
  });
}

/** Rows of a SOAP list of thoroughfares; one without an identifier leads nowhere and is left out. */
export function fromStreetList(
  list: readonly { Identifier?: string | null; List_Address?: string | null }[],
): FoundPremise[] {
  return list.flatMap((row) => {
    const id = (row.Identifier ?? '').trim();
    return id === '' ? [] : [{ premiseId: id, line: (row.List_Address ?? '').trim(), kind: 'street' as const }];
  });
}

/** The line without its organisation. */
export const restOfLine = ({ line, organisation }: FoundPremise): string =>
  organisation === undefined
    ? line
    : line.slice(line.indexOf(organisation) + organisation.length).replace(/^[\s,]+/, '');
