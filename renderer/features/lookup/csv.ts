const formulaStart = /^[\s]*[=+\-@|%]|^[\t\r\n]/;
const plainNumber = /^-?\d+(\.\d+)?$/;
const onlyDigits = /^\d+$/;

export type CsvKind = 'text' | 'identifier';

/**
 * One cell. Text that a spreadsheet would run as a formula gets an apostrophe before it, which makes it text there; so does an
 * identifier of digits alone, whose leading zeros a spreadsheet would drop. A negative coordinate is a number and stays one.
 */
export function csvCell(value: string, kind: CsvKind = 'text'): string {
  const asText =
    kind === 'identifier'
      ? onlyDigits.test(value) || formulaStart.test(value)
      : formulaStart.test(value) && !plainNumber.test(value);
  const cell = asText ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$|^'/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Rows as CSV by RFC 4180, CRLF at the end of each. */
export function toCsv(rows: readonly (readonly { value: string; kind?: CsvKind }[])[]): string {
  return rows.map((row) => `${row.map((cell) => csvCell(cell.value, cell.kind)).join(',')}\r\n`).join('');
}
