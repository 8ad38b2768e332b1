import { open, rename, rm } from 'node:fs/promises';
import type { ResultColumn } from '../../../shared/domain/batch.ts';
import { type CellKind, type CsvColumn, csvHead, csvRow } from '../../../shared/domain/csv.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Batches } from './batches.ts';
import { columnsOf, resultRows, valuesOf } from './result.ts';
import { type RowFilter, tableCopyOf } from './store/batch-file.ts';

export interface SaveRequest {
  batchId: string;
  filter: RowFilter;
  columns: readonly ResultColumn[];
  acknowledgement: string;
}

const kindOf = (column: ResultColumn): CellKind =>
  column === 'ac_latitude' || column === 'ac_longitude' ? 'number' : column === 'ac_address' ? 'text' : 'identifier';

/** Pieces of so many characters are written at once. */
const piece = 64 * 1024;

/**
 * Writes the result of a batch beside its name and gives it the name when it is whole. Errors: 'file-failed', 'cancelled', and those of a
 * batch whose rows are gone.
 */
export async function saveResult(
  batches: Pick<Batches, 'record' | 'withFileOpen' | 'folder'>,
  request: SaveRequest,
  path: string,
  signal?: AbortSignal,
): Promise<Result<{ rows: number; bytes: number }>> {
  const record = batches.record(request.batchId);
  if (!record.ok) return record;
  const { facts } = record.value;
  const columns = columnsOf(request.columns);
  const heads: CsvColumn[] = [
    ...facts.heads.map((head): CsvColumn => ({ head, kind: 'text' })),
    ...columns.map((column): CsvColumn => ({ head: column, kind: kindOf(column) })),
  ];
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
  return batches.withFileOpen(request.batchId, async (file) => {
    let rows = 0;
    let bytes = 0;
    try {
      const out = await open(draft, 'wx', 0o600);
      try {
        let text = csvHead(heads);
        const found = resultRows(
          tableCopyOf(batches.folder, request.batchId),
          facts,
          file,
          columns,
          request.filter,
          request,
        );
        for await (const { given, added } of found) {
          if (signal?.aborted) {
            await rm(draft, { force: true });
            return fail(appError('cancelled', { message: 'Saving was stopped. No file was written.' }));
          }
          const cells = facts.heads.map((_, index) => given[index] ?? '');
          text += csvRow([...cells, ...added], heads);
          rows += 1;
          if (text.length < piece) continue;
          bytes += (await out.write(text)).bytesWritten;
          text = '';
        }
        bytes += (await out.write(text)).bytesWritten;
        await out.sync();
      } finally {
        await out.close();
      }
      await rename(draft, path);
      return ok({ rows, bytes });
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => {});
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      const isOpen = code === 'EBUSY' || code === 'EPERM' || code === 'EACCES';
      return fail(
        appError('file-failed', {
          charge: 'not-applicable',
          money: 'Nothing was sent. The batch keeps every row.',
          detail: code,
          ...(isOpen
            ? {
                message: 'The file is open in another program, or may not be written.',
                next: 'Close it there, or save under another name.',
              }
            : {}),
          ...(code === 'ENOSPC' ? { message: 'The disk is full.', next: 'Free some room, or save elsewhere.' } : {}),
        }),
      );
    }
  });
}

/** What a row looks like in the result file, for the dialog; without a row the first that is done. */
export function sampleOf(
  batches: Pick<Batches, 'record' | 'withFile'>,
  batchId: string,
  row: number | null,
): Result<{ row: number; values: Record<ResultColumn, string>; name: string; bytes: number }> {
  const record = batches.record(batchId);
  if (!record.ok) return record;
  const found = batches.withFile(batchId, (file) =>
    row === null ? (file.page({ progress: ['done'] }, 0, 1).rows[0] ?? file.row(1)) : file.row(row),
  );
  if (!found.ok) return found;
  if (!found.value) return fail(appError('bad-input', { message: 'There is no such row.', charge: 'not-applicable' }));
  const { facts } = record.value;
  const cells = found.value.given.split(', ');
  const values = valuesOf(found.value, cells, { batchId, acknowledgement: '' });
  const each = Object.values(values).join(',').length + found.value.given.length;
  return ok({
    row: found.value.row,
    values,
    name: facts.name.replace(/\.[a-z]+$/i, ''),
    bytes: each * facts.plan.rows.total,
  });
}
