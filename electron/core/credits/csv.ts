const formulaStart = /^\s*[=+\-@|%]|^[\t\r\n]/;
const plainNumber = /^-?\d+(\.\d+)?$/;

/** One cell of a table for a spreadsheet. Text that would run as a formula, or lose leading zeros, is kept as text by an apostrophe. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const risky = /^\d+$/.test(value) || (formulaStart.test(value) && !plainNumber.test(value));
  const cell = risky ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$|^'/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** One row by RFC 4180, with its CRLF. */
export const csvRow = (cells: readonly (string | number | boolean | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;
