import type { Town } from './data/towns.ts';
import type { Point } from './geography.ts';
import type { UserCategory } from './types.ts';

/** A street while its town is being laid out. With both names empty it only carries localities. */
export interface StreetDraft {
  readonly thoroughfare: string;
  readonly dependentThoroughfare: string;
  readonly doubleDependentLocality: string;
  readonly dependentLocality: string;
  readonly outward: string;
  readonly town: Town;
  readonly centre: Point;
  /** Metres east and north that one step along the street moves. */
  readonly step: readonly [east: number, north: number];
  /** House numbers go on from here when the next postcode continues the street. */
  nextNumber: number;
  /** Names of houses and blocks that stand here already. A yard shares its street's. */
  readonly usedNames: Set<string>;
  /** Row number once stored. */
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

/** A premise of a street; whatever is not said is empty, and the use is residential. */
export function draftPremise(street: StreetDraft, fields: Partial<Omit<PremiseDraft, 'street'>>): PremiseDraft {
  return {
    street,
    organisation: fields.organisation ?? '',
    department: fields.department ?? '',
    subBuilding: fields.subBuilding ?? '',
    buildingName: fields.buildingName ?? '',
    buildingNumber: fields.buildingNumber ?? '',
    poBox: fields.poBox ?? '',
    userCategory: fields.userCategory ?? 'Residential',
  };
}
