import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readTable } from '../../../electron/core/batch/table/read-table.ts';
import { type FormChoice, recogniseTable } from '../../../electron/core/batch/table/recognise-table.ts';
import { readRecords } from '../../../electron/core/tables/records.ts';
import type { TableRow } from '../../../shared/domain/text/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(content: string | Uint8Array): string {
  const path = join(folder, crypto.randomUUID());
  writeFileSync(path, content);
  return path;
}

async function recognise(path: string, choice: FormChoice = {}) {
  const found = await recogniseTable(path, choice);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value;
}

/** Recognises a table's form and reads all of it, as for a person. */
async function read(path: string, choice: FormChoice = {}) {
  const found = await recognise(path, choice);
  const rows: TableRow[] = [];
  let error = '';
  for await (const part of readTable(path, found.form, found.stamp)) {
    if ('rows' in part) rows.push(...part.rows);
    else error = `${part.error.code}: ${part.error.message}`;
  }
  return { ...found, rows, error };
}

const refusal = async (path: string): Promise<string> => {
  const found = await recogniseTable(path);
  return found.ok ? 'read' : `${found.error.code}: ${found.error.message}`;
};

async function collect<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** Quotes a cell by RFC 4180, independently of the reader's code. */
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

async function recordsOf(text: string, pieceLength: number, separator = ',') {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, index) =>
    bytes.subarray(index * pieceLength, (index + 1) * pieceLength),
  );
  return (await collect(readRecords(pieces, { separator, trim: false }))).flat();
}

