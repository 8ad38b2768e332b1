import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatOneLine } from '../../../electron/demo-service/gazetteer/format.ts';
import { premiseAnswer } from '../../../electron/demo-service/rest/shapes.ts';
import { records } from '../../../shared/catalogue/records.ts';
import { restEndpoints } from '../../../shared/catalogue/rest-endpoints.ts';
import {
  type Address,
  type AddressField,
  addressFieldLabels,
  addressFields,
  describeOrigin,
  mergeAddresses,
  positionOf,
  textOf,
} from '../../../shared/domain/address/address.ts';
import { envelopeLines, oneLine } from '../../../shared/domain/address/address-envelope.ts';
import {
  fromRestGeoData,
  fromRestPremiseA,
  fromRestPremiseB,
} from '../../../shared/domain/address/address-from-rest.ts';
import { fromSoapAddressPremise, splitFullAddress } from '../../../shared/domain/address/address-from-soap.ts';
import { compareNaturally } from '../../../shared/domain/address/address-order.ts';
import { openTestGazetteer } from '../../helpers/batch-scene.ts';

const [, premise, geoData] = restEndpoints;

/** A different value for every published field. */
const fill = (names: readonly { readonly name: string }[]): Record<string, string> =>
  Object.fromEntries(names.map(({ name }) => [name, `value of ${name}`]));
const valuesOf = (address: Address): string[] => [
  address.premiseId,
  ...addressFields.map((field) => textOf(address, field)),
  ...(address.lines?.values ?? []),
];

describe('every published field has its place', () => {
  test.each([
    ['GetPremise A', premise.shapes.A.fields, fromRestPremiseA],
    ['GetPremise B', premise.shapes.B.fields, fromRestPremiseB],
    ['GeoData A', geoData.shapes.A.fields, (record: Record<string, string>) => fromRestGeoData(record, 'A')],
    ['GeoData B', geoData.shapes.B.fields, (record: Record<string, string>) => fromRestGeoData(record, 'B')],
    [
      'AddressPremise',
      records.AddressPremise.fields.filter(({ name }) => !['IsError', 'ErrorMessage', 'Return_Code'].includes(name)),
      fromSoapAddressPremise,
    ],
  ])('%s', (_name, fields, read) => {
    const record = fill(fields);
    const address = read(record);
    expect(
      valuesOf(address)
        .filter((value) => value !== '')
        .sort(),
    ).toEqual(Object.values(record).sort());
    expect(address.other).toEqual([]);
    expect(address.emptyFields).toEqual([]);
  });

  test('shape A field by field', () => {
    const address = fromRestPremiseA(fill(premise.shapes.A.fields));
    const expected: [AddressField, string][] = [
      ['organisation', 'company'],
      ['department', 'department'],
      ['subBuilding', 'subBuilding'],
      ['buildingName', 'buildingName'],
      ['buildingNumber', 'buildingNumber'],
      ['dependentStreet', 'secondaryStreet'],
      ['street', 'street'],
      ['district', 'district'],
      ['postTown', 'city'],
      ['postcode', 'postalCode'],
      ['province', 'province'],
      ['latitude', 'lat'],
      ['longitude', 'long'],
      ['uprn', 'uprn'],
      ['udprn', 'udprn'],
      ['poBox', 'poBox'],
    ];
    for (const [field, name] of expected) expect(textOf(address, field), field).toBe(`value of ${name}`);
    expect(address.lines?.values).toEqual([1, 2, 3, 4, 5].map((n) => `value of line${n}`));
    expect(address.fields.uprn?.source).toEqual({ interface: 'rest', operation: 'GetPremise', shape: 'A' });
  });

  test('SOAP field by field', () => {
    const address = fromSoapAddressPremise(fill(records.AddressPremise.fields), 'GetAddress');
    const expected: [AddressField, string][] = [
      ['organisation', 'Organisation'],
      ['department', 'Organisation_Department'],
      ['subBuilding', 'Sub_Building_Name'],
      ['buildingName', 'Building_Name'],
      ['buildingNumber', 'Number'],
      ['dependentStreet', 'Dependent_Street'],
      ['street', 'Street'],
      ['doubleDependentLocality', 'Double_Dependent_Locality'],
      ['dependentLocality', 'Dependent_Locality'],
      ['postTown', 'Post_Town'],
      ['countyLocalAuthority', 'County_LocalAuthority'],
      ['countyAdministrative', 'County_Administrative'],
      ['countyFormerPostal', 'County_FormerPostal'],
      ['countyTraditional', 'County_Traditional'],
      ['mailsort', 'Mailsort_Sortcode'],
      ['deliveryPointSuffix', 'Delivery_Point_Suffix'],
    ];
    for (const [field, name] of expected) expect(textOf(address, field), field).toBe(`value of ${name}`);
    expect(address.premiseId).toBe('value of Unique_Delivery_Point');
    expect(describeOrigin(address.origin)).toBe('SOAP GetAddress');
  });
});

