import { describe, expect, test } from 'vitest';
import { findLines, layOut } from '../../../electron/core/decode/browse/raw-lines.ts';
import { fieldsOf, tablesOf } from '../../../electron/core/decode/browse/tables.ts';

const lines = (text: string) => layOut([], text, true);
const folds = ({ ends }: ReturnType<typeof layOut>) => [...ends].flatMap((end, line) => (end < 0 ? [] : [[line, end]]));

describe('JSON in lines', () => {
  test('is indented without changes: numbers, escapes and duplicate names stay', () => {
    const made = lines('{"a":51.50,"a":"\\u00e9 \\" {","b":[],"c":{"d":[1,2]}}');
    expect(made.texts).toEqual([
      '{',
      '  "a": 51.50,',
      '  "a": "\\u00e9 \\" {",',
      '  "b": [],',
      '  "c": {',
      '    "d": [',
      '      1,',
      '      2',
      '    ]',
      '  }',
      '}',
    ]);
    expect(folds(made)).toEqual([
      [0, 10],
      [4, 9],
      [5, 8],
    ]);
  });

  test('joins no two words, which could spell an unmasked key', () => {
    const key = 'LK-7f3a91c2e8d04b56';
    for (const split of [' ', '\n', '\r\n\t', '  '])
      for (const form of [
        (text: string) => `{"a":${text}}`,
        (text: string) => `[${text}, 1]`,
        (text: string) => `{${text}`,
      ]) {
        const halves = `${key.slice(0, 9)}${split}${key.slice(9)}`;
        expect(lines(form(halves)).texts.join('\n')).not.toContain(key);
        expect(lines(form(`"x"${split}${halves}`)).texts.join('')).toContain(`"x" ${key.slice(0, 9)} ${key.slice(9)}`);
      }
    for (const markup of [' <b>', '<!-- x -->', '\n', '<![CDATA[ ]]>'])
      for (const xml of [`<a>${key.slice(0, 9)}${markup}${key.slice(9)}</a>`]) {
        expect(lines(xml).texts.join('\n')).not.toContain(key);
      }
  });

  test('loses nothing of a text that is no JSON', () => {
    for (const text of ['{"a":', '[}', '{"a" "b"', '{"open', ']]', '{,:}'])
      expect(lines(text).texts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });
});

describe('XML in lines', () => {
  test('leaves stay on one line, elements fold, text is not touched', () => {
    const made = lines('<?xml version="1.0"?><e><b at="1"><c>one &amp; two</c><d/><!-- x --></b><f></f></e>');
    expect(made.texts).toEqual([
      '<?xml version="1.0"?>',
      '<e>',
      '  <b at="1">',
      '    <c>one &amp; two</c>',
      '    <d/>',
      '    <!-- x -->',
      '  </b>',
      '  <f></f>',
      '</e>',
    ]);
    expect(folds(made)).toEqual([
      [1, 8],
      [2, 6],
    ]);
  });
});

test('a line too long to draw is cut, never inside a character, and is still found across the cut', () => {
  const text = `${'x'.repeat(998)}needle😀${'y'.repeat(3000)}`;
  const made = layOut([], text, false);
  expect(made.texts.every((line) => line.length <= 1000 && line.isWellFormed())).toBe(true);
  expect(made.texts.join('')).toBe(text);
  expect(findLines(made, 'NEEDLE')).toEqual({ lines: [0], more: false });
  expect(findLines(made, 'not there')).toEqual({ lines: [], more: false });
});

test('masks are counted, head and body are separate', () => {
  const made = layOut(['POST x', ''], '<a><GUID>••••1234</GUID></a>', true);
  expect(made.texts.slice(0, 2)).toEqual(['POST x', '']);
  expect(made.texts[made.head]).toBe('<a>');
  expect(made.masked).toBe(1);
  // A header that is too long to draw takes more than one line before the body.
  expect(layOut(['x'.repeat(1500), ''], '{}', true)).toMatchObject({ head: 3, texts: { length: 4 } });
  expect(layOut(['x', ''], '', true).head).toBe(2);
});

test('five megabytes come out complete', () => {
  const row =
    '<ListAddressPremise><List_Address>1 Kiln Brow &amp; Sons</List_Address><Return_Code>1</Return_Code></ListAddressPremise>';
  const count = Math.ceil(5_000_000 / row.length);
  const made = lines(`<r><List>${row.repeat(count)}</List></r>`);
  expect(made.texts).toHaveLength(4 + count * 4);
  expect(made.ends[0]).toBe(made.texts.length - 1);
  expect(findLines(made, 'kiln').more).toBe(true);
});

describe('tables', () => {
  test('a list of records, whatever is around it', () => {
    expect(tablesOf({ IsError: false, List: [{ a: '1' }, { b: null, a: '2' }] }, 'x')).toEqual([
      {
        name: 'List',
        columns: ['a', 'b'],
        rows: [
          ['1', null],
          ['2', null],
        ],
      },
    ]);
  });
  test('one record, with or without its wrapper', () => {
    const table = { columns: ['a', 'b'], rows: [['1', '2']] };
    expect(tablesOf({ a: '1', b: '2' }, 'x')).toEqual([{ name: 'x', ...table }]);
    expect(tablesOf({ item: { a: '1', b: '2' } }, 'x')).toEqual([{ name: 'item', ...table }]);
  });
  test('a data set keeps its tables and their columns, also empty ones', () => {
    const value = {
      tables: [
        { name: 'T', columns: ['a', 'b'], rows: [{ a: '1' }] },
        { name: 'U', columns: [], rows: [] },
      ],
    };
    expect(tablesOf(value, 'x')).toEqual([
      { name: 'T', columns: ['a', 'b'], rows: [['1', null]] },
      { name: 'U', columns: [], rows: [] },
    ]);
  });
  test('more tables than a list of names is read for: the rows of the last ones are in one, and none is lost', () => {
    const lists = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`L${at}`, [{ a: at }]]));
    lists.L102 = [{ a: 102, b: 'x' }, { b: 'y' }] as never;
    const sets = Object.entries(lists).map(([name, rows]) => ({ name, columns: ['a'], rows }));
    for (const value of [lists, { tables: sets }]) {
      const tables = tablesOf(value, 'x');
      expect(tables).toHaveLength(101);
      expect(tables[99]).toEqual({ name: 'L99', columns: ['a'], rows: [['99']] });
      expect(tables[100]).toEqual({
        name: '3 more tables',
        columns: ['In table', 'a', 'b'],
        rows: [
          ['L100', '100', null],
          ['L101', '101', null],
          ['L102', '102', 'x'],
          ['L102', null, 'y'],
        ],
      });
    }
  });
  test('a plain value, and nothing', () => {
    expect(tablesOf('DEMO', 'Answer')).toEqual([{ name: 'Answer', columns: ['Answer'], rows: [['DEMO']] }]);
    expect(tablesOf('', 'Answer')).toEqual([]);
  });
  test('every value has its path; all are counted', () => {
    expect(fieldsOf({ a: [{ b: 'x' }, { b: null }], c: true })).toEqual({
      fields: [
        { path: 'a[0].b', value: 'x' },
        { path: 'a[1].b', value: '' },
        { path: 'c', value: 'true' },
      ],
      count: 3,
    });
    expect(fieldsOf(Array.from({ length: 3000 }, String))).toMatchObject({ count: 3000, fields: { length: 2000 } });
  });
});
