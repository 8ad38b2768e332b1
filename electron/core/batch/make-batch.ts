import { copyFile } from 'node:fs/promises';
import type { BatchPlan, BatchWant, Bounds } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Opened } from './open-tables.ts';
import { planOf } from './plan/plan.ts';
import type { Questions } from './run/questions.ts';
import { draftOf, removeBatchFile, tableCopyOf } from './store/batch-file.ts';
import { openSavedAnswers } from './survey/saved-answers.ts';
import type { TableReadOptions, TableThread } from './survey/table-thread.ts';

/**
 * Makes the file of a new batch, under the name of a draft, from an open table and returns the plan, with the credits that an earlier
 * result file says of its rows. Rows in are rows in the file: counted before anything is spent.
 * Errors: 'file-failed', 'storage-failed', 'no-connection', 'cancelled'.
 */
export async function makeBatch(
  { folder, questions, tableThread }: { folder: string; questions: Questions; tableThread: TableThread },
  batchId: string,
  table: Opened,
  wants: readonly BatchWant[],
  reading: TableReadOptions,
): Promise<Result<{ plan: BatchPlan; earlier: Bounds }>> {
  const server = questions.server(table.connectionId);
  if (!server.ok) return server;
  const search = server.value.search?.call ?? null;
  const answers = openSavedAnswers(questions, table.connectionId, search);
  if (!answers.ok) return answers;
  const refuse = (result: Result<never>): Result<never> => {
    removeBatchFile(folder, batchId);
    return result;
  };
  const path = tableCopyOf(folder, draftOf(batchId));
  try {
    await copyFile(table.path, path);
  } catch (cause) {
    return refuse(
      fail(
        appError('storage-failed', {
          charge: 'not-applicable',
          money: 'Nothing was sent.',
          detail: cause instanceof Error ? cause.message : undefined,
        }),
      ),
    );
  }
  const { bytes, form, kind, heads, columns } = table;
  const roles = columns.map(({ role }) => role);
  const filled = await tableThread.fill(
    { path, bytes, form, kind, heads, roles, folder, batchId: draftOf(batchId), search },
    answers.value,
    reading,
  );
  if (!filled.ok) return refuse(filled);
  const { counts, malformed, rows, earlier } = filled.value;
  if (rows !== counts.total || counts.total !== table.view.rows)
    return refuse(
      fail(
        appError('file-failed', {
          message: 'The table changed while it was read. Open it again.',
          charge: 'not-applicable',
        }),
      ),
    );
  return ok({ plan: { ...planOf(counts, kind, wants, server.value), unpriced: [], malformed }, earlier });
}
