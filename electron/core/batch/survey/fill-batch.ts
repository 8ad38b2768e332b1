import { open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { type BatchPlan, type Bounds, rowResults } from '../../../../shared/domain/batch.ts';
import type { TableRow } from '../../../../shared/domain/text/table.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { countRow, noRows, type RowCounts, type SearchCall, searchKeyOf } from '../plan/plan.ts';
import type { RowFields } from '../run/judge.ts';
import { fileOf, openBatchFile } from '../store/batch-file.ts';
import type { RowChange } from '../store/batch-records.ts';
import { readTable } from '../table/read-table.ts';
import { createRowPlanner, keyOf, readQuestion } from './row-planner.ts';
import { doneEarlier, endedEarlier, formatProblem, rowsInOneTurn, understand } from './rows.ts';
import type { SavedAnswers } from './saved-answers.ts';
import type { TableJob } from './survey-table.ts';

export interface FillJob extends TableJob {
  folder: string;
  batchId: string;
  search: SearchCall | null;
}

export interface Filled {
  counts: RowCounts;
  malformed: BatchPlan['malformed'];
  /** Rows that are in the file. */
  rows: number;
  /** Credits that an earlier result file says of its rows. */
  earlier: Bounds;
}

/** Part of a table in slices, between which the caller yields to everything else. */
function* slicesOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsInOneTurn) yield rows.slice(from, from + rowsInOneTurn);
}

const longestGiven = 500;

/** What a row gives, on one line: in a table of hundreds of columns those that are used come first, so that they are in it. */
function givenIn(cells: readonly string[], roles: FillJob['roles']): string {
  const join = (some: readonly string[]): string => some.filter((cell) => cell.trim() !== '').join(', ');
  const all = join(cells);
  if (all.length <= longestGiven) return all;
  const isUsed = (_: string, at: number): boolean => roles[at] !== undefined && roles[at] !== 'unused';
  const rest = cells.filter((cell, at) => !isUsed(cell, at));
  return join([...cells.filter(isUsed), ...rest]).slice(0, longestGiven);
}

/** How many of the rows that will not be asked a plan names. */
const malformedShown = 50;

type Earlier = NonNullable<TableRow['earlier']>;

/** Credits of a row by an earlier result file: "1", "0 to 2"; anything else that stands there is none. */
function creditsOf({ ac_credits = '' }: Earlier): Bounds {
  const [, least = '0', most = least] = /^(\d{1,9})(?: to (\d{1,9}))?$/.exec(ac_credits) ?? [];
  return { least: Number(least), most: Number(most) };
}

/** What an earlier result file says of a row it has done. */
function doneAs(earlier: Earlier): RowChange {
  const { ac_result, ac_premise_id = '', ac_not_used = '' } = earlier;
  const result = rowResults.find((one) => one === ac_result) ?? 'none';
  const fields: RowFields = {
    ...(earlier.ac_address ? { address: earlier.ac_address } : {}),
    ...(earlier.ac_latitude ? { latitude: earlier.ac_latitude } : {}),
    ...(earlier.ac_longitude ? { longitude: earlier.ac_longitude } : {}),
    ...(earlier.ac_uprn ? { uprn: earlier.ac_uprn } : {}),
    ...(earlier.ac_udprn ? { udprn: earlier.ac_udprn } : {}),
    ...(earlier.ac_grid_reference ? { gridReference: earlier.ac_grid_reference } : {}),
    ...(earlier.ac_premises ? { premises: earlier.ac_premises.split(' | ') } : {}),
    ...(earlier.ac_return_code ? { returnCode: earlier.ac_return_code } : {}),
  };
  return {
    result,
    source: 'earlier-file',
    premiseId: ac_premise_id,
    notUsed: JSON.stringify(ac_not_used.split(' ').filter((word) => word !== '')),
    fields: JSON.stringify(fields),
  };
}

/**
 * Writes every row of a table into the file of a new batch, with the questions they share. What is written of it after an error is no
 * batch. Errors: 'file-failed', 'storage-failed'.
 */
