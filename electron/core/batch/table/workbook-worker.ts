import { readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import writeWorkbook from 'write-excel-file/node';
import { countOf } from '../../../../shared/domain/text/figures.ts';
import { mostColumns } from '../../../../shared/domain/text/table.ts';
import { longestLine, mostLines, mostQuotedBytes } from '../../tables/records.ts';
import { readTable } from './read-table.ts';
import { mostUnpackedBytes, type WorkbookJob, type WorkbookReport } from './workbook-job.ts';
import { type OwnSheet, takeOwnSheet } from './workbook-sheet.ts';
import { readZipDirectory } from './zip-directory.ts';

// A thread that ends: both libraries hold the whole sheet in memory, three to seven hundred megabytes of it at 200,000 rows.

/** What a sheet takes; a spreadsheet that finds more says that the file is damaged. */
const mostCharactersOfCell = 32_767;

type Value = string | number | boolean | Date | null;

const two = (value: number): string => String(value).padStart(2, '0');

/** Day 0 of spreadsheets, and the first day by which a date is meant: before it are times of a day, and lengths of time. */
const dayZero = Date.UTC(1899, 11, 30);
const firstDay = Date.UTC(1900, 2, 1);
const dayMs = 86_400_000;

/** A moment as spreadsheets count it, to the second: they write a minute as a fraction of a day, which ends a little before or after it. */
function formatMoment(value: Date): string {
  const moment = new Date(Math.round(value.getTime() / 1000) * 1000);
  const since = moment.getTime() - dayZero;
  const isTime = since >= 0 && (since < dayMs || (moment.getTime() < firstDay && since % dayMs !== 0));
  const hours = isTime ? Math.floor(since / 3_600_000) : moment.getUTCHours();
  const seconds = moment.getUTCSeconds();
  const time = `${two(hours)}:${two(moment.getUTCMinutes())}${seconds === 0 ? '' : `:${two(seconds)}`}`;
  if (isTime) return time;
  const day = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  return time === '00:00' ? day : `${day} ${time}`;
}

/** A cell as a person would type it. */
function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return formatMoment(value);
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/** Spreadsheets write 52.056 as 52.055999999999997; a whole number is left as it is. */
const plainNumber = (written: string): string => (/^-?\d+$/.test(written) ? written : String(Number(written)));

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

const joined = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** Rows that are not read as they are: their line breaks have become commas, or the ends of their long cells are left out too. */
interface Changed {
  flat: number;
  cut: number;
}

/**
 * A row as our reader takes it. It gives up on a row of too many lines or bytes as an unclosed quote, though a cell of a sheet has no quote to
 * lose; what it takes stays as it is, as a row of a result file is known again by its cells. Counts a row that does not stay in `changed`.
 */
function lineOf(row: readonly (Value | undefined)[], changed: Changed): string {
  const cells = row.map(textOf);
  const line = joined(cells);
  const lineEnds = (line.match(/\r\n|[\r\n]/g)?.length ?? 0) - 1;
  if (lineEnds < mostLines && Buffer.byteLength(line) <= mostQuotedBytes) return line;
  const flat = cells.map((cell) => cell.replace(/\s*[\r\n]+\s*/g, ', '));
  if (lineEnds > 0) changed.flat += 1;
  if (Buffer.byteLength(joined(flat)) < longestLine) return joined(flat);
  changed.cut += 1;
  return joined(flat.map((cell) => cell.slice(0, 1000)));
}

/**
 * What a sheet has as an escape: characters that XML cannot have, a carriage return that XML readers turn into a line feed, what the library
 * leaves out, and a text that reads as an escape itself.
 */
const escaped =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffd]|\p{Noncharacter_Code_Point}|_(?=x[\da-f]{4}_)/giu;

const escapeUnits = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `_x${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}_`,
  ).join('');

