import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewPremise } from '../../../electron/core/lookup/premise-view.ts';
import { readTable } from '../../../electron/core/tables/read-table.ts';
import { differencesText } from '../../../renderer/features/compare/compared-rows.ts';
import { copyText } from '../../../renderer/features/lookup/premise/copy-forms.ts';
import { type Address, addressFields } from '../../../shared/domain/address/address.ts';
import { fromRestPremiseA } from '../../../shared/domain/address/address-from-rest.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address/address-from-soap.ts';
import { isIdentifier } from '../../../shared/domain/address/address-identifiers.ts';
import type { ComparedRow } from '../../../shared/domain/lookup/compare-answers.ts';
import type { PremiseView, Provenance } from '../../../shared/domain/lookup/lookup.ts';
import {
  type CsvColumn,
  csvHead,
  csvRow,
  mostCopied,
  readSafeCell,
  safeCell,
  writeCsv,
  writeTabbed,
} from '../../../shared/domain/text/csv.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** Cells as a spreadsheet reads them: a quote has a meaning only at the beginning of a cell, and rows end at line ends. */
function cellsAsOpened(text: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  let begun = false;
  const end = () => {
    cells.push(cell);
    cell = '';
    begun = false;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quoted && sign === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (quoted && sign === '"') quoted = false;
    else if (quoted) cell += sign;
    else if (sign === '"' && !begun) {
      quoted = true;
      begun = true;
    } else if (sign === separator || sign === '\n' || sign === '\r') end();
    else {
      cell += sign;
      begun = true;
    }
  }
  end();
  return cells;
}

/** Whether a spreadsheet would run the cell, written without the program's pattern: by the first visible character after Unicode folding. */
function runs(cell: string): boolean {
  const seen = [...cell].find((sign) => !/[\s\p{C}\p{Z}\p{Mn}\u115F\u1160\u3164\uFFA0\u2800]/u.test(sign));
  return seen !== undefined && '=+-@|%'.includes(seen.normalize('NFKC'));
}

const evil = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '|cmd',
  '%0A',
  ' =1',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '﹦1',
  '\u200b=1',
  '\uFEFF=1',
  '\u00AD=1',
  '\u3164=1',
  '\u2066=1',
  '\u0001=1',
  '\u009f=1',
  'x;=1',
  'x; =1',
  'x;\u200b=1',
  'x\n=1',
  'x\r\n+1',
  'x\t@y',
  "x;'=1",
  "'=1",
  "''=1",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("https://example.org","x")',
];

