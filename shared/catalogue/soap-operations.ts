import type { RecordName } from './records.ts';
import type { CredentialGroup, Effect, FieldDef, OperationGroup, Price } from './types.ts';

/** One published SOAP operation (specification, "Endpoints / SOAP"). Fields are in the order in which they are sent. */
export interface SoapOperation {
  readonly name: string;
  readonly group: OperationGroup;
  readonly help: string;
  readonly fields: readonly FieldDef[];
  readonly credentials: CredentialGroup;
  /** `not-shown`: the response type is not published. */
  readonly result: RecordName | 'string' | 'integer' | 'not-shown';
  /** Also exists as `<name>_Dataset` with the same fields. */
  readonly dataset: boolean;
  readonly price: Price;
  readonly effect: Effect;
}

const text = <const N extends string>(name: N, label: string, help?: string) =>
  ({ name, type: 'string', label, ...(help === undefined ? {} : { help }) }) as const satisfies FieldDef;
const list = <const N extends string>(name: N, label: string, help?: string) =>
  ({ name, type: 'string', label, list: true, ...(help === undefined ? {} : { help }) }) as const satisfies FieldDef;
const secret = <const N extends string>(name: N, credential: NonNullable<FieldDef['credential']>, label: string) =>
  ({ name, type: 'string', credential, label }) as const satisfies FieldDef;

const c1 = [
  secret('AccountName', 'accountName', 'Account name'),
  secret('LicenceID', 'licenceId', 'Licence ID'),
  secret('MachineID', 'machineId', 'Machine ID'),
] as const;
const sAccountName = secret('sAccountName', 'accountName', 'Account name');
const sGUID = secret('sGUID', 'guid', 'Account GUID');
const sLicenseID = secret('sLicenseID', 'licenceId', 'Licence ID');
const sIPAddress = secret('sIPAddress', 'ipAddress', 'IP address');
const licenceKeyPair = [
  secret('LicenceKey', 'licenceKey', 'Licence key'),
  secret('YourReference', 'yourReference', 'Your reference'),
] as const;
const iLicenseID = {
  name: 'iLicenseID',
  type: 'integer',
  required: true,
  label: 'Licence number',
  help: 'The LicenseID of a licence record, a whole number.',
} as const satisfies FieldDef;
const sMachineName = text('sMachineName', 'Machine name', 'The exact name as the machine sends it.');

const postcode = text('sPostcode', 'Postcode');
const town = text('sTown', 'Town');
const udp = text('sUDP', 'Unique delivery point', '8 digits, leading zeros kept.');
const nearestFields = [
  text('sPostcodeDatum', 'From postcode'),
  list('sPostcodeList', 'Postcodes to rank'),
  list(
    'sPostcodeDescriptions',
    'Descriptions of the postcodes',
    'Likely one for each postcode, in the same order; not published.',
  ),
  text('sNumberToReturn', 'How many to return'),
] as const;

const free = { kind: 'credits', credits: 0, source: 'field-notes' } as const satisfies Price;
const oneCredit = { kind: 'credits', credits: 1, source: 'field-notes' } as const satisfies Price;
const notPublished = { kind: 'not-published' } as const satisfies Price;

const op = <const O extends SoapOperation>(operation: O): O => operation;

