import { expect, test } from 'vitest';
import { keyOf, readQuestion } from '../../../electron/core/batch/survey/row-planner.ts';
import { recogniseColumns } from '../../../electron/core/batch/table/recognise-columns.ts';
import { understandRow } from '../../../electron/core/batch/table/understand-row.ts';
import type { BatchKind, ColumnRole } from '../../../shared/domain/batch.ts';

const meaningsOf = (heads: string[], ...rows: string[][]) => {
  const { columns, kinds } = recogniseColumns(heads, true, rows);
  return { meanings: columns.map(({ meaning }) => meaning), by: columns.map(({ by }) => by), kinds };
};

test('columns of a list of customers, by name and by content', () => {
  const { meanings, by, kinds } = meaningsOf(
    ['CustNo', 'Company', 'Addr1', 'Addr2', 'City', 'PC', 'Since'],
    ['C-1001', '', '2 Tannery Row', '', 'Hereford', 'HR10 2DT', '03/2019'],
    ['C-1003', 'Weir End Upholstery', 'Flat 3, 12 Kiln Brow', 'rear door', 'Kendal', 'LA249RX', '07/2020'],
  );
  expect(meanings).toEqual(['unused', 'organisation', 'address', 'address', 'town', 'postcode', 'unused']);
  expect(by[5]).toBe('name-and-content');
  expect(kinds[0]).toBe('addresses');
  expect(kinds).toContain('postcodes');
});

test('a customer number is not an organisation, and a customer column is one only if no other column is', () => {
  const rows = [['C-1001', 'Weir End Upholstery', 'HR10 2DT']];
  expect(meaningsOf(['Customer', 'Company', 'Postcode'], ...rows).meanings).toEqual([
    'unused',
    'organisation',
    'postcode',
  ]);
  const both = [['Ann Ashdown', 'Weir End Upholstery', 'HR10 2DT']];
  expect(meaningsOf(['Customer', 'Company', 'Postcode'], ...both).meanings).toEqual([
    'unused',
    'organisation',
    'postcode',
  ]);
  expect(meaningsOf(['Customer', 'Postcode'], ['Weir End', 'HR10 2DT']).meanings).toEqual(['organisation', 'postcode']);
});

test('a head that its cells contradict is ignored, and cells without a head are recognised', () => {
  expect(meaningsOf(['id', 'where'], ['1', 'HR10 2DT'], ['2', 'TD16 3WN'])).toMatchObject({
    meanings: ['unused', 'postcode'],
    by: ['nothing', 'content'],
    kinds: ['postcodes'],
  });
  expect(meaningsOf(['Premise ID'], ['00284147'], ['00284148']).kinds).toEqual(['premise-ids']);
  expect(meaningsOf(['UDPRN'], ['284147'], ['0028414']).kinds).toEqual(['udprns']);
  expect(meaningsOf(['a'], ['2 Tannery Row, Hereford, HR10 2DT'], ['4 Tannery Row, Hereford HR10 2DT'])).toMatchObject({
    meanings: ['address'],
    kinds: ['addresses'],
  });
  expect(recogniseColumns(['UDPRN'], true, [['2.84E+07'], ['0284147'], ['00284147']]).columns[0]).toMatchObject({
    meaning: 'udprn',
    padded: 1,
  });
});

test('eight-digit numbers under a name that says nothing of premise ids do not come before what has its name', () => {
  const rest = ['2 Tannery Row', 'Hereford', 'HR10 2DT'];
  for (const [name, number] of [
    ['Account', '12345678'],
    ['Customer ID', '10000001'],
    ['Date joined', '20240131'],
    ['ID', '10000001'],
    ['Key', '10000001'],
  ] as const)
    expect(meaningsOf([name, 'Address', 'Town', 'Postcode'], [number, ...rest]).kinds, name).toEqual([
      'addresses',
      'postcodes',
      'premise-ids',
    ]);
  expect(meaningsOf(['Premise ID', 'Address', 'Town', 'Postcode'], ['00284147', ...rest]).kinds[0]).toBe('premise-ids');
  expect(meaningsOf(['Account'], ['12345678'])).toMatchObject({ by: ['content'], kinds: ['premise-ids'] });
});

const understand = (kind: BatchKind, columns: ColumnRole[], ...cells: string[]) => {
  const row = understandRow(cells, { kind, columns, padIdentifiers: false });
  return row.ok ? row.text : `${row.problem}: ${row.text}`;
};

