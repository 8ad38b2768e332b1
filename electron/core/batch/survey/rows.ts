import type { RowProblem, TableRow, UnderstoodRow } from '../../../../shared/domain/text/table.ts';
import type { RowPlan } from '../plan/plan.ts';
import { isUnknownEarlier } from '../table/read-result.ts';
import { type RowFormat, understandRow } from '../table/understand-row.ts';

/** Rows parsed before main yields to everything else. */
export const rowsInOneTurn = 400;

/** Why a row cannot be asked, for a person. */
const problemMessages: Readonly<Record<RowProblem, string>> = {
  quote: 'a quote that does not close at the end of a cell',
  'too-long': 'a line longer than a table can have',
  empty: 'nothing to ask with',
  cells: 'more cells than columns',
  postcode: 'not in the form of a postcode',
  'no-postcode': 'no postcode',
  'no-premise': 'no address beside the postcode',
  'no-town': 'neither town nor postcode',
  'no-organisation': 'no organisation',
  'number-date': 'what reads as a date in place of a number: a spreadsheet may have changed it',
  identifier: 'no identifier',
  'identifier-number': 'changed by a spreadsheet into a number',
};
/** Why a row is malformed: for a person, and as the stable code of result files. */
export const formatProblem = (problem: RowProblem): { text: string; code: string } => ({
  text: problemMessages[problem],
  code: `malformed-${problem}`,
});

/** How an earlier result file ended a row; null: it is to be asked. */
export function endedEarlier({ earlier = {} }: Pick<TableRow, 'earlier'>): 'done' | 'unknown' | null {
  if (earlier.ac_progress === 'done') return 'done';
  return isUnknownEarlier(earlier) ? 'unknown' : null;
}

/** A row that an earlier result file has done: nothing is asked for it. */
export const doneEarlier: RowPlan = { is: 'asked', search: 'none', premise: { is: 'none' } };

/** Parses a row in the table's format; a row with a problem is malformed. */
export const understand = (row: TableRow, format: RowFormat): UnderstoodRow =>
  row.problem === undefined
    ? understandRow(row.cells, format)
    : { ok: false, problem: row.problem, text: row.cells.join(' ').slice(0, 300) };
