import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { endedEarlier } from '../../../electron/core/batch/survey/rows.ts';
import { hashOfRow, readResultRow, recogniseResult } from '../../../electron/core/batch/table/read-result.ts';
import { readTable } from '../../../electron/core/batch/table/read-table.ts';
import { recogniseTable } from '../../../electron/core/batch/table/recognise-table.ts';
import { type ResultTable, writeTable } from '../../../electron/core/batch/table/write-table.ts';
import type { CsvColumn } from '../../../shared/domain/text/csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const added: CsvColumn[] = [
  { head: 'ac_result' },
  { head: 'ac_progress' },
  { head: 'ac_premise_id', kind: 'identifier' },
  { head: 'ac_latitude', kind: 'number' },
  { head: 'ac_batch', kind: 'identifier' },
  { head: 'ac_row_hash', kind: 'identifier' },
];
const answersOf = (cells: readonly string[], progress = 'done') => [
  'exact',
  progress,
  '00284190',
  '-2.71',
  'b1',
  hashOfRow(cells),
];

const table = (rows: ResultTable['rows'], more: Partial<ResultTable> = {}): ResultTable => ({
  form: { separator: ',', lineEnd: '\r\n' },
  encoding: 'utf-8',
  byteOrderMark: true,
  heads: ['Customer', 'Address'],
  added,
  rows,
  ...more,
});

const save = async (name: string, rows: string[][], more: Partial<ResultTable> = {}) => {
  const path = join(folder, name);
  const written = await writeTable(
    path,
    table(
      rows.map((given) => ({ given, added: answersOf(given) })),
      more,
    ),
  );
  if (!written.ok) throw new Error(`${written.error.code}: ${written.error.message}`);
  return { path, ...written.value };
};

test('the input stays unchanged, with its separator and line ends; formulas become text', async () => {
  const { path } = await save(
    'a.csv',
    [
      ['007', '2-4 Mill; Lane'],
      ['=1+1', '-3.5'],
    ],
    {
      form: { separator: ';', lineEnd: '\n' },
    },
  );
  const [head, first, second] = readFileSync(path, 'utf8').split('\n');
  expect(head).toBe('\uFEFFCustomer;Address;ac_result;ac_progress;ac_premise_id;ac_latitude;ac_batch;ac_row_hash');
  expect(first).toMatch(/^007;"2-4 Mill; Lane";exact;done;"'00284190";-2\.71;b1;/);
  expect(second).toMatch(/^"'=1\+1";-3\.5;/);
});

test('any table is read back from its result cell for cell, each row done by its hash; a changed row is not', async () => {
  const cell = fc.string({
    unit: fc.constantFrom('=', '-', "'", '"', ';', ',', '\t', '\n', '\r\n', ' ', '0', '1', 'x', 'é', '🏠', '@'),
    maxLength: 7,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const),
      fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const),
      async (rows, separator, encoding) => {
        const { path, rows: count } = await save('any.csv', rows, {
          form: { separator, lineEnd: '\r\n' },
          encoding,
          heads: ['a', 'b', 'c'],
        });
        expect(count).toBe(rows.length);
        const found = await recogniseTable(path, { separator, header: true });
        if (!found.ok) throw new Error(found.error.message);
        expect(found.value.heads).toEqual(['a', 'b', 'c']);
        expect(found.value.form.result?.given).toBe(3);
        const read: string[][] = [];
        for await (const part of readTable(path, found.value.form)) {
          if ('error' in part) throw new Error(part.error.message);
          for (const { cells, problem, earlier } of part.rows) {
            expect(problem).toBeUndefined();
            expect(earlier?.ac_premise_id).toBe('00284190');
            read.push(cells);
          }
        }
        expect(read).toEqual(rows.map((row) => [0, 1, 2].map((index) => row[index] ?? '')));
      },
    ),
    { numRuns: 150 },
  );
});

