import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { completeOptions } from '../../../electron/demo-service/options.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { c1, callSoap, findAll, textOf } from './demo-client.ts';

/** The guesses where the specification says "not shown", the options that replace them, and what the operations return. */

let demo: RunningDemo;
beforeAll(async () => {
  demo = await startTestService({ premises: 4000, now: '2027-03-01T09:00:00Z' });
});
afterAll(() => demo.stop());
beforeEach(() => {
  Object.assign(demo.settings, completeOptions());
});

const call = (operation: string, fields: Record<string, string>) =>
  callSoap(demo, operation, { ...fields, ...c1(demo) });
const vacant = 'HR10 9ZX';
const c2 = () => ({ sAccountName: demo.demo.accountName, sGUID: demo.demo.guid, sLicenseID: demo.demo.licenceId });

test('nothing found arrives in three ways', async () => {
  const search = async (nothing: typeof demo.settings.nothing, operation = 'SearchPremise_ByPostcode') => {
    demo.settings.nothing = nothing;
    return (await call(operation, { sPostcode: vacant })).result;
  };
  const record = await search('record');
  expect(textOf(record, 'IsError')).toBe('false');
  expect(textOf(record, 'Return_Code')).toBe('0');
  const empty = await search('empty');
  expect(findAll(empty, 'List')).toHaveLength(1);
  expect(findAll(empty, 'ListAddressPremise')).toHaveLength(0);
  expect(findAll(await search('absent'), 'List')).toHaveLength(0);
  expect(findAll(await search('absent', 'SearchPremise_ByPostcode_Dataset'), 'ListAddressPremise')).toHaveLength(0);
});

test('a problem is reported by flag, code or both', async () => {
  const search = async (errors: typeof demo.settings.errors) => {
    demo.settings.errors = errors;
    const { result } = await call('SearchPremise_ByPostcode', { sPostcode: 'nonsense' });
    return [textOf(result, 'IsError'), textOf(result, 'ErrorMessage') !== '', textOf(result, 'Return_Code')];
  };
  expect(await search('both')).toEqual(['true', true, '301']);
  expect(await search('flag')).toEqual(['true', true, undefined]);
  expect(await search('code')).toEqual(['false', false, '301']);
});

test('empty fields may be left out, and a list may end in a nil member', async () => {
  const open = async (operation: string) =>
    (await call(operation, { sUniqueDeliveryPointID: demo.demo.sample.premiseId })).result;
  Object.assign(demo.settings, { empty: 'absent', nilMembers: true });
  const result = await open('GetPremiseAddress');
  expect(findAll(result, 'Organisation')).toHaveLength(0);
  expect(textOf(result, 'IsError')).toBe('false');
  expect(findAll(result, 'AddressPremise')).toHaveLength(2);
  expect(findAll(result, 'AddressPremise')[1]?.attributes.map(({ name, value }) => `${name}=${value}`)).toContain(
    'nil=true',
  );
  expect(findAll(await open('GetPremiseAddress_Dataset'), 'Organisation')).toHaveLength(0);
});

test('noise words are too vague', async () => {
  const { result } = await call('SearchPremise_ByWordMatchOnAll', { sSearch: 'the road' });
  expect(textOf(result, 'Return_Code')).toBe('302');
});

test('a long list of addresses is cut, and says so', async () => {
  const ask = async () => {
    const fields = { Postcode: demo.demo.sample.postcode, LicenceKey: demo.demo.licenceKey, YourReference: 'x' };
    const { result } = await callSoap(demo, 'GetAddressesForPostcode', fields);
    return [findAll(result, 'AddressPremise').length, textOf(result, 'IsTruncated'), textOf(result, 'RecCount')];
  };
  expect(await ask()).toEqual([34, 'false', '34']);
  demo.settings.truncateAt = 10;
  expect(await ask()).toEqual([10, 'true', '10']);
});

