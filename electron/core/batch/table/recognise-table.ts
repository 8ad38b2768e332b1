import { checkPostcode } from '../../../../shared/domain/address/postcode.ts';
import {
  type LineEnd,
  separatorLine,
  type TableEncoding,
  type TableForm,
  type TableRow,
  type TableSeparator,
  tableSeparators,
} from '../../../../shared/domain/text/table.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { givenCells, readResultRow, recogniseResult } from './read-result.ts';
import { readTable } from './read-table.ts';
import { endsInPostcode, meaningOf } from './recognise-columns.ts';
import { type FileStamp, readBytes, readMark, readUtf8, SourceFault, stampOf } from './source.ts';

/** What was found out about a table, before a person changes any of it. */
export interface RecognisedTable {
  form: TableForm;
  stamp: FileStamp;
  /** Names of the columns: of the header, or "Column 1". */
  heads: string[];
  firstRows: TableRow[];
  /**
   * What speaks against UTF-8, as which it is read all the same if it has its mark or a person chose so: the line, and a word of it in
   * Windows-1252. null: nothing does.
   */
  notUtf8: { line: number; word: string } | null;
}

/** What a person has set; the rest is recognised. */
export type FormChoice = { [K in 'encoding' | 'separator' | 'header']?: TableForm[K] | undefined };

const sampleBytes = 64 * 1024;
const mostFirstRows = 50;

const refuse = (message: string, next = 'Save it as CSV, then open that file.'): { ok: false; error: AppError } =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable', money: 'Nothing was sent.' }));

const starts = (bytes: Uint8Array, ...signature: number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

/** UTF-16 without a mark: every other byte of English is 0. */
function guessUtf16(bytes: Uint8Array): TableEncoding | null {
  const length = Math.min(bytes.length, 4096) & ~1;
  if (length < 4) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (odd > length / 4 && even < length / 100) return 'utf-16le';
  return even > length / 4 && odd < length / 100 ? 'utf-16be' : null;
}

interface Encoded {
  encoding: TableEncoding;
  byteOrderMark: boolean;
  sample: Buffer;
  notUtf8: RecognisedTable['notUtf8'];
}

/** Reads the file to its end, since a single byte can rule an encoding out. */
async function recogniseEncoding(path: string, stamp: FileStamp): Promise<Result<Encoded>> {
  let sample = Buffer.alloc(0);
  let encoding: TableEncoding | null = null;
  let byteOrderMark = false;
  let line = 1;
  let notUtf8: Encoded['notUtf8'] = null;
  const strict = new TextDecoder('utf-8', { fatal: true });
  let known = false;
  for await (const piece of readBytes(path, stamp)) {
    if (sample.length < sampleBytes) sample = Buffer.concat([sample, piece]);
    const isFirst = !known;
    if (isFirst) {
      const mark = readMark(piece);
      byteOrderMark = mark !== null;
      encoding = mark ?? guessUtf16(piece);
      known = true;
    }
    // A UTF-16 mark, or every other byte a 0, decides it.
    if (encoding !== null && encoding !== 'utf-8') {
      if (sample.length >= sampleBytes) break;
      continue;
    }
    if (piece.includes(0)) return refuse('This is not a table in text form.');
    try {
      strict.decode(piece, { stream: true });
      for (const byte of piece) if (byte === 10) line += 1;
    } catch {
      notUtf8 = findOdd(piece, line, isFirst);
      break;
    }
  }
  if (encoding === null || encoding === 'utf-8') {
    try {
      if (notUtf8 === null) strict.decode();
    } catch {
      notUtf8 = { line, word: '' };
    }
    encoding = notUtf8 === null ? 'utf-8' : 'windows-1252';
    // What begins with the UTF-8 mark is taken for UTF-8, whatever a single byte says.
    if (byteOrderMark) encoding = 'utf-8';
  }
  return ok({ encoding, byteOrderMark, sample: sample.subarray(0, sampleBytes), notUtf8 });
}

/** The line and the word of the first byte that is not UTF-8; empty: no word has it, or it is where a later piece begins. */
function findOdd(piece: Buffer, line: number, isFirst: boolean): { line: number; word: string } {
  let at = 0;
  let count = line;
  // A later piece may begin within a letter.
  while (!isFirst && at < 3 && ((piece[at] ?? 0) & 0xc0) === 0x80) at += 1;
  while (at < piece.length) {
    const end = piece.indexOf(10, at);
    const text = piece.subarray(at, end === -1 ? piece.length : end);
    if (text.toString('utf-8').includes('\uFFFD')) {
      const words = new TextDecoder('windows-1252').decode(text).split(/[\s,;|\t"]+/);
      return { line: count, word: words.find((word) => /[^\0-\x7f]/.test(word)) ?? '' };
    }
    if (end === -1) break;
    at = end + 1;
    count += 1;
  }
  return { line, word: '' };
}

/** Lines of a text outside of quotes. */
function bareLines(text: string): string[] {
  return text
    .replace(/"(?:[^"]|""){0,4000}"/g, '')
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== '')
    .slice(0, 30);
}

/** The character that splits the lines into the same number of cells most often; a comma if none does. */
function findSeparator(text: string): TableSeparator {
  const lines = bareLines(text);
  const scores = tableSeparators.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1);
    const usual = counts[0] ?? 0;
    // A separator occurs in the first line, and as often in most others.
    const same = counts.filter((count) => count === usual).length;
    return usual === 0 ? 0 : (same / counts.length) * 100 + Math.min(usual, 50) + (separator === '\t' ? 20 : 0);
  });
  const best = Math.max(...scores, 0);
  return best === 0 ? ',' : (tableSeparators[scores.indexOf(best)] ?? ',');
}