describe('what counts as absent', () => {
  test('shape A writes a missing number as 0 and missing text as ""', () => {
    const address = fromRestPremiseA({
      id: '01234567',
      buildingNumber: '0',
      company: '',
      countryIsoNumber: '0',
      lat: '51.50',
    });
    expect(address.fields.buildingNumber).toBeUndefined();
    expect(address.emptyFields).toEqual(['buildingNumber', 'organisation', 'countryIsoNumber']);
    expect(textOf(address, 'latitude')).toBe('51.50');
    expect(address.premiseId).toBe('01234567');
  });

  test('SOAP writes an empty number as one space, nil as null', () => {
    const address = fromSoapAddressPremise({ Number: ' ', Street: null, Unique_Delivery_Point: '00000123', New: 'x' });
    expect(address.fields.buildingNumber).toBeUndefined();
    expect(address.fields.street).toBeUndefined();
    expect(address.premiseId).toBe('00000123');
    expect(address.other).toEqual([{ name: 'New', value: 'x', source: address.origin }]);
  });

  test('a position of 0, 0 is none, one of the two is kept', () => {
    expect(positionOf(fromRestPremiseA({ lat: '0', long: '0.000' }))).toBeNull();
    const greenwich = fromRestPremiseB({ latitude: '51.4779', longitude: '0' });
    expect(positionOf(greenwich)).toEqual({ latitude: 51.4779, longitude: 0 });
    expect(positionOf(fromRestPremiseB({ latitude: '51,5', longitude: '0' }))).toBeNull();
    expect(positionOf(fromRestPremiseB({ latitude: '95', longitude: '0' }))).toBeNull();
    expect(positionOf(fromRestPremiseB({}))).toBeNull();
  });

  test('names of JavaScript object members are unknown fields like any other', () => {
    const address = fromRestPremiseB({ constructor: 'a', toString: 'b' } as unknown as Record<string, string>);
    expect(address.other.map(({ name }) => name)).toEqual(['constructor', 'toString']);
  });
});

test('FullAddress is split on the literal and on real line breaks', () => {
  expect(splitFullAddress('\\r\\n1 High Street\\r\\n \\r\\nOLD TOWN\r\nSW1A 1AA\\r\\n')).toEqual([
    '1 High Street',
    'OLD TOWN',
    'SW1A 1AA',
  ]);
  expect(splitFullAddress('')).toEqual([]);
});

