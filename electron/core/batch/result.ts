import { setImmediate as turn } from 'node:timers/promises';
import { neededColumns, type ResultColumn, resultColumns } from '../../../shared/domain/batch.ts';
import { foldCase } from '../storage/database/fold-case.ts';
import type { RowFields } from './run/judge.ts';
import type { BatchFile } from './store/batch-file.ts';
import type { FileRow } from './store/batch-records.ts';
import type { BatchFacts } from './store/batches-repository.ts';
import type { RowFilter } from './store/row-pages.ts';
import { hashOfRow } from './table/read-result.ts';
import { readTable } from './table/read-table.ts';

const credits = ({ least, most }: FileRow): string => (least === most ? String(most) : `${least} to ${most}`);

function sourceText({ source, sameAs }: FileRow): string {
  if (source === 'same') return sameAs === null ? 'same search' : `same as row ${sameAs}`;
  return source ?? '';
}

/** The value of each column of a row. Pure. */
export function valuesOf(
  row: FileRow,
  cells: readonly string[],
  about: { batchId: string; acknowledgement: string },
): Record<ResultColumn, string> {
  const fields = row.fields === null ? {} : (JSON.parse(row.fields) as RowFields);
  return {
    ac_result: row.result,
    ac_address: fields.address ?? '',
    ac_progress: row.progress,
    ac_premise_id: row.premiseId,
    ac_reason: row.reason,
    ac_not_used: (JSON.parse(row.notUsed) as string[]).join(' '),
    ac_source: sourceText(row),
    ac_credits: credits(row),
    ac_latitude: fields.latitude ?? '',
    ac_longitude: fields.longitude ?? '',
    ac_uprn: fields.uprn ?? '',
    ac_udprn: fields.udprn ?? '',
    ac_grid_reference: fields.gridReference ?? '',
    ac_area: '',
    ac_distance_m: '',
    ac_premises: fields.premises?.join(' | ') ?? '',
    ac_return_code: fields.returnCode ?? '',
    ac_batch: about.batchId,
    ac_row_hash: hashOfRow(cells),
    ac_acknowledgement: about.acknowledgement,
  };
}

/** The chosen columns and those always written, in the order of `resultColumns`. */
export const columnsOf = (chosen: readonly ResultColumn[]): ResultColumn[] =>
  resultColumns.filter((column) => chosen.includes(column) || neededColumns.includes(column));

/**
 * The input's rows in their order with the values beside them, without those that a filter leaves out. Throws if the copy of the table, or
 * the rows, cannot be read: what was written until then is no complete file. `onRow`: the last row passed, some thousand at a time.
 */
export async function* resultRows(
  copy: string,
  facts: BatchFacts,
  file: BatchFile,
  columns: readonly ResultColumn[],
  filter: RowFilter,
  about: { batchId: string; acknowledgement: string },
  onRow: (row: number) => void = () => {},
): AsyncGenerator<{ given: string[]; added: string[] }> {
  for await (const part of readTable(copy, facts.form)) {
    if ('error' in part) throw new Error(part.error.message);
    const [first] = part.rows;
    if (!first) continue;
    const rows = new Map(file.rowsFrom(first.row, part.rows.length).map((row) => [row.row, row]));
    for (const { row, cells } of part.rows) {
      const state = rows.get(row);
      if (!state || !fits(state, filter)) continue;
      const values = valuesOf(state, cells, about);
      yield { given: cells, added: columns.map((column) => values[column]) };
    }
    onRow(part.rows.at(-1)?.row ?? 0);
    await turn();
  }
}

function fits(row: FileRow, { progress = [], result = [], search = '' }: RowFilter): boolean {
  const words = foldCase(search.trim());
  return (
    (progress.length === 0 || progress.includes(row.progress)) &&
    (result.length === 0 || result.includes(row.result)) &&
    (words === '' || foldCase(row.given).includes(words) || foldCase(row.text).includes(words))
  );
}
