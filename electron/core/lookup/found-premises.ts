import { type Address, plainPremiseId } from '../../../shared/domain/address/address.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';
import type { FoundPremise } from '../answers/stored-answer.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import type { RestSearchItem } from '../rest/transform.ts';
import type { SoapAnswer, SoapValue } from '../soap/client.ts';

const subBuilding =
  /^(?:flats?|apartments?|apt|units?|suites?|studios?|rooms?|floors?|blocks?|basement|ground|first|second|third|maisonette|penthouse|annexe?|shops?|stalls?)\b|\d/i;

/**
 * The organisation at the start of a line, if the published fields show that the text there is neither the building nor the street nor a
 * part of a building; otherwise empty. Used only to show it quieter: the line stays as it came.
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

/** What a list returned. `total`: how many it named, if some could not be opened and were left out. */
interface Listed {
  results: FoundPremise[];
  total: number | null;
}

type SoapRow = Readonly<Record<string, unknown>>;
const textIn = (row: SoapRow, member: string): string => {
  const text = row[member];
  return typeof text === 'string' ? text.trim() : '';
};

/** Rows of a SOAP list by the member that identifies them: without it a row leads nowhere. A record without content names nothing. */
async function fromList(list: readonly SoapRow[], member: string, kind: FoundPremise['kind']): Promise<Listed> {
  let leftOut = 0;
  const results: FoundPremise[] = [];
  await mapInTurns(list, (row) => {
    const premiseId = textIn(row, member);
    const line = textIn(row, 'List_Address');
    if (premiseId !== '') results.push({ premiseId, line, kind });
    else if (line !== '') leftOut += 1;
  });
  return { results, total: leftOut === 0 ? null : results.length + leftOut };
}

/** Premises of a SOAP list, by their delivery points; read in turns of main. */
export const fromSoapList = (list: readonly SoapRow[]): Promise<Listed> =>
  fromList(list, 'Unique_Delivery_Point', 'premise');
/** The same of thoroughfares. */
export const fromStreetList = (list: readonly SoapRow[]): Promise<Listed> => fromList(list, 'Identifier', 'street');

/**
 * A premise in an answer that may name others too; the first if none of them says which premise it is of. Fields that no published record
 * has are part of it, as they are over REST. undefined: there is none.
 */
export function premiseIn(
  { value: { List }, unknown }: Pick<SoapAnswer<SoapValue<'GetPremiseAddress'>>, 'value' | 'unknown'>,
  premiseId: string,
): Address | undefined {
  const wanted = plainPremiseId(premiseId);
  const record = List.find((row) => plainPremiseId(textIn(row, 'Unique_Delivery_Point')) === wanted) ?? List[0];
  if (!record) return undefined;
  const path = `List[${List.indexOf(record)}].`;
  const more = unknown.flatMap((one) => (one.path.startsWith(path) ? [[one.path.slice(path.length), one.value]] : []));
  return fromSoapAddressPremise({ ...Object.fromEntries(more), ...record }, 'GetPremiseAddress');
}

/** The line without its organisation. */
export const restOfLine = ({ line, organisation }: FoundPremise): string =>
  organisation === undefined
    ? line
    : line.slice(line.indexOf(organisation) + organisation.length).replace(/^[\s,]+/, '');
