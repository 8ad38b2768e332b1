import { expect, test } from 'vitest';
import {
  type Asked,
  adviceOn,
  askedOf,
  askedOtherwise,
  excessOf,
} from '../../../renderer/features/operations/form-state.ts';
import { findSoapOperation } from '../../../shared/catalogue/soap-operations.ts';
import { fieldLimits, type OperationForm, operationChannels } from '../../../shared/contract/operations.ts';

// What a form sends of what is typed; what it says is too much is exactly what main would refuse.

const field: OperationForm['fields'][number] = {
  name: 'sPostcodes',
  type: 'string',
  label: 'Postcodes',
  help: '',
  required: true,
  list: 'separator',
  initial: '',
};

test.each([
  ['as many lines as one call takes', 'HR10 2DT\n'.repeat(fieldLimits.values), null],
  ['empty lines between them', 'HR10 2DT\n \n'.repeat(fieldLimits.values), null],
  ['one line more', 'HR10 2DT\n'.repeat(fieldLimits.values + 1), '2,001 lines; one call takes 2,000 at most.'],
  ['a line of the most characters', 'x'.repeat(fieldLimits.characters), null],
  ['one character more', 'x'.repeat(fieldLimits.characters + 1), expect.stringContaining('20,000 at most')],
])('%s', (_, text, said) => {
  const form = { name: 'GeoData_ForPostcode', twin: null, fields: [field] } as unknown as OperationForm;
  const asked = askedOf('a', form, { values: { sPostcodes: text }, dataset: false, savedId: null });
  expect(asked.fields.map(({ values }) => excessOf(values))).toEqual([said]);
  expect(operationChannels['operations.price'].input.safeParse(asked).success).toBe(said === null);
});

test.each([
  ['HR10 2DT\nHR10 2DU\nHR10 2DX\n', 'Depot\n\nOffice\n\n', ['Depot', '', 'Office']],
  ['HR10 2DT\nHR10 2DU', '\nOffice', ['', 'Office']],
  ['HR10 2DT\n\nHR10 2DX', 'Depot\n\nOffice', ['Depot', 'Office']],
  ['\nHR10 2DT\nHR10 2DU', 'Depot\nOffice', ['Depot', 'Office']],
  ['HR10 2DT\n\nHR10 2DX', 'Depot\nOffice', ['Depot', 'Office']],
  ['HR10 2DT\n\nHR10 2DX', 'Depot\n\n', ['Depot']],
  ['HR10 2DT\n\nHR10 2DX', '\n\nOffice', ['', 'Office']],
  ['\nHR10 2DT\nHR10 2DU\nHR10 2DX', 'Depot\n\nOffice', ['Depot', '', 'Office']],
  ['HR10 2DT', 'Depot\n\nOffice', ['Depot', '', 'Office']],
  ['', 'Depot\n\n', ['Depot']],
  ['HR10 2DT', ' \n', undefined],
])('a blank line of a description keeps its postcode’s place: %j beside %j', (postcodes, descriptions, values) => {
  const fields = ['sPostcodeList', 'sPostcodeDescriptions'].map((name) => ({ ...field, name }));
  const form = { name: 'NearestData_ForPostcode', twin: null, fields } as unknown as OperationForm;
  const typed = { sPostcodeList: postcodes, sPostcodeDescriptions: descriptions };
  const asked = askedOf('a', form, { values: typed, dataset: false, savedId: null });
  expect(asked.fields.find(({ name }) => name === 'sPostcodeDescriptions')?.values).toEqual(values);
  expect(asked.fields.find(({ name }) => name === 'sPostcodeList')?.values ?? []).not.toContain('');
});

test('half a postcode is doubted in a field for a whole one, and not in one for a district', () => {
  const adviceIn = (operation: string, text: string) => {
    const [first] = findSoapOperation(operation)?.operation.fields ?? [];
    return first && adviceOn({ ...field, ...first, list: null }, text);
  };
  expect(adviceIn('SearchPremise_ByPostcode', 'HR10')).toContain('the second looks like 1AA');
  expect(adviceIn('SearchPremise_ByPostcode', 'HR10 2DT')).toBeNull();
  expect(adviceIn('SearchThoroughfare_ByPostcodeDistrict', 'HR10')).toBeNull();
});

test('what an answer was asked with is told where the form would ask something else, and only there', () => {
  const form = {
    name: 'GeoData_ForPostcode',
    twin: 'GeoData_ForPostcodeDS',
    fields: [field],
  } as unknown as OperationForm;
  const asks = (postcodes: string, dataset = false): Asked =>
    askedOf('a', form, { values: { sPostcodes: postcodes }, dataset, savedId: null });
  const answered = asks('HR10 2DT\nHR10 2DU');
  const told = (now: Asked) => askedOtherwise(form, answered, now);
  // The history keeps it without the connection.
  expect(told({ dataset: false, fields: answered.fields })).toBeNull();
  expect(told(asks('HR10 2DT\n\nHR10 2DU\n'))).toBeNull();
  const words = 'Postcodes HR10 2DT, HR10 2DU; not as a data set';
  expect([told(asks('HR10 2DT')), told(asks('')), told(asks('HR10 2DT\nHR10 2DU', true))]).toEqual([
    words,
    words,
    words,
  ]);
  expect(askedOtherwise({ ...form, twin: null }, asks(''), answered)).toBe('nothing filled in');
  expect(askedOtherwise(form, asks('x'.repeat(5000)), answered)).toHaveLength(200);
});