/** All 34, in the specification's order. */
export const soapOperations = [
  op({
    name: 'ServiceTest',
    group: 'Service',
    help: 'Says whether the service runs and how many credits are available, in its own words.',
    fields: [...c1],
    credentials: 'C1',
    result: 'string',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GeoData_ForPostcode',
    group: 'Geography and distance',
    help: 'Coordinates, grid reference and administrative areas of one or more postcodes.',
    fields: [list('sPostcodes', 'Postcodes'), ...c1],
    credentials: 'C1',
    result: 'Geographics',
    dataset: true,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'NearestData_ForPostcode',
    group: 'Geography and distance',
    help: 'Ranks a list of postcodes by distance from one, in four units.',
    fields: [...nearestFields, ...c1],
    credentials: 'C1',
    result: 'Nearests',
    dataset: true,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'DistanceBetween_Postcodes',
    group: 'Geography and distance',
    help: 'The distance between two postcodes, in four units.',
    fields: [text('sPostcodeDatum', 'From postcode'), text('sPostcodeCheck', 'To postcode'), ...c1],
    credentials: 'C1',
    result: 'Nearests',
    dataset: true,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByPostcode',
    group: 'Addresses by postcode',
    help: 'Lists the premises of one postcode without opening them.',
    fields: [postcode, ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'ReturnPremise_ByPostcode',
    group: 'Addresses by postcode',
    help: 'Lists the premises of one postcode, each with its delivery point.',
    fields: [postcode, ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: oneCredit,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByPostcodeFlatOrNumber',
    group: 'Addresses by postcode',
    help: 'Lists the premises of one postcode that match a flat, a building or a number.',
    fields: [
      text('sFlatOrBuildingName', 'Flat or building name'),
      text('sPremisesNumber', 'Premises number'),
      postcode,
      ...c1,
    ],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: false,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByWordMatchOnPremise',
    group: 'Addresses by words',
    help: 'Finds premises by words of the organisation or building.',
    fields: [text('sSearch', 'Words'), ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByWordMatchOnStreet',
    group: 'Addresses by words',
    help: 'Finds premises by words of the street.',
    fields: [text('sSearch', 'Words'), ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByWordMatchOnLocality',
    group: 'Addresses by words',
    help: 'Finds premises by words of the locality or town.',
    fields: [text('sSearch', 'Words'), ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByWordMatchOnAll',
    group: 'Addresses by words',
    help: 'Finds premises by words anywhere in the address.',
    fields: [text('sSearch', 'Words'), ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByPOBox',
    group: 'Addresses by words',
    help: 'Finds a PO box in a town.',
    fields: [text('sPOBox', 'PO box'), town, ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByOrganisation',
    group: 'Addresses by words',
    help: 'Finds an organisation in a town.',
    fields: [text('sOrganisation', 'Organisation'), town, ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByStreet',
    group: 'Addresses by words',
    help: 'Finds premises on a street in a town.',
    fields: [text('sStreet', 'Street'), text('sNumber', 'Number'), town, ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'SearchThoroughfare_ByPostcodeDistrict',
    group: 'Premises and thoroughfares',
    help: 'Lists the thoroughfares of a postcode district.',
    fields: [text('sPostcode', 'Postcode district', 'The first half of a postcode, such as HR10.'), ...c1],
    credentials: 'C1',
    result: 'ListAddressThoroughfares',
    dataset: true,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'SearchThoroughfare_ByStreet',
    group: 'Premises and thoroughfares',
    help: 'Lists the thoroughfares of a name in a town.',
    fields: [text('sStreet', 'Street'), text('sNumber', 'Number'), town, ...c1],
    credentials: 'C1',
    result: 'ListAddressThoroughfares',
    dataset: true,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'SearchPremise_ByThouroughfareID',
    group: 'Premises and thoroughfares',
    help: 'Lists the premises on one thoroughfare.',
    fields: [text('sThouroughfareID', 'Thoroughfare identifier'), ...c1],
    credentials: 'C1',
    result: 'ListAddressPremises',
    dataset: true,
    price: free,
    effect: 'reads',
  }),
  op({
    name: 'GetPremiseAddress',
    group: 'Premises and thoroughfares',
    help: 'The full address of one delivery point.',
    fields: [text('sUniqueDeliveryPointID', 'Unique delivery point', '8 digits, leading zeros kept.'), ...c1],
    credentials: 'C1',
    result: 'AddressPremises',
    dataset: true,
    price: oneCredit,
    effect: 'reads',
  }),
  op({
    name: 'GetPremiseAddressFromUDP',
    group: 'Premises and thoroughfares',
    help: 'The full address of one delivery point, as a single record.',
    fields: [text('sUniqueDeliveryPointID', 'Unique delivery point', '8 digits, leading zeros kept.'), ...c1],
    credentials: 'C1',
    result: 'AddressPremise',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GetAddressesForPostcode',
    group: 'Addresses by postcode',
    help: 'The full addresses of the premises of a postcode.',
    fields: [text('Postcode', 'Postcode'), ...licenceKeyPair],
    credentials: 'licence-key',
    result: 'ListAllAddressPremises',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GetAddressesForPostcodeAndHouseNumber',
    group: 'Addresses by postcode',
    help: 'The full addresses of a postcode that have a house number.',
    fields: [text('Postcode', 'Postcode'), text('HouseNumber', 'House number'), ...licenceKeyPair],
    credentials: 'licence-key',
    result: 'ListAllAddressPremises',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'LightSearchPremise_BySearchExpression',
    group: 'Addresses by words',
    help: 'Finds premises by one field and its value.',
    fields: [
      text('sField', 'Field', 'The allowed names are not published.'),
      text('sValue', 'Value'),
      sAccountName,
      sGUID,
      sLicenseID,
    ],
    credentials: 'C2',
    result: 'ListAddressPremises',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'SearchMultiByMultiKeywords',
    group: 'Addresses by words',
    help: 'Finds premises by several fields joined by an operator.',
    fields: [
      postcode,
      text('sCompany', 'Company'),
      text('sStreet', 'Street'),
      text('sLocality', 'Locality'),
      text('sTownOrCity', 'Town or city'),
      text('sNumber', 'Number'),
      sAccountName,
      sGUID,
      text('sOperator', 'Operator', 'The allowed values are not published.'),
      sLicenseID,
    ],
    credentials: 'C2',
    result: 'ListAddressPremises',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'AdvancedSearch',
    group: 'Addresses by words',
    help: 'Finds premises by an expression.',
    fields: [
      text('sSearchExpression', 'Search expression', 'The syntax is not published.'),
      sAccountName,
      sGUID,
      sIPAddress,
      sLicenseID,
    ],
    credentials: 'C2-ip',
    result: 'ListAddressPremises',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GetAddress',
    group: 'Premises and thoroughfares',
    help: 'The full address of one delivery point, for the account’s credentials.',
    fields: [udp, sAccountName, sGUID, sIPAddress, sLicenseID],
    credentials: 'C2-ip',
    result: 'AddressPremise',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GetLicenseDetails',
    group: 'Licences and credits',
    help: 'The licences that the service names for a machine.',
    fields: [sMachineName],
    credentials: 'none',
    result: 'Licenses',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GetLicenseList',
    group: 'Licences and credits',
    help: 'The licences of the account.',
    fields: [sAccountName, sGUID, sMachineName],
    credentials: 'account',
    result: 'Licenses',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'RegisterLicense',
    group: 'Licences and credits',
    help: 'Binds a licence to a machine.',
    fields: [sAccountName, sGUID, iLicenseID, sMachineName],
    credentials: 'account',
    result: 'string',
    dataset: false,
    price: notPublished,
    effect: 'writes',
  }),
  op({
    name: 'UnregisterLicense',
    group: 'Licences and credits',
    help: 'Takes a licence off a machine.',
    fields: [sAccountName, sGUID, iLicenseID, sMachineName],
    credentials: 'account',
    result: 'string',
    dataset: false,
    price: notPublished,
    effect: 'writes',
  }),
  op({
    name: 'GetAvailableCredits',
    group: 'Licences and credits',
    help: 'The credits left on the licence of these credentials.',
    fields: [sAccountName, secret('sGuid', 'guid', 'Account GUID'), sIPAddress],
    credentials: 'account-ip',
    result: 'integer',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'GeoData_ForUDP',
    group: 'Geography and distance',
    help: 'Coordinates, grid reference and administrative areas of one delivery point.',
    fields: [udp, ...c1],
    credentials: 'C1',
    result: 'Geographic',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'CoordinateData_ForPostcode',
    group: 'Geography and distance',
    help: 'Coordinates of a postcode.',
    fields: [postcode, ...c1],
    credentials: 'C1',
    result: 'Geographics',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'CoordinateData_ForUDP',
    group: 'Geography and distance',
    help: 'Coordinates of one delivery point.',
    fields: [udp, ...c1],
    credentials: 'C1',
    result: 'Geographic',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
  op({
    name: 'FindNearestDataForPostcodeWebMap',
    group: 'Geography and distance',
    help: 'Ranks postcodes by distance for a map. The published name carries a provider’s word where this says Web.',
    fields: [...nearestFields, secret('sWebMapKey', 'webMapKey', 'Web map key'), ...c1],
    credentials: 'map',
    result: 'not-shown',
    dataset: false,
    price: notPublished,
    effect: 'reads',
  }),
] as const;

type Operations = (typeof soapOperations)[number];
export type SoapOperationName = Operations['name'];
/** The definition of one operation, with its literal types. */
export type SoapOperationOf<N extends SoapOperationName> = Extract<Operations, { name: N }>;
export type DatasetOperationName = `${Extract<Operations, { dataset: true }>['name']}_Dataset`;

/** The ending of the 16 twins (specification, "Operations with a Dataset twin"). */
export const datasetSuffix = '_Dataset';

/** The name of an operation, for a twin's name as well. */
export const baseOf = (name: string): string =>
  name.endsWith(datasetSuffix) ? name.slice(0, -datasetSuffix.length) : name;

const byName = new Map<string, SoapOperation>(soapOperations.map((operation) => [operation.name, operation]));

/** The definition behind a name; for a twin's name the definition it shares and `dataset: true`. */
export function findSoapOperation(name: string): { operation: SoapOperation; dataset: boolean } | undefined {
  const operation = byName.get(name);
  if (operation) return { operation, dataset: false };
  const base = byName.get(baseOf(name));
  return base?.dataset ? { operation: base, dataset: true } : undefined;
}

/** The 50 callable names: 34 operations and 16 twins, each twin after its operation. */
export const soapOperationNames: readonly string[] = soapOperations.flatMap((operation) =>
  operation.dataset ? [operation.name, operation.name + datasetSuffix] : [operation.name],
);
