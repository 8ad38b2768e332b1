import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { createWorkbooks } from '../../../electron/core/batch/table/workbooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'workbooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = new URL('../../../electron/core/batch/table/workbook-worker.ts', import.meta.url);
const workbooks = createWorkbooks(entry);
const at = (name: string): string => join(folder, name);

type Cell = { value: string | number | boolean | Date; type?: unknown; format?: string } | null;
const make = async (name: string, rows: Cell[][]): Promise<string> => {
  await (writeWorkbook as (rows: Cell[][]) => { toFile(path: string): Promise<void> })(rows).toFile(at(name));
  return at(name);
};

const read = async (path: string, with_ = workbooks): Promise<string> => {
  const result = await with_.read(path, `${path}.sheet`);
  return result.ok ? readFileSync(`${path}.sheet`, 'utf8') : `${result.error.code}: ${result.error.message}`;
};

test('cells come as a person would type them, and a cell of many lines stays one row', async () => {
  const path = await make('cells.xlsx', [
    [{ value: '00284147' }, { value: 284147 }, { value: 52.056 }, { value: -3 }, { value: true }],
    [
      { value: new Date(Date.UTC(2026, 9, 23)), type: Date, format: 'dd/mm/yyyy' },
      { value: ' Tŷ "Gwyn", 🏠' },
      null,
      { value: 'x' },
    ],
    [{ value: '=1+1' }, { value: Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n') }],
    [{ value: 'two\nlines' }],
  ]);
  const lines = (await read(path)).split('\r\n');
  expect(lines[0]).toBe('"00284147","284147","52.056","-3","TRUE"');
  expect(lines[1]).toMatch(/^"2026-10-23"," Tŷ ""Gwyn"", 🏠","","x"/);
  expect(lines[2]).toMatch(/^"=1\+1","line 0, line 1, .*line 39"/);
  expect(lines[3]).toMatch(/^"two\nlines"/);
  expect(lines).toHaveLength(5);
  // Of a long note its lines become one, and nothing of it is left out.
  const note = Array.from({ length: 30 }, (_, line) => `${line} ${'word '.repeat(300)}.`);
  for (const end of ['\n', '\r']) {
    const long = await read(await make('note.xlsx', [[{ value: note.join(end) }, { value: 'HR10 2DT' }]]));
    expect(long).toBe(`"${note.join(', ')}","HR10 2DT"\r\n`);
  }
  const noted = await workbooks.read(at('note.xlsx'), `${at('note.xlsx')}.sheet`);
  expect(noted).toMatchObject({
    value: {
      notes: ['1 row has 20 line breaks or more, or more than 64 KB: each break is read as a comma, and saved so'],
    },
  });
  const longest = await make('longest.xlsx', [Array.from({ length: 40 }, () => ({ value: 'x'.repeat(30_000) }))]);
  expect(await workbooks.read(longest, `${longest}.sheet`)).toMatchObject({
    value: { notes: ['1 row has more than 1 MB: only the first 1,000 characters of each cell are read and saved'] },
  });
  const short = Array.from({ length: 30 }, (_, line) => `${line}`);
  expect(await read(await make('note.xlsx', [[{ value: short.join('\r') }]]))).toBe(`"${short.join(', ')}"\r\n`);
});

const schemas = 'http://schemas.openxmlformats.org';
const office = `${schemas}/officeDocument/2006/relationships`;
const formats = ['General', 'dd/mm/yyyy hh:mm:ss', '[h]:mm', '0%', '00000000'];

/** A workbook as another program writes it: each sheet's rows as XML. */
function raw(
  sheets: readonly { rows: string; is?: 'hidden' | 'chart' }[],
  { strings = '', properties = '' } = {},
): string {
  const main = `xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${office}"`;
  const folder = (index: number) => (sheets[index]?.is === 'chart' ? 'chartsheets' : 'worksheets');
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${main}>${properties}<sheets>${sheets
      .map(
        ({ is }, index) =>
          `<sheet name="A &amp; ${index}" sheetId="${index + 1}" r:id="s${index}"${is === 'hidden' ? ' state="veryHidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, index) => {
        const kind = folder(index).slice(0, -1);
        return `<Relationship Id="s${index}" Type="${office}/${kind}" Target="${folder(index)}/sheet${index + 1}.xml"/>`;
      })
      .join('')}<Relationship Id="x" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`)
      .join('')}</numFmts><cellXfs>${formats
      .map((_, index) => `<xf numFmtId="${164 + index}" applyNumberFormat="1"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${strings}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/${folder(index)}/sheet${index + 1}.xml`,
        `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  };
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  writeFileSync(at('raw.xlsx'), zipSync(Object.fromEntries(files)));
  return at('raw.xlsx');
}

/** A row of cells, each given as its attributes and what is in it. */
const row = (number: number, ...cells: [string, string][]): string =>
  `<row r="${number}">${cells
    .map(([attributes, inside], index) => `<c r="${'ABCDEFGHIJ'[index]}${number}" ${attributes}>${inside}</c>`)
    .join('')}</row>`;
const notesOf = async (path: string) => {
  const result = await workbooks.read(path, `${path}.sheet`);
  return result.ok ? result.value.notes : [result.error.message];
};

test('what a spreadsheet shows in a cell is in the table: errors, truths, zeros before a number, times to the second', async () => {
  const path = raw([
    {
      rows: [
        row(1, ['t="e"', '<f>1/0</f><v>#DIV/0!</v>'], ['s="1" t="e"', '<v>#N/A</v>'], ['t="b"', '<v>true</v>']),
        row(2, ['t="e"', '<v>#REF!</v>']),
        row(3, ['s="4"', '<v>284147</v>'], ['t="n" s="4"', '<f>A3</f><v>7</v>'], ['', '<v>12345678901234567890</v>']),
        // 12:34:56 of a day, 09:07 without a day, 25 hours and a half, and a minute that is a little less than one as a fraction.
        row(
          4,
          ['s="1"', '<v>46318.524259259262</v>'],
          ['s="1"', '<v>0.37986111111111109</v>'],
          ['s="2"', '<v>1.0625</v>'],
        ),
        row(5, ['s="1"', '<v>46318.004861111112</v>'], ['s="3"', '<v>0.25</v>'], ['t="str"', '<f>A1</f><v></v>']),
      ].join(''),
    },
  ]);
  expect((await read(path)).split('\r\n')).toEqual([
    '"#DIV/0!","#N/A","TRUE"',
    '"#REF!","",""',
    '"00284147","00000007","12345678901234567890"',
    '"2026-10-23 12:34:56","09:07","25:30"',
    '"2026-10-23 00:07","0.25",""',
    '',
  ]);
  expect(await notesOf(path)).toEqual([]);
  const minutes = Array.from({ length: 1440 }, (_, minute) =>
    row(minute + 1, ['s="1"', `<v>${46318 + minute / 1440}</v>`]),
  );
  const shown = (await read(raw([{ rows: minutes.join('') }]))).replaceAll('"', '').trimEnd().split('\r\n');
  const two = (value: number) => String(value).padStart(2, '0');
  expect(shown).toEqual(
    minutes.map((_, at) => `2026-10-23${at === 0 ? '' : ` ${two(Math.floor(at / 60))}:${two(at % 60)}`}`),
  );
});

test('texts in parts are whole, and a workbook that counts its days from 1904 has the same days', async () => {
  const strings = [
    '<si><t>A &amp; <![CDATA[B < C]]></t></si>',
    '<si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>said</t></rPh></si>',
  ];
  const rows = row(1, ['t="s"', '<v>0</v>'], ['t="s"', '<v>1</v>'], ['s="1"', '<v>44856</v>']);
  for (const said of ['1', 'true']) {
    const path = raw([{ rows }], { strings: strings.join(''), properties: `<workbookPr date1904="${said}"/>` });
    expect(await read(path)).toBe('"A & B < C","rich text","2026-10-23"\r\n');
  }
});

test('the first sheet that a person sees is read; hidden rows, and formulas without a result, are said', async () => {
  const text = (word: string): [string, string] => ['t="str"', `<v>${word}</v>`];
  const seen = [
    row(
      1,
      text('Postcode'),
      ['', '<f>B2</f>'],
      ['', '<f>B3</f><v></v>'],
      ['', '<f>B4</f><v />'],
      ['t="str"', '<f>B5</f><v></v>'],
    ),
    row(2, text('HR10 2DT')).replace('<row', '<row hidden="1"'),
  ];
  const path = raw([
    { rows: row(1, text('drawn')), is: 'chart' },
    { rows: row(1, text('lists')), is: 'hidden' },
    { rows: seen.join('') },
  ]);
  expect(await read(path)).toBe('"Postcode"\r\n"HR10 2DT"\r\n');
  expect(await notesOf(path)).toEqual([
    'The workbook has 3 sheets; the first that is not hidden was read',
    '1 row of the sheet is hidden, and read too',
    'The workbook has no result for 3 formulas: they are read as empty, unless the workbook is saved in a spreadsheet first',
  ]);
});

const answers = {
  form: { separator: ',' as const, lineEnd: '\r\n' as const },
  encoding: 'utf-8' as const,
  byteOrderMark: false,
  added: [{ head: 'ac_premise_id', kind: 'identifier' as const }],
};

test('a result is saved as a workbook of texts for its owner alone, completely or not at all', async () => {
  const table = {
    ...answers,
    heads: ['Customer', 'Address'],
    rows: [{ given: ['007', 'Tŷ Gwyn'], added: ['00284147'] }],
  };
  expect(await workbooks.writeTable(at('result.xlsx'), table)).toMatchObject({ ok: true, value: { rows: 1 } });
  if (process.platform !== 'win32') expect(statSync(at('result.xlsx')).mode & 0o077).toBe(0);
  expect(await read(at('result.xlsx'))).toBe(
    '"Customer","Address","ac_premise_id"\r\n"007","Tŷ Gwyn","\'00284147"\r\n',
  );
  const before = readFileSync(at('result.xlsx'));
  const rows = Array.from({ length: 12 }, () => ({ given: ['x', 'y'], added: ['1'] }));
  const failed = await createWorkbooks(entry, 10).writeTable(at('result.xlsx'), { ...table, rows });
  expect(failed).toMatchObject({ ok: false, error: { next: 'Save it as CSV: a spreadsheet opens that.' } });
  expect(readFileSync(at('result.xlsx')).equals(before)).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

test('every character of a cell comes back from a workbook, so that its row is still known as done', async () => {
  const note = Array.from({ length: 16 }, (_, line) => `line ${line}`).join('\n');
  const cells = ['two\u000blines', 'one\r\ntwo\rthree\nfour', 'a_x000D_b', '\u0081\ufffd\u{1fffe}\u007f \u0001.', note];
  const table = { ...answers, heads: cells.map((_, at) => `${at}`), rows: [{ given: cells, added: ['x'] }] };
  expect(await workbooks.writeTable(at('characters.xlsx'), table)).toMatchObject({ ok: true });
  const [, ...line] = (await read(at('characters.xlsx'))).split('"ac_premise_id"\r\n');
  expect(line.join('')).toBe(`${[...cells, 'x'].map((cell) => `"${cell}"`).join(',')}\r\n`);
});

test('a row that a sheet does not take is refused in words, and the former file stays', async () => {
  const path = at('long.xlsx');
  const save = (given: string[]) =>
    workbooks.writeTable(path, {
      ...answers,
      heads: given.map((_, at) => `${at}`),
      rows: [{ given, added: ['1'] }],
    });
  expect(await save(['x'.repeat(32_767)])).toMatchObject({ ok: true });
  const before = readFileSync(path);
  const long = Array.from({ length: 3 }, () => `${'x'.repeat(30_000)}\n`);
  for (const given of [['x'.repeat(32_768)], Array.from({ length: 16_384 }, () => 'x'), long]) {
    const money = 'Saving sends nothing. The batch keeps every row.';
    const error = { code: 'bad-input', next: 'Save it as CSV: a spreadsheet opens that.', money };
    expect(await save(given)).toMatchObject({ ok: false, error });
    expect(readFileSync(path).equals(before)).toBe(true);
  }
});

test('too many rows for a sheet, a decompression bomb, a false size, and files that are no workbook are refused', async () => {
  const rows = Array.from({ length: 12 }, (_, row): Cell[] => [{ value: `row ${row}` }]);
  const path = await make('rows.xlsx', rows);
  expect(await read(path, createWorkbooks(entry, 11))).toMatch(/row 11/);
  expect(await read(path, createWorkbooks(entry, 10))).toMatch(/^bad-input: This workbook is too large/);

  const content = readFileSync(path);
  const sheet = content.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
  expect(content.readUInt32LE(sheet)).toBe(0x02014b50);
  const saying = (unpacked: number): string => {
    const changed = Buffer.from(content);
    changed.writeUInt32LE(unpacked, sheet + 24);
    writeFileSync(at('said.xlsx'), changed);
    return at('said.xlsx');
  };
  // The size in the archive's directory is checked before anything is unpacked, and limits the memory for unpacking.
  expect(await read(saying(600 * 1024 * 1024))).toMatch(/^bad-input: This workbook is too large/);
  expect(await read(saying(64))).toMatch(/^(?:bad-input|file-failed)/);

  writeFileSync(at('zip.xlsx'), Buffer.concat([content.subarray(0, 100), Buffer.alloc(50)]));
  expect(await read(at('zip.xlsx'))).toBe('bad-input: This is not a workbook that can be read.');
  for (const byte of [0, 30, 60, 90]) {
    const broken = Buffer.from(content);
    broken.fill(0xff, Math.floor((content.length * byte) / 100), Math.floor((content.length * byte) / 100) + 40);
    writeFileSync(at('broken.xlsx'), broken);
    expect(await read(at('broken.xlsx'))).toMatch(/^(?:bad-input|file-failed|")/);
  }
  expect(await read(at('nowhere.xlsx'))).toMatch(/^file-failed/);
});