function findLineEnd(text: string): LineEnd {
  const found = /\r\n|\n|\r/.exec(text)?.[0];
  return found === '\n' || found === '\r' ? found : '\r\n';
}

const isValue = (cell: string): boolean =>
  /^[\d\s./:+-]*\d[\d\s./:+-]*$/.test(cell.trim()) || checkPostcode(cell).state === 'well-formed';

const isLong = (cell: string): boolean => cell.length > 40;

const looksLikeValue = (cell: string): boolean => isValue(cell) || isLong(cell);

/** What stands in a row of addresses and in no name of a column: "12 Mill Street", "Hereford HR10 2DT". */
const isPartOfAddress = (cell: string): boolean =>
  /^\s*\d+[a-z]?(?:[-–]\d+[a-z]?)?\s+\p{L}/iu.test(cell) || endsInPostcode(cell);

/**
 * Whether the first row is the names of the columns. If in doubt it is a row: a name that is taken for one is malformed and costs nothing,
 * an address that is taken for a name is never asked.
 */
function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first, ...others] = rows;
  const filled = first?.map((cell) => cell.trim().toLowerCase()).filter((cell) => cell !== '') ?? [];
  if (!first || filled.length === 0 || first.some((cell) => isValue(cell) || isPartOfAddress(cell))) return false;
  const known = first.filter((cell) => meaningOf(cell) !== null).length;
  // A question of a form is the long name of a column. Of one known name beside it, "Street", there is a town.
  if (first.some(isLong)) return known > 1;
  if (known > 0) return true;
  if (new Set(filled).size < filled.length || filled.length < first.length / 2) return false;
  if (others.length === 0) return false;
  if (filled.some((name) => /\b(postcode|post code|address|organi[sz]ation|udprn|uprn|id|name)\b/.test(name)))
    return true;
  // A column of values, and none of them in the first line: that is of another kind.
  return first.some((name, index) => {
    const cells = others.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== '');
    return name.trim() !== '' && cells.length > 0 && cells.every(looksLikeValue);
  });
}

