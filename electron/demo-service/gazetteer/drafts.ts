import type { Town } from './data/towns.ts';
import type { Point } from './geography.ts';
import type { UserCategory } from './types.ts';

/** A street while its town is being laid out. One with both names empty is a locality whose premises have no street. */
export interface StreetDraft {
  readonly thoroughfare: string;
  readonly dependentThoroughfare: string;
  readonly doubleDependentLocality: string;
  readonly dependentLocality: string;
  readonly outward: string;
  readonly town: Town;
  readonly centre: Point;
  /** Metres east and north of each metre along the street. */
  readonly step: readonly [east: number, north: number];
  /** The next house number, used if the next postcode continues the street. */
  nextNumber: number;
  /** Names of houses and blocks that are taken in this street. A yard shares its street's set. */
  readonly usedNames: Set<string>;
  /** Row number in the database; null until the street is stored. */
  row: number | null;
}

export interface PremiseDraft {
  readonly street: StreetDraft;
  readonly organisation: string;
  readonly department: string;
  readonly subBuilding: string;
  readonly buildingName: string;
  readonly buildingNumber: string;
  readonly poBox: string;
  readonly userCategory: UserCategory;
}

const blank: Omit<PremiseDraft, 'street'> = {
  organisation: '',
  department: '',
  subBuilding: '',
  buildingName: '',
  buildingNumber: '',
  poBox: '',
  userCategory: 'Residential',
};

/** A premise of a street. Fields that are not given are empty; the use is residential unless given. */
export const draftPremise = (street: StreetDraft, fields: Partial<Omit<PremiseDraft, 'street'>>): PremiseDraft => ({
  ...blank,
  ...fields,
  street,
});
