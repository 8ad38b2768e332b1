import { type Address, type AddressField, textOf } from './address.ts';
import { isAreaName } from './area-names.ts';
import { isWholePostcode } from './postcode.ts';

/**
 * Royal Mail's rules for what goes on which line (PAF presentation rules). "Exception" names stay with what follows them: those that begin
 * and end with a digit ("26-28"), with a letter after the last digit ("30A"), or are one character long.
 */
const isException = (name: string): boolean =>
  /^\d$/.test(name) ||
  /^\d.*\d$/.test(name) ||
  /^\d.*\d[a-z]$/i.test(name) ||
  /^\d[a-z]$/i.test(name) ||
  name.length === 1;

/** "The Maltings 4-6": a name ending in a range or suffixed number gives it to the street, unless one of these words owns it. */
const trailingNumber = /^(.*\S)\s+(\d+[a-z]?-\d+[a-z]?|\d+[a-z])$/i;
const ownsItsNumber =
  /\b(back of|blocks?|building|flats?|maisonettes?|po box|rear of|shops?|stalls?|suites?|units?|studios?|apartments?)$/i;

const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');

/** A premise before what shares its line; after a single letter there is a comma: "K, Portland Road". */
const withLead = (premise: string, rest: string): string =>
  join(/^[a-z]$/i.test(premise) && rest !== '' ? `${premise},` : premise, rest);

interface Premises {
  /** Lines of their own. */
  lines: string[];
  /** Goes before the first street or locality. */
  lead: string;
}

function placePremises(sub: string, name: string, number: string): Premises {
  if (name === '') {
    if (number === '' && isException(sub)) return { lines: [], lead: sub };
    // A letter of a number belongs to it: "12A High Street North".
    return /^[a-z]$/i.test(sub) && number !== ''
      ? { lines: [], lead: `${number}${sub}` }
      : { lines: [sub], lead: number };
  }
  if (number === '') {
    const trailing = trailingNumber.exec(name);
    const house = trailing?.[1] ?? '';
    if (sub !== '' && isException(sub) && !isException(name)) return { lines: [withLead(sub, name)], lead: '' };
    if (isException(name)) return { lines: [sub], lead: name };
    if (house !== '' && !ownsItsNumber.test(house)) return { lines: [sub, house], lead: trailing?.[2] ?? '' };
    return { lines: [sub, name], lead: '' };
  }
  if (sub !== '' && isException(sub)) return { lines: [withLead(sub, name)], lead: number };
  return { lines: [sub, name], lead: number };
}

/** Lines and fields write one text with other capitals, blanks and points. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const sameText = (a: string, b: string): boolean => plain(a) === plain(b);
const wordsOf = (text: string): string[] =>
  text
    .split(/[\s,-]+/)
    .map(plain)
    .filter((word) => word !== '');

/** Fields that say in which area a place lies, and are no part of an address. */
const areaFields: readonly AddressField[] = [
  'countyLocalAuthority',
  'countyAdministrative',
  'countyFormerPostal',
  'countyTraditional',
  'county',
  'province',
  'adminArea',
  'country',
  'countryIso2',
  'countryIso3',
];

/**
 * Localities of shape A. It has one field for them, its district, and what that is, is not published: it belongs to the address where the
 * service's own lines have it. What else these have between the street and the town is a locality if nothing suggests another part of the
 * address: less than the answer holds is better than something twice. `above`: what goes before localities, the street or else the premise
 * last.
 */
function localitiesInLines(address: Address, above: readonly string[], lead: string, town: string): string[] {
  if (address.lines?.source.shape !== 'A') return [];
  const district = textOf(address, 'district');
  const isDistrict = (text: string): boolean =>
    sameText(text, district) && !above.some((other) => sameText(other, text));
  const last = above.at(-1) ?? '';
  const parts = address.lines.values
    .flatMap((line) => (isDistrict(line) ? [line] : line.split(',')))
    .map((part) => part.trim())
    .filter((part) => plain(part) !== '')
    // Without a street a locality has the number.
    .flatMap((part) =>
      last === lead && part.toLowerCase().startsWith(`${lead} `.toLowerCase())
        ? [lead, part.slice(lead.length + 1)]
        : [part],
    );
  const end = plain(last.split(',').at(-1) ?? '');
  const start = parts.findLastIndex((part) => plain(part).endsWith(end));
  const after = start < 0 ? [] : parts.slice(start + 1);
  const tail = after.findIndex((part) => isWholePostcode(part) || (town !== '' && plain(part).startsWith(plain(town))));
  const between = tail < 0 ? after : after.slice(0, tail);
  const taken = new Set(above.flatMap(wordsOf));
  const areas = areaFields.map((field) => plain(textOf(address, field)));
  const isLocality = (part: string): boolean =>
    between.includes(part) &&
    !isAreaName(part) &&
    !areas.some((area) => area.includes(plain(part))) &&
    !wordsOf(part).some((word) => taken.has(word));
  return parts.flatMap((part) => (isDistrict(part) ? [district] : isLocality(part) ? [part] : []));
}

/**
 * The address as on an envelope: organisation, department, premises, streets (`head`), localities, POST TOWN, POSTCODE. Counties and country
 * are left out, as Royal Mail asks. If the answer has none of the fields before the town, the service's own lines take their place.
 */
function arrange(address: Address): { head: string[]; localities: string[]; tail: string[] } {
  const get = (field: AddressField): string => textOf(address, field);
  const town = get('postTown').toUpperCase();
  const postcode = get('postcode').toUpperCase() || join(get('postcodeOutward'), get('postcodeInward')).toUpperCase();
  const premises = placePremises(get('subBuilding'), get('buildingName'), get('buildingNumber'));
  const box = get('poBox').replace(/^p\.?\s*o\.?\s*box\s*/i, '');
  const streets = [get('dependentStreet'), get('street')].filter((line) => line !== '');
  const named = [get('doubleDependentLocality'), get('dependentLocality'), get('locality')];
  const before = [get('organisation'), get('department'), box === '' ? '' : `PO Box ${box}`, ...premises.lines];
  const above = [...before, premises.lead, ...streets].filter((line) => line !== '');
  if (address.lines !== null && [...above, ...named].every((line) => line === ''))
    return { head: withoutRepeats([...address.lines.values, town, postcode]), localities: [], tail: [] };
  const localities = withoutRepeats([...named, ...localitiesInLines(address, above, premises.lead, town)]).filter(
    (line) => !sameText(line, town),
  );
  const [first = '', ...others] = [...streets, ...localities];
  const led = [withLead(premises.lead, first), ...others];
  const ownLines = Math.max(streets.length, premises.lead === '' ? 0 : 1);
  const filled = (lines: readonly string[]): string[] => lines.filter((line) => line !== '');
  return {
    head: filled([...before, ...led.slice(0, ownLines)]),
    localities: filled(led.slice(ownLines)),
    tail: filled([town, postcode]),
  };
}

/** The lines of `arrange`, from the first to the last. */
export function envelopeLines(address: Address): string[] {
  const { head, localities, tail } = arrange(address);
  return [...head, ...localities, ...tail];
}

/** What names the premise within its place: the lines before localities, town and postcode. */
export const premiseLines = (address: Address): string[] => arrange(address).head;

function withoutRepeats(lines: readonly string[]): string[] {
  return lines.filter(
    (line, index) => line !== '' && !lines.slice(0, index).some((earlier) => sameText(earlier, line)),
  );
}

/** The envelope on one line, joined by commas. */
export const oneLine = (address: Address): string => envelopeLines(address).join(', ');
