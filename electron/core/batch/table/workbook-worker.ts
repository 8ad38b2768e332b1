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
  const whole = cells.join('\n');
  const isLong = whole.length > mostCharactersOfRow || whole.split('\n').length - cells.length >= mostLinesOfRow;
  return `${cells.map((cell) => quoted(isLong ? cell.replace(/\s*[\r\n]+\s*/g, ', ').slice(0, 1000) : cell)).join(',')}\r\n`;
}

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
    for (const { cells } of part.rows) rows.push(cells.map((value) => ({ value, type: String })));
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
