import { setImmediate as turn } from 'node:timers/promises';
import { type BatchKind, batchKinds, type ColumnRole } from '../../../../shared/domain/batch.ts';
import { formatFigure } from '../../../../shared/domain/text/figures.ts';
import { mostRows, type TableForm } from '../../../../shared/domain/text/table.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { countRow, noRows, type RowCounts, type RowPlan } from '../plan/plan.ts';
import { createDigestSet } from '../table/digest-set.ts';
import { readTable } from '../table/read-table.ts';
import { canRead } from '../table/understand-row.ts';
import { createRowPlanner, readQuestion } from './row-planner.ts';
import { doneEarlier, endedEarlier, rowsInOneTurn, understand } from './rows.ts';
import type { SavedAnswers } from './saved-answers.ts';

/** A table as it is understood now. */
export interface TableJob {
  path: string;
  bytes: number;
  form: TableForm;
  kind: BatchKind;
  /** One a column, as are the roles. */
  heads: readonly string[];
  roles: readonly ColumnRole[];
}

export interface Survey {
  counts: RowCounts;
  /** Rows that can be asked as each kind. */
  able: Map<BatchKind, number>;
  /** Different rows of which something is saved. */
  saved: number;
  /** Rows that an earlier result file has done, and the batch that it names. */
  done: number;
  earlierId: string;
}

/** By its search, whichever row asked it first, or of its premise: which one it is shows from a search that is saved, or the row says it. */
const isSomethingSaved = ({ search, premise }: RowPlan & { is: 'asked' }): boolean =>
  premise.is === 'none' || (premise.is === 'known' && (search !== 'none' || premise.saved.length > 0));

/** Reads every row of a table once. Errors: `file-failed`; `bad-input` if it has too many, which no screen could reach. */
export async function surveyTable(
  { path, form, kind, heads, roles }: TableJob,
  answers: SavedAnswers,
  onRows: (rows: number) => void,
  most = mostRows,
): Promise<Result<Survey>> {
  const planner = createRowPlanner(answers, kind);
  // A kind whose column is missing is read only if it was chosen all the same: every row then says why it cannot be asked.
  const formats = batchKinds
    .map((one) => ({ kind: one, heads, columns: roles }))
    .filter((format) => format.kind === kind || canRead(format));
  const survey: Survey = {
    counts: noRows(answers.premises.size > 0),
    able: new Map(batchKinds.map((one) => [one, 0])),
    saved: 0,
    done: 0,
    earlierId: '',
  };
  const { counts, able } = survey;
  const said = createDigestSet();
  const searches = createDigestSet();
  for await (const part of readTable(path, form)) {
    if ('error' in part) return fail(part.error);
    for (const [at, row] of part.rows.entries()) {
      if (at % rowsInOneTurn === rowsInOneTurn - 1) await turn();
      survey.earlierId = row.earlier?.ac_batch || survey.earlierId;
      const ended = endedEarlier(row);
      if (ended === 'done') {
        survey.done += 1;
        countRow(counts, doneEarlier);
        continue;
      }
      for (const format of formats) {
        const understood = understand(row, format);
        if (understood.ok) able.set(format.kind, (able.get(format.kind) ?? 0) + 1);
        if (format.kind !== kind) continue;
        if (!understood.ok) {
          countRow(counts, { is: 'malformed' });
          continue;
        }
        if (ended === 'unknown') {
          countRow(counts, { is: 'unknown' });
          continue;
        }
        const question = readQuestion(understood);
        if (!said.add(question.said)) {
          countRow(counts, { is: 'same' });
          continue;
        }
        const planning = planner.plan(understood, question, searches.add);
        const plan = planning instanceof Promise ? await planning : planning;
        if (plan.is === 'asked' && isSomethingSaved(plan)) survey.saved += 1;
        countRow(counts, plan);
      }
    }
    if (counts.total > most)
      return fail(
        appError('bad-input', {
          message: `A table may have ${formatFigure(mostRows)} rows at most, as a sheet has.`,
          next: 'Open it in parts.',
          charge: 'not-applicable',
          money: 'Nothing was sent.',
        }),
      );
    onRows(counts.total);
    await turn();
  }
  return ok(survey);
}
