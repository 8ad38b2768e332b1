import { jsonText } from '../text/json-values.ts';
import type { Address } from './address.ts';
import { buildAddress, type FieldMap, type TextRecord } from './address-build.ts';

/** An AddressPremise record. */
export const soapPremise: FieldMap = {
  Organisation: 'organisation',
  Organisation_Department: 'department',
  Sub_Building_Name: 'subBuilding',
  Building_Name: 'buildingName',
  Number: 'buildingNumber',
  Dependent_Street: 'dependentStreet',
  Street: 'street',
  Double_Dependent_Locality: 'doubleDependentLocality',
  Dependent_Locality: 'dependentLocality',
  Post_Town: 'postTown',
  Postcode: 'postcode',
  Post_Office_Box: 'poBox',
  County_LocalAuthority: 'countyLocalAuthority',
  County_Administrative: 'countyAdministrative',
  County_FormerPostal: 'countyFormerPostal',
  County_Traditional: 'countyTraditional',
  Country: 'country',
  User_Category: 'userCategory',
  Mailsort_Sortcode: 'mailsort',
  Delivery_Point_Suffix: 'deliveryPointSuffix',
  Latitude_Degrees: 'latitude',
  Longitude_Degrees: 'longitude',
};

/** Fields of the record about the call and not about the address. */
const outcomeFields = ['IsError', 'ErrorMessage', 'FullAddress', 'Return_Code'] as const;

/** An AddressPremise record of any operation. The data-set twin's row has the same names and fewer fields. */
export function fromSoapAddressPremise(
  record: Readonly<Record<string, unknown>>,
  operation = 'GetPremiseAddress',
): Address {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) texts[name] = jsonText(value);
  return buildAddress(
    texts satisfies TextRecord,
    {
      map: soapPremise,
      idField: 'Unique_Delivery_Point',
      consumed: outcomeFields,
      lines: splitFullAddress(texts.FullAddress ?? ''),
    },
    { interface: 'soap', operation, shape: null },
  );
}

/** FullAddress separates its lines with the four characters `\r\n`, not with line breaks (field notes, "Values"); both count. */
export function splitFullAddress(text: string): string[] {
  return text
    .split(/\\r\\n|\\r|\\n|\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
