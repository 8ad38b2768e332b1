import { call } from '../../lib/calls/bridge.ts';
import { countOf } from '../../lib/text/format.ts';
import { csvText, type TextColumn } from './table-text.ts';

/**
 * Writes a table into a CSV file that a person chooses. `name`: of the file, without its ending. `partly`: there are more rows, which nobody
 * has read. Resolves with the result as a sentence; rejects with a CallError.
 */
export async function saveTable<Row>(
  name: string,
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  partly = false,
): Promise<string> {
  const text = await csvText(columns, rows);
  const { saved, fileName } = await call('app.export-table', { name: fileNameOf(name), text });
  if (!saved) return 'Nothing was saved.';
  return `${countOf(rows.length, 'row')} saved in ${fileName}${partly ? ', those read so far; there are more' : ''}`;
}

/** Letters, digits and hyphens of a table's label: "Calls of GetPremise" is "calls-of-getpremise". */
export const fileNameOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || 'table';
