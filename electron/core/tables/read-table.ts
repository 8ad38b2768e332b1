import { setImmediate as turn } from 'node:timers/promises';
import { separatorLine, tableSeparators } from '../../../shared/domain/text/table.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { loadPart } from '../load-part.ts';

/**
 * The character that separates the cells: the one that a first line of its own names, a tab if it was copied from a spreadsheet, else what
 * occurs most often outside quotes.
 */
function findSeparator(text: string): string {
  const [first = '', named] = separatorLine.exec(text) ?? [];
  const separator = tableSeparators.find((one) => one === named);
  if (separator !== undefined) return separator;
  const line =
    text
      .slice(first.length, 10_000)
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/\r\n|[\r\n]/, 1)[0] ?? '';
  const count = (sign: string) => line.split(sign).length - 1;
  if (count('\t') > 0) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

function* pieces(text: string, pieceBytes: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const refuse = (message: string, next = 'Save it as CSV again, then open that file.'): Result<never> =>
  fail(appError('bad-input', { message, next, charge: 'not-applicable' }));

const openQuote = (line: number) =>
  refuse(
    `A quote in the row that begins in line ${line} does not close at the end of a cell within 20 lines or 64 kB.`,
  );

const longestRow = 64 * 1024;
const tooLong = (line: number) =>
  refuse(`The row that begins in line ${line} has more than 65,536 characters.`, 'Shorten it or leave it out.');

const lengthOf = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + cell.length, 0);
const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

/**
 * Rows of cells of a table that was pasted or read from a file: commas, semicolons or tabs, quotes by RFC 4180 with line breaks inside
 * them, a byte order mark; a quote inside an unquoted cell stays. Blank lines are left out, and a first line that only names the separator.
 * Refused with `bad-input` and the line: more than `mostRows` rows, a row of over 65,536 characters, an unclosed quote, a file that is not
 * text.
 */
export async function readTable(text: string, mostRows: number): Promise<Result<string[][]>> {
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) return refuse('This is not a table in text form.');
  const loaded = await loadPart(() => import('./records.ts'));
  if (!loaded.ok) return loaded;
  const { pieceBytes, readRecords } = loaded.value;
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const rows: string[][] = [];
  const form = { separator: findSeparator(bare), trim: true };
  for await (const records of readRecords(pieces(bare.replace(separatorLine, '\n'), pieceBytes), form)) {
    for (const { line, cells, problem } of records) {
      if (problem === 'quote') return openQuote(line);
      // A line of which only the beginning was read has over a million bytes.
      if (problem === 'too-long' || lengthOf(cells) > longestRow) return tooLong(line);
      if (isBlank(cells)) continue;
      if (rows.length === mostRows) return refuse(`It has more than ${mostRows} rows.`, 'Take it in parts.');
      rows.push(cells);
    }
    await turn();
  }
  return ok(rows);
}
