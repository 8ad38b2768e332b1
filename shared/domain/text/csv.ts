// The one writer of tables for spreadsheets, in the window and in main: every export and every copied table goes through it.

/**
 * text: what a person or the service wrote; a plain number or an ISO date in it may be read as one. identifier: never read as
 * anything but text. number: written as it is where it is one, so that a negative coordinate stays a number. given: of a table that a
 * person gave, and gets back as it was: only what would run is changed.
 */
export type CellKind = 'text' | 'identifier' | 'number' | 'given';

/** How a table is written where it is not as all of ours are. */
interface CsvStyle {
  separator: string;
  lineEnd: string;
}

export type Cell = string | number | boolean | null;

export interface CsvColumn {
  head: string;
  kind?: CellKind;
}

/** Spreadsheets take a file without it for one of the system's old code page. */
const byteOrderMark = '\uFEFF';

/** What stands before a formula's first sign and is lost: blanks, control and format characters, fillers that draw nothing, quotes. */
const unseen = '["\\s\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*';
/** The signs themselves and those that Unicode calls the same, such as the wide ones of a Japanese keyboard, ﹦ and ⁼. */
const sign = '[=+\\-@|%＝＋－＠｜％﹢﹣﹦﹫﹪⁺⁻⁼₊₋₌]';
/** Behind these another program may begin a new cell: separators of any language, and a line break whose quote it did not see. */
const behindBorder = /(?<=[,;|\t\r\n])/;

const formula = new RegExp(`^'*${unseen}${sign}`, 'u');
const plainNumber = /^-?\d+(\.\d+)?$/;
/** What a spreadsheet turns into a number, a date or a truth value: 00284147, 12E5, 1-2, 3/4/26, MAR-01, 1 Sep 26, TRUE. */
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const readsAsValue = new RegExp(
  `^'*(?:[\\d.,:/ -]+|\\d+(?:\\.\\d*)?e\\d+|\\d{1,4}[ /-]?${month}(?:[ /-]?\\d{1,4})?|${month}[ /-]?\\d{1,4}|true|false)$`,
  'i',
);
/** Read so without loss. */
const readsTrue = /^(?:0|[1-9]\d{0,14})(?:\.\d+)?$|^\d{4}-\d\d-\d\d$/;

function isRisky(value: string, kind: CellKind): boolean {
  if ((kind === 'number' || kind === 'given') && plainNumber.test(value)) return false;
  if (formula.test(value) || /^'*[\t\r\n]/.test(value)) return true;
  if (kind === 'given') return false;
  // An apostrophe of the value's own is doubled, or reading would take it for one of ours.
  return readsAsValue.test(value) && (kind === 'identifier' || !readsTrue.test(value));
}

/**
 * A cell that a spreadsheet shows as text (safety.md 18): an apostrophe stands before what it would run as a formula, also behind
 * a separator of another language inside the cell, and before an identifier that it would make a number or a date of.
 */
export function safeCell(value: string, kind: CellKind = 'text'): string {
  const [first = '', ...others] = value.split(behindBorder);
  const guarded = isRisky(value, kind) ? `'${first}` : first;
  return guarded + others.map((part) => (formula.test(part) ? `'${part}` : part)).join('');
}

function readBack(cell: string, kind: 'identifier' | 'given'): string {
  const [first = '', ...others] = cell.split(behindBorder);
  const bare = others.map((part) => (part.startsWith("'") && formula.test(part.slice(1)) ? part.slice(1) : part));
  const text = first + bare.join('');
  return text.startsWith("'") && isRisky(text.slice(1), kind) ? text.slice(1) : text;
}

/** A cell as it was before `safeCell`, of any kind but `given`; one that it never changed comes back as it is. */
export const readSafeCell = (cell: string): string => readBack(cell, 'identifier');
/** The same of a `given` cell. */
export const readGivenCell = (cell: string): string => readBack(cell, 'given');

function writeCell(value: Cell, kind: CellKind | undefined): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = safeCell(value, kind);
  return /[",;|\t\r\n]|^\s|\s$|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const ours: CsvStyle = { separator: ',', lineEnd: '\r\n' };

/** One row by RFC 4180, with its CRLF; or in another style. */
export const csvRow = (cells: readonly Cell[], columns: readonly CsvColumn[] = [], style = ours): string =>
  cells.map((cell, index) => writeCell(cell, columns[index]?.kind)).join(style.separator) + style.lineEnd;

/** The beginning of a file: byte order mark and heads. */
export const csvHead = (columns: readonly CsvColumn[]): string =>
  byteOrderMark + csvRow(columns.map(({ head }) => head));

/** A whole file. A table too long for one text is `csvHead`, then a `csvRow` for each row. */
export const writeCsv = (columns: readonly CsvColumn[], rows: readonly (readonly Cell[])[]): string =>
  csvHead(columns) +
  rows
    .map((row) =>
      csvRow(
        columns.map((_, index) => row[index] ?? ''),
        columns,
      ),
    )
    .join('');

/** Characters that are put on the clipboard at most; longer texts are refused. */
export const mostCopied = 200_000;

/**
 * Rows for the clipboard, tabs between: what is pasted into a spreadsheet. Tabs and line breaks inside a cell become blanks. Ends
 * behind the row that passes `mostCopied`: of what is refused no more is made.
 */
export function writeTabbed(rows: Iterable<readonly string[]>): string {
  const lines: string[] = [];
  let length = -1;
  for (const row of rows) {
    const line = row.map((cell) => safeCell(cell.replace(/[\t\r\n]+/g, ' '))).join('\t');
    lines.push(line);
    length += line.length + 1;
    if (length > mostCopied) break;
  }
  return lines.join('\n');
}
