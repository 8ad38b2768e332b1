import { call } from '../../lib/calls/bridge.ts';
import { countOf } from '../../lib/text/format.ts';
import { csvText, type TextColumn } from './table-text.ts';

/**
 * Writes a table into a CSV file that a person chooses. `name`: of the file, without its ending. Resolves with the result as a sentence;
 * rejects with a CallError.
 */
export async function saveTable<Row>(
  name: string,
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
): Promise<string> {
  const text = await csvText(columns, rows);
  const { saved, fileName } = await call('app.export-table', { name: fileNameOf(name), text });
  return saved ? `${countOf(rows.length, 'row')} saved in ${fileName}` : 'Nothing was saved.';
}

/** Letters, digits and hyphens of a table's label: "Calls of GetPremise" is "calls-of-getpremise". */
export const fileNameOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || 'table';
