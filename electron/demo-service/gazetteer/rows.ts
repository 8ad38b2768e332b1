import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { describeArea } from './areas.ts';
import { towns } from './data/towns.ts';
import { formatGridReference } from './geography.ts';
import type { Premise, Thoroughfare, UserCategory } from './types.ts';

export type Row = Record<string, SQLOutputValue>;

const text = (value: SQLOutputValue | undefined): string => (typeof value === 'string' ? value : '');
const number = (value: SQLOutputValue | undefined): number => (typeof value === 'number' ? value : Number.NaN);
const numberOrNull = (value: SQLOutputValue | undefined): number | null => (typeof value === 'number' ? value : null);

/** The town of a row. Throws for a number that is not in the town list, which only a store of another version can have; the fingerprint excludes those. */
export function townOf(row: Row) {
  const town = towns[number(row.town)];
  if (!town) throw new RangeError('The gazetteer names a town that is not in the list.');
  return town;
}

export const premiseSelect = `SELECT premise.*, postcode.postcode, postcode.town, postcode.ward, postcode.mailsort,
  street.thoroughfare, street.dependent_thoroughfare, street.double_dependent_locality, street.dependent_locality
  FROM premise JOIN postcode ON postcode.p = premise.p JOIN street ON street.s = premise.s`;

export function readPremise(row: Row): Premise {
  const town = townOf(row);
  const easting = numberOrNull(row.easting);
  const northing = numberOrNull(row.northing);
  return {
    id: text(row.id),
    udprn: text(row.udprn),
    uprn: text(row.uprn),
    organisation: text(row.organisation),
    department: text(row.department),
    subBuilding: text(row.sub_building),
    buildingName: text(row.building_name),
    buildingNumber: text(row.building_number),
    dependentThoroughfare: text(row.dependent_thoroughfare),
    thoroughfare: text(row.thoroughfare),
    doubleDependentLocality: text(row.double_dependent_locality),
    dependentLocality: text(row.dependent_locality),
    postTown: town.postTown,
    postcode: text(row.postcode),
    poBox: text(row.po_box),
    userCategory: text(row.category) as UserCategory,
    mailsort: text(row.mailsort),
    deliveryPointSuffix: text(row.suffix),
    latitude: number(row.latitude),
    longitude: number(row.longitude),
    easting,
    northing,
    gridReference: formatGridReference(easting, northing),
    ...describeArea(town, number(row.ward)),
  };
}

export function readThoroughfare(row: Row): Thoroughfare {
  return {
    id: text(row.id),
    thoroughfare: text(row.thoroughfare),
    dependentThoroughfare: text(row.dependent_thoroughfare),
    locality: [text(row.double_dependent_locality), text(row.dependent_locality)].filter(Boolean).join(', '),
    postTown: townOf(row).postTown,
    postcodeDistrict: text(row.outward),
  };
}

/** Runs SQL with bound values and caches prepared statements. The cache has a limit, because conditions have any number of shapes. */
export function createRunner(db: DatabaseSync) {
  const kept = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = kept.get(sql);
    if (!statement) {
      if (kept.size >= 100) kept.clear();
      statement = db.prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  };
  return {
    all: (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values),
    one: (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values),
  };
}

export type Runner = ReturnType<typeof createRunner>;
