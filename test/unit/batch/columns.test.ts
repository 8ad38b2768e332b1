import { expect, test } from 'vitest';
import { matchAddress } from '../../../electron/core/batch/match/match-address.ts';
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
    by: ['none', 'content'],
    kinds: ['postcodes'],
  });
  expect(meaningsOf(['Premise ID'], ['00284147'], ['00284148']).kinds).toEqual(['premise-ids']);
  expect(meaningsOf(['UDPRN'], ['284147'], ['0028414']).kinds).toEqual(['udprns']);
  expect(meaningsOf(['a'], ['2 Tannery Row, Hereford, HR10 2DT'], ['4 Tannery Row, Hereford HR10 2DT'])).toMatchObject({
    meanings: ['address'],
    kinds: ['addresses'],
  });
  // A spreadsheet may have taken any number of zeros, or written a number in its own way.
  expect(meaningsOf(['UDPRN', 'Postcode'], ['284147', 'HR10 2DT'], ['4148', 'HR10 2DT']).kinds[0]).toBe('udprns');
  expect(meaningsOf(['UDPRN'], ['12,345,678'], ['12,345,679']).kinds).toEqual(['udprns']);
  expect(meaningsOf(['Premise ID'], ['284147'], ['284148']).kinds).toEqual(['premise-ids']);
  // A list has its own numbers, and houses have theirs.
  expect(meaningsOf(['Premise ID', 'Postcode'], ['1', 'HR10 2DT'], ['2', 'TD16 3WN']).kinds).toEqual(['postcodes']);
  expect(meaningsOf(['Premises No', 'Postcode'], ['12', 'HR10 2DT'], ['140', 'TD16 3WN']).kinds).toEqual(['postcodes']);
  expect(meaningsOf(['UDPRN', 'Postcode'], ['none', 'HR10 2DT'], ['?', 'TD16 3WN']).kinds).toEqual(['postcodes']);
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

const understand = (kind: BatchKind, columns: ColumnRole[], ...cells: string[]) =>
  understandAs([], kind, columns, cells);
