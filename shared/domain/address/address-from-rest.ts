import type { Address, AddressOrigin } from './address.ts';
import { buildAddress, type FieldMap, type TextRecord } from './address-build.ts';

const lineNames = ['line1', 'line2', 'line3', 'line4', 'line5'] as const;

/** Shape A of /GetPremise. What its `district`, `province` and `adminAreaName` hold is not published: each keeps its own name. */
export const premiseA: FieldMap = {
  company: 'organisation',
  department: 'department',
  subBuilding: 'subBuilding',
  buildingName: 'buildingName',
  buildingNumber: 'buildingNumber',
  secondaryStreet: 'dependentStreet',
  street: 'street',
  district: 'district',
  city: 'postTown',
  postalCode: 'postcode',
  poBox: 'poBox',
  province: 'province',
  adminAreaName: 'adminArea',
  countryName: 'country',
  countryIso2: 'countryIso2',
  countryIso3: 'countryIso3',
  countryIsoNumber: 'countryIsoNumber',
  lat: 'latitude',
  long: 'longitude',
  uprn: 'uprn',
  udprn: 'udprn',
  domesticId: 'domesticId',
  barcode: 'barcode',
};

/** Shape B of /GetPremise. */
const premiseB: FieldMap = {
  subBuildingName: 'subBuilding',
  buildingName: 'buildingName',
  buildingNumber: 'buildingNumber',
  dependentStreet: 'dependentStreet',
  street: 'street',
  doubleDependentLocality: 'doubleDependentLocality',
  dependentLocality: 'dependentLocality',
  locality: 'locality',
  town: 'postTown',
  county: 'county',
  postcode: 'postcode',
  postcodeOutward: 'postcodeOutward',
  postcodeInward: 'postcodeInward',
  country: 'country',
  latitude: 'latitude',
  longitude: 'longitude',
  eastings: 'easting',
  northings: 'northing',
  uprn: 'uprn',
};

const geoDataA: FieldMap = { lat: 'latitude', long: 'longitude', uprn: 'uprn', udprn: 'udprn' };
const geoDataB: FieldMap = {
  latitude: 'latitude',
  longitude: 'longitude',
  eastings: 'easting',
  northings: 'northing',
  gridReference: 'gridReference',
};

const origin = (operation: string, shape: 'A' | 'B'): AddressOrigin => ({ interface: 'rest', operation, shape });

/** A premise in shape A. Its missing numbers are 0 (field notes, "REST"). */
export function fromRestPremiseA(item: TextRecord): Address {
  return buildAddress(
    item,
    {
      map: premiseA,
      idField: 'id',
      zeroIsMissing: ['buildingNumber', 'countryIsoNumber'],
      consumed: lineNames,
      lines: lineNames.map((name) => item[name] ?? ''),
    },
    origin('GetPremise', 'A'),
  );
}

/** A premise in shape B. */
export function fromRestPremiseB(premise: TextRecord): Address {
  return buildAddress(premise, { map: premiseB, idField: 'id' }, origin('GetPremise', 'B'));
}

/**
 * Geographic data of a premise in either shape: an address that holds only a position and identifiers, to be merged. Either shape's name of
 * the identifier is read in both, since it tells whose place this is.
 */
export function fromRestGeoData(record: TextRecord, shape: 'A' | 'B'): Address {
  const [map, own, other] = shape === 'A' ? [geoDataA, 'id', 'premiseId'] : [geoDataB, 'premiseId', 'id'];
  const idField = Object.hasOwn(record, own) ? own : other;
  return buildAddress(record, { map, idField }, origin('GetPremiseGeoData', shape));
}
