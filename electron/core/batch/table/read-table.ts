import type { TableForm, TableRow } from '../../../../shared/domain/text/table.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { readRecords, type TableRecord } from '../../tables/records.ts';
import { readResultRow } from './read-result.ts';
import { type FileStamp, readBytes, readUtf8, SourceFault } from './source.ts';

/** Rows below the header, some at a time, in file order; an error ends them. */
export type TablePart = { rows: TableRow[] } | { error: AppError };

async function* recordsOf(path: string, form: TableForm, stamp?: FileStamp): AsyncGenerator<TableRecord[]> {
  yield* readRecords(readUtf8(readBytes(path, stamp), form.encoding), {
    separator: form.separator,
    trim: form.blanksBeforeQuotes,
  });
}

/**
 * Every row of a table below its header, including empty ones and ones with a problem: rows in are rows out. No fault of the file is
 * thrown: one that cannot be read, no longer matches the stamp, or changes meanwhile ends with `file-failed`; what was returned until then
 * is no complete table.
 */
export async function* readTable(path: string, form: TableForm, stamp?: FileStamp): AsyncGenerator<TablePart> {
  // The lines before the first row have no number above 0.
  let row = (form.header ? -1 : 0) - (form.separatorLine ? 1 : 0);
  try {
    for await (const records of recordsOf(path, form, stamp)) {
      const rows: TableRow[] = [];
      for (const { line, cells, problem } of records) {
        row += 1;
        if (row <= 0) continue;
        const bad = problem === undefined ? {} : { problem };
        if (form.result === undefined) rows.push({ row, line, cells, ...bad });
        else {
          const { given, earlier } = readResultRow(form.result, cells);
          rows.push({ row, line, cells: given, ...bad, earlier });
        }
      }
      if (rows.length > 0) yield { rows };
    }
  } catch (cause) {
    if (!(cause instanceof SourceFault)) throw cause;
    yield { error: cause.error };
  }
}

/** Cells of the widest row, the header's included and the answers of a result file of ours not; reads the whole table. */
export async function countColumns(path: string, form: TableForm): Promise<Result<number>> {
  let most = 0;
  for await (const part of readTable(path, { ...form, header: false })) {
    if ('error' in part) return fail(part.error);
    for (const { cells } of part.rows) if (cells.length > most) most = cells.length;
  }
  return ok(most);
}