const understandAs = (heads: string[], kind: BatchKind, columns: ColumnRole[], cells: string[]) => {
  const row = understandRow(cells, { kind, heads, columns });
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

test('a row that may name a flat is planned with the credit that tells', () => {
  const flat = (premise: string) => {
    const cells = [premise, 'HR10 2DT'];
    const row = understandRow(cells, {
      kind: 'addresses',
      heads: [],
      columns: ['address', 'postcode'],
    });
    return row.ok && readQuestion(row).flat;
  };
  for (const premise of ['Flat 2', '3/2', '2F1', 'GF2', '1FL'])
    expect(flat(`${premise}, 20 Tannery Row`), premise).toBe(true);
  for (const premise of ['20', '2F', 'GF']) expect(flat(`${premise} Tannery Row`), premise).toBe(false);
});

test('rows that say different things are different, whatever separators are in their cells', () => {
  const say = (organisation: string, address: string) => {
    const columns: ColumnRole[] = ['organisation', 'address', 'postcode'];
    const row = understandRow([organisation, address, 'HR10 2DT'], {
      kind: 'addresses',
      heads: [],
      columns,
    });
    return row.ok ? keyOf(readQuestion(row)) : row.problem;
  };
  expect(say('Weir End|Unit 2', 'Tannery Yard')).not.toBe(say('Weir End', 'Unit 2|Tannery Yard'));
  expect(say('WEIR  End', '2 Tannery Row')).toBe(say('Weir End', '2 tannery row'));
});

test('identifiers that a spreadsheet has changed are reported, and get their zeros back if only those are missing', () => {
  const say = (cell: string) => {
    const row = understandRow([cell], { kind: 'udprns', heads: [], columns: ['udprn'] });
    return row.ok ? row.text : row.problem;
  };
  expect(['00284147', '284147', '2.84E+07', '284147.0', '12-3'].map(say)).toEqual([
    '00284147',
    '00284147',
    'identifier-number',
    'identifier-number',
    'identifier',
  ]);
});

/** How the rows of a table are understood that nobody has looked at. */
const readAs = (heads: string[], ...rows: string[][]) => {
  const { columns, kinds } = recogniseColumns(heads, true, rows);
  const roles = columns.map(({ meaning }) => meaning);
  return rows.map((row) => understandAs(heads, kinds[0] ?? 'addresses', roles, row));
};

test('a table with several addresses is asked for one of them, that of the postcode', () => {
  const here = ['2 Tannery Row', 'HR10 2DT'];
  const there = ['9 Mill Lane', 'LA24 9RX'];
  const first = '2 Tannery Row · HR10 2DT';
  const heads = ['Billing Address', 'Billing Postcode', 'Delivery Address', 'Delivery Postcode'];
  expect(readAs(heads, [...here, ...here])).toEqual([first]);
  expect(readAs(heads, [...here, ...there])).toEqual([first]);
  expect(readAs(['Address', 'Post Code', 'Previous Address', 'Previous Postcode'], [...here, ...there])).toEqual([
    first,
  ]);
  // Of two postcodes that by name comes before that by content.
  expect(readAs(['Invoice Address', 'Invoice Postcode', 'Address', 'Postcode'], [...there, ...here])).toEqual([first]);
  expect(readAs(['Delivery Address', 'Delivery Postcode', 'Address', 'Postcode'], [...there, ...here])).toEqual([
    first,
  ]);
  const lines = ['Billing Address 1', 'Billing Address 2', 'Delivery Address 1', 'Delivery Address 2', 'Postcode'];
  expect(readAs(lines, ['Flat 3', '20 Tannery Row', 'Flat 1', '9 Mill Lane', 'HR10 2DT'])).toEqual([
    'Flat 3, 20 Tannery Row · HR10 2DT',
  ]);
  const apart = ['Delivery Address 1', 'Address', 'Delivery Address 2', 'Delivery Postcode'];
  expect(readAs(apart, ['Flat 3', '9 Mill Lane', '20 Tannery Row', 'HR10 2DT'])).toEqual([
    'Flat 3, 20 Tannery Row · HR10 2DT',
  ]);
  expect(readAs(lines, ['', '', 'Flat 1', '9 Mill Lane', 'LA24 9RX'])).toEqual(['Flat 1, 9 Mill Lane · LA24 9RX']);
  for (const one of [
    ['Addr1', 'Addr2', 'PC'],
    ['Street Address', 'Address Line 2', 'Zip'],
    ['Line 1', 'Line 2', 'Postcode'],
    ['Address', 'Address', 'Delivery Postcode'],
    // By content alone they may be two lines of one.
    ['Home', 'and', 'Postcode'],
  ])
    expect(readAs(one, ['Flat 3, Kiln Court', '20 Tannery Row', 'HR10 2DT']), one[0]).toEqual([
      'Flat 3, Kiln Court, 20 Tannery Row · HR10 2DT',
    ]);
});

test('what another column says of the premise already is not said twice', () => {
  const full = '2 Tannery Row, Hereford, HR10 2DT';
  const said = ['2 Tannery Row · Hereford · HR10 2DT'];
  const rest = ['Town', 'Postcode'];
  const lines = ['Flat 3', '20 Tannery Row', 'Hereford', 'HR10 2DT'];
  expect(readAs(['Address', 'Address 1', 'Address 2', ...rest], ['FLAT 3 20 TANNERY ROW HEREFORD', ...lines])).toEqual([
    'FLAT 3 20 TANNERY ROW HEREFORD · Hereford · HR10 2DT',
  ]);
  expect(readAs(['Address', 'Address Line 1', ...rest], [full, '2 Tannery Row', 'Hereford', 'HR10 2DT'])).toEqual(said);
  expect(
    readAs(['House No', 'Street', 'Address', ...rest], ['2', 'TANNERY ROW', full, 'Hereford', 'HR10 2DT']),
  ).toEqual(said);
  expect(
    readAs(['Address', 'House No', 'Street', ...rest], ['2 Tannery Row', '2', 'Tannery Row', 'Hereford', 'HR10 2DT']),
  ).toEqual(['2 Tannery Row · Hereford · HR10 2DT']);
  expect(readAs(['Flat', 'Address', 'Postcode'], ['Flat 2', 'Flat 2, 20 Tannery Row', 'HR10 2DT'])).toEqual([
    'Flat 2, 20 Tannery Row · HR10 2DT',
  ]);
  expect(readAs(['Building', 'House No', 'Postcode'], ['Flat 2, Kiln Court', '2', 'HR10 2DT'])).toEqual([
    'Flat 2, Kiln Court, 2 · HR10 2DT',
  ]);
  // Another number is another premise, whatever it ends or begins with.
  expect(
    readAs(['House No', 'Street', 'Address', 'Postcode'], ['2', 'Tannery Row', '12 Tannery Row', 'HR10 2DT']),
  ).toEqual(['2 Tannery Row, 12 Tannery Row · HR10 2DT']);
});

test('an address that names its town, postcode and organisation is whole, though they have columns of their own', () => {
  const heads = ['Company', 'Address', 'Town', 'Postcode'];
  const address = 'WEIR END, 6 Tannery Row, Hereford, HR10 2DT';
  const [said] = readAs(heads, ['Weir End', address, 'Hereford', 'HR10 2DT']);
  expect(said).toBe('Weir End · 6 Tannery Row · Hereford · HR10 2DT');
  const row = { organisation: '', premise: '2 Tannery Row', town: 'Hereford', postcode: 'HR10 2DT' };
  const whole = { ...row, premise: '2 Tannery Row, Hereford, HR10 2DT' };
  const cells = ['', whole.premise, 'Hereford', 'HR10 2DT'];
  const columns: ColumnRole[] = ['organisation', 'address', 'town', 'postcode'];
  expect(understandRow(cells, { kind: 'addresses', heads, columns })).toMatchObject({
    given: row,
  });
  const list = [{ premiseId: '1', line: whole.premise, namesFlats: true }];
  expect(matchAddress(row, list).result).toBe('exact');
  // Only what has a column is left out, and an address that says nothing else stays what it is.
  expect(readAs(['Address', 'Postcode'], ['2 Tannery Row, Hereford', 'HR10 2DT'])).toEqual([
    '2 Tannery Row, Hereford · HR10 2DT',
  ]);
  expect(readAs(['Address', 'Town', 'Postcode'], ['Hereford', 'Hereford', 'HR10 2DT'])).toEqual([
    'Hereford · Hereford · HR10 2DT',
  ]);
});

/** The premise of a list in HR10 2DT that a row of a table is matched to. */
const findIn = (heads: string[], cells: string[], ...lines: string[]) => {
  const { columns, kinds } = recogniseColumns(heads, true, [cells]);
  const roles = columns.map(({ meaning }) => meaning);
  const row = understandRow(cells, { kind: kinds[0] ?? 'addresses', heads, columns: roles });
  if (!row.ok || !('given' in row)) return row.text;
  const list = lines.map((line) => ({ premiseId: line, line: `${line}, HEREFORD, HR10 2DT`, namesFlats: true }));
  const { result, fitting } = matchAddress(row.given, list);
  return [result, ...fitting.map(({ candidate }) => candidate.premiseId)];
};

const inBuildings = ['Building', 'House No', 'Street', 'Town', 'Postcode'];
const inLines = ['Address 1', 'Address 2', 'Address 3', 'Postcode'];
const inFirms = ['Company', 'Address', 'Town', 'Postcode'];
const here = ['Hereford', 'HR10 2DT'];
test.each([
  [
    inBuildings,
    ['Mill House', '2', 'Mill House Lane'],
    ['MILL HOUSE, 2 MILL HOUSE LANE', '2 MILL HOUSE LANE'],
    'exact',
  ],
  [inBuildings, ['Mill House', '2', 'Mill House Lane'], ['2 MILL HOUSE LANE'], 'differs'],
  [inBuildings, ['Mill House', '', 'Mill House Lane'], ['THE GRANARY, MILL HOUSE LANE'], 'premise-not-found'],
  [
    inBuildings,
    ['Mill House', '', 'Mill House Lane'],
    ['MILL HOUSE, MILL HOUSE LANE', 'THE GRANARY, MILL HOUSE LANE'],
    'exact',
  ],
  [inLines, ['The Mill', 'The Mill Yard'], ['THE MILL, THE MILL YARD', 'THE FORGE, THE MILL YARD'], 'exact'],
  [inFirms, ['Unit A', 'Unit A, Tannery Yard'], ['UNIT A, TANNERY YARD', 'UNIT B, TANNERY YARD'], 'differs'],
  [inFirms, ['Studio 54', 'Studio 54, 2 Mill Lane'], ['STUDIO 54, 2 MILL LANE', '2 MILL LANE'], 'differs'],
  [inFirms, ['', 'Hereford, Mill Lane'], ['HEREFORD, MILL LANE', 'THE FORGE, MILL LANE'], 'exact'],
  [inFirms, ['Weir End', 'Weir End, Mill Lane'], ['WEIR END, MILL LANE', 'THE FORGE, MILL LANE'], 'exact'],
  [inFirms, ['Weir End', 'Weir End, Mill Lane'], ['THE FORGE, MILL LANE'], 'premise-not-found'],
])(
  'a name within another, or of a town or an organisation, is still that of the premise: %#',
  (heads, cells, list, result) => {
    const found = findIn(heads, [...cells, ...here], ...list);
    expect(found).toEqual(result === 'premise-not-found' ? [result] : [result, list[0]]);
  },
);

const full = '2 Tannery Row, Hereford, HR10 2DT';
test.each([
  [
    ['First line of address', 'Address line 2', 'Postcode'],
    ['20 Tannery Row', 'Flat 3', 'HR10 2DT'],
    '20 Tannery Row, Flat 3',
  ],
  [
    ['Address line 1 (required)', 'Address line 2', 'Postcode'],
    ['4 Mill Lane', 'Weir', 'HR10 2DT'],
    '4 Mill Lane, Weir',
  ],
  [['Property Address', 'Address 2', 'Postcode'], ['2 Tannery Row', 'Weir', 'HR10 2DT'], '2 Tannery Row, Weir'],
  [['Address', 'Address continued', 'Postcode'], ['Kiln House', '4 Mill Lane', 'HR10 2DT'], 'Kiln House, 4 Mill Lane'],
  // A comma without quotes in each row.
  [['Address', 'Postcode', 'Column 3'], ['Flat 3', '20 Tannery Row', 'HR10 2DT'], 'Flat 3, 20 Tannery Row'],
  [['Address 1', 'Address 2', 'Full Address'], ['2 Tannery Row', '', full], '2 Tannery Row, Hereford'],
  [['Address', 'Registered Address'], ['9 Mill Lane', full], '2 Tannery Row, Hereford'],
  [['Delivery Address', 'Address 2', 'Postcode'], ['Flat 3', '20 Tannery Row', 'HR10 2DT'], 'Flat 3, 20 Tannery Row'],
  [
    ['Address 1', 'Address 2', 'Home Address', 'Postcode'],
    ['Flat 3', 'Weir', '9 Mill Lane', 'HR10 2DT'],
    'Flat 3, Weir',
  ],
  [
    ['Delivery Address', 'Address continued', 'Postcode'],
    ['Flat 3', '20 Tannery Row', 'HR10 2DT'],
    'Flat 3, 20 Tannery Row',
  ],
  [['Registered Address', 'Notes', 'Postcode'], ['2 Tannery Row', '3 parcels', 'HR10 2DT'], '2 Tannery Row, 3 parcels'],
  [['Delivery Address', 'Postcode', 'Column 3'], ['Flat 3', '20 Tannery Row', 'HR10 2DT'], 'Flat 3, 20 Tannery Row'],
  [['BillingStreet', 'ShippingStreet', 'ShippingZip'], ['9 Mill Lane', '2 Tannery Row', 'HR10 2DT'], '2 Tannery Row'],
  [['Site', 'Address', 'Postcode'], ['Mill Lane Depot', '2 Tannery Row', 'HR10 2DT'], 'Mill Lane Depot, 2 Tannery Row'],
])('columns are of one address unless a name says whose another is: %j', (heads, cells, premise) => {
  expect(readAs(heads, cells)).toEqual([`${premise} · HR10 2DT`]);
});

test('a bare number in a column of units is a unit, and in one of flats a flat', () => {
  const said = (head: string, cell: string) =>
    readAs([head, 'Building', 'Town', 'Postcode'], [cell, 'Tannery Yard', 'Hereford', 'HR10 2DT']);
  for (const head of ['Unit', 'UNIT NO', 'UnitNumber'])
    expect(said(head, '3'), head).toEqual(['Unit 3, Tannery Yard · Hereford · HR10 2DT']);
  for (const head of ['Flat', 'Apartment', 'Sub-building'])
    expect(said(head, '3a'), head).toEqual(['Flat 3a, Tannery Yard · Hereford · HR10 2DT']);
  expect(said('Unit', 'Suite 3')).toEqual(['Suite 3, Tannery Yard · Hereford · HR10 2DT']);
});

test.each([
  [
    ['Property Line 1', 'Property Line 2', 'Property Line 3'],
    ['Flat 1', '20 Tannery Row', 'Weir'],
  ],
  [
    ['Street1', 'Street2'],
    ['20 Tannery Row', 'Flat 2'],
  ],
  [
    ['ship-address-1', 'ship-address-2', 'ship-address-3'],
    ['Kiln Court', '20 Tannery Row', 'Weir'],
  ],
  [
    ['AddrLn1', 'AddrLn2'],
    ['2F1', '20 Tannery Row'],
  ],
  [
    ['First line of address', 'Second line of address'],
    ['Kiln Court', '20 Tannery Row'],
  ],
  [
    ['where', 'and'],
    ['Apartment 3B', '20 Tannery Row'],
  ],
  [
    ['where', 'and'],
    ['First Floor', '20 Tannery Row'],
  ],
])('a flat and the other lines of an address are of it, though no name says so: %j', (heads, cells) => {
  expect(readAs([...heads, 'Postcode'], [...cells, 'HR10 2DT'])).toEqual([`${cells.join(', ')} · HR10 2DT`]);
});

test.each([
  [
    ['Product', 'Address'],
    ['Office 365', '20 Tannery Row'],
  ],
  [
    ['Room', 'Address'],
    ['Room 3', '20 Tannery Row'],
  ],
  [
    ['Order Line 1', 'Order Line 2', 'Address'],
    ['Nails', 'Screws', '20 Tannery Row'],
  ],
  [
    ['Phone 1', 'Phone 2', 'Address'],
    ['01432 123456', 'none', '20 Tannery Row'],
  ],
  [
    ['Notes', 'Address'],
    ['Flat battery', '20 Tannery Row'],
  ],
  [
    ['Suffix', 'Address'],
    ['A', '20 Tannery Row'],
  ],
  [
    ['House No', 'Suffix', 'Street'],
    ['20', 'Jr', 'Tannery Row'],
  ],
])('goods, bookings and notes are of no address: %j', (heads, cells) => {
  expect(readAs([...heads, 'Postcode'], [...cells, 'HR10 2DT'])).toEqual(['20 Tannery Row · HR10 2DT']);
});

test.each([
  [['Apt', 'Number', 'Street'], ['3', '20', 'Tannery Row'], 'Flat 3, 20 Tannery Row'],
  [['Sub Premise', 'House No', 'Street'], ['Flat 3', '20', 'Tannery Row'], 'Flat 3, 20 Tannery Row'],
  [['Flat number or name', 'House No', 'Street'], ['3', '20', 'Tannery Row'], 'Flat 3, 20 Tannery Row'],
  [['House No', 'House No Suffix', 'Street'], ['20', 'A', 'Tannery Row'], '20 A Tannery Row'],
  [['No.', 'Suffix', 'Road'], ['20', 'A', 'Tannery Row'], '20 A Tannery Row'],
])('a flat and the letter of a house number are known by their names: %j', (heads, cells, premise) => {
  expect(readAs([...heads, 'Postcode'], [...cells, 'HR10 2DT'])).toEqual([`${premise} · HR10 2DT`]);
});

test.each([
  'House name or number',
  'House name/number',
  'House Name & Number',
  'HouseNumberOrName',
  'House No. / Name',
  'Building name or number',
  'Property number/name',
])('a column of house names or numbers has both: %s', (head) => {
  const rows = [
    ['12', 'Mill Lane', 'HR10 2DT'],
    ['The Old Bark House', 'Tannery Row', 'HR10 2DT'],
    ['Rose Cottage', 'Mill Lane', 'HR10 2DT'],
  ];
  expect(readAs([head, 'Street', 'Postcode'], ...rows)).toEqual([
    '12 Mill Lane · HR10 2DT',
    'The Old Bark House, Tannery Row · HR10 2DT',
    'Rose Cottage, Mill Lane · HR10 2DT',
  ]);
  expect(readAs([head, 'Address line 1', 'Village', 'Postcode'], ['12', 'Mill Lane', 'Weir', 'HR10 2DT'])).toEqual([
    '12 Mill Lane, Weir · HR10 2DT',
  ]);
  expect(readAs([head, 'Suffix', 'Street', 'Postcode'], ['12', 'A', 'Mill Lane', 'HR10 2DT'])).toEqual([
    '12 A Mill Lane · HR10 2DT',
  ]);
  const flats = ['Flat 3, Rose Court', 'Apt 12 Rose Court'];
  expect(readAs([head, 'Street', 'Postcode'], ...flats.map((flat) => [flat, 'Mill Lane', 'HR10 2DT']))).toEqual(
    flats.map((flat) => `${flat}, Mill Lane · HR10 2DT`),
  );
  // Words beside a number are no name of their own.
  const numbers = ['Number 12', '12 (rear)', 'Plot 12', '12 Rose Cottage'];
  expect(readAs([head, 'Street', 'Postcode'], ...numbers.map((number) => [number, 'Mill Lane', 'HR10 2DT']))).toEqual(
    numbers.map((number) => `${number} Mill Lane · HR10 2DT`),
  );
});

test('a postcode is read before a country, behind an apostrophe, and in the address where its own column is empty', () => {
  const said = ['2 Tannery Row, Hereford · HR10 2DT'];
  for (const country of [', UK', ', United Kingdom', ' GB', ', Wales.'])
    expect(readAs(['where'], [`2 Tannery Row, Hereford HR10 2DT${country}`]), country).toEqual(said);
  expect(readAs(['Address', 'Zip'], ['2 Tannery Row, Hereford', "'HR10 2DT"])).toEqual(said);
  expect(
    readAs(['Address', 'Postcode'], ['2 Tannery Row, Hereford, HR10 2DT', ''], ['4 Mill Lane', 'LA24 9RX']),
  ).toEqual([...said, '4 Mill Lane · LA24 9RX']);
  expect(readAs(['Address', 'Town', 'Postcode'], ['2 Tannery Row, HR10 2DT', 'Hereford', ''])).toEqual([
    '2 Tannery Row · Hereford · HR10 2DT',
  ]);
  // Numbers of parts and a country that is no end.
  expect(meaningsOf(['Part', 'Address'], ['AB1-2CD', '2 Tannery Row']).meanings).toEqual(['unused', 'address']);
  expect(readAs(['Address'], ['2 Tannery Row, HR10 2DT, UK depot'])).toEqual([
    'no-postcode: 2 Tannery Row, HR10 2DT, UK depot',
  ]);
});

test('running numbers before addresses that have numbers of their own are no house numbers', () => {
  const said = ['20 Tannery Row · HR10 2DT', '4 Mill Lane · HR10 2DT'];
  for (const [name, street] of [
    ['No', 'Address'],
    ['No.', 'Street'],
    ['Number', 'where'],
  ] as const) {
    const heads = [name, street, 'Postcode'];
    expect(readAs(heads, ['1', '20 Tannery Row', 'HR10 2DT'], ['2', '4 Mill Lane', 'HR10 2DT']), name).toEqual(said);
    expect(readAs(heads, ['1001', '20 Tannery Row', 'HR10 2DT'], ['1002', '4 Mill Lane', 'HR10 2DT'])).toEqual(said);
    // The same number twice, and a street that is called after one.
    expect(readAs(heads, ['20', '20 Tannery Row', 'HR10 2DT'], ['4', '4 Mill Lane', 'HR10 2DT'])).toEqual(said);
    expect(readAs(heads, ['20', 'Tannery Row', 'HR10 2DT'], ['4', '3rd Avenue', 'HR10 2DT'])).toEqual([
      said[0],
      '4 3rd Avenue · HR10 2DT',
    ]);
  }
  // One that is called a house’s is believed.
  expect(readAs(['House No', 'Street', 'Postcode'], ['2', '20 Acre Lane', 'HR10 2DT'])).toEqual([
    '2 20 Acre Lane · HR10 2DT',
  ]);
});

test('a number that a spreadsheet has written as 12.0 is 12, and one that it has made a date is not asked', () => {
  const columns: ColumnRole[] = ['sub-building', 'number', 'street', 'postcode'];
  const say = (...cells: string[]) => understand('addresses', columns, ...cells, 'HR10 2DT');
  expect(say('3.0', '12.0', 'Mill Lane')).toBe('Flat 3, 12 Mill Lane · HR10 2DT');
  for (const date of [
    '2024-12-14',
    '14-Dec',
    'Dec-14',
    '2024-12-14 00:00:00',
    '14/12/2024',
    '14/12/24',
    '14-Dec-24',
    '14-Dec-2024',
    '14 Dec',
    '14 Dec 2024',
  ])
    expect(say('', date, 'Mill Lane'), date).toMatch(/^number-date: /);
  expect(say('3-Mar', '12', 'Mill Lane')).toMatch(/^number-date: /);
  // Ranges, names and what is no number’s.
  expect(say('', '12-14', 'Mill Lane')).toBe('12-14 Mill Lane · HR10 2DT');
  expect(say('', '12/14', 'Mill Lane')).toBe('12/14 Mill Lane · HR10 2DT');
  expect(say('', '12.05', 'Mill Lane')).toBe('12.05 Mill Lane · HR10 2DT');
  expect(say('', 'May Cottage', 'Mill Lane')).toBe('May Cottage, Mill Lane · HR10 2DT');
  expect(understand('postcodes', ['number', 'postcode'], '14-Dec', 'HR10 2DT')).toBe('HR10 2DT');
});

test('of several postcodes the one is taken whose owner has an address', () => {
  const there = 'LA24 9RX';
  const here = ['2 Tannery Row', 'HR10 2DT'];
  const said = ['2 Tannery Row · HR10 2DT'];
  expect(readAs(['Billing Postcode', 'Delivery Address', 'Delivery Postcode'], [there, ...here])).toEqual(said);
  expect(readAs(['Registered Postcode', 'Site Address', 'Site Postcode'], [there, ...here])).toEqual(said);
  expect(readAs(['Old Postcode', 'New Postcode', 'New Address'], [there, ...here.toReversed()])).toEqual(said);
  // Where none has one, or each, the first; one called Postcode comes before all.
  expect(readAs(['Delivery Postcode', 'Billing Postcode', 'Address'], ['HR10 2DT', there, '2 Tannery Row'])).toEqual(
    said,
  );
  expect(
    readAs(
      ['Delivery Address', 'Delivery Postcode', 'Billing Address', 'Billing Postcode'],
      [...here, '9 Mill Lane', there],
    ),
  ).toEqual(said);
  expect(readAs(['Site Address', 'Site Postcode', 'Address', 'Postcode'], ['9 Mill Lane', there, ...here])).toEqual(
    said,
  );
});
