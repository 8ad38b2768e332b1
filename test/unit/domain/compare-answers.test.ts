import { describe, expect, test } from 'vitest';
import { differencesText, missingText } from '../../../renderer/features/compare/compared-rows.ts';
import { markWords, pairUp } from '../../../renderer/features/compare/match-texts.ts';
import { fromRestPremiseA, fromRestPremiseB } from '../../../shared/domain/address/address-from-rest.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';
import { type ComparedRow, comparablePremise, compareFields } from '../../../shared/domain/lookup/compare-answers.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';

const rest = fromRestPremiseA({
  id: '00284147',
  buildingNumber: '14',
  buildingName: '',
  street: 'Tannery Row',
  district: 'Bartonsham Mead',
  city: 'Hereford',
  line1: '14 Tannery Row',
  line2: 'Bartonsham Mead',
  postalCode: 'HR10 2DT',
  lat: '52.057310',
  long: '-2.71894',
  udprn: '08114067',
});
const soap = fromSoapAddressPremise({
  Unique_Delivery_Point: '00284147',
  Number: '14',
  Building_Name: 'Bark Cottage',
  Street: 'Tannery  Row',
  Dependent_Locality: 'Bartonsham Meadow',
  Post_Town: 'HEREFORD',
  Postcode: 'HR10 2DT',
  Latitude_Degrees: '',
  Mailsort_Sortcode: '40213',
  FullAddress: '\\r\\n14 Tannery Row\\r\\nHEREFORD\\r\\n',
});
const rows = compareFields(comparablePremise(rest), comparablePremise(soap));
const row = (name: string) => rows.find((one) => one.name === name);

describe('two answers by meaning', () => {
  test.each([
    ['premiseId', 'same'],
    ['buildingNumber', 'same'],
    ['buildingName', 'right'],
    ['street', 'form'],
    ['district', 'left'],
    ['dependentLocality', 'right'],
    ['postTown', 'form'],
    ['udprn', 'left'],
    ['latitude', 'left'],
    ['mailsort', 'right'],
    ['lines', 'left'],
    ['fullAddress', 'right'],
  ])('%s: %s', (name, verdict) => {
    expect(row(name)?.verdict).toBe(verdict);
  });

  test('each verdict says why', () => {
    expect(row('postTown')?.explanation).toBe('same; letter case differs');
    expect(row('street')?.explanation).toBe('same; blanks differ');
    expect(row('latitude')?.explanation).toBe('left only; right came empty');
    expect(row('udprn')?.explanation).toBe('left only; right not in that answer');
  });

  test('only measurements are compared by value: identifiers keep their zeros', () => {
    const b = fromRestPremiseB({ id: '284147', latitude: '52.05731', uprn: '0100', premiseId: '' });
    const compared = compareFields(comparablePremise(rest), comparablePremise(b));
    expect(compared.find(({ name }) => name === 'latitude')?.verdict).toBe('form');
    expect(compared.find(({ name }) => name === 'premiseId')?.verdict).toBe('differs');
  });

  test('copied differences cannot start a formula', () => {
    const evil = rows.map((one) =>
      one.name === 'dependentLocality'
        ? { ...one, left: { state: 'value' as const, value: '=HYPERLINK("x")\ty' } }
        : one,
    );
    const lines = differencesText(evil, 'left', 'right').split('\n');
    expect(lines.some((line) => line.split('\t').some((cell) => /^[=+\-@]/.test(cell)))).toBe(false);
    expect(lines.every((line) => line.split('\t').length === 4)).toBe(true);
  });
});

describe('matching texts', () => {
  test('only the words that differ are marked', () => {
    const { left, right } = markWords('Bartonsham Mead', 'Bartonsham Meadow');
    expect(left).toEqual([
      { text: 'Bartonsham ', common: true },
      { text: 'Mead', common: false },
    ]);
    expect(right.map(({ text }) => text).join('')).toBe('Bartonsham Meadow');
  });

  test('lines are paired by their longest common part, and every line of both is there once', () => {
    const left = ['{', '  "a": 1,', '  "b": 2', '}'];
    const right = ['{', '  "b": 2', '  "c": 3', '}'];
    const pairs = pairUp(left, right);
    expect(pairs).toEqual([
      [0, 0],
      [1, null],
      [2, 1],
      [null, 2],
      [3, 3],
    ]);
  });

  test('texts too long to match in full are paired by place', () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`);
    const pairs = pairUp(['same', ...lines('a')], ['same', ...lines('b')]);
    expect(pairs.length).toBe(3001);
    expect(pairs.at(-1)).toEqual([3000, 3000]);
  });
});

test('a UPRN that was asked and paid for and did not come is not called "not asked for"', () => {
  const row = { name: 'uprn' } as ComparedRow;
  const text = (operation: string, expectedCredits: number) =>
    missingText(row, { state: 'absent', value: '' }, { operation, expectedCredits } as Provenance);
  expect([text('GetPremise', 1), text('GetPremise', 2), text('GetPremiseAddress', 1)]).toEqual([
    'not asked for',
    'not in this answer',
    'not in this answer',
  ]);
});
