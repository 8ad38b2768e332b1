import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createShelf, type Questions, type Replies } from '../../../electron/core/decode/browse/browse.ts';
import { viewRows } from '../../../electron/core/decode/browse/row-view.ts';

const unsorted = { column: null, descending: false, filter: '' };
const sourceOf = (rows: object[]) => ({
  kind: 'value' as const,
  value: { value: { List: rows }, outcome: { found: 'something' as const } },
  operation: 'X',
  length: 1,
});

function open(rows: object[]) {
  const shelf = createShelf();
  shelf.keep('a', sourceOf(rows));
  return (question: Partial<Questions['rows']>) => {
    const reply = shelf.ask({
      key: 'a',
      question: { ask: 'rows', table: 0, from: 0, count: 10, view: unsorted, ...question },
    });
    if (!reply?.ok) throw new Error('not open');
    return reply.value as Replies['rows'];
  };
}

test('a kept answer is opened by its name; another name is not found', () => {
  const shelf = createShelf();
  shelf.keep('a', sourceOf([{ A: '1' }]));
  expect(shelf.ask({ key: 'b', question: { ask: 'summary' } })).toBeUndefined();
  for (let time = 0; time < 2; time += 1)
    expect(shelf.ask({ key: 'a', question: { ask: 'summary' } })).toMatchObject({
      ok: true,
      value: { tables: [{ name: 'List', columns: ['A'], rows: 1 }] },
    });
});

test('a page follows the requested order and filter, with the places of its rows', () => {
  const rows = open([{ A: 'Flat 10', B: 'x' }, { B: 'Y' }, { A: 'flat 2', B: 'z' }, { A: '', B: 'xy' }]);
  expect(rows({}).places).toEqual([0, 1, 2, 3]);
  expect(rows({ view: { ...unsorted, descending: true } }).places).toEqual([3, 2, 1, 0]);
  // Values that were not sent are last in either direction; an empty one is a value.
  expect(rows({ view: { column: 0, descending: false, filter: '' } }).places).toEqual([3, 2, 0, 1]);
  expect(rows({ view: { column: 0, descending: true, filter: '' } }).places).toEqual([0, 2, 3, 1]);
  expect(rows({ view: { column: 0, descending: false, filter: 'Y' } })).toEqual({
    rows: [
      ['', 'xy'],
      [null, 'Y'],
    ],
    places: [3, 1],
    total: 2,
  });
  expect(rows({ from: 1, count: 1, view: { ...unsorted, filter: 'FLAT' } })).toEqual({
    rows: [['flat 2', 'z']],
    places: [2],
    total: 2,
  });
  expect(rows({ view: { ...unsorted, filter: 'nowhere' } })).toMatchObject({ rows: [], total: 0 });
  expect(rows({ table: 7 })).toEqual({ rows: [], places: [], total: 0 });
});

test('cells are complete unless the page is too much to draw, else its longest are cut and say so', () => {
  const names = Array.from({ length: 30 }, (_, n) => `C${n}`);
  const pageOf = (longest: number) =>
    open(
      Array.from({ length: 1000 }, () =>
        Object.fromEntries(names.map((name, n) => [name, n === 0 ? 'x'.repeat(longest) : 'short'])),
      ),
    )({ count: 1000 });
  expect(pageOf(300).rows[999]?.[0]).toBe('x'.repeat(300));
  const cut = pageOf(2000).rows[999];
  expect(cut?.[0]).toMatch(/^x{40} …$/);
  expect(cut?.[1]).toBe('short');
});

test('a cell too long to draw is cut on its page, and whole in a file', () => {
  const shelf = createShelf();
  const long = 'x'.repeat(6000);
  shelf.keep('a', sourceOf([{ A: long, B: { C: long } }]));
  const about = { table: 0, from: 0, view: unsorted };
  const page = shelf.ask({ key: 'a', question: { ask: 'rows', count: 10, ...about } });
  expect(page).toMatchObject({ value: { rows: [[`${'x'.repeat(5000)} …`, expect.stringMatching(/ …$/)]] } });
  const columns = [
    { at: 0, head: 'A' },
    { at: 1, head: 'B' },
  ];
  const file = shelf.ask({ key: 'a', question: { ask: 'csv', columns, ...about } });
  const text = file?.ok && 'text' in file.value ? file.value.text : '';
  expect(text.match(/x{6000}/g)).toHaveLength(2);
  expect(text).not.toContain('…');
});

test('every row is in a sorted view once, whole numbers by value, text in natural order', () => {
  const cell = fc.option(fc.oneof(fc.nat(200).map(String), fc.constantFrom('007', '7', '0')), { nil: null });
  fc.assert(
    fc.property(fc.array(cell), fc.boolean(), (cells, descending) => {
      const table = { name: 'T', columns: ['A'], rows: cells.map((one) => [one]) };
      const places = [...viewRows(table, { column: 0, descending, filter: '' })];
      expect(places.toSorted((a, b) => a - b)).toEqual(cells.map((_, place) => place));
      // With a text among them all are sorted as text, and the numbers keep their order.
      const mixed = { ...table, rows: [...table.rows, ['x']] };
      const withText = [...viewRows(mixed, { column: 0, descending, filter: '' })];
      expect(withText.filter((place) => place < cells.length)).toEqual(places);
    }),
  );
});

test('figures with decimals and signs are sorted by value, empty ones first', () => {
  const sorted = (cells: string[], descending = false) => {
    const rows = cells.map((cell) => [cell]);
    const places = viewRows(
      { name: 'T', columns: ['Distance_Kilometres'], rows },
      { column: 0, descending, filter: '' },
    );
    return [...places].map((place) => cells[place]);
  };
  expect(sorted(['1.5', '10', '1.45', '', '2'])).toEqual(['', '1.45', '1.5', '2', '10']);
  expect(sorted(['-2.71894', '-10.5', '0.1'], true)).toEqual(['0.1', '-2.71894', '-10.5']);
});
