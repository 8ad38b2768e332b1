import type { RecordDef, RecordField } from './types.ts';

// Specification, "SOAP resources": every field is an optional string unless a type is stated. Spellings as published.

type Strings<N extends readonly string[]> = {
  readonly [I in keyof N]: { readonly name: N[I]; readonly type: 'string' };
};

const strings = <const N extends readonly string[]>(...names: N): Strings<N> =>
  names.map((name) => ({ name, type: 'string' })) as unknown as Strings<N>;

const isError = { name: 'IsError', type: 'boolean', required: true } as const satisfies RecordField;
const isTruncated = { name: 'IsTruncated', type: 'boolean', required: true } as const satisfies RecordField;
const errorMessage = { name: 'ErrorMessage', type: 'string' } as const satisfies RecordField;

export const records = {
  Geographic: {
    fields: strings(
      'Postcode',
      'Grid_Reference',
      'x_Coord',
      'y_Coord',
      'Latitude_Deg_Min_Sec',
      'Longitude_Deg_Min_Sec',
      'Latitude_Degrees',
      'Longitude_Degrees',
      'Country_Code',
      'Country_Name',
      'Administrative_County',
      'Local_Auth_Name',
      'Local_Auth_Ward_Code',
      'Local_Auth_Ward_Name',
      'NHS_Regional_Office',
      'NHS_Strat_Health_Board_Code',
      'NHS_Strat_Health_Board_Name',
      'NHS_Primary_Health_Auth_Code',
      'NHS_Primary_Health_Board_Code',
      'NHS_Primary_Health_Board_Name',
      'M_Details',
      'G_Details',
      'Return_Code',
    ),
  },
  Geographics: { listOf: 'Geographic', fields: [] },
  Nearest: {
    fields: strings(
      'Postcode_Datum',
      'Postcode_Return',
      'Postcode_Description',
      'Ordinal_Position',
      'Distance_Metres',
      'Distance_Kilometres',
      'Distance_Miles',
      'Distance_NauticalMiles',
      'Return_Code',
    ),
  },
  Nearests: { listOf: 'Nearest', fields: [] },
  ListAddressPremise: { fields: strings('List_Address', 'Unique_Delivery_Point', 'Return_Code') },
  ListAddressPremises: { listOf: 'ListAddressPremise', fields: [isError, errorMessage] },
  ListAddressThoroughfare: { fields: strings('List_Address', 'Identifier', 'Return_Code') },
  ListAddressThoroughfares: { listOf: 'ListAddressThoroughfare', fields: [] },
  AddressPremise: {
    fields: [
      ...strings(
        'Unique_Delivery_Point',
        'Organisation_Department',
        'Organisation',
        'Sub_Building_Name',
        'Building_Name',
        'Number',
        'Dependent_Street',
        'Street',
        'Double_Dependent_Locality',
        'Dependent_Locality',
        'Post_Town',
        'County_LocalAuthority',
        'County_Administrative',
        'County_FormerPostal',
        'County_Traditional',
        'Country',
        'Postcode',
        'Post_Office_Box',
        'User_Category',
        'Mailsort_Sortcode',
        'Delivery_Point_Suffix',
        'Latitude_Degrees',
        'Longitude_Degrees',
      ),
      isError,
      errorMessage,
      ...strings('FullAddress', 'Return_Code'),
    ],
  },
  AddressPremises: { listOf: 'AddressPremise', fields: [] },
  ListAllAddressPremises: {
    listOf: 'AddressPremise',
    fields: [isError, isTruncated, ...strings('RecCount'), errorMessage],
  },
  License: {
    fields: strings(
      'ReferenceNo',
      'AcccountName',
      'GUID',
      'LicenseID',
      'LicenseTypeName',
      'LicenseTypeDesc',
      'ExpiryDate',
      'CurrentCreditsAvailable',
      'AllowedIpAddress',
      'LicenseInUse',
      'Available',
      'Status',
      'Return_Code',
    ),
  },
  Licenses: { listOf: 'License', fields: [isError, errorMessage] },
} as const satisfies Record<string, RecordDef>;

export type RecordName = keyof typeof records;

type RecordFieldName = (typeof records)[RecordName]['fields'][number]['name'];

/**
 * Fields that name or classify something and count nothing: text wherever they go, so that their leading zeros stay. By the names of the
 * records above, followed by those of the REST answers.
 */
export const identifierFields: ReadonlySet<string> = new Set([
  ...([
    'Unique_Delivery_Point',
    'Identifier',
    'Post_Office_Box',
    'User_Category',
    'Mailsort_Sortcode',
    'Delivery_Point_Suffix',
    'Country_Code',
    'Local_Auth_Ward_Code',
    'NHS_Strat_Health_Board_Code',
    'NHS_Primary_Health_Auth_Code',
    'NHS_Primary_Health_Board_Code',
    'ReferenceNo',
    'AcccountName',
    'GUID',
    'LicenseID',
    'Return_Code',
  ] as const satisfies readonly RecordFieldName[]),
  ...['id', 'key', 'premiseId', 'uprn', 'udprn', 'domesticId', 'barcode', 'poBox'],
  ...['countryIso2', 'countryIso3', 'countryIsoNumber'],
]);

type FieldValue<F> = F extends { readonly type: 'boolean' }
  ? boolean
  : F extends { readonly type: 'integer' }
    ? number
    : string | null;

/** A record's own fields: required ones always present, others absent if not sent and null if sent as nil. */
type OwnFields<N extends RecordName> = {
  [F in Extract<(typeof records)[N]['fields'][number], { required: true }> as F['name']]: FieldValue<F>;
} & {
  [F in Exclude<(typeof records)[N]['fields'][number], { required: true }> as F['name']]?: FieldValue<F>;
};

type Child<N extends RecordName> = (typeof records)[N] extends { readonly listOf: infer C extends RecordName }
  ? C
  : never;

/** A decoded record, inferred from the table. Lists are always arrays; nil members are dropped. */
export type RecordValue<N extends RecordName> = OwnFields<N> &
  ([Child<N>] extends [never] ? unknown : { List: RecordValue<Child<N>>[] });
