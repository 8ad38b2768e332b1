// The one writer of tables for spreadsheets, in the window and in main: every export and every copied table goes through it.

/**
 * text: written by a person or the service; a plain number or an ISO date in it may be read as one. identifier: never read as anything but
 * text. number: written as it is if it is one, so that a negative coordinate stays a number. given: from a table that a person gave, and
 * gets back as it was: only what would run is changed.
 */
export type CellKind = 'text' | 'identifier' | 'number' | 'given';

/** How a table is written, for one not in the program's usual style. */
interface CsvStyle {
  separator: string;
  lineEnd: string;
}

export type Cell = string | number | boolean | null;

/** A column of a table; without a kind its cells are text. */
export interface CsvColumn {
  head: string;
  kind?: CellKind;
}

/** Without it spreadsheets take a file for one in the system's old code page. */
const byteOrderMark = '\uFEFF';

/**
 * What may precede a formula's first character and is ignored: blanks, control and format characters, fillers that draw nothing, quotes.
 */
const unseen = '["\\s\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*';
/** The characters themselves and those that Unicode treats as the same, such as the wide ones of a Japanese keyboard, ﹦ and ⁼. */
const sign = '[=+\\-@|%＝＋－＠｜％﹢﹣﹦﹫﹪⁺⁻⁼₊₋₌]';
/** After these another program may begin a new cell: separators of any language, and a line break whose quote it did not see. */
const behindBorder = /(?<=[,;|\t\r\n])/;

const formula = new RegExp(`^'*${unseen}${sign}`, 'u');
const plainNumber = /^-?\d+(\.\d+)?$/;
/** What a spreadsheet turns into a number, a date or a truth value: 00284147, 12E5, 1-2, 3/4/26, MAR-01, 1 Sep 26, TRUE. */
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const readsAsValue = new RegExp(
  `^'*(?:[\\d.,:/ -]+|\\d+(?:\\.\\d*)?e\\d+|\\d{1,4}[ /-]?${month}(?:[ /-]?\\d{1,4})?|${month}[ /-]?\\d{1,4}|true|false)$`,
  'i',
);
/** A number or an ISO date that a spreadsheet reads without loss. */
const readsTrue = /^(?:0|[1-9]\d{0,14})(?:\.\d+)?$|^\d{4}-\d\d-\d\d$/;

function isRisky(value: string, kind: CellKind): boolean {
  if ((kind === 'number' || kind === 'given') && plainNumber.test(value)) return false;
  if (formula.test(value) || /^'*[\t\r\n]/.test(value)) return true;
  if (kind === 'given') return false;
  // An apostrophe of the value itself is doubled; otherwise reading would take it for an added one.
  return readsAsValue.test(value) && (kind === 'identifier' || !readsTrue.test(value));
}

/**
 * A cell that a spreadsheet shows as text (promise 18): an apostrophe precedes what it would run as a formula, even after a separator of
 * another language inside the cell, and an identifier that it would turn into a number or a date.
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

/** A cell as it was before `safeCell`, of any kind except `given`; one that was never changed comes back as it is. */
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

/** The beginning of a file: byte order mark and header. */
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

/** The most characters put on the clipboard; longer texts are refused. */
export const mostCopied = 200_000;

/**
 * Rows for the clipboard, separated by tabs: for pasting into a spreadsheet. Tabs and line breaks inside a cell become blanks. Stops after
 * the row that exceeds `mostCopied`: no more is made of what is refused.
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
