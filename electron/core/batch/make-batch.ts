import { copyFile } from 'node:fs/promises';
import type { BatchPlan, BatchWant } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type createOpenTables, readingOf, sayProblem, understand } from './open-tables.ts';
import { countRow, noRows, planOf } from './plan/plan.ts';
import { createRowPlanner, readQuestion } from './row-planner.ts';
import type { Questions } from './run/questions.ts';
import { openBatchFile, removeBatchFile, tableCopyOf } from './store/batch-file.ts';
import { readTable } from './table/read-table.ts';

type Opened = Extract<ReturnType<ReturnType<typeof createOpenTables>['find']>, { ok: true }>['value'];

/** Rows that a plan names of those that will not be asked. */
const malformedShown = 50;

/**
 * Writes every row of an open table into the file of a new batch, with the questions they share, and gives the plan. Rows in are rows in
 * the file: counted, before anything is spent. Errors: 'file-failed', 'storage-failed'.
 */
export async function makeBatch(
  folder: string,
  batchId: string,
  table: Opened,
  wants: readonly BatchWant[],
  questions: Questions,
  onReading: (rows: number) => void,
): Promise<Result<BatchPlan>> {
  const server = questions.server(table.connectionId);
  if (!server.ok) return server;
  const planner = createRowPlanner(questions, table.connectionId, table.kind, server.value);
  if (!planner.ok) return planner;
  const { search } = server.value;
  const reading = readingOf(table.kind, table.columns);
  const counts = noRows();
  const malformed: BatchPlan['malformed'] = [];
  const refuse = (result: Result<never>): Result<never> => {
    removeBatchFile(folder, batchId);
    return result;
  };
  let file: ReturnType<typeof openBatchFile> | undefined;
  try {
    await copyFile(table.path, tableCopyOf(folder, batchId));
    file = openBatchFile(folder, batchId);
    const rows = file;
    for await (const part of readTable({ path: tableCopyOf(folder, batchId) }, table.form)) {
      if ('error' in part) {
        rows.close();
        return refuse(fail(part.error));
      }
      rows.transaction(() => {
        for (const row of part.rows) {
          const given = row.cells
            .filter((cell) => cell.trim() !== '')
            .join(', ')
            .slice(0, 500);
          const understood = understand(row, reading);
          if (!understood.ok) {
            const { text, code } = sayProblem(understood.problem);
            countRow(counts, { is: 'malformed' });
            if (malformed.length < malformedShown) malformed.push({ row: row.row, given, reason: text, code });
            rows.insertRow({
              row: row.row,
              ask: null,
              key: null,
              sameAs: null,
              flat: false,
              given,
              understood: '{}',
              progress: 'malformed',
              reason: code,
              text,
            });
            continue;
          }
          const planned = readQuestion(understood);
          const sameAs = rows.firstWith(planned.key);
          let ask: number | null = null;
          let isNew = false;
          if (planned.search !== null && search) {
            const found = rows.askFor(`search ${planned.search}`, search.call, planned.search);
            ask = found.ask.id;
            isNew = found.isNew;
          }
          if (sameAs !== null) countRow(counts, { is: 'same' });
          else
            countRow(
              counts,
              planner.value.plan(understood, planned, () => isNew),
            );
          rows.insertRow({
            row: row.row,
            ask,
            key: planned.key,
            sameAs,
            flat: planned.flat,
            given,
            understood: JSON.stringify(understood),
            progress: 'waiting',
            reason: '',
            text: '',
          });
        }
      });
      onReading(counts.total);
      await new Promise<void>((next) => setImmediate(next));
    }
    const { progress } = rows.tally();
    rows.close();
    const written = Object.values(progress).reduce((sum, one) => sum + one, 0);
    if (written !== counts.total || counts.total !== table.view.rows)
      return refuse(
        fail(
          appError('file-failed', {
            message: 'The table changed while it was read. Open it again.',
            charge: 'not-applicable',
          }),
        ),
      );
    const planned = planOf(counts, table.kind, wants, server.value);
    return ok({ ...planned, unpriced: [], malformed, wide: null });
  } catch (cause) {
    file?.close();
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
}