export async function fillBatch(
  { path, form, kind, heads, roles, folder, batchId, search }: FillJob,
  answers: SavedAnswers,
  onRows: (rows: number) => void,
): Promise<Result<Filled>> {
  const planner = createRowPlanner(answers, kind);
  const format = { kind, heads, columns: roles };
  const counts = noRows(answers.premises.size > 0);
  const malformed: BatchPlan['malformed'] = [];
  const earlier: Bounds = { least: 0, most: 0 };
  const addEarlier = ({ least, most }: Bounds): void => {
    earlier.least += least;
    earlier.most += most;
  };
  let file: ReturnType<typeof openBatchFile> | undefined;
  try {
    file = openBatchFile(folder, batchId);
    const rows = file;
    rows.beginFill();
    for await (const part of readTable(path, form)) {
      if ('error' in part) return fail(part.error);
      for (const some of slicesOf(part.rows)) {
        /** Planned once they are in the file: their saved answers may have to be read over several turns. */
        const unplanned: Parameters<typeof planner.plan>[] = [];
        rows.transaction(() => {
          for (const row of some) {
            const given = givenIn(row.cells, roles);
            // A row that needs no question.
            const unasked = { row: row.row, ask: null, key: null, sameAs: null, flat: false, given, understood: '{}' };
            const { earlier: said = {} } = row;
            const ended = endedEarlier(row);
            const charged = creditsOf(said);
            addEarlier(charged);
            const insert = (one: Parameters<typeof rows.insertRow>[0]): void => {
              rows.insertRow(one);
              if (charged.most > 0) rows.changeRow(row.row, charged);
            };
            if (ended === 'done') {
              countRow(counts, doneEarlier);
              insert({
                ...unasked,
                progress: 'done',
                reason: said.ac_reason ?? '',
                text: said.ac_address ?? '',
              });
              rows.changeRow(row.row, doneAs(said));
              continue;
            }
            const understood = understand(row, format);
            if (!understood.ok) {
              const { text, code } = formatProblem(understood.problem);
              countRow(counts, { is: 'malformed' });
              if (malformed.length < malformedShown) malformed.push({ row: row.row, given, reason: text, code });
              insert({
                ...unasked,
                progress: 'malformed',
                reason: code,
                text,
              });
              continue;
            }
            const planned = readQuestion(understood);
            let ask: number | null = null;
            let isNew = false;
            if (planned.search !== null && search) {
              const searchKey = `search ${searchKeyOf(planned.search)}`;
              ({ id: ask, isNew } = rows.searchIdFor(searchKey, search, planned.search, ended === 'unknown'));
            }
            if (ended === 'unknown') {
              countRow(counts, { is: 'unknown' });
              insert({
                ...unasked,
                ask,
                flat: planned.flat,
                understood: JSON.stringify(understood),
                progress: 'unknown',
                reason: said.ac_reason || 'cut-off',
                text: '',
              });
              rows.changeRow(row.row, { source: 'earlier-file' });
              continue;
            }
            const key = keyOf(planned);
            const sameAs = rows.firstWith(key);
            if (sameAs !== null) countRow(counts, { is: 'same' });
            else unplanned.push([understood, planned, () => isNew]);
            insert({
              row: row.row,
              ask,
              key,
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
        for (const one of unplanned) {
          const planning = planner.plan(...one);
          countRow(counts, planning instanceof Promise ? await planning : planning);
        }
        await turn();
      }
      onRows(counts.total);
      await turn();
    }
    rows.endFill();
    const { progress } = rows.tally();
    rows.close();
    // Flushed to disk before anything refers to it; done here and not in SQLite, where the thread would wait for it.
    const written = await open(fileOf(folder, batchId), 'r+');
    await written.sync().finally(() => written.close());
    return ok({ counts, malformed, rows: Object.values(progress).reduce((sum, one) => sum + one, 0), earlier });
  } catch (cause) {
    return fail(
      appError('storage-failed', {
        charge: 'not-applicable',
        money: 'Nothing was sent.',
        detail: cause instanceof Error ? cause.message : undefined,
      }),
    );
  } finally {
    file?.close();
  }
}
