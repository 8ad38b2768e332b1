import { type Protocol, protocolNames } from '../connection.ts';
import { isWholePostcode, plainPostcode } from './postcode.ts';

/**
 * One address over both interfaces and both REST shapes. Plain data: every value is the text as it came, with the answer it came
 * from. Empty text, SOAP's single space and shape A's 0 for a missing number count as empty (field notes, "Values", "REST").
 */

/** Where a value comes from. `shape`: of a REST answer, as it arrived. */
export interface AddressOrigin {
  interface: Protocol;
  operation: string;
  shape: 'A' | 'B' | null;
}

interface SourcedValue {
  value: string;
  source: AddressOrigin;
}

/** Every field of any published address record, under one name, with what a screen calls it. In envelope order. */
export const addressFieldLabels = {
  organisation: 'Organisation',
  department: 'Department',
  subBuilding: 'Sub-building',
  buildingName: 'Building name',
  buildingNumber: 'Building number',
  dependentStreet: 'Dependent street',
  street: 'Street',
  doubleDependentLocality: 'Double dependent locality',
  dependentLocality: 'Dependent locality',
  locality: 'Locality',
  district: 'District',
  postTown: 'Post town',
  postcode: 'Postcode',
  postcodeOutward: 'Postcode, first half',
  postcodeInward: 'Postcode, second half',
  poBox: 'PO box',
  countyLocalAuthority: 'County (local authority)',
  countyAdministrative: 'County (administrative)',
  countyFormerPostal: 'County (former postal)',
  countyTraditional: 'County (traditional)',
  county: 'County',
  province: 'Province',
  adminArea: 'Administrative area',
  country: 'Country',
  countryIso2: 'Country code, two letters',
  countryIso3: 'Country code, three letters',
  countryIsoNumber: 'Country code, number',
  uprn: 'UPRN',
  udprn: 'UDPRN',
  latitude: 'Latitude',
  longitude: 'Longitude',
  easting: 'Easting',
  northing: 'Northing',
  gridReference: 'Grid reference',
  userCategory: 'User category',
  mailsort: 'Mailsort code',
  deliveryPointSuffix: 'Delivery point suffix',
  domesticId: 'Domestic identifier',
  barcode: 'Barcode',
} as const;

export type AddressField = keyof typeof addressFieldLabels;
export const addressFields = Object.keys(addressFieldLabels) as readonly AddressField[];

export interface Address {
  /** Premise identifier (REST id, SOAP Unique_Delivery_Point), leading zeros kept; empty if the answer held none. */
  premiseId: string;
  fields: { [F in AddressField]?: SourcedValue };
  /** Fields the answer has but left empty, unless another answer filled them. */
  emptyFields: AddressField[];
  /** The service's own address lines, blanks dropped; null if it sends none. */
  lines: { values: string[]; source: AddressOrigin } | null;
  /** Fields that no published record has, by the name they came under. */
  other: { name: string; value: string; source: AddressOrigin }[];
  /** The answer this was read from first. */
  origin: AddressOrigin;
}

/** The text of a field, empty if it is absent. */
export const textOf = (address: Address, field: AddressField): string => address.fields[field]?.value ?? '';

/** Whether it has position and identifiers only, and no words of the address. */
export const isGeoData = ({ origin }: Address): boolean => origin.operation === 'GetPremiseGeoData';

/** The service's own address lines as a field. SOAP's have town and postcode among them, so the two are two fields. */
export const linesOf = ({ lines }: Address) =>
  lines && {
    ...(lines.source.interface === 'soap'
      ? { name: 'fullAddress', label: 'Full address' }
      : { name: 'lines', label: 'Address lines' }),
    value: lines.values.join(', '),
    source: lines.source,
  };

/** `REST GetPremise, shape A`. */
export function describeOrigin(origin: AddressOrigin): string {
  const shape = origin.shape === null ? '' : `, shape ${origin.shape}`;
  return `${protocolNames[origin.interface]} ${origin.operation}${shape}`;
}

/** A premise's identifier to compare by: a service may write it with or without leading zeros, and letters in either case. */
export const plainPremiseId = (id: string): string =>
  id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d+$)/, '');

/** Whether nothing in two answers says that they are about two premises. Shape A also gives the UDPRN, which some identifiers are. */
function mayBeOnePremise(one: Address, other: Address): boolean {
  const [id, otherId] = [plainPremiseId(one.premiseId), plainPremiseId(other.premiseId)];
  return (
    id === '' ||
    otherId === '' ||
    id === otherId ||
    id === plainPremiseId(textOf(other, 'udprn')) ||
    otherId === plainPremiseId(textOf(one, 'udprn'))
  );
}

/** The whole postcode that an answer names, in capitals without blanks; empty: it names none, or a part of one. */
export function postcodeOf(address: Address): string {
  const text = textOf(address, 'postcode') || textOf(address, 'postcodeOutward') + textOf(address, 'postcodeInward');
  return isWholePostcode(text) ? plainPostcode(text) : '';
}

/**
 * Whether an answer may be about the premise in this postcode. REST's ids and SOAP's delivery points look the same, and that they are the
 * same is published nowhere: what an answer says of its place tells whose it is. One that names no postcode, as one of coordinates, is
 * about the premise of the first over its interface that does.
 */
export function mayBeIn(postcode: string, address: Address, all: readonly Address[]): boolean {
  const alike = all.filter(({ origin }) => origin.interface === address.origin.interface);
  const named = [address, ...alike].map(postcodeOf).find((text) => text !== '');
  return named === undefined || postcode === '' || named === postcode;
}

/** Latitude and longitude in decimal degrees (WGS 84), or null if either is absent or not a number in range. */
export function positionOf(address: Address): { latitude: number; longitude: number } | null {
  const latitude = readDegrees(textOf(address, 'latitude'), 90);
  const longitude = readDegrees(textOf(address, 'longitude'), 180);
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function readDegrees(text: string, limit: number): number | null {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return null;
  const degrees = Number(text);
  return Math.abs(degrees) <= limit ? degrees : null;
}

/**
 * What answers about one premise say together: earlier ones' values win, later ones fill what is absent, each with its source. Those about
 * another premise than the first, by their identifier or their postcode, are left out. Undefined: there is no answer.
 */
export function mergeAddresses(addresses: readonly Address[]): Address | undefined {
  const postcode = addresses.map(postcodeOf).find((text) => text !== '') ?? '';
  const [first, ...rest] = addresses.filter((address) => mayBeIn(postcode, address, addresses));
  return first && rest.reduce(mergeAddress, first);
}

function mergeAddress(base: Address, extra: Address): Address {
  if (!mayBeOnePremise(base, extra)) return base;
  const fields = { ...extra.fields, ...base.fields };
  const known = new Set(base.other.map(({ name, value }) => `${name}\n${value}`));
  return {
    premiseId: base.premiseId === '' ? extra.premiseId : base.premiseId,
    fields,
    emptyFields: [...new Set([...base.emptyFields, ...extra.emptyFields])].filter((name) => fields[name] === undefined),
    lines: base.lines ?? extra.lines,
    other: [...base.other, ...extra.other.filter(({ name, value }) => !known.has(`${name}\n${value}`))],
    origin: base.origin,
  };
}