describe('nothing that is exported runs in a spreadsheet', () => {
  const files: [string, (cell: string) => string][] = [
    [
      'a file',
      (cell) =>
        writeCsv(
          [{ head: 'a' }, { head: 'b', kind: 'identifier' }, { head: 'c', kind: 'number' }],
          [[cell, cell, cell]],
        ),
    ],
    ['a file in parts', (cell) => csvHead([{ head: cell }]) + csvRow([1, cell, null])],
    ['rows for the clipboard', (cell) => writeTabbed([['a', cell]])],
    [
      'a premise',
      (cell) =>
        copyText(
          {
            premiseId: cell,
            oneLine: cell,
            envelope: [],
            fields: [{ name: 'street', label: cell, value: cell }],
            otherFields: [],
            latitude: { value: cell },
            uprn: { value: cell },
          } as unknown as PremiseView,
          'csv',
        ),
    ],
    [
      'what differs',
      (cell) =>
        differencesText(
          [
            {
              label: cell,
              left: { value: cell },
              right: { value: cell },
              verdict: 'differs',
              explanation: cell,
            } as unknown as ComparedRow,
          ],
          cell,
          cell,
        ),
    ],
  ];
  test.each(files)('%s, in each language', (_name, write) => {
    const check = (cell: string) => {
      for (const separator of [',', ';', '\t', '|'])
        for (const found of cellsAsOpened(write(cell).replace(/^\uFEFF/, ''), separator))
          expect(
            runs(found) && !/^-?\d+(\.\d+)?$/.test(found),
            `${JSON.stringify(cell)} opened by ${JSON.stringify(separator)}: ${JSON.stringify(found)}`,
          ).toBe(false);
    };
    for (const cell of evil) check(cell);
    const part = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      "'",
      '"',
      ';',
      ',',
      '|',
      '\t',
      '\r',
      '\n',
      ' ',
      '\u200b',
      '\u0001',
      'x',
      '1',
      '.',
    );
    fc.assert(fc.property(fc.string({ unit: part, maxLength: 9 }), check), { numRuns: 1000 });
  });

  test('an identifier stays text and a coordinate a number', () => {
    const columns: CsvColumn[] = [{ head: 'id', kind: 'identifier' }, { head: 'n', kind: 'number' }, { head: 't' }];
    const rowOf = (...cells: (string | number | boolean | null)[]) => csvRow(cells, columns);
    expect(writeCsv(columns, [['00284147', '-2.71', '12']])).toBe('\uFEFFid,n,t\r\n"\'00284147",-2.71,12\r\n');
    expect(rowOf(12, -3.5, null)).toBe('12,-3.5,\r\n');
    for (const id of ['10000000000000000123', '12E5', '1-2', '3/4/26', 'MAR-01', '1 Sep 26', 'TRUE'])
      expect(safeCell(id, 'identifier'), id).toBe(`'${id}`);
    for (const id of ['WY-20418', 'HFD-LT-0147', 'DECOY-7X', 'E5 1AB', 'MARGATE'])
      expect(safeCell(id, 'identifier'), id).toBe(id);
    for (const text of ['00284147', '2-4', '12E5', '3/4/26']) expect(safeCell(text), text).toBe(`'${text}`);
    for (const text of ['12', '2026-11-21', '52.056', 'a - b', 'Flat 2; rear']) expect(safeCell(text), text).toBe(text);
  });

  test('any text that was made safe is read back as it was', async () => {
    const part = fc.constantFrom(
      '=',
      '-',
      "'",
      '"',
      ';',
      ',',
      '\t',
      '\n',
      ' ',
      '\u200b',
      '0',
      '1',
      'x',
      '/',
      'é',
      '🏠',
    );
    for (const kind of ['text', 'identifier', 'number'] as const) {
      for (const cell of evil) expect(readSafeCell(safeCell(cell, kind)), cell).toBe(cell);
      fc.assert(
        fc.property(fc.string({ unit: part, maxLength: 8 }), (cell) => readSafeCell(safeCell(cell, kind)) === cell),
        { numRuns: 1000 },
      );
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: part }), fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 4 }),
        async (rows) => {
          const filled = rows.map(([a, b]) => [`x${a.replaceAll('\n', '')}`, b]);
          const read = unwrap(
            await readTable(writeCsv([{ head: 'a' }, { head: 'b', kind: 'identifier' }], filled), 10),
          );
          expect(read.slice(1).map((row) => row.map(readSafeCell))).toEqual(filled);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a table is read', () => {
  const read = (text: string, most = 10) => readTable(text, most);
  test('separators, quotes, line breaks in cells, a byte order mark, blank lines, every line end', async () => {
    expect(unwrap(await read('\uFEFFa,b\r\n"1,""2""\r\n3",x\r\n\r\n , \r\nlast'))).toEqual([
      ['a', 'b'],
      ['1,"2"\r\n3', 'x'],
      ['last'],
    ]);
    expect(unwrap(await read('a;b,c\n1;2'))).toEqual([['a;b', 'c'], ['1;2']]);
    expect(unwrap(await read('a;b;c\n1;2;3'))[1]).toEqual(['1', '2', '3']);
    expect(unwrap(await read('a\tb,c\n1\t2'))[0]).toEqual(['a', 'b,c']);
    expect(unwrap(await read('a,b\r\n1,2\n3,4\r5,6'))).toHaveLength(4);
    expect(unwrap(await read('rack,19" deep\nteam,"A" team\nblank, "x"'))).toEqual([
      ['rack', '19" deep'],
      ['team', '"A" team'],
      ['blank', 'x'],
    ]);
    expect(unwrap(await read(''))).toEqual([]);
  });

  test('a first line that only names the separator is no row, and is counted as a line', async () => {
    // Commas split the header more often than semicolons do.
    const rows = [
      ['Machine, where, since', 'Note'],
      ['PC-1', 'front'],
    ];
    const lines = rows.map((row) => row.join(';')).join('\r\n');
    for (const first of ['sep=;\r\n', 'SEP=;\n', '"sep=;"\r', '\uFEFFsep=;;\n'])
      expect(unwrap(await read(first + lines)), first).toEqual(rows);
    expect(unwrap(await read('sep=|\nPC-1|front'))).toEqual([['PC-1', 'front']]);
    // Not one that is read: what the lines show counts.
    expect(unwrap(await read('sep=^\nPC-1;front'))).toEqual([['PC-1', 'front']]);
    expect(unwrap(await read('sep=\nPC-1'))).toEqual([['sep='], ['PC-1']]);
    const refused = await read('sep=;\na;b\n"open;1\n2;3\n');
    expect(refused.ok ? '' : refused.error.message).toMatch(/^A quote in the row that begins in line 3 does/);
  });

  test('cells across the borders of parsed pieces stay whole', async () => {
    const rows = Array.from({ length: 9000 }, (_, index) => [`№${index}🏠`, 'é'.repeat(index % 30)]);
    expect(unwrap(await read(rows.map((row) => row.join('\t')).join('\n'), 9000))).toEqual(rows);
  });

  test('unreadable input is refused with its line, and no row is lost silently', async () => {
    const refused = async (text: string, most = 10) => {
      const result = await read(text, most);
      return result.ok ? `read ${result.value.length}` : `${result.error.code}: ${result.error.message}`;
    };
    expect(await refused('a,b\n1,2\n"open,3\n4,5\n')).toMatch(
      /^bad-input: A quote in the row that begins in line 3 does/,
    );
    expect(await refused(`a,b\n"open,1\n${'2,3\n'.repeat(30)}4,"x"\n`)).toMatch(
      /A quote in the row that begins in line 2 does/,
    );
    // Only too long: not one quote is in it.
    for (const length of [70_000, 2_000_000])
      expect(await refused(`a,b\n1,2\n${'x'.repeat(length)}`)).toBe(
        'bad-input: The row that begins in line 3 has more than 65,536 characters.',
      );
    expect(await refused('a\n'.repeat(11))).toBe('bad-input: It has more than 10 rows.');
    expect(await refused('PK\u0003\u0004 a workbook')).toMatch(/not a table in text form/);
    expect(await refused('a\0b')).toMatch(/not a table in text form/);
  });
});

