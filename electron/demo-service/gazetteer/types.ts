import type { Country } from './data/town-rows.ts';

/** How a premise is used, in the demo service's own words. */
export type UserCategory = 'Residential' | 'Business' | 'Multiple residence' | 'PO Box';

/** The administrative and health areas that a place belongs to. All are invented except the names of councils and counties. */
export interface AreaData {
  readonly countyLocalAuthority: string;
  readonly countyAdministrative: string;
  readonly countyFormerPostal: string;
  readonly countyTraditional: string;
  readonly country: Country;
  /** ISO 3166-2:GB subdivision: ENG, SCT, WLS, NIR. */
  readonly countryCode: string;
  readonly wardCode: string;
  readonly wardName: string;
  readonly nhsRegionalOffice: string;
  readonly nhsStrategicHealthBoardCode: string;
  readonly nhsStrategicHealthBoardName: string;
  readonly nhsPrimaryHealthAuthorityCode: string;
  readonly nhsPrimaryHealthBoardCode: string;
  readonly nhsPrimaryHealthBoardName: string;
}

/** A point: WGS84 degrees to 6 decimals, and the British National Grid in metres (null and '' in Northern Ireland). */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly easting: number | null;
  readonly northing: number | null;
  /** For example "SO 51003 40032". */
  readonly gridReference: string;
}

/** One delivery point. Missing text is ''. Identifiers have their leading zeros. */
export interface Premise extends AreaData, Place {
  /** 8 digits. No id is also the udprn of a premise, so confusing the two never finds a wrong premise. */
  readonly id: string;
  /** 8 digits. */
  readonly udprn: string;
  /** 12 digits. */
  readonly uprn: string;
  readonly organisation: string;
  readonly department: string;
  readonly subBuilding: string;
  /** Also has ranges and numbers with a suffix ("26-28", "30A"); buildingNumber is then ''. */
  readonly buildingName: string;
  /** '' or digits. */
  readonly buildingNumber: string;
  readonly dependentThoroughfare: string;
  readonly thoroughfare: string;
  readonly doubleDependentLocality: string;
  readonly dependentLocality: string;
  readonly postTown: string;
  /** With its space: "HR10 2DT". */
  readonly postcode: string;
  readonly poBox: string;
  readonly userCategory: UserCategory;
  /** 5 digits. */
  readonly mailsort: string;
  /** For example "1E"; unique within the postcode. */
  readonly deliveryPointSuffix: string;
}

/** A street, or a yard or estate off one, within one postcode district. */
export interface Thoroughfare {
  /** 8 digits. */
  readonly id: string;
  readonly thoroughfare: string;
  readonly dependentThoroughfare: string;
  /** Dependent locality, with the double dependent one before it: "Upper Marlmead, Oakford"; or ''. */
  readonly locality: string;
  readonly postTown: string;
  /** The outward code: "HR10". */
  readonly postcodeDistrict: string;
}

/** The middle of a postcode: the mean of its premises. */
export interface PostcodeCentroid extends AreaData, Place {
  readonly postcode: string;
  readonly postTown: string;
  readonly premises: number;
}

export type Refusal = 'empty' | 'too-vague' | 'too-complex';

/**
 * The result of a search. `refusal` says why nothing was searched for: 'empty' if the words have no letter or digit,
 * 'too-vague' if they are only noise words ("the", "road"), single letters or a bare number, 'too-complex' if a
 * condition has more than 50 parts or is nested deeper than 20.
 */
export interface SearchOutcome<T = Premise> {
  readonly found: readonly T[];
  /** How many there are in all, including those beyond the limit. */
  readonly total: number;
  readonly refusal: Refusal | null;
}
