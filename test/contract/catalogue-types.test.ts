import { describe, expect, expectTypeOf, it } from 'vitest';
import { type RecordName, type RecordValue, records } from '../../shared/catalogue/records.ts';
import type { RestEndpointName } from '../../shared/catalogue/rest-endpoints.ts';
import {
  type DatasetOperationName,
  type SoapOperationName,
  type SoapOperationOf,
  soapOperationNames,
} from '../../shared/catalogue/soap-operations.ts';
import type { RecordDef } from '../../shared/catalogue/types.ts';

// The compiler checks the types (`tsc -p test`). At run time the values of those types are compared with the table.

/** Turns an intersection into one object type, so that two forms of the same shape are equal. */
type Flat<T> = { [K in keyof T]: T[K] };

type Text = string | null;

interface WrittenLicense {
  ReferenceNo?: Text;
  AcccountName?: Text;
  GUID?: Text;
  LicenseID?: Text;
  LicenseTypeName?: Text;
  LicenseTypeDesc?: Text;
  ExpiryDate?: Text;
  CurrentCreditsAvailable?: Text;
  AllowedIpAddress?: Text;
  LicenseInUse?: Text;
  Available?: Text;
  Status?: Text;
  Return_Code?: Text;
}

interface WrittenAddressPremise {
  Unique_Delivery_Point?: Text;
  Organisation_Department?: Text;
  Organisation?: Text;
  Sub_Building_Name?: Text;
  Building_Name?: Text;
  Number?: Text;
  Dependent_Street?: Text;
  Street?: Text;
  Double_Dependent_Locality?: Text;
  Dependent_Locality?: Text;
  Post_Town?: Text;
  County_LocalAuthority?: Text;
  County_Administrative?: Text;
  County_FormerPostal?: Text;
  County_Traditional?: Text;
  Country?: Text;
  Postcode?: Text;
  Post_Office_Box?: Text;
  User_Category?: Text;
  Mailsort_Sortcode?: Text;
  Delivery_Point_Suffix?: Text;
  Latitude_Degrees?: Text;
  Longitude_Degrees?: Text;
  IsError: boolean;
  ErrorMessage?: Text;
  FullAddress?: Text;
  Return_Code?: Text;
}

/** The names that a value of the record has, by the table. */
function namesInTable(name: RecordName): string[] {
  const record: RecordDef = records[name];
  return [...record.fields.map((field) => field.name), ...(record.listOf ? ['List'] : [])];
}

describe("RecordValue<'Licenses'>", () => {
  it('has a list of licences, an error flag that is always present, and a message that may be absent or nil', () => {
    expectTypeOf<keyof RecordValue<'Licenses'>>().toEqualTypeOf<'List' | 'IsError' | 'ErrorMessage'>();
    expectTypeOf<RecordValue<'Licenses'>['IsError']>().toEqualTypeOf<boolean>();
    expectTypeOf<RecordValue<'Licenses'>['ErrorMessage']>().toEqualTypeOf<Text | undefined>();
    expectTypeOf<Flat<RecordValue<'Licenses'>['List'][number]>>().toEqualTypeOf<Flat<WrittenLicense>>();

    const licenses: RecordValue<'Licenses'> = {
      IsError: false,
      ErrorMessage: null,
      List: [{ AcccountName: 'demo', LicenseID: '7', CurrentCreditsAvailable: '100', Return_Code: '1' }],
    };
    expect(Object.keys(licenses)).toEqual(namesInTable('Licenses'));
    expect(namesInTable('License')).toEqual(expect.arrayContaining(Object.keys(licenses.List[0] ?? {})));
  });

  it('refuses what a decoder could get wrong', () => {
    // @ts-expect-error IsError is required
    const withoutFlag: RecordValue<'Licenses'> = { List: [] };
    // @ts-expect-error a list is always an array, empty at least
    const withoutList: RecordValue<'Licenses'> = { IsError: true };
    // @ts-expect-error the flag is a boolean, not its text
    const flagAsText: RecordValue<'Licenses'> = { IsError: 'false', List: [] };
    // @ts-expect-error an identifier is text, always
    const idAsNumber: RecordValue<'License'> = { LicenseID: 7 };
    // @ts-expect-error the published spelling has three c
    const corrected: RecordValue<'License'> = { AccountName: 'demo' };
    // @ts-expect-error nil members are dropped from a list
    const withNil: RecordValue<'Licenses'> = { IsError: false, List: [null] };

    const table = [...namesInTable('Licenses'), ...namesInTable('License')];
    expect(table).toEqual(expect.arrayContaining(Object.keys({ ...withoutFlag, ...withoutList, ...flagAsText })));
    expect(table).toEqual(expect.arrayContaining(Object.keys({ ...idAsNumber, ...withNil })));
    expect(table).not.toContain(Object.keys(corrected)[0]);
  });
});

