import { describe, expect, test } from 'vitest';
import { countVisible, lineAt, outermost, placeOf } from '../../../renderer/components/raw-text/folds.ts';
import { cutLine } from '../../../renderer/components/raw-text/pieces.ts';
import { freshPrice } from '../../../renderer/features/operations/fresh-price.ts';
import { groupEntries } from '../../../renderer/features/operations/picker/groups.ts';
import type { OperationForm, SavedLookup } from '../../../shared/contract/operations.ts';

describe('folded lines', () => {
  const folds = outermost([
    { start: 10, end: 14 },
    { start: 2, end: 5 },
    { start: 11, end: 12 },
  ]);

  test('a fold inside another counts once', () => {
    expect(folds).toEqual([
      { start: 2, end: 5 },
      { start: 10, end: 14 },
    ]);
    expect(countVisible(20, folds)).toBe(13);
  });

  test('place and line are inverse for every visible line', () => {
    const seen = Array.from({ length: countVisible(20, folds) }, (_, place) => lineAt(place, folds));
    expect(seen).toEqual([0, 1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 18, 19]);
    expect(seen.map((line) => placeOf(line, folds))).toEqual(seen.map((_, place) => place));
    // A hidden line has the position of its fold.
    expect(placeOf(4, folds)).toBe(2);
    expect(placeOf(14, folds)).toBe(7);
  });
});

describe('one raw line in pieces', () => {
  const kinds = (line: string, sought = '') => cutLine(line, sought).map(({ kind, text }) => [kind, text]);

  test('tags, names and masks are distinguished, and nothing is lost', () => {
    expect(kinds('<a b="1">x ••••a93c</a>')).toEqual([
      ['tag', '<a'],
      ['plain', ' b="1"'],
      ['tag', '>'],
      ['plain', 'x '],
      ['mask', '••••a93c'],
      ['tag', '</a'],
      ['tag', '>'],
    ]);
    expect(kinds('"GUID": "••••1234",')[0]).toEqual(['name', '"GUID"']);
    expect(kinds('content-type: text/xml')[0]).toEqual(['name', 'content-type']);
    for (const line of ['', '  "a\\"b": 1,', 'a < b > c', '<x>1 & 2</x>'])
      expect(
        cutLine(line, 'a')
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
  });

  test('search hits are marked in any letter case, also inside a tag, and are not patterns', () => {
    expect(kinds('<Return_Code>1', 'return')).toContainEqual(['found', 'Return']);
    expect(kinds('a.b aXb', 'a.b')).toEqual([
      ['found', 'a.b'],
      ['plain', ' aXb'],
    ]);
  });
});

describe('finding an operation by typing', () => {
  const form = (name: string, group: string, more: Partial<OperationForm> = {}): OperationForm => ({
    name,
    group,
    interface: 'soap',
    help: '',
    result: 'text',
    known: 'published',
    twin: null,
    writes: false,
    blocked: null,
    fields: [],
    filled: [],
    price: { kind: 'not-published' },
    ...more,
  });
  const forms = [
    form('ReturnPremise_ByPostcode', 'Addresses by postcode', { twin: 'ReturnPremise_ByPostcode_Dataset' }),
    form('NewOne', 'Only in the description', { known: 'described' }),
    form('Search', 'REST'),
  ];
  const saved: SavedLookup[] = [
    { id: '1', name: 'Depot', folder: 'Sites', operation: 'Search', dataset: false, fields: [], createdAt: '' },
  ];
  const found = (typed: string) =>
    groupEntries(forms, saved, typed).flatMap(({ entries }) => entries.map(({ id }) => id));

  test('saved ones come first, then the groups in the published order, then what is not published, marked', () => {
    expect(groupEntries(forms, saved, '').map(({ label, marked }) => [label, marked])).toEqual([
      ['Saved: Sites', false],
      ['REST', false],
      ['Addresses by postcode', false],
      ['Only in the description', true],
    ]);
  });

  test('by the words of its name in any order, by its twin, by its group, by a saved name', () => {
    expect(found('postcode return')).toEqual(['ReturnPremise_ByPostcode']);
    expect(found('byPostcode')).toEqual(['ReturnPremise_ByPostcode']);
    expect(found('dataset')).toEqual(['ReturnPremise_ByPostcode']);
    expect(found('only in the')).toEqual(['NewOne']);
    expect(found('depot')).toEqual(['saved/1']);
    expect(found('nothing like it')).toEqual([]);
  });
});

describe('the price of asking afresh', () => {
  const measured = { kind: 'measured', credits: 3, times: 2 } as const;
  test('follows the switch that costs more, and the twin', () => {
    const premise = { name: 'GetPremise', twin: null, price: { kind: 'credits', credits: 1 } } as const;
    const fields = (uprn: string) => [
      { name: 'id', values: ['1'] },
      { name: 'uprn', values: [uprn] },
    ];
    expect(freshPrice(premise, { fields: fields('false') })).toEqual({ kind: 'credits', credits: 1 });
    expect(freshPrice(premise, { fields: fields('true') })).toEqual({ kind: 'credits', credits: 2 });
    const list = {
      name: 'ReturnPremise_ByPostcode',
      twin: 'ReturnPremise_ByPostcode_Dataset',
      price: { kind: 'credits', credits: 1 },
    } as const;
    expect(freshPrice(list, { dataset: true, fields: [] })).toEqual({ kind: 'not-published' });
  });
  test('is the measured one if none is published', () => {
    const geo = { name: 'GeoData_ForPostcode', twin: 'GeoData_ForPostcode_Dataset', price: measured };
    expect(freshPrice(geo, { fields: [] })).toEqual(measured);
    expect(freshPrice(geo, { dataset: true, fields: [] })).toEqual({ kind: 'not-published' });
  });
});
