import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';

/** Bytes parsed before the main process gets its turn again. */
const pieceBytes = 64 * 1024;
const longestRow = 64 * 1024;
/** A cell over more lines is a quote that was never closed, and rows would be lost in it. */
const mostLinesInCell = 20;

/** The sign that parts the cells: a tab where it was copied from a spreadsheet, else what stands most often outside quotes. */
function findSeparator(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/\r\n|[\r\n]/, 1)[0] ?? '';
  const count = (sign: string) => line.split(sign).length - 1;
  if (count('\t') > 0) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

function* pieces(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const refuse = (message: string, next = 'Save it as CSV again, then open that file.'): Result<never> =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable' }));

const openQuote = (line: number): string =>
  `The row that begins in line ${line} does not end: a quote in it is not closed.`;

class OpenQuote extends Error {}

/**
 * Rows of cells of a table that was pasted or read from a file: commas, semicolons or tabs, quotes by RFC 4180 and line breaks inside
 * them, a byte order mark; a quote inside an unquoted cell stays. Blank lines are left out. Refused with `bad-input` and the line: more
 * than `mostRows` rows, a row over 64 kB, a quote that is not closed, a file that is no text.
 */
export async function readTable(text: string, mostRows: number): Promise<Result<string[][]>> {
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) return refuse('This is no table in text form.');
  let line = 1;
  const parser = parse({
    bom: true,
    delimiter: findSeparator(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    ltrim: true,
    skip_records_with_empty_values: true,
    max_record_size: longestRow,
    on_record: (record: string[], { lines }) => {
      if (record.some((cell) => cell.split('\n').length > mostLinesInCell)) throw new OpenQuote();
      line = lines + 1;
      return record;
    },
  });
  const rows: string[][] = [];
  try {
    for await (const row of Readable.from(pieces(text)).pipe(parser) as AsyncIterable<string[]>) {
      if (rows.length === mostRows) return refuse(`It has more than ${mostRows} rows.`, 'Take it in parts.');
      rows.push(row);
    }
    return ok(rows);
  } catch (cause) {
    if (cause instanceof CsvError || cause instanceof OpenQuote) return refuse(openQuote(line));
    throw cause;
  }
}
