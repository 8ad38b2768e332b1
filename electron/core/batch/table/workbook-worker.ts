import { readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import writeWorkbook from 'write-excel-file/node';
import { readTable } from './read-table.ts';
import { mostUnpackedBytes, type WorkbookJob, type WorkbookReport } from './workbook-job.ts';
import { readZipDirectory } from './zip-directory.ts';

// A thread that ends: both libraries hold the whole sheet in memory, three to seven hundred megabytes of it at 200,000 rows.

/** Our reader gives up on a cell over more lines or bytes than this, as an unclosed quote; a cell of a sheet has no quotes to lose. */
const mostLinesOfRow = 15;
const mostCharactersOfRow = 50_000;
/** A line of more bytes is none to it at all. */
const mostBytesOfRow = 1_000_000;
/** What a sheet takes; a spreadsheet that finds more says that the file is damaged. */
const mostColumns = 16_384;
const mostCharactersOfCell = 32_767;

type Value = string | number | boolean | Date | null;

const two = (value: number): string => String(value).padStart(2, '0');

/** A cell as a person would type it. */
function textOf(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const day = `${value.getUTCFullYear()}-${two(value.getUTCMonth() + 1)}-${two(value.getUTCDate())}`;
    const time = `${two(value.getUTCHours())}:${two(value.getUTCMinutes())}`;
    return time === '00:00' ? day : `${day} ${time}`;
  }
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

/** Spreadsheets write 52.056 as 52.055999999999997; a whole number is left as it is. */
const plainNumber = (written: string): string => (/^-?\d+$/.test(written) ? written : String(Number(written)));

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

function lineOf(row: readonly (Value | undefined)[]): string {
  const cells = row.map(textOf);
  const whole = cells.join('');
  const isLong = whole.length > mostCharactersOfRow || whole.split(/\r\n|[\r\n]/).length > mostLinesOfRow;
  const lineWith = (most?: number): string =>
    `${cells.map((cell) => quoted(isLong ? cell.replace(/\s*[\r\n]+\s*/g, ', ').slice(0, most) : cell)).join(',')}\r\n`;
  const line = lineWith();
  return Buffer.byteLength(line) > mostBytesOfRow ? lineWith(1000) : line;
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
  const sheets = directory.filter(({ name }) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)).length;
  if (sheets === 0) return { is: 'no-workbook' };
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const rows = await readSheet(content, 1, { trim: false, parseNumber: plainNumber });
  if (rows.length > mostRows + 1) return { is: 'too-long' };
  await writeFile(to, rows.map((row) => lineOf(row as Value[])).join(''));
  return { is: 'done', sheets };
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
  for await (const part of readTable({ path: from }, form)) {
    if ('error' in part) return { is: 'failed', why: part.error.message };
    for (const { cells, problem } of part.rows) {
      const isTaken = cells.length <= mostColumns && cells.every(({ length }) => length <= mostCharactersOfCell);
      if (problem !== undefined || !isTaken) return { is: 'row-too-long' };
      rows.push(cells.map((cell) => ({ value: cell.replace(escaped, escapeUnits), type: String })));
    }
    if (rows.length > mostRows + 1) return { is: 'too-long' };
  }
  await writeWorkbook(rows).toFile(to);
  return { is: 'done', sheets: 1 };
}

const job = workerData as WorkbookJob;
try {
  parentPort?.postMessage(job.does === 'read' ? await read(job) : await write(job));
} catch (cause) {
  const name = cause instanceof Error ? cause.name : '';
  const isBad = /Invalid|SheetNotFound|Xml|Unzip/.test(`${name} ${cause instanceof Error ? cause.message : ''}`);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : name;
  parentPort?.postMessage((isBad ? { is: 'no-workbook' } : { is: 'failed', why: code }) satisfies WorkbookReport);
}