describe("RecordValue<'AddressPremise'>", () => {
  it('is one premise: all text but the error flag, and no list', () => {
    expectTypeOf<Flat<RecordValue<'AddressPremise'>>>().toEqualTypeOf<Flat<WrittenAddressPremise>>();

    const premise: Required<RecordValue<'AddressPremise'>> = {
      Unique_Delivery_Point: '00000001',
      Organisation_Department: '',
      Organisation: '',
      Sub_Building_Name: '',
      Building_Name: '26-28',
      Number: ' ',
      Dependent_Street: '',
      Street: 'High Street',
      Double_Dependent_Locality: '',
      Dependent_Locality: '',
      Post_Town: 'TOWN',
      County_LocalAuthority: '',
      County_Administrative: '',
      County_FormerPostal: '',
      County_Traditional: '',
      Country: '',
      Postcode: 'AB1 0CD',
      Post_Office_Box: '',
      User_Category: '',
      Mailsort_Sortcode: '01234',
      Delivery_Point_Suffix: '1E',
      Latitude_Degrees: '',
      Longitude_Degrees: '',
      IsError: false,
      ErrorMessage: null,
      FullAddress: '',
      Return_Code: '1',
    };
    expect(Object.keys(premise)).toEqual(namesInTable('AddressPremise'));
  });

  it('is the child of both lists of full addresses', () => {
    type Child = Flat<RecordValue<'AddressPremise'>>;
    expectTypeOf<Flat<RecordValue<'AddressPremises'>['List'][number]>>().toEqualTypeOf<Child>();
    expectTypeOf<Flat<RecordValue<'ListAllAddressPremises'>['List'][number]>>().toEqualTypeOf<Child>();
    expectTypeOf<RecordValue<'ListAllAddressPremises'>['RecCount']>().toEqualTypeOf<Text | undefined>();
    expectTypeOf<RecordValue<'ListAllAddressPremises'>['IsTruncated']>().toEqualTypeOf<boolean>();

    const all: Required<RecordValue<'ListAllAddressPremises'>> = {
      IsError: false,
      IsTruncated: true,
      RecCount: '0100',
      ErrorMessage: '',
      List: [],
    };
    expect(Object.keys(all)).toEqual(namesInTable('ListAllAddressPremises'));
  });
});

describe("RecordValue<'Geographics'>", () => {
  it('is a list and nothing else', () => {
    expectTypeOf<keyof RecordValue<'Geographics'>>().toEqualTypeOf<'List'>();
    expectTypeOf<RecordValue<'Geographics'>['List'][number]['x_Coord']>().toEqualTypeOf<Text | undefined>();
    expectTypeOf<RecordValue<'Geographics'>['List'][number]['Grid_Reference']>().toEqualTypeOf<Text | undefined>();

    const geographics: RecordValue<'Geographics'> = { List: [{ Postcode: 'AB1 0CD', NHS_Regional_Office: null }] };
    expect(Object.keys(geographics)).toEqual(namesInTable('Geographics'));
    expect(namesInTable('Geographic')).toEqual(expect.arrayContaining(Object.keys(geographics.List[0] ?? {})));
  });

  it('has no error flag, as in the specification', () => {
    // @ts-expect-error Geographics carries no IsError
    const flagged: RecordValue<'Geographics'> = { List: [], IsError: false };
    expect(namesInTable('Geographics')).not.toEqual(expect.arrayContaining(Object.keys(flagged)));
  });
});

describe('names', () => {
  it('are literal types, so that a misspelt one does not compile', () => {
    expectTypeOf<RestEndpointName>().toEqualTypeOf<'Search' | 'GetPremise' | 'GetPremiseGeoData' | 'GetCredits'>();
    expectTypeOf<'SearchPremise_ByThouroughfareID'>().toExtend<SoapOperationName>();
    expectTypeOf<'SearchPremise_ByThoroughfareID'>().not.toExtend<SoapOperationName>();
    expectTypeOf<'GetPremiseAddress_Dataset'>().toExtend<DatasetOperationName>();
    expectTypeOf<'GetAddress_Dataset'>().not.toExtend<DatasetOperationName>();
    expectTypeOf<SoapOperationOf<'GetAvailableCredits'>['result']>().toEqualTypeOf<'integer'>();
    expectTypeOf<SoapOperationOf<'GetAvailableCredits'>['fields'][number]['name']>().toEqualTypeOf<
      'sAccountName' | 'sGuid' | 'sIPAddress'
    >();
    expectTypeOf<SoapOperationOf<'GetLicenseList'>['result']>().toEqualTypeOf<'Licenses'>();

    const written: readonly (SoapOperationName | DatasetOperationName)[] = [
      'SearchPremise_ByThouroughfareID',
      'GetPremiseAddress_Dataset',
    ];
    expect(soapOperationNames).toEqual(expect.arrayContaining([...written]));
  });
});
