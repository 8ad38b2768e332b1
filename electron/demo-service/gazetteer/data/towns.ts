import {
  type Country,
  type Region,
  type Seaward,
  type TownRow,
  townsOfEngland,
  townsOfNorthernIreland,
  townsOfScotland,
  townsOfWales,
} from './town-rows.ts';

export interface Town {
  /** Place in the list; stored with each postcode, so the order is part of the gazetteer's version. */
  readonly index: number;
  readonly postTown: string;
  readonly area: string;
  readonly districts: readonly number[];
  readonly latitude: number;
  readonly longitude: number;
  readonly weight: number;
  readonly region: Region;
  readonly country: Country;
  /** ISO 3166-2:GB subdivision: ENG, SCT, WLS or NIR. */
  readonly countryCode: string;
  readonly localAuthority: string;
  readonly administrative: string;
  readonly formerPostal: string;
  readonly traditional: string;
  readonly seaward: Seaward;
}

function readRows(rows: readonly TownRow[], country: Country, countryCode: string): Omit<Town, 'index'>[] {
  return rows.map((row) => ({
    postTown: row[0],
    area: row[1],
    districts: row[2],
    latitude: row[3],
    longitude: row[4],
    weight: row[5],
    region: row[6],
    country,
    countryCode,
    localAuthority: row[7],
    administrative: row[8],
    formerPostal: row[9],
    traditional: row[10],
    seaward: row[11] ?? '',
  }));
}

/** Every post town of the gazetteer, in a fixed order. London occurs once for each of its postcode areas. */
export const towns: readonly Town[] = [
  ...readRows(townsOfEngland, 'England', 'ENG'),
  ...readRows(townsOfScotland, 'Scotland', 'SCT'),
  ...readRows(townsOfWales, 'Wales', 'WLS'),
  ...readRows(townsOfNorthernIreland, 'Northern Ireland', 'NIR'),
].map((town, index) => ({ index, ...town }));