describe('rows in are rows out', () => {
  test('every RFC 4180 table is read cell for cell, wherever its bytes are cut', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '🏠', '"', ',', ';', '\n', '\r\n', ' ', "'"),
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 40 }),
        async (rows, lineEnd, cut) => {
          const text = rows.map((cells) => cells.map(quoted).join(',')).join(lineEnd);
          const records = await recordsOf(text, cut);
          expect(records.map(({ cells }) => cells)).toEqual(rows);
          expect(records.every(({ problem }) => problem === undefined)).toBe(true);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('whatever the quotes, each line is in one record, in its order, and none is in two', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ' ', 'é'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 99 }),
        async (lines, cut) => {
          const text = lines.map((each) => `${each}\n`).join('');
          const records = await recordsOf(text, cut);
          const starts = records.map((record) => record.line);
          expect(starts[0]).toBe(1);
          for (const [index, start] of starts.entries()) {
            const next = starts[index + 1] ?? lines.length + 1;
            expect(next).toBeGreaterThan(start);
            // A cell over several lines has all their characters except its own quotes.
            const letters = (part: string) => part.replace(/["\n,]/g, '');
            expect(letters(records[index]?.cells.join('') ?? '')).toBe(
              letters(lines.slice(start - 1, next - 1).join('')),
            );
            if (next - start > 1) expect(records[index]?.problem).toBeUndefined();
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  test('an unclosed quote costs only its own line, at every place of a long table', async () => {
    const lines = Array.from({ length: 4000 }, (_, index) => `C-${index},${index} Tannery Row,HR10 2DT`);
    const stray = new Set([0, 1, 2, 57, 1999, 2000, 3998, 3999]);
    const text = lines.map((line, index) => (stray.has(index) ? line.replace('Tannery', '"Tannery') : line)).join('\n');
    // Inside a cell a quote is an ordinary character; at its beginning it opens a quoted cell.
    expect((await recordsOf(text, 1000)).filter(({ problem }) => problem)).toEqual([]);
    const opening = lines.map((line, index) => (stray.has(index) ? line.replace(',', ',"') : line)).join('\n');
    const records = await recordsOf(opening, 64 * 1024);
    expect(records).toHaveLength(4000);
    expect(records.filter(({ problem }) => problem === 'quote').map(({ line }) => line - 1)).toEqual([...stray]);
    expect(records[57]?.cells).toEqual(['C-57', '"57 Tannery Row', 'HR10 2DT']);
    expect(records[58]?.cells).toEqual(['C-58', '58 Tannery Row', 'HR10 2DT']);
  });

  test('twenty lines in a cell are a cell; one more, or more than 64 kB, is a quote that was not closed', async () => {
    const cellOf = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n');
    expect(await recordsOf(`a,"${cellOf(20)}"\nb,c\n`, 999)).toHaveLength(2);
    const over = await recordsOf(`a,"${cellOf(21)}"\nb,c\n`, 999);
    expect(over).toHaveLength(22);
    expect(over[0]?.problem).toBe('quote');
    expect(over.at(-1)?.cells).toEqual(['b', 'c']);
    const long = await recordsOf(`a,"${'x'.repeat(40_000)}\n${'y'.repeat(40_000)}"\nb,c\n`, 4096);
    expect(long.map(({ problem }) => problem)).toEqual(['quote', undefined, undefined]);
  });

  test('a quote that closes inside the next row does not join the two', async () => {
    const records = await recordsOf('1,"open,x\n2,"b",y\n3,c,z\n', 9);
    expect(records.map(({ line, problem }) => [line, problem])).toEqual([
      [1, 'quote'],
      [2, undefined],
      [3, undefined],
    ]);
  });

  test('500 columns, ragged rows, blank lines, a line without end', async () => {
    const wide = Array.from({ length: 500 }, (_, index) => `cell ${index} ${'x'.repeat(200)}`);
    const records = await recordsOf(`${wide.join(',')}\na\n\n,,\nlast,row`, 5000);
    expect(records.map(({ cells }) => cells.length)).toEqual([500, 1, 1, 3, 2]);
    const endless = await recordsOf(`a,b\n${'x'.repeat(3_000_000)}\nc,d\n`, 64 * 1024);
    expect(endless.map(({ line, problem }) => [line, problem])).toEqual([
      [1, undefined],
      [2, 'too-long'],
      [3, undefined],
    ]);
  });
});

describe('a table is recognised', () => {
  test('text that is not UTF-8 is read as Windows-1252, naming the word that showed it', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Name;Town;Postcode\r\n1;Hereford;HR10 2DT\r\nCaf'),
      Buffer.from([0xe9]),
      Buffer.from(' Trelawny;Truro;TR28 4HB\r\n'),
    ]);
    const table = await read(fileOf(bytes));
    expect(table.form).toMatchObject({ encoding: 'windows-1252', separator: ';', lineEnd: '\r\n', header: true });
    expect(table.notUtf8).toEqual({ line: 3, word: 'Café' });
    expect(table.heads).toEqual(['Name', 'Town', 'Postcode']);
    expect(table.rows.map(({ row, line, cells }) => [row, line, cells[0]])).toEqual([
      [1, 2, '1'],
      [2, 3, 'Café Trelawny'],
    ]);
    // Wherever the byte stands: in the first letters, in the last one, and between words.
    for (const [text, line, word] of [
      ['École,HR10 2DT\nMill Lane,HR10 2DT\n', 1, 'École'],
      ['Mill Lane,HR10 2DT\nHR10 2DT,Café', 2, ''],
      ['Mill Lane,HR10 2DT\nMill\u00a0Lane,HR10 2DT\n', 2, ''],
      ['£,Postcode\nCafé,HR10 2DT\n', 1, '£'],
    ] as const)
      expect((await recognise(fileOf(Buffer.from(text, 'latin1')))).notUtf8, text).toEqual({ line, word });
    // A single byte far after the first rows also decides the encoding.
    const late = Buffer.concat([Buffer.from(`a,b\n${'Tŷ Gwyn,1\n'.repeat(30_000)}`), Buffer.from([0x93, 0x0a])]);
    expect((await recognise(fileOf(late))).form.encoding).toBe('windows-1252');
    expect((await recognise(fileOf(late), { encoding: 'utf-8' })).firstRows[0]?.cells[0]).toBe('Tŷ Gwyn');
  });

  test('the bytes 0x80 to 0x9F of Windows-1252 are decoded by its table', async () => {
    const expected = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
    const bytes = Buffer.from([...Array.from({ length: 32 }, (_, index) => 0x80 + index), 0x2c, 0x61]);
    const [row] = (await read(fileOf(bytes), { encoding: 'windows-1252', header: false })).rows;
    expect(row?.cells).toEqual([expected, 'a']);
  });

  test('UTF-16 of both orders, with a mark and without, and the mark of UTF-8', async () => {
    const text = 'Name,Postcode\r\nTŷ Gwyn,CF10 1AA\r\nFlat 2,HR10 2DT\r\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const cases: [Buffer, string, boolean][] = [
      [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 'utf-16le', true],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), 'utf-16be', true],
      [little, 'utf-16le', false],
      [big, 'utf-16be', false],
      [Buffer.from(`\uFEFF${text}`), 'utf-8', true],
      [Buffer.from(text), 'utf-8', false],
    ];
    for (const [bytes, encoding, byteOrderMark] of cases) {
      const table = await read(fileOf(bytes));
      expect(table.form).toMatchObject({ encoding, byteOrderMark });
      expect(table.heads).toEqual(['Name', 'Postcode']);
      expect(table.rows.map(({ cells }) => cells[0])).toEqual(['Tŷ Gwyn', 'Flat 2']);
    }
  });

  test('the separator is the character that splits all lines alike, whatever else they contain', async () => {
    const separatorOf = async (text: string) => (await recognise(fileOf(text))).form.separator;
    expect(await separatorOf('a;b;c\n1;2,5;3\n')).toBe(';');
    expect(await separatorOf('Address,Postcode\n"1, Mill; Lane; x",HR10 2DT\n"2, Mill Lane",HR10 2DT\n')).toBe(',');
    expect(await separatorOf('a\tb\n1, 2, 3\t4\n')).toBe('\t');
    expect(await separatorOf('a|b|c\n1|2|3\n')).toBe('|');
    expect(await separatorOf('HR10 2DT\nTD16 3WN\n')).toBe(',');
    expect((await read(fileOf('"a", "b, c"\n"1", "2, 3"\n'))).rows[0]?.cells).toEqual(['1', '2, 3']);
  });

  test('a first line that only names the separator is no row and no header', async () => {
    // Commas split these lines as well as semicolons do.
    const lines = 'Street;Postcode\n"2, Mill Lane";HR10 2DT\n"4, Mill Lane";HR10 2DT\n';
    for (const first of ['sep=;\n', 'SEP=;\r\n', '"sep=;"\n', '\uFEFFsep=;;\n', 'sep=^\n']) {
      const found = await read(fileOf(`${first}${lines}`));
      expect(found, first).toMatchObject({ heads: ['Street', 'Postcode'], form: { separator: ';', header: true } });
      expect(found.firstRows, first).toEqual(found.rows);
      expect(found.rows, first).toMatchObject([
        { row: 1, line: 3, cells: ['2, Mill Lane', 'HR10 2DT'] },
        { row: 2, line: 4, cells: ['4, Mill Lane', 'HR10 2DT'] },
      ]);
    }
    const bare = await read(fileOf('sep=,\n1,HR10 2DT\n2,TD16 3WN\n'));
    expect(bare.form).toMatchObject({ separator: ',', header: false });
    expect(bare.rows.map(({ row }) => row)).toEqual([1, 2]);
    expect(bare.firstRows).toEqual(bare.rows);
    expect((await read(fileOf('sep=\nHR10 2DT\n'))).form.separatorLine).toBeUndefined();
  });

  test('a header is distinguished from a first row', async () => {
    const headerOf = async (text: string) => (await recognise(fileOf(text))).form.header;
    expect(await headerOf('Postcode\nHR10 2DT\n')).toBe(true);
    expect(await headerOf('HR10 2DT\nTD16 3WN\n')).toBe(false);
    expect(await headerOf('C-1,2 Tannery Row,HR10 2DT\nC-2,4 Tannery Row,HR10 2DT\n')).toBe(false);
    expect(await headerOf('CustNo,Addr1,PC\nC-1,2 Tannery Row,HR10 2DT\n')).toBe(true);
    // Names twice, a name that is not among the known ones, and what a person may call a column.
    expect(await headerOf('Address,Address,Postcode\n2 Tannery Row,Hereford,HR10 2DT\n')).toBe(true);
    expect(await headerOf('Ref,Where\nC-1,HR10 2DT\nC-2,HR10 2DT\n')).toBe(true);
    expect(await headerOf('Address 1,Delivery address\nRose Cottage,Hereford\n')).toBe(true);
    // A question of a form is a long name of a column; one known word beside a long text may be a town.
    const question = 'Which of our offices did you visit when you called?';
    expect(await headerOf(`Ref,${question},Postcode,Address\nC-1,Hereford,HR10 2DT,2 Tannery Row\n`)).toBe(true);
    expect(await headerOf('The Crispin Community Centre and Hall Society,Street\nWeir End Upholstery,Hereford\n')).toBe(
      false,
    );
    // A list without a header is all of its rows, whatever words are in the first.
    for (const list of [
      '12 Mill Street, Hereford HR10 2DT\n14 Mill Street, Hereford HR10 2DT\n',
      '"12 Mill Street, Hereford HR10 2DT"\n"14 Mill Street, Hereford HR10 2DT"\n',
      'Rose Cottage, Church Street, Hereford\n14 Mill Street, Hereford HR10 2DT\n',
      'Acme Company, Hereford\nBolt Company, Leeds\n',
      'Flat 2, 5 Kings Road, Town Hall\nFlat 3, 5 Kings Road, Town Hall\n',
    ])
      expect(await headerOf(list), list).toBe(false);
    expect((await read(fileOf('Postcode\nHR10 2DT\n'), { header: false })).rows).toHaveLength(2);
    expect((await recognise(fileOf('1,HR10 2DT\n2,HR10 2DT\n'))).heads).toEqual(['Column 1', 'Column 2']);
  });

  test('a table has the columns that its header names, and those beyond it that most rows fill', async () => {
    const columnsOf = async (...lines: string[]) => (await recognise(fileOf(`${lines.join('\n')}\n`))).heads;
    const customers = ['Customer,Account,UDPRN', 'Jones,87654322,12345679', 'Price,87654323,12345680'];
    expect(await columnsOf(...customers, 'Smith, John,87654321,12345678')).toEqual(['Customer', 'Account', 'UDPRN']);
    expect(await columnsOf('Company,Town', 'Smith, Jones & Co,Hereford', 'Acme Ltd,Hereford')).toEqual([
      'Company',
      'Town',
    ]);
    // A header that is short in every row, and one whose cell is empty.
    expect(await columnsOf('Customer,Postcode', 'Jones,HR10 2DT,a', 'Price,HR10 2DT,b,')).toHaveLength(3);
    expect(await columnsOf('Customer,Postcode,', 'Jones,HR10 2DT,', 'Price,HR10 2DT,b')).toHaveLength(3);
    // A result file of ours names all that any row had.
    const head = 'Customer,Account,UDPRN,Column 4,ac_result,ac_progress,ac_batch,ac_row_hash';
    const rows = [',12345678,not-asked,malformed,b,1', ',,none,done,b,2', ',,none,done,b,3'];
    expect(await columnsOf(head, ...rows.map((row) => `Smith,John,87654321${row}`))).toEqual([
      'Customer',
      'Account',
      'UDPRN',
    ]);
  });

  test('a file that is no table is named as what it is', async () => {
    expect(await refusal(fileOf(''))).toBe('bad-input: The file is empty.');
    expect(await refusal(fileOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0])))).toMatch(
      /^bad-input/,
    );
    expect(await refusal(fileOf(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0')))).toMatch(
      /^bad-input: This is not a table/,
    );
    expect(await refusal(join(folder, 'nowhere.csv'))).toBe('file-failed: The file is no longer there.');
    expect(await refusal(folder)).toBe('file-failed: That is a folder.');
    expect((await read(fileOf('Postcode\n'))).rows).toEqual([]);
  });
});

describe('a file that is not what it was', () => {
  const long = `Postcode\n${'HR10 2DT\n'.repeat(40_000)}`;
  test('changed between preview and reading, or during it: reported, and not read as complete', async () => {
    const path = fileOf(long);
    const found = await recognise(path);
    appendFileSync(path, 'TD16 3WN\n');
    const parts = await collect(readTable(path, found.form, found.stamp));
    expect(parts).toEqual([{ error: expect.objectContaining({ code: 'file-failed' }) }]);

    for (const change of [() => appendFileSync(path, 'x\n'), () => truncateSync(path, 100)]) {
      const now = await recognise(path);
      const seen: string[] = [];
      for await (const part of readTable(path, now.form, now.stamp)) {
        if (seen.length === 0) change();
        seen.push('rows' in part ? 'rows' : part.error.message);
      }
      expect(seen.at(-1)).toBe('The file changed while it was read. Open it again.');
    }
  });

  test('deleted before it is read', async () => {
    const path = fileOf(long);
    const found = await recognise(path);
    rmSync(path);
    const parts = await collect(readTable(path, found.form, found.stamp));
    expect(parts).toEqual([{ error: expect.objectContaining({ message: 'The file is no longer there.' }) }]);
  });
});
