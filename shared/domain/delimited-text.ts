// Tables as text, both ways: what is pasted from a spreadsheet or read from a CSV file, and what is written for one.

/** The sign that parts the cells: a tab where it was copied from a spreadsheet, else what stands most often outside quotes. */
function findSeparator(text: string): string {
  const line =
    text
      .slice(0, 10_000)
      .replace(/"(?:[^"]|"")*"/g, '')
      .split(/\r?\n/, 1)[0] ?? '';
  const count = (sign: string) => line.split(sign).length - 1;
  if (count('\t') > 0) return '\t';
  return count(';') > count(',') ? ';' : ',';
}

/** Rows of cells, by RFC 4180 and its relatives: quotes, line breaks inside them, a byte order mark. Blank lines are left out. */
export function parseDelimited(source: string): string[][] {
  const text = source.replace(/^\uFEFF/, '');
  const separator = findSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (sign === separator) endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r' || text[at + 1] !== '\n') cell += sign;
  }
  endRow();
  return rows;
}

const formulaStart = /^[\s\p{Cf}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u;
const onlyDigits = /^\d+$/;

export interface CsvColumn {
  head: string;
  /** Digits are kept as text, so that a spreadsheet drops no leading zero and rounds no long number. */
  identifier?: boolean;
}

function writeCell(value: string, identifier: boolean): string {
  const text = formulaStart.test(value) || (identifier && onlyDigits.test(value)) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$|^'/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV by RFC 4180 with a byte order mark. What a spreadsheet would run as a formula gets an apostrophe before it (safety.md 18). */
export function writeCsv(columns: readonly CsvColumn[], rows: readonly (readonly string[])[]): string {
  const lines = [
    columns.map(({ head }) => writeCell(head, false)),
    ...rows.map((row) => columns.map(({ identifier }, index) => writeCell(row[index] ?? '', identifier ?? false))),
  ];
  return `\uFEFF${lines.map((line) => `${line.join(',')}\r\n`).join('')}`;
}

/** A cell as it was before `writeCsv` made it safe. */
export const readSafeCell = (cell: string): string =>
  cell.startsWith("'") && (formulaStart.test(cell.slice(1)) || onlyDigits.test(cell.slice(1))) ? cell.slice(1) : cell;
