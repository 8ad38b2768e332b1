import { type Address, textOf } from './address.ts';

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
const before = (premise: string, rest: string): string =>
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
    if (sub !== '' && isException(sub) && !isException(name)) return { lines: [before(sub, name)], lead: '' };
    if (isException(name)) return { lines: [sub], lead: name };
    if (house !== '' && !ownsItsNumber.test(house)) return { lines: [sub, house], lead: trailing?.[2] ?? '' };
    return { lines: [sub, name], lead: '' };
  }
  if (sub !== '' && isException(sub)) return { lines: [before(sub, name)], lead: number };
  return { lines: [sub, name], lead: number };
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * The address as on an envelope: organisation, department, premises, streets, localities, POST TOWN, POSTCODE. Counties and country are
 * left out, as Royal Mail asks. If the answer has none of the fields before the town, the service's own lines take their place.
 */
export function envelopeLines(address: Address): string[] {
  const get = (field: Parameters<typeof textOf>[1]): string => textOf(address, field);
  const town = get('postTown').toUpperCase();
  const postcode = get('postcode').toUpperCase() || join(get('postcodeOutward'), get('postcodeInward')).toUpperCase();
  const premises = placePremises(get('subBuilding'), get('buildingName'), get('buildingNumber'));
  const box = get('poBox').replace(/^p\.?\s*o\.?\s*box\s*/i, '');
  const streets = [get('dependentStreet'), get('street')].filter((line) => line !== '');
  const localities = [
    get('doubleDependentLocality'),
    get('dependentLocality'),
    get('locality'),
    isInLines(address, get('district')) ? get('district') : '',
  ].filter(
    (line, index, all) =>
      line !== '' && !sameText(line, town) && all.findIndex((other) => sameText(other, line)) === index,
  );
  const places = [...streets, ...localities];
  const lead = premises.lead;
  const led = lead === '' ? places : [before(lead, places[0] ?? ''), ...places.slice(1)];
  const body = [
    get('organisation'),
    get('department'),
    box === '' ? '' : `PO Box ${box}`,
    ...premises.lines,
    ...led,
  ].filter((line) => line !== '');
  if (body.length === 0 && address.lines !== null) return withoutRepeats([...address.lines.values, town, postcode]);
  return [...body, town, postcode].filter((line) => line !== '');
}

/** What a district is, is not published: it belongs to the address where the service's own lines have it, alone or between commas. */
const isInLines = ({ lines }: Address, text: string): boolean =>
  lines?.values.some((line) => line.split(',').some((part) => sameText(part.trim(), text))) ?? false;

function withoutRepeats(lines: readonly string[]): string[] {
  return lines.filter(
    (line, index) => line !== '' && !lines.slice(0, index).some((earlier) => sameText(earlier, line)),
  );
}

/** The envelope on one line, joined by commas. */
export const oneLine = (address: Address): string => envelopeLines(address).join(', ');
