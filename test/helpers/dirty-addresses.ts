import { formatAddressLines } from '../../electron/demo-service/gazetteer/format.ts';
import { createRandom, type Random } from '../../electron/demo-service/gazetteer/random.ts';
import type { Premise } from '../../electron/demo-service/gazetteer/types.ts';

// Addresses of the demo's gazetteer as customers' lists have them. What distinguishes a premise from its neighbour (number, flat, department)
// is written in different ways but never left out or mistyped, so that each text still means one premise.

const shortForms: Readonly<Record<string, string>> = {
  Street: 'St',
  Road: 'Rd',
  Lane: 'Ln',
  Close: 'Cl',
  Avenue: 'Ave',
  Drive: 'Dr',
  Gardens: 'Gdns',
  Court: 'Ct',
  Crescent: 'Cres',
  Terrace: 'Terr',
  Square: 'Sq',
  House: 'Hse',
  Cottage: 'Cott',
  Limited: 'Ltd',
  Ltd: 'Limited',
  Flat: 'Apt',
  Apartment: 'Flat',
  '&': 'and',
};

/** A typing error in one letter of a word: left out, doubled, or swapped with the next. */
function mistype(random: Random, word: string): string {
  const at = random.between(1, word.length - 2);
  const draw = random.below(3);
  if (draw === 0) return word.slice(0, at) + word.slice(at + 1);
  if (draw === 1) return word.slice(0, at) + word[at] + word.slice(at);
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
}

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}+/gu, '');

function dirtyWords(random: Random, text: string): string {
  const words = text.split(' ').map((word) => (random.chance(0.25) ? (shortForms[word] ?? word) : word));
  if (random.chance(0.12)) {
    const long = words.flatMap((word, index) => (/^\p{L}{6,}$/u.test(word) ? [index] : []));
    if (long.length > 0) {
      const index = random.pick(long);
      words[index] = mistype(random, words[index] ?? '');
    }
  }
  return words.join(' ');
}

export interface DirtyAddress {
  cells: string[];
  premise: Premise;
}

export const dirtyColumns = ['organisation', 'address', 'address', 'address', 'town', 'postcode'] as const;

/** One row of a customer list: organisation, three address lines, town, postcode. */
function makeDirty(random: Random, premise: Premise): DirtyAddress {
  const lines = formatAddressLines(premise, { withoutPostcode: true }).slice(0, -1);
  let organisation = '';
  if (premise.organisation !== '') {
    lines.shift();
    organisation = dirtyWords(random, premise.organisation);
    // The organisation may be left out if the address has a number, which then identifies the premise.
    const isNeeded = premise.poBox === '' && premise.buildingNumber === '' && !/^\d/.test(premise.buildingName);
    if (!isNeeded && random.chance(0.1)) organisation = '';
  }
  const localities = [premise.doubleDependentLocality, premise.dependentLocality].filter(Boolean);
  const isStreetNamed = premise.thoroughfare !== '' || premise.dependentThoroughfare !== '';
  const kept = lines.filter((line) => !(isStreetNamed && localities.includes(line) && random.chance(0.5)));
  let parts = kept.map((line) => dirtyWords(random, line));
  if (random.chance(0.08)) parts.push(random.pick(['rear door', 'c/o Reception', premise.countyTraditional]));
  if (random.chance(0.06) && organisation === '')
    parts.unshift(random.pick(['Mr J Ashdown-Pike', 'The Occupier', 'Mrs Okafor']));
  if (random.chance(0.15)) parts = [parts.join(random.chance(0.5) ? ' ' : ', ')];
  while (parts.length > 3) parts.splice(1, 2, `${parts[1]}, ${parts[2]}`);
  const postcode = random.pick([premise.postcode, premise.postcode.toLowerCase(), premise.postcode.replace(' ', '')]);
  const town = random.chance(0.1) ? '' : dirtyWords(random, premise.postTown);
  let cells = [organisation, ...parts, ...Array<string>(3 - parts.length).fill(''), town, postcode];
  if (random.chance(0.25)) cells = cells.map(withoutAccents);
  if (random.chance(0.1)) cells = cells.map((cell) => cell.replace(/['’]/g, ''));
  const draw = random.next();
  if (draw < 0.15) cells = cells.map((cell) => cell.toUpperCase());
  else if (draw < 0.25) cells = cells.map((cell) => cell.toLowerCase());
  return { cells, premise };
}

/** One dirty address for each of the given premises. The same seed always makes the same. */
export function makeDirtyAddresses(seed: number, premises: readonly Premise[]): DirtyAddress[] {
  const random = createRandom(seed, 18);
  return premises.map((premise) => makeDirty(random, premise));
}