/**
 * How many columns a table has: those of its header, and beyond it those that most rows fill; without a header, those of the widest row. A
 * single wide row has a separator in a cell without quotes: taken for one more column, it would have each cell after it read as another.
 */
function countColumnsOf(head: readonly string[] | null, rows: readonly (readonly string[])[]): number {
  const widest = Math.max(0, ...rows.map((cells) => cells.length));
  if (head === null) return widest;
  // A result file of ours names the columns of its widest row, whether the table had them or not.
  const named = head.findLastIndex((name, index) => name.trim() !== `Column ${index + 1}`) + 1;
  const isFilled = (column: number) => rows.filter((cells) => cells[column]?.trim()).length > rows.length / 2;
  let width = widest;
  while (width > named && !isFilled(width - 1)) width -= 1;
  return Math.max(width, named);
}

/**
 * How a table is to be read, and its first rows read that way. Looks at the whole file, since strict UTF-8 ends at the first invalid byte.
 * Errors: `bad-input` for what is no table in text form, `file-failed`.
 */
export async function recogniseTable(path: string, choice: FormChoice = {}): Promise<Result<RecognisedTable>> {
  const stamp = await stampOf(path);
  if (!stamp.ok) return stamp;
  try {
    const encoded = await recogniseEncoding(path, stamp.value);
    if (!encoded.ok) return encoded;
    const { sample, byteOrderMark, notUtf8 } = encoded.value;
    if (starts(sample, 0xd0, 0xcf, 0x11, 0xe0)) return refuse('This is a workbook of the old kind (.xls).');
    if (sample.length === 0) return refuse('The file is empty.', 'Choose another file.');
    const encoding = choice.encoding ?? encoded.value.encoding;
    const whole = await decodeSample(sample, encoding);
    const [line = '', named] = separatorLine.exec(whole) ?? [];
    const text = whole.slice(line.length);
    const separator = choice.separator ?? tableSeparators.find((one) => one === named) ?? findSeparator(text);
    const form: TableForm = {
      kind: 'text',
      encoding,
      byteOrderMark,
      separator,
      lineEnd: findLineEnd(text),
      header: choice.header ?? false,
      ...(line === '' ? {} : { separatorLine: true }),
      blanksBeforeQuotes: new RegExp(`[${separator === '|' ? '\\|' : separator}] +"`).test(text),
    };
    const firstRows: TableRow[] = [];
    for await (const part of readTable(path, { ...form, header: false }, stamp.value)) {
      if ('error' in part) return fail(part.error);
      firstRows.push(...part.rows);
      if (firstRows.length > mostFirstRows) break;
    }
    firstRows.splice(mostFirstRows + 1);
    // The names of our columns are a header, whatever else stands in the line.
    const result =
      choice.header === false ? null : recogniseResult((firstRows[0]?.cells ?? []).map((name) => name.trim()));
    if (choice.header === undefined) form.header = result !== null || hasHeader(firstRows.map(({ cells }) => cells));
    const head = form.header ? (firstRows.shift()?.cells ?? []) : [];
    if (result !== null) {
      form.result = result;
      head.splice(0, head.length, ...givenCells(result, head));
      for (const row of firstRows) row.cells = readResultRow(result, row.cells).given;
    }
    const width = countColumnsOf(
      form.header ? head : null,
      firstRows.map(({ cells }) => cells),
    );
    return ok({
      form,
      stamp: stamp.value,
      heads: Array.from({ length: width }, (_, index) => head[index]?.trim() || `Column ${index + 1}`),
      firstRows: form.header ? firstRows.map((row) => ({ ...row, row: row.row - 1 })) : firstRows,
      notUtf8: encoding === 'windows-1252' || encoding === 'utf-8' ? notUtf8 : null,
    });
  } catch (cause) {
    if (cause instanceof SourceFault) return fail(cause.error);
    throw cause;
  }
}

async function decodeSample(sample: Buffer, encoding: TableEncoding): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of readUtf8(one(sample), encoding)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