describe('merging', () => {
  const base = fromRestPremiseA({ id: '01234567', street: 'High Street', uprn: '', lat: '51.5', long: '-0.1' });
  test('fills what is absent and keeps each source', () => {
    const geo = fromRestGeoData({ id: '01234567', uprn: '100012345678', lat: '51.6', long: '-0.1' }, 'A');
    const merged = mergeAddresses([base, geo]);
    expect(merged?.fields.uprn).toEqual({ value: '100012345678', source: geo.origin });
    expect(merged?.fields.latitude).toEqual({ value: '51.5', source: base.origin });
    expect(merged?.emptyFields).not.toContain('uprn');
    expect(base.fields.uprn).toBeUndefined();
  });
  test('never mixes two premises', () => {
    expect(mergeAddresses([base, fromRestGeoData({ id: '7654321', uprn: '1' }, 'A')])).toBe(base);
  });
  test('never mixes two premises that the interfaces have under one number: their postcodes tell them apart', () => {
    const id = '00284147';
    const soap = fromSoapAddressPremise({
      Unique_Delivery_Point: id,
      Organisation: 'Weir End Upholstery',
      Street: 'Tannery Row',
      Post_Town: 'Hereford',
      Postcode: 'HR10 2DT',
    });
    const rest = fromRestPremiseA({ id, street: 'Quay Street', city: 'Truro', postalCode: 'tr12ab', district: '' });
    const geo = fromRestGeoData({ id, lat: '50.26', long: '-5.05' }, 'A');
    expect(mergeAddresses([soap, rest, geo])).toEqual(soap);
    expect(mergeAddresses([rest, soap, geo])).toMatchObject({ fields: { latitude: { value: '50.26' } } });
    expect(mergeAddresses([rest, soap, geo])?.fields.organisation).toBeUndefined();
    const same = fromRestPremiseA({ id, city: 'Hereford', postalCode: 'hr102dt', udprn: '55555555' });
    expect(mergeAddresses([soap, same, geo])).toMatchObject({
      fields: { udprn: { value: '55555555' }, latitude: { value: '50.26' } },
    });
  });
});