describe('values as observed', () => {
  const open = async (sUniqueDeliveryPointID: string) =>
    (await call('GetPremiseAddress', { sUniqueDeliveryPointID })).result;

  test('an address has its literal line breaks, empty elements, and no coordinates', async () => {
    const result = await open(demo.demo.sample.premiseId);
    const full = textOf(result, 'FullAddress') ?? '';
    expect(full.startsWith('\\r\\n')).toBe(true);
    expect(full.endsWith('\\r\\n')).toBe(true);
    expect(full.split('\\r\\n').filter(Boolean)).toEqual(['2 Tannery Row', 'Bartonsham Mead', 'Hereford', 'HR10 2DT']);
    expect(textOf(result, 'Latitude_Degrees')).toBe('');
    expect(textOf(result, 'Organisation')).toBe('');
    expect(textOf(result, 'Mailsort_Sortcode')).toMatch(/^\d{5}$/);
    expect(textOf(result, 'Delivery_Point_Suffix')).toMatch(/^\d[A-Z]$/);
  });

  test('Number is one space if the building name has a range', async () => {
    const { result } = await call('SearchPremise_ByPostcodeFlatOrNumber', {
      sPremisesNumber: '26',
      sPostcode: demo.demo.sample.postcode,
    });
    const premise = await open(textOf(result, 'Unique_Delivery_Point') ?? '');
    expect(textOf(premise, 'Number')).toBe(' ');
    expect(textOf(premise, 'Building_Name')).toBe('26-28');
  });

  test('lists are sorted as text', async () => {
    const { result } = await call('SearchPremise_ByPostcode', { sPostcode: demo.demo.sample.postcode });
    const lines = findAll(result, 'List_Address').map(({ text }) => text);
    const flats = lines.filter((line) => line.startsWith('Flat'));
    expect(flats.slice(0, 3).map((line) => line.split(',')[0])).toEqual(['Flat 1', 'Flat 10', 'Flat 11']);
  });
});

describe('data sets', () => {
  const ask = async (dataset: typeof demo.settings.dataset) => {
    demo.settings.dataset = dataset;
    const fields = { sUniqueDeliveryPointID: demo.demo.sample.premiseId };
    return (await call('GetPremiseAddress_Dataset', fields)).result;
  };

  test('come with schema and diffgram, side by side, without schema, or bare', async () => {
    const [whole, ...more] = (await ask('element'))?.children ?? [];
    expect(more).toHaveLength(0);
    expect(whole).toMatchObject({ name: 'PostcodeUtilities', namespace: demo.utilitiesNamespace });
    expect(whole?.children.map(({ name }) => name)).toEqual(['schema', 'diffgram']);
    expect((await ask('siblings'))?.children.map(({ name }) => name)).toEqual(['schema', 'diffgram']);
    expect((await ask('diffgram'))?.children.map(({ name }) => name)).toEqual(['diffgram']);
    expect((await ask('rows'))?.children[0]?.children.map(({ name }) => name)).toEqual(['AddressPremise']);
  });

  test('without rows come as an empty diffgram, or as one with the empty data set in it', async () => {
    demo.settings.nothing = 'empty';
    const inside = async (dataset: typeof demo.settings.dataset) => {
      demo.settings.dataset = dataset;
      const { result } = await call('SearchPremise_ByPostcode_Dataset', { sPostcode: vacant });
      return findAll(result, 'diffgram')[0]?.children.map(({ name, children }) => [name, children.length]);
    };
    expect(await inside('siblings')).toEqual([]);
    expect(await inside('diffgram')).toEqual([['PostcodeUtilities', 0]]);
  });

  test('AddressPremise lacks what its table lacks, and the schema names the columns of the rows', async () => {
    const result = await ask('element');
    const row = findAll(result, 'AddressPremise')[0];
    const columns = row?.children.map(({ name }) => name) ?? [];
    for (const left of ['Latitude_Degrees', 'Longitude_Degrees', 'IsError', 'ErrorMessage', 'FullAddress'])
      expect(columns).not.toContain(left);
    expect(columns.at(-1)).toBe('Return_Code');
    const declared = findAll(findAll(result, 'sequence')[0], 'element').map(
      ({ attributes }) => attributes.find(({ name }) => name === 'name')?.value,
    );
    expect(declared).toEqual(columns);
  });
});

