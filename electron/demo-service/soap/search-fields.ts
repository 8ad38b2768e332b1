import type { SearchField } from '../gazetteer/conditions.ts';

/** Names that sField and expressions accept, in any case and without blanks and underscores. They are a guess. */
const fields: Readonly<Record<string, SearchField>> = {
  All: 'all',
  Organisation: 'organisation',
  Department: 'department',
  Building: 'building',
  SubBuilding: 'subBuilding',
  BuildingName: 'buildingName',
  Number: 'number',
  Street: 'street',
  Locality: 'locality',
  Town: 'town',
  County: 'county',
  Postcode: 'postcode',
  POBox: 'poBox',
  UDP: 'id',
  UDPRN: 'udprn',
  UPRN: 'uprn',
  UserCategory: 'userCategory',
};

export const searchFieldNames: readonly string[] = Object.keys(fields);

const byPlainName = new Map(Object.entries(fields).map(([name, field]) => [name.toLowerCase(), field]));

/** The field with that name, or undefined. */
export function findSearchField(name: string): SearchField | undefined {
  return byPlainName.get(name.replace(/[\s_]/g, '').toLowerCase());
}