async function read({ from, to, mostRows }: WorkbookJob): Promise<WorkbookReport> {
  const bytes = await readFile(from);
  const directory = readZipDirectory(bytes);
  if (directory === null) return { is: 'no-workbook' };
  if (directory.reduce((sum, { unpacked }) => sum + unpacked, 0) > mostUnpackedBytes) return { is: 'too-large' };
  const own = takeOwnSheet(bytes);
  if (own === null) return { is: 'no-workbook' };
  const rows = await readSheet(own.workbook, own.number, { trim: false, parseNumber: plainNumber });
  if (rows.length > mostRows + 1) return { is: 'too-long' };
  const changed: Changed = { flat: 0, cut: 0 };
  await writeFile(to, rows.map((row) => lineOf(row as Value[], changed)).join(''));
  return { is: 'done', notes: notesOf(own, changed) };
}

/** What a person should know of how a sheet was read, in sentences without their full stops. */
function notesOf({ sheets, number, hiddenRows, formulas }: OwnSheet, { flat, cut }: Changed): string[] {
  const first = number === 1 ? 'the first was read' : 'the first that is not hidden was read';
  return [
    ...(sheets > 1 ? [`The workbook has ${sheets} sheets; ${first}`] : []),
    ...(hiddenRows > 0
      ? [`${countOf(hiddenRows, 'row of the sheet is', 'rows of the sheet are')} hidden, and read too`]
      : []),
    ...(formulas > 0
      ? [
          `The workbook has no result for ${countOf(formulas, 'formula: it is', 'formulas: they are')} read as empty, unless the workbook is saved in a spreadsheet first`,
        ]
      : []),
    ...(flat > 0
      ? [
          `${countOf(flat, 'row has', 'rows have')} 20 line breaks or more, or more than 64 KB: each break is read as a comma, and saved so`,
        ]
      : []),
    ...(cut > 0
      ? [
          `${countOf(cut, 'row has', 'rows have')} more than 1 MB: only the first 1,000 characters of each cell are read and saved`,
        ]
      : []),
  ];
}

/** Every cell is text: nothing in it runs, and no identifier becomes a number. */
async function write({ from, to, mostRows }: WorkbookJob): Promise<WorkbookReport> {
  const rows: { value: string; type: StringConstructor }[][] = [];
  const form = {
    kind: 'text',
    encoding: 'utf-8',
    byteOrderMark: false,
    separator: ',',
    lineEnd: '\r\n',
    header: false,
    blanksBeforeQuotes: false,
  } as const;
  for await (const part of readTable(from, form)) {
    if ('error' in part) return { is: 'failed', why: part.error.message };
    for (const { cells, problem } of part.rows) {
      const isTaken = cells.length <= mostColumns && cells.every(({ length }) => length <= mostCharactersOfCell);
      if (problem !== undefined || !isTaken) return { is: 'row-too-long' };
      rows.push(cells.map((cell) => ({ value: cell.replace(escaped, escapeUnits), type: String })));
    }
    if (rows.length > mostRows + 1) return { is: 'too-long' };
  }
  // The library would let everyone read it.
  await writeFile(to, '', { mode: 0o600 });
  await writeWorkbook(rows).toFile(to);
  return { is: 'done', notes: [] };
}

const job = workerData as WorkbookJob;
try {
  parentPort?.postMessage(job.does === 'read' ? await read(job) : await write(job));
} catch (cause) {
  const name = cause instanceof Error ? cause.name : '';
  // A TypeError: the library found nothing where a workbook has something.
  const isBad =
    cause instanceof TypeError ||
    /Invalid|SheetNotFound|Xml|Unzip|zip data/.test(`${name} ${cause instanceof Error ? cause.message : ''}`);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : name;
  // A sheet of some 500 MB may be longer than a string can be.
  const isTooLong = cause instanceof RangeError && cause.message === 'Invalid string length';
  const report: WorkbookReport = isTooLong
    ? { is: 'too-large' }
    : isBad
      ? { is: 'no-workbook' }
      : { is: 'failed', why: code };
  parentPort?.postMessage(report);
}