test('a table that is no result file is not taken for one, nor a row that is not done for done', () => {
  expect(recogniseResult(['Customer', 'Address'])).toBeNull();
  expect(recogniseResult(['Customer', 'ac_result'])).toBeNull();
  // A column of the input may have such a name, or even be an earlier answer; a person may have put one between the answers.
  const ends = ['ac_progress', 'ac_batch', 'ac_row_hash'];
  expect(recogniseResult(['ac_no', 'Postcode', 'ac_result', ...ends])).toMatchObject({ given: 2 });
  expect(recogniseResult(['Postcode', 'ac_result', 'ac_progress', 'ac_result', ...ends])).toMatchObject({ given: 3 });
  expect(recogniseResult(['Postcode', 'ac_result', 'Note', ...ends])).toMatchObject({ given: 1 });
  // Without its result a done row would read as one of which nothing was found.
  expect(recogniseResult(['a', ...ends])).toBeNull();
  const shape = recogniseResult(['a', 'ac_result', ...ends]);
  if (!shape) throw new Error('It is a result.');
  const earlierOf = (given: string, ...answers: string[]) => readResultRow(shape, [given, 'exact', ...answers]).earlier;
  expect(earlierOf('x', 'done', 'b1', hashOfRow(['x']))).toMatchObject({ ac_batch: 'b1' });
  expect(earlierOf('x', 'unknown', 'b1', hashOfRow(['x']))).toMatchObject({ ac_progress: 'unknown' });
  for (const progress of ['waiting', 'stopped', 'failed', 'malformed'])
    expect(endedEarlier({ earlier: earlierOf('x', progress, 'b1', hashOfRow(['x'])) })).toBeNull();
  // The row was changed since, so its earlier result may no longer apply; what may have been charged for it does.
  for (const [now, before] of [
    ['y', 'x'],
    ['7', '007'],
  ] as const) {
    expect(earlierOf(now, 'done', 'b1', hashOfRow([before]))).toEqual({ ac_credits: '' });
    for (const progress of ['unknown', 'at-work'])
      expect(endedEarlier({ earlier: earlierOf(now, progress, 'b1', hashOfRow([before])) })).toBe('unknown');
  }
});

test('Windows-1252 is written if possible, and reported if not', async () => {
  const { path } = await save('old.csv', [['Café €', '–']], { encoding: 'windows-1252' });
  expect(readFileSync(path).includes(Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x20, 0x80]))).toBe(true);
  const refused = await writeTable(
    join(folder, 'ty.csv'),
    table([{ given: ['Tŷ Gwyn'], added: answersOf(['x']) }], { encoding: 'windows-1252' }),
  );
  expect(refused).toMatchObject({ ok: false, error: { code: 'bad-input', next: 'Save it as UTF-8.' } });
  expect(existsSync(join(folder, 'ty.csv'))).toBe(false);
});

test('a failure while writing leaves the former file and no partial one', async () => {
  const own = mkdtempSync(join(folder, 'own-'));
  const path = join(own, 'result.csv');
  writeFileSync(path, 'before');
  async function* rows(code: string) {
    for (let index = 0; index < 5000; index += 1) yield { given: ['x'.repeat(40), ''], added: answersOf(['x']) };
    throw Object.assign(new Error(), { code });
  }
  for (const [code, message] of [
    ['ENOSPC', /no room/],
    ['EBUSY', /open in another program/],
    ['EPERM', /open in another program/],
  ] as const) {
    const failed = await writeTable(path, table(rows(code)));
    expect(failed).toMatchObject({
      ok: false,
      error: { code: 'file-failed', message: expect.stringMatching(message) },
    });
  }
  const stop = new AbortController();
  async function* endless() {
    for (;;) {
      yield { given: ['x', ''], added: answersOf(['x']) };
      stop.abort();
    }
  }
  expect(await writeTable(path, table(endless()), stop.signal)).toMatchObject({
    ok: false,
    error: { code: 'cancelled' },
  });
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(own)).toEqual(['result.csv']);
  // The name is taken by something that cannot be replaced, like a file that a spreadsheet has open on Windows.
  mkdirSync(join(own, 'folder.csv'));
  expect(await writeTable(join(own, 'folder.csv'), table([]))).toMatchObject({
    ok: false,
    error: { code: 'file-failed' },
  });
  expect(readdirSync(own).sort()).toEqual(['folder.csv', 'result.csv']);
  if (process.getuid?.() !== 0) {
    chmodSync(own, 0o500);
    expect(await writeTable(path, table([]))).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/no permission to write to it/) },
    });
    chmodSync(own, 0o700);
  }
});