describe('identifiers keep their leading zeros', () => {
  const origin = { interface: 'soap', operation: 'GetPremiseAddress', shape: null } as const;
  const codes = {
    Post_Office_Box: '0061',
    User_Category: '01',
    Mailsort_Sortcode: '00700',
    Delivery_Point_Suffix: '1E5',
    Postcode: 'SO23 9DL',
  };
  const rest = {
    id: '00284147',
    domesticId: '007',
    barcode: '0012',
    uprn: '000100062041',
    udprn: '00284147',
    poBox: '12',
  };
  const view = (address: Address) =>
    viewPremise({
      premiseId: address.premiseId,
      addresses: [address],
      provenance: { interface: origin.interface, operation: origin.operation } as Provenance,
      cachedAnswers: [],
      uprnPlan: null,
    }) as PremiseView;

  test.each([
    ['SOAP', fromSoapAddressPremise({ Unique_Delivery_Point: '00284147', ...codes }), Object.values(codes)],
    ['REST', fromRestPremiseA({ ...rest, postalCode: 'SO23 9DL' }), Object.values(rest)],
  ])('of a %s premise, in each copy', (_name, address, texts) => {
    const copied = copyText(view(address), 'csv');
    const cells = parse(copied, { relax_column_count: true })[1] ?? [];
    const json = copyText(view(address), 'json');
    for (const text of texts) {
      // A spreadsheet must read it as text, after an apostrophe, and not as the number or power of ten that it looks like.
      if (/^[\dE]+$/.test(text)) expect(cells).toContain(`'${text}`);
      expect(json).toContain(JSON.stringify(text));
    }
    expect(json).toContain('"premise": "00284147"');
  });

  test('a field that is not published does not take the place of one that is', () => {
    const mixed = fromRestPremiseA({ ...rest, postalCode: 'SO23 9DL', postcode: 'AB1 2CD' });
    expect(JSON.parse(copyText(view(mixed), 'json')).fields.postcode).toBe('SO23 9DL');
  });

  test('the catalogue decides which they are, for every address field', () => {
    expect(addressFields.filter(isIdentifier)).toEqual([
      'poBox',
      'countryIso2',
      'countryIso3',
      'countryIsoNumber',
      'uprn',
      'udprn',
      'userCategory',
      'mailsort',
      'deliveryPointSuffix',
      'domesticId',
      'barcode',
    ]);
    expect(isIdentifier('Latitude_Degrees')).toBe(false);
    expect(isIdentifier('constructor')).toBe(false);
  });
});

test('of too many rows for the clipboard only so many are made as prove that', () => {
  let made = 0;
  function* endless(): Generator<string[]> {
    for (;;) {
      made += 1;
      yield [`row ${made}`, 'a value of some length'];
    }
  }
  const text = writeTabbed(endless());
  expect(text.length).toBeGreaterThan(mostCopied);
  expect(text.length).toBeLessThan(mostCopied + 100);
  expect(text.split('\n')).toHaveLength(made);
});
