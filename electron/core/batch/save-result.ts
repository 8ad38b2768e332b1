import { open, rm } from 'node:fs/promises';
import type { ResultColumn } from '../../../shared/domain/batch.ts';
import type { CellKind } from '../../../shared/domain/text/csv.ts';
import type { TableForm } from '../../../shared/domain/text/table.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { writeError } from '../write-error.ts';
import { findTarget } from '../write-target.ts';
import type { Batches } from './batches.ts';
import { columnsOf, resultRows, valuesOf } from './result.ts';
import { tableCopyOf } from './store/batch-file.ts';
import type { RowFilter } from './store/row-pages.ts';
import { countColumns } from './table/read-table.ts';
import { mostWorkbookRows } from './table/workbook-job.ts';
import { tooLongForWorkbook } from './table/workbooks.ts';
import { savingIsFree, writeTable } from './table/write-table.ts';

export interface SaveRequest {
  batchId: string;
  filter: RowFilter;
  columns: readonly ResultColumn[];
  acknowledgement: string;
  /** As the input came, as CSV with commas, or as a workbook. Default: as it came. */
  format?: 'as-it-came' | 'csv' | 'xlsx';
  /** Default: UTF-8 with a byte order mark, for spreadsheets. */
  encoding?: 'utf-8-bom' | 'utf-8' | 'as-it-came';
}

const numbers: readonly ResultColumn[] = ['ac_latitude', 'ac_longitude', 'ac_credits'];
const kindOf = (column: ResultColumn): CellKind =>
  numbers.includes(column) ? 'number' : column === 'ac_address' ? 'text' : 'identifier';

/** Whether a result becomes a workbook: a person asked for one, or the table came as one. */
export const isSavedAsWorkbook = (form: Pick<TableForm, 'kind'>, format: SaveRequest['format']): boolean =>
  format === 'xlsx' || (format !== 'csv' && form.kind === 'workbook');

/**
 * Tells before a batch runs whether its result could be written to a path, as far as can be seen then: the folder, its rights, and the rows
 * of a workbook. Leaves no file. Errors: `file-failed`, `bad-input` for more rows than a sheet takes.
 */
export async function checkTarget(path: string, rows: number, isWorkbook: boolean): Promise<Result<void>> {
  if (isWorkbook && rows > mostWorkbookRows) return fail({ ...tooLongForWorkbook(), money: 'Nothing was sent.' });
  const target = await findTarget(path, 'Nothing was sent.');
  if (!target.ok) return target;
  const draft = `${target.value}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    await (await open(draft, 'wx')).close();
    return ok(undefined);
  } catch (cause) {
    return fail(writeError(cause, 'Nothing was sent.'));
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Writes the result of a batch. `onRow`: see `resultRows`. Errors: those of `writeTable`, and of a batch whose rows were deleted. */
export async function saveResult(
  batches: Pick<Batches, 'record' | 'files' | 'workbooks'>,
  request: SaveRequest,
  path: string,
  signal?: AbortSignal,
  onRow?: (row: number) => void,
): Promise<Result<{ rows: number; bytes: number }>> {
  const record = batches.record(request.batchId);
  if (!record.ok) return record;
  const target = await findTarget(path, savingIsFree);
  if (!target.ok) return target;
  const { facts } = record.value;
  const { form } = facts;
  const columns = columnsOf(request.columns);
  const copy = tableCopyOf(batches.files.folder, request.batchId);
  return batches.files.withHandle(request.batchId, async (file) => {
    // A row may be wider than the first ones, and the answers come after all of it.
    const width = await countColumns(copy, form);
    if (!width.ok) return width;
    const isWorkbook = isSavedAsWorkbook(form, request.format);
    const isAsItCame = request.encoding === 'as-it-came' && !isWorkbook;
    const write = isWorkbook ? batches.workbooks.writeTable : writeTable;
    return write(
      target.value,
      {
        form: request.format === 'csv' || isWorkbook ? { separator: ',', lineEnd: '\r\n' } : form,
        encoding: isAsItCame ? form.encoding : 'utf-8',
        byteOrderMark: isAsItCame ? form.byteOrderMark : !isWorkbook && request.encoding !== 'utf-8',
        heads: Array.from({ length: width.value }, (_, index) => facts.heads[index] ?? `Column ${index + 1}`),
        added: columns.map((column) => ({ head: column, kind: kindOf(column) })),
        rows: resultRows(copy, facts, file, columns, request.filter, request, onRow),
      },
      signal,
    );
  });
}

/**
 * How a row looks in the result file, for the dialog; without a row, the first that is done, or the first. `bytes`: a guess at the size of
 * the file by this row; `name`: of the table, without its ending;
 * `cameAsWorkbook`: it came as one, and is saved as one unless a person asks otherwise. Errors: `bad-input` for an unknown batch or row, `storage-failed`.
 */
export function sampleOf(
  batches: Pick<Batches, 'record' | 'files'>,
  batchId: string,
  row: number | null,
): Result<{ row: number; values: Record<ResultColumn, string>; name: string; bytes: number; cameAsWorkbook: boolean }> {
  const record = batches.record(batchId);
  if (!record.ok) return record;
  const found = batches.files.use(batchId, (file) =>
    row === null ? (file.firstDone() ?? file.row(1)) : file.row(row),
  );
  if (!found.ok) return found;
  if (!found.value) return fail(appError('bad-input', { message: 'There is no such row.', charge: 'not-applicable' }));
  const { facts } = record.value;
  const cells = found.value.given.split(', ');
  // The check is of the row in the table, and what is shown of one here is not all of it.
  const values = { ...valuesOf(found.value, cells, { batchId, acknowledgement: '' }), ac_row_hash: '…' };
  const each = Object.values(values).join(',').length + found.value.given.length;
  return ok({
    row: found.value.row,
    values,
    name: facts.name.replace(/\.[a-z]+$/i, ''),
    bytes: each * facts.plan.rows.total,
    cameAsWorkbook: facts.form.kind === 'workbook',
  });
}
