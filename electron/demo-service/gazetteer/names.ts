import type { Town } from './data/towns.ts';
import {
  blockLast,
  blockNames,
  gaelicHouses,
  houseFirst,
  houseLast,
  oldHouses,
  orgSuffixes,
  publicBodies,
  surnames,
  trades,
  tradingNames,
  welshHouses,
} from './data/words-premises.ts';
import {
  descriptors,
  gaelicLocalities,
  gaelicStreets,
  hamletNouns,
  localityFirst,
  localityLast,
  localityQualifiers,
  sharedStreets,
  streetBases,
  welshLocalities,
  welshStreets,
  yardBases,
  yardDescriptors,
} from './data/words-streets.ts';
import type { Random } from './random.ts';

/** Towns of the Highlands and islands, where Gaelic names are plausible. */
const gaelicTowns = new Set(['Inverness', 'Portree', 'Stornoway', 'Oban']);

export function nameStreet(random: Random, town: Town): string {
  if (town.country === 'Wales' && random.chance(0.3)) return random.pick(welshStreets);
  if (gaelicTowns.has(town.postTown) && random.chance(0.6)) return random.pick(gaelicStreets);
  if (random.chance(0.12)) return random.pick(sharedStreets);
  const base = random.pick(streetBases);
  return random.chance(0.06)
    ? `${random.pick(['Upper', 'Lower', 'North', 'South', 'Great', 'Little', 'Old'])} ${base} ${random.pick(descriptors)}`
    : `${base} ${random.pick(descriptors)}`;
}

/** A name of two words, of which there are enough for a large town. */
export function nameStreetTwice(random: Random): string {
  return `${random.pick(streetBases)} ${random.pick(localityLast).replace(/^./, (first) => first.toUpperCase())} ${random.pick(descriptors)}`;
}

export function nameYard(random: Random): string {
  return `${random.pick(yardBases)} ${random.pick(yardDescriptors)}`;
}

export function nameLocality(random: Random, town: Town): string {
  if (town.country === 'Wales' && random.chance(0.4)) return random.pick(welshLocalities);
  if (gaelicTowns.has(town.postTown) && random.chance(0.6)) return random.pick(gaelicLocalities);
  const first = random.pick(localityFirst);
  const name = first.endsWith("'s")
    ? `${first} ${random.pick(localityLast).replace(/^./, (letter) => letter.toUpperCase())}`
    : first + random.pick(localityLast);
  return random.chance(0.2) ? `${random.pick(localityQualifiers)} ${name}` : name;
}

/** A hamlet within a locality: the double dependent locality of an address. */
export function nameHamlet(random: Random): string {
  return `${random.pick(localityFirst)}${random.pick(localityLast)} ${random.pick(hamletNouns)}`;
}

export function nameHouse(random: Random, town: Town): string {
  if (town.country === 'Wales' && random.chance(0.3)) return random.pick(welshHouses);
  if (gaelicTowns.has(town.postTown) && random.chance(0.4)) return random.pick(gaelicHouses);
  return random.chance(0.35) ? random.pick(oldHouses) : `${random.pick(houseFirst)} ${random.pick(houseLast)}`;
}

export function nameBlock(random: Random): string {
  return `${random.pick(blockNames)} ${random.pick(blockLast)}`;
}

/**
 * `locality` may be '' and must be an invented name: "Hereford Library" would be the name of a real library at a wrong address.
 */
export function nameOrganisation(random: Random, locality: string): string {
  const kind = random.below(10);
  if (kind < 4) return `${random.pick(tradingNames)} ${random.pick(trades)}`;
  if (kind < 7) return `${random.pick(surnames)} ${random.pick(orgSuffixes)}`;
  if (kind === 7) return `${random.pick(surnames)} & ${random.pick(surnames)} ${random.pick(trades)}`;
  if (kind === 8) return `${random.pick(tradingNames)} ${random.pick(orgSuffixes)}`;
  return `${locality || random.pick(tradingNames)} ${random.pick(publicBodies)}`;
}