describe('on the envelope', () => {
  test('shape A’s district, whose meaning is not published, is on it only where the service’s own lines have it', () => {
    const record = { street: 'Tannery Row', city: 'Hereford', postalCode: 'HR10 2DT', line1: 'Tannery Row' };
    const read = (more: Record<string, string>) => fromRestPremiseA({ ...record, district: 'Bartonsham', ...more });
    expect(envelopeLines(read({}))).toEqual(['Tannery Row', 'HEREFORD', 'HR10 2DT']);
    expect(envelopeLines(read({ line2: 'BARTONSHAM' }))).toEqual(['Tannery Row', 'Bartonsham', 'HEREFORD', 'HR10 2DT']);
    expect(addressFieldLabels.district).toBe('District');
  });

  const aRoad = { buildingNumber: '5', street: 'A Road' };
  test.each<[string, Record<string, string>, string[]]>([
    [
      'a locality without a field of its own',
      { street: 'A Road', line1: 'A Road', line2: 'Foxley Green, Bartonsham' },
      ['A Road', 'Foxley Green', 'Bartonsham'],
    ],
    [
      'in the order of the lines',
      { street: 'A Road', line1: '5 A Road', buildingNumber: '5', line2: 'Rotherwas Estate', line3: 'Bartonsham' },
      ['5 A Road', 'Rotherwas Estate', 'Bartonsham'],
    ],
    ['no street: the locality takes the number', { buildingNumber: '14', line1: '14 Bartonsham' }, ['14 Bartonsham']],
    ['and a number with its letter', { buildingName: '30A', line1: '30A Bartonsham' }, ['30A Bartonsham']],
    [
      'a name that ends in a range',
      {
        buildingName: 'The Maltings 4-6',
        street: 'Mill Lane',
        line1: 'The Maltings',
        line2: '4-6 Mill Lane',
        line3: 'Upper Bartonsham',
      },
      ['The Maltings', '4-6 Mill Lane', 'Upper Bartonsham'],
    ],
    [
      'town, postcode and county are no localities',
      {
        street: 'A Road',
        line1: 'A Road',
        line2: 'Hereford',
        line3: 'Herefordshire',
        adminAreaName: 'County of Herefordshire',
        line4: 'HR10 2DT',
      },
      ['A Road'],
    ],
    [
      'two parts of a premise on one line',
      { subBuilding: 'Flat 2', buildingNumber: '5', street: 'A Road', line1: 'Flat 2 5 A Road', poBox: '' },
      ['Flat 2', '5 A Road'],
    ],
    ['a PO box', { poBox: '61', line1: 'PO Box 61', district: '' }, ['PO Box 61']],
    [
      'a PO box, written otherwise',
      { poBox: '61', line1: 'P.O. Box 61', line2: 'Upper Wye' },
      ['PO Box 61', 'Upper Wye'],
    ],
    ['no street and no district', { buildingNumber: '2', line1: '2 Upper Wye' }, ['2 Upper Wye']],
    ['no other number taken for it', { buildingNumber: '1', line1: '14 Upper Wye' }, ['1']],
    [
      'a house with a name, without a street',
      { buildingName: 'Rose Cottage', line1: 'Rose Cottage', line2: 'Upper Wye', line3: 'Bartonsham' },
      ['Rose Cottage', 'Upper Wye', 'Bartonsham'],
    ],
    [
      'a company with a comma',
      { company: 'Smith, Jones and Co', ...aRoad, line1: 'Smith, Jones and Co', line2: '5 A Road' },
      ['Smith, Jones and Co', '5 A Road'],
    ],
    [
      'a company with “and” for “&”',
      { company: 'Smith & Sons', ...aRoad, line1: 'Smith and Sons', line2: '5 A Road' },
      ['Smith & Sons', '5 A Road'],
    ],
    [
      'a department named otherwise',
      { company: 'Wye Council', department: 'Planning', ...aRoad, line1: 'Planning Department', line2: '5 A Road' },
      ['Wye Council', 'Planning', '5 A Road'],
    ],
    [
      'a flat named otherwise',
      { subBuilding: 'Flat 2', ...aRoad, line1: '2 Flat, 5 A Road', line2: 'Upper Wye' },
      ['Flat 2', '5 A Road', 'Upper Wye'],
    ],
    [
      'a street with a comma',
      { buildingNumber: '5', street: 'The Green, Mill Lane', line1: '5 The Green, Mill Lane', line2: 'Upper Wye' },
      ['5 The Green, Mill Lane', 'Upper Wye'],
    ],
    ['a street cut short', { street: 'High Street', line1: '12 High St' }, ['High Street']],
    ['a street without its apostrophe', { street: 'St John’s Road', line1: 'St Johns Road' }, ['St John’s Road']],
    [
      'a street named otherwise after another line of it',
      { secondaryStreet: 'Wye Yard', street: 'Mill Lane', line1: 'Wye Yard, Mill Lane', line2: 'Mill La' },
      ['Wye Yard', 'Mill Lane'],
    ],
    ['a postcode without its blank', { ...aRoad, line1: '5 A Road', line2: 'HR102DT' }, ['5 A Road']],
    ['a town with points', { ...aRoad, city: 'St. Ives', line1: '5 A Road', line2: 'St Ives' }, ['5 A Road']],
    [
      'what comes after the town',
      { ...aRoad, line1: '5 A Road', line2: 'Hereford HR10 2DT', line3: 'Upper Wye' },
      ['5 A Road'],
    ],
    ['a county with a field', { ...aRoad, province: 'Cornwall', line1: '5 A Road', line2: 'Corn.' }, ['5 A Road']],
    ['a county without a field', { ...aRoad, line1: '5 A Road', line2: 'Herefordshire', line3: 'Herts' }, ['5 A Road']],
    [
      'a country',
      { ...aRoad, countryName: 'United Kingdom', line1: '5 A Road', line2: 'England', line3: 'U.K.', line4: 'GBR' },
      ['5 A Road'],
    ],
    [
      'a district that is an area too',
      { ...aRoad, adminAreaName: 'Bartonsham', line1: '5 A Road', line2: 'Bartonsham' },
      ['5 A Road', 'Bartonsham'],
    ],
    [
      'a district that is a word of an area',
      {
        ...aRoad,
        city: 'London',
        district: 'Chelsea',
        adminAreaName: 'Kensington and Chelsea',
        line1: '5 A Road',
        line2: 'Chelsea',
      },
      ['5 A Road', 'Chelsea'],
    ],
    [
      'a district that is the street',
      { buildingNumber: '5', street: 'Riverside', district: 'Riverside', line1: '5 Riverside', line2: 'Riverside' },
      ['5 Riverside'],
    ],
  ])('shape A’s lines name localities, and nothing twice: %s', (_name, record, expected) => {
    const read = fromRestPremiseA({ district: 'Bartonsham', city: 'Hereford', postalCode: 'HR10 2DT', ...record });
    expect(envelopeLines(read)).toEqual([...expected, textOf(read, 'postTown').toUpperCase(), 'HR10 2DT']);
  });

  test('an address in shape A is that of the list, whatever the demo service has a premise made of', () => {
    const gazetteer = openTestGazetteer();
    for (const one of gazetteer.sample(2000)) {
      const item = premiseAnswer(one, false, 'a').item as Record<string, unknown>;
      const texts = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, String(value)]));
      expect(oneLine(fromRestPremiseA(texts)).toLowerCase()).toBe(formatOneLine(one).toLowerCase());
    }
    gazetteer.close();
  });

  const lines = (fields: Record<string, string>): string[] =>
    envelopeLines(fromSoapAddressPremise({ Post_Town: 'Winchester', Postcode: 'so23 9dl', ...fields })).slice(0, -2);

  test('town and postcode in capitals, last', () => {
    expect(
      envelopeLines(
        fromSoapAddressPremise({ Number: '1', Street: 'High Street', Post_Town: 'Ely', Postcode: 'cb7 4aa' }),
      ),
    ).toEqual(['1 High Street', 'ELY', 'CB7 4AA']);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['number only', { Number: '16', Street: 'Vixen Road' }, ['16 Vixen Road']],
    ['name only', { Building_Name: 'The Manor', Street: 'Upper Hill' }, ['The Manor', 'Upper Hill']],
    ['a range stays on the street', { Building_Name: '26-28', Street: 'High Street' }, ['26-28 High Street']],
    ['a suffix stays on the street', { Building_Name: '30A', Street: 'High Street' }, ['30A High Street']],
    [
      'name and number',
      { Building_Name: 'Victoria House', Number: '15', Street: 'The Street' },
      ['Victoria House', '15 The Street'],
    ],
    [
      'sub-building and number',
      { Sub_Building_Name: 'Flat 1', Number: '12', Street: 'Liming Avenue' },
      ['Flat 1', '12 Liming Avenue'],
    ],
    [
      'suffixed sub-building with a name',
      { Sub_Building_Name: '10B', Building_Name: 'Barry Jackson Tower', Street: 'Estone Walk' },
      ['10B Barry Jackson Tower', 'Estone Walk'],
    ],
    [
      'sub-building and range',
      { Sub_Building_Name: "Caretaker's Flat", Building_Name: '110-114', Street: 'High Street West' },
      ["Caretaker's Flat", '110-114 High Street West'],
    ],
    [
      'sub-building, name',
      { Sub_Building_Name: 'Stables Flat', Building_Name: 'The Manor', Street: 'Upper Hill' },
      ['Stables Flat', 'The Manor', 'Upper Hill'],
    ],
    [
      'all three',
      { Sub_Building_Name: 'Basement Flat', Building_Name: 'Victoria House', Number: '15', Street: 'The Street' },
      ['Basement Flat', 'Victoria House', '15 The Street'],
    ],
    [
      'a name that ends in a range',
      { Building_Name: 'The Maltings 4-6', Street: 'Mill Lane' },
      ['The Maltings', '4-6 Mill Lane'],
    ],
    ['a unit keeps its number', { Building_Name: 'Unit 4-6', Street: 'Mill Lane' }, ['Unit 4-6', 'Mill Lane']],
    [
      'dependent street takes the number',
      { Number: '2', Dependent_Street: 'Mews Court', Street: 'High Street' },
      ['2 Mews Court', 'High Street'],
    ],
    ['no street: the locality takes it', { Number: '3', Dependent_Locality: 'Otterbourne' }, ['3 Otterbourne']],
    [
      'localities in order',
      { Number: '3', Street: 'A Road', Double_Dependent_Locality: 'Hill End', Dependent_Locality: 'Otterbourne' },
      ['3 A Road', 'Hill End', 'Otterbourne'],
    ],
    ['a locality that is the town', { Number: '3', Street: 'A Road', Dependent_Locality: 'WINCHESTER' }, ['3 A Road']],
    [
      'organisation and department',
      { Organisation: 'Acme Ltd', Organisation_Department: 'Sales', Number: '3', Street: 'A Road' },
      ['Acme Ltd', 'Sales', '3 A Road'],
    ],
    ['a PO box', { Organisation: 'Acme Ltd', Post_Office_Box: '61' }, ['Acme Ltd', 'PO Box 61']],
    ['a PO box that says so', { Post_Office_Box: 'PO BOX 61' }, ['PO Box 61']],
    ['lines only', { FullAddress: '\\r\\n1 A Road\\r\\nWinchester\\r\\nSO23 9DL\\r\\n' }, ['1 A Road']],
  ])('%s', (_name, fields, expected) => {
    expect(lines(fields).map((line) => line)).toEqual(expected);
  });

  // Royal Mail, PAF Programmers' Guide, edition 7, "Formatting a PAF address for printing": note (a) and its iii, rules 2 to 7 and their
  // tables. Where the guide's example has no sub-building letter, uk-clear-addressing and PyPaf give what they make of it.
  test.each<[string, Record<string, string>, string[]]>([
    [
      'rule 2',
      { Number: '1', Dependent_Street: 'Seastone Court', Street: 'Station Road' },
      ['1 Seastone Court', 'Station Road'],
    ],
    [
      'rule 3, 1A',
      { Building_Name: '1A', Dependent_Street: 'Seastone Court', Street: 'Station Road' },
      ['1A Seastone Court', 'Station Road'],
    ],
    ['rule 3, no exception', { Building_Name: 'THE MANOR', Street: 'UPPER HILL' }, ['THE MANOR', 'UPPER HILL']],
    ['note (a) i, 1to1', { Building_Name: '1to1', Street: 'HIGH STREET' }, ['1to1 HIGH STREET']],
    ['note (a) i, 100:1', { Building_Name: '100:1', Street: 'HIGH STREET' }, ['100:1 HIGH STREET']],
    ['note (a) ii, 12A', { Building_Name: '12A', Street: 'HIGH STREET' }, ['12A HIGH STREET']],
    ['note (a) iii, one letter: a comma', { Building_Name: 'K', Street: 'PORTLAND ROAD' }, ['K, PORTLAND ROAD']],
    ['note (a) iii, one figure: none', { Building_Name: '9', Street: 'PORTLAND ROAD' }, ['9 PORTLAND ROAD']],
    ['note (a) iii, without a street', { Building_Name: 'K', Dependent_Locality: 'OTTERBOURNE' }, ['K, OTTERBOURNE']],
    ['note (a) iii, with neither', { Building_Name: 'K' }, ['K']],
    [
      'rule 3, a number range at the end',
      { Building_Name: 'FLOWER HOUSE 189A', Street: 'PYE GREEN ROAD' },
      ['FLOWER HOUSE', '189A PYE GREEN ROAD'],
    ],
    [
      'rule 3, a number that is no range',
      { Building_Name: 'CENTRE 30', Street: 'ST LAURENCE AVENUE' },
      ['CENTRE 30', 'ST LAURENCE AVENUE'],
    ],
    [
      'rule 4',
      { Building_Name: 'VICTORIA HOUSE', Number: '15', Street: 'THE STREET' },
      ['VICTORIA HOUSE', '15 THE STREET'],
    ],
    ['rule 5', { Sub_Building_Name: 'FLAT 1', Number: '12', Street: 'LIMING AVENUE' }, ['FLAT 1', '12 LIMING AVENUE']],
    [
      'rule 5, one letter',
      { Sub_Building_Name: 'A', Number: '12', Street: 'HIGH STREET NORTH' },
      ['12A HIGH STREET NORTH'],
    ],
    [
      'rule 6, 10B',
      { Sub_Building_Name: '10B', Building_Name: 'BARRY JACKSON TOWER', Street: 'ESTONE WALK' },
      ['10B BARRY JACKSON TOWER', 'ESTONE WALK'],
    ],
    [
      'rule 6, one letter: a comma',
      { Sub_Building_Name: 'A', Building_Name: 'PRIORY COURT', Street: 'ABBEY ROAD' },
      ['A, PRIORY COURT', 'ABBEY ROAD'],
    ],
    [
      'rule 6, a range',
      { Sub_Building_Name: 'CARETAKERS FLAT', Building_Name: '110-114', Street: 'HIGH STREET WEST' },
      ['CARETAKERS FLAT', '110-114 HIGH STREET WEST'],
    ],
    [
      'rule 6, neither',
      { Sub_Building_Name: 'STABLES FLAT', Building_Name: 'THE MANOR', Street: 'UPPER HILL' },
      ['STABLES FLAT', 'THE MANOR', 'UPPER HILL'],
    ],
    [
      'rule 7, 2B',
      { Sub_Building_Name: '2B', Building_Name: 'THE TOWER', Number: '27', Street: 'JOHN STREET' },
      ['2B THE TOWER', '27 JOHN STREET'],
    ],
    [
      'rule 7, one letter: a comma',
      { Sub_Building_Name: 'A', Building_Name: 'VICTORIA HOUSE', Number: '15', Street: 'THE STREET' },
      ['A, VICTORIA HOUSE', '15 THE STREET'],
    ],
    [
      'rule 7, neither',
      { Sub_Building_Name: 'BASEMENT FLAT', Building_Name: 'VICTORIA HOUSE', Number: '15', Street: 'THE STREET' },
      ['BASEMENT FLAT', 'VICTORIA HOUSE', '15 THE STREET'],
    ],
  ])('by the published rules: %s', (_name, fields, expected) => {
    expect(lines(fields)).toEqual(expected);
  });

  test('shape B: locality, and the postcode in halves', () => {
    const address = fromRestPremiseB({
      buildingNumber: '4',
      street: 'Mill Lane',
      locality: 'Otterbourne',
      town: 'Winchester',
      postcodeOutward: 'SO21',
      postcodeInward: '2EA',
    });
    expect(oneLine(address)).toBe('4 Mill Lane, Otterbourne, WINCHESTER, SO21 2EA');
  });

  test('no part is lost and none invented, whatever the record holds', () => {
    const part = fc.option(
      fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ''),
      { nil: '' },
    );
    const record = fc.record({
      Organisation: part,
      Organisation_Department: part,
      Sub_Building_Name: part,
      Building_Name: part,
      Number: part,
      Dependent_Street: part,
      Street: part,
    });
    fc.assert(
      fc.property(record, (fields) => {
        const envelope = envelopeLines(fromSoapAddressPremise(fields));
        // A letter may be joined to its number and a comma may follow it, so blanks and commas are not compared.
        const words = (texts: readonly string[]): string[] => [...texts.join('').replace(/[\s,]/g, '')].sort();
        expect(words(envelope)).toEqual(words(Object.values(fields)));
        expect(envelope.every((line) => line.trim() !== '')).toBe(true);
      }),
    );
  });
});

test('natural order', () => {
  const sorted = [
    'Flat 1',
    'Flat 2',
    'Flat 10',
    '26-28 High Street',
    '30 High Street',
    '30A High Street',
    '30B High Street',
    '100 High Street',
  ];
  expect([...sorted].reverse().sort(compareNaturally)).toEqual([...sorted].sort(compareNaturally));
  expect(['Flat 10', 'Flat 2', 'Flat 1'].sort(compareNaturally)).toEqual(['Flat 1', 'Flat 2', 'Flat 10']);
  expect(['100 A', '30A A', '30 A', '26-28 A'].sort(compareNaturally)).toEqual(['26-28 A', '30 A', '30A A', '100 A']);
  expect(compareNaturally('flat 1', 'Flat 1')).not.toBe(0);
  expect(compareNaturally('Flat 1', 'Flat 1')).toBe(0);
});
