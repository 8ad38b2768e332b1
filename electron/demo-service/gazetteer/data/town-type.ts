/** The part of the country a town belongs to; names the regional office its health bodies report to. */
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

/** Which side of the town is water, so that no premise is put into the sea. '' means inland. */
export type Seaward = '' | 'N' | 'NE' | 'E' | 'SE' | 'S' | 'SW' | 'W' | 'NW';

/**
 * A real post town. Tuple: post town; postcode area; invented district numbers (held apart from the real ones by a test); latitude and
 * longitude of its middle (WGS84 degrees, good to about a kilometre); relative size; region; local authority;
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
