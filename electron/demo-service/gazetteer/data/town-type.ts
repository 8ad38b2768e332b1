/** The part of the country that a town belongs to; it names the regional office of the town's health bodies. */
export type Region =
  | 'East Midlands'
  | 'East of England'
  | 'London'
  | 'North East'
  | 'North West'
  | 'Northern Ireland'
  | 'Scotland'
  | 'South East'
  | 'South West'
  | 'Wales'
  | 'West Midlands'
  | 'Yorkshire and the Humber';

export type Country = 'England' | 'Scotland' | 'Wales' | 'Northern Ireland';

/** The side of the town where the water is, so that no premise is placed in the sea. '' means inland. */
export type Seaward = '' | 'N' | 'NE' | 'E' | 'SE' | 'S' | 'SW' | 'W' | 'NW';

/**
 * A real post town. Tuple: post town; postcode area; invented district numbers (a test checks that no real district has them); latitude and
 * longitude of its middle (WGS84 degrees, accurate to about a kilometre); relative size; region; local authority;
 * administrative county; former postal county; traditional county; seaward side.
 */
export type TownRow = readonly [
  postTown: string,
  area: string,
  districts: readonly number[],
  latitude: number,
  longitude: number,
  weight: number,
  region: Region,
  localAuthority: string,
  administrative: string,
  formerPostal: string,
  traditional: string,
  seaward?: Seaward,
];