test('a row is shown as it is understood, or with why it cannot be asked', () => {
  const columns: ColumnRole[] = ['unused', 'organisation', 'address', 'town', 'postcode'];
  const say = (...cells: string[]) => understand('addresses', columns, ...cells);
  expect(say('C', '', 'Flat 3,  12 Kiln Brow', 'Kendal', 'la249rx')).toBe('Flat 3, 12 Kiln Brow · Kendal · LA24 9RX');
  expect(say('C', 'Weir End', '', 'Hereford', 'HR10 2DT')).toBe('Weir End · Hereford · HR10 2DT');
  expect(say('C', '', '14 Tannery Row', 'Hereford', 'HR10 2D')).toBe('postcode: 14 Tannery Row · Hereford · HR10 2D');
  expect(say('C', '', '14 Tannery Row', 'Hereford', '')).toBe('no-postcode: 14 Tannery Row · Hereford');
  expect(say('C', '', '', '', 'HR10 2DT')).toBe('no-premise: HR10 2DT');
  expect(say('', ' ', '', '', '')).toBe('empty: ');
  expect(say('C', 'x', 'y', 'z', 'HR10 2DT', 'moved')).toMatch(/^cells: /);
  expect(understand('postcodes', ['postcode'], ' hr10  2dt')).toBe('HR10 2DT');
  expect(understand('postcodes', ['postcode'], 'M2O 1AA')).toBe('postcode: M2O 1AA');
  expect(understand('organisations', ['organisation', 'town'], 'Weir End', 'Hereford')).toBe('Weir End · Hereford');
  expect(understand('organisations', ['organisation', 'town'], 'Weir End', '')).toBe('no-town: Weir End');
  expect(understand('addresses', ['address'], '2 Tannery Row, Hereford HR102DT')).toBe(
    '2 Tannery Row, Hereford · HR10 2DT',
  );
  expect(
    understand('addresses', ['number', 'street', 'sub-building', 'postcode'], '12A', 'Mill Lane', '3', 'HR10 2DT'),
  ).toBe('Flat 3, 12A Mill Lane · HR10 2DT');
});

test('a letter that no postcode has is not left out: the rest would be another postcode, asked for and paid', () => {
  // A Cyrillic Ѕ, a Greek Ε, a Polish Ś, one with an accent apart, a wide S, and one that was lost to a wrong encoding.
  for (const first of ['Ѕ', 'Ε', 'Ś', 'S\u0301', 'Ｓ', '\uFFFD']) {
    expect(understand('postcodes', ['postcode'], `${first}W1A 1AA`)).toMatch(/^postcode: /);
    expect(understand('addresses', ['address'], `2 High Street, London, ${first}W1A 1AA`)).toMatch(/^no-postcode: /);
  }
  // What only stands around or between its letters is.
  expect(understand('postcodes', ['postcode'], '“SW1A\u00a0–\u200b1AA”.')).toBe('SW1A 1AA');
});

test('rows that say different things are different, whatever separators are in their cells', () => {
  const say = (organisation: string, address: string) => {
    const columns: ColumnRole[] = ['organisation', 'address', 'postcode'];
    const row = understandRow([organisation, address, 'HR10 2DT'], {
      kind: 'addresses',
      columns,
      padIdentifiers: false,
    });
    return row.ok ? keyOf(readQuestion(row)) : row.problem;
  };
  expect(say('Weir End|Unit 2', 'Tannery Yard')).not.toBe(say('Weir End', 'Unit 2|Tannery Yard'));
  expect(say('WEIR  End', '2 Tannery Row')).toBe(say('Weir End', '2 tannery row'));
});

test('identifiers that a spreadsheet has changed are reported, and seven digits become eight if a person asks', () => {
  const say = (cell: string, padIdentifiers = false) => {
    const row = understandRow([cell], { kind: 'udprns', columns: ['udprn'], padIdentifiers });
    return row.ok ? row.text : row.problem;
  };
  expect(['00284147', '284147', '2.84E+07', '284147.0', '12-3'].map((cell) => say(cell))).toEqual([
    '00284147',
    'identifier-short',
    'identifier-number',
    'identifier-number',
    'identifier',
  ]);
  expect(say('0284147', true)).toBe('00284147');
});
