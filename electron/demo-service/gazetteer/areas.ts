import type { Town } from './data/towns.ts';
import { towns } from './data/towns.ts';
import { localityFirst, localityLast } from './data/words-streets.ts';
import { createRandom } from './random.ts';
import type { AreaData } from './types.ts';

const postalCounties = [...new Set(towns.map((town) => town.formerPostal))];
const authorities = [...new Set(towns.map((town) => town.localAuthority))];
const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

/**
 * Invented ward codes begin with the country's letter and 95. As far as is known the register of real codes does not use 95, so none can
 * be mistaken for a real ward's.
 */
const wardPrefix = { England: 'E95', Scotland: 'S95', Wales: 'W95', 'Northern Ireland': 'N95' } as const;

/** How many wards a town is divided into. */
export function countWards(town: Town): number {
  return 4 + Math.floor(town.weight / 2);
}

// Ward names do not depend on the gazetteer's seed, so that a council has the same wards in every gazetteer.
const wardNames = towns.map((town) => {
  const random = createRandom(1, 2_000_000 + town.index);
  const names = new Set<string>();
  while (names.size < countWards(town))
    names.add(random.pick(localityFirst).replace("'s", 's') + random.pick(localityLast));
  return [...names];
});

const boardKind = {
  England: 'Primary Care Board',
  Scotland: 'Health Board',
  Wales: 'Local Health Board',
  'Northern Ireland': 'Health and Care Board',
} as const;

/** The areas that a town's ward belongs to. Health bodies are invented, one for each former postal county and council. */
export function describeArea(town: Town, ward: number): AreaData {
  const county = postalCounties.indexOf(town.formerPostal);
  const authority = authorities.indexOf(town.localAuthority);
  return {
    countyLocalAuthority: town.localAuthority,
    countyAdministrative: town.administrative,
    countyFormerPostal: town.formerPostal,
    countyTraditional: town.traditional,
    country: town.country,
    countryCode: town.countryCode,
    wardCode: `${wardPrefix[town.country]}${pad(town.index * 100 + ward, 6)}`,
    wardName: wardNames[town.index]?.[ward] ?? '',
    nhsRegionalOffice: `${town.region} Regional Office`,
    nhsStrategicHealthBoardCode: `Q${pad(county + 101, 3)}`,
    nhsStrategicHealthBoardName: `${town.formerPostal} Strategic Health Board`,
    nhsPrimaryHealthAuthorityCode: `9A${pad(authority + 1, 3)}`,
    nhsPrimaryHealthBoardCode: `9B${pad(authority + 1, 3)}`,
    nhsPrimaryHealthBoardName: `${town.localAuthority} ${boardKind[town.country]}`,
  };
}