describe('geography', () => {
  test('distances are in four units, nearest first, of the known postcodes', async () => {
    const { postcode, nearPostcodes } = demo.demo.sample;
    const { result } = await call('NearestData_ForPostcode', {
      sPostcodeDatum: postcode,
      sPostcodeList: [...nearPostcodes, vacant, postcode].join(','),
      sNumberToReturn: '4',
    });
    const rows = findAll(result, 'Nearest').map((row) => ({
      place: textOf(row, 'Postcode_Return'),
      position: textOf(row, 'Ordinal_Position'),
      metres: Number(textOf(row, 'Distance_Metres')),
      kilometres: Number(textOf(row, 'Distance_Kilometres')),
      miles: Number(textOf(row, 'Distance_Miles')),
      nautical: Number(textOf(row, 'Distance_NauticalMiles')),
    }));
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ place: postcode, position: '1', metres: 0 });
    expect(rows.map(({ metres }) => metres)).toEqual(rows.map(({ metres }) => metres).toSorted((a, b) => a - b));
    for (const { metres, kilometres, miles, nautical } of rows) {
      expect(kilometres).toBeCloseTo(metres / 1000, 2);
      expect(miles).toBeCloseTo(metres / 1609.344, 2);
      expect(nautical).toBeCloseTo(metres / 1852, 2);
    }
  });

  test('another separator is accepted only when set', async () => {
    const sPostcodes = demo.demo.sample.nearPostcodes.join(';');
    expect(textOf((await call('GeoData_ForPostcode', { sPostcodes })).result, 'Return_Code')).toBe('301');
    demo.settings.listSeparator = ';';
    expect(findAll((await call('GeoData_ForPostcode', { sPostcodes })).result, 'Geographic')).toHaveLength(5);
  });

  test('a place has coordinates in every form, and areas only if asked for', async () => {
    const fields = { sUDP: demo.demo.sample.premiseId };
    const geo = (await call('GeoData_ForUDP', fields)).result;
    expect(textOf(geo, 'Latitude_Deg_Min_Sec')).toMatch(/^52° 03′ \d\d\.\d″ N$/);
    expect(textOf(geo, 'Longitude_Deg_Min_Sec')).toMatch(/W$/);
    expect(textOf(geo, 'Grid_Reference')).toMatch(/^SO \d{5} \d{5}$/);
    expect(textOf(geo, 'Local_Auth_Name')).toBe('Herefordshire');
    const bare = (await call('CoordinateData_ForUDP', fields)).result;
    expect(textOf(bare, 'x_Coord')).toBe(textOf(geo, 'x_Coord'));
    expect(textOf(bare, 'Local_Auth_Name')).toBe('');
  });
});

describe('searches with an expression, a field or several', () => {
  const advanced = async (sSearchExpression: string) =>
    (await callSoap(demo, 'AdvancedSearch', { sSearchExpression, ...c2(), sIPAddress: '' })).result;

  test('expressions join fields with AND, OR, NOT and brackets', async () => {
    const count = async (expression: string) => findAll(await advanced(expression), 'List_Address').length;
    const all = await count('Postcode:"HR10 2DT"');
    expect(all).toBe(34);
    const flats = await count('Postcode:"HR10 2DT" AND SubBuilding:flat*');
    const units = await count('Postcode:HR102DT Building:unit');
    expect(flats).toBe(7);
    expect(units).toBe(4);
    expect(await count('Postcode:HR102DT AND (SubBuilding:flat OR Building:unit)')).toBe(11);
    expect(await count('Postcode:HR102DT AND NOT (SubBuilding:flat OR Building:unit)')).toBe(23);
  });

  test.each(['', '(', 'Town:', 'Colour:red', 'Town:Hereford)', 'Town:"Hereford', 'AND', `${'('.repeat(5000)}x`])(
    'the expression %j is badly formed',
    async (expression) => {
      const result = await advanced(expression.replaceAll('"', '&quot;'));
      expect(textOf(result, 'Return_Code')).toBe('301');
    },
  );

  test('one field, and several joined by an operator', async () => {
    const light = await callSoap(demo, 'LightSearchPremise_BySearchExpression', {
      sField: 'building name',
      sValue: 'Old Bark House',
      ...c2(),
    });
    expect(textOf(light.result, 'List_Address')).toContain('The Old Bark House');
    const wrong = await callSoap(demo, 'LightSearchPremise_BySearchExpression', {
      sField: 'Colour',
      sValue: 'red',
      ...c2(),
    });
    expect(textOf(wrong.result, 'Return_Code')).toBe('301');
    const multi = async (sOperator: string) => {
      const fields = { sStreet: 'Tannery Row', sCompany: 'Weir End Upholstery', ...c2(), sOperator };
      const { result } = await callSoap(demo, 'SearchMultiByMultiKeywords', fields);
      return textOf(result, 'IsError') === 'true' ? 'refused' : findAll(result, 'Unique_Delivery_Point').length;
    };
    expect(await multi('AND')).toBe(1);
    expect(await multi('or')).toBeGreaterThan(20);
    expect(await multi('XOR')).toBe('refused');
  });
});

test('dates, flags and GUIDs of licences are written as set', async () => {
  const list = async () => {
    const { result } = await callSoap(demo, 'GetLicenseList', {
      sAccountName: demo.demo.accountName,
      sGUID: demo.demo.guid,
    });
    return findAll(result, 'License')[1];
  };
  expect(textOf(await list(), 'ExpiryDate')).toBe('17/09/2027');
  expect(textOf(await list(), 'LicenseInUse')).toBe('1');
  Object.assign(demo.settings, { dates: 'iso', flags: 'Y', licenceGuid: 'account' });
  expect(textOf(await list(), 'ExpiryDate')).toBe('2027-09-17');
  expect(textOf(await list(), 'LicenseInUse')).toBe('Y');
  expect(textOf(await list(), 'Available')).toBe('N');
  expect(textOf(await list(), 'GUID')).toBe(demo.demo.guid);
});
