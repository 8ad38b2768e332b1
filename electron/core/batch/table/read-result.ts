import { createHash } from 'node:crypto';
import type { ResultColumn } from '../../../../shared/domain/batch.ts';
import { readGivenCell, readSafeCell } from '../../../../shared/domain/csv.ts';

/**
 * What an input row is known by in a result file: of its cells as read, without empty ones at its end, since a result has the same number
 * in each row. 16 hexadecimal digits.
 */
export function hashOfRow(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return createHash('sha256')
    .update(JSON.stringify(cells.slice(0, last + 1)))
    .digest('hex')
    .slice(0, 16);
}

/** Where a result file has what; its own columns stand behind the input's. */
export interface ResultShape {
  /** How many columns are the input's. */
  given: number;
  /** By the column's name. */
  added: Partial<Record<ResultColumn, number>>;
}

/** The columns of a result file of ours; null: it is another table, or one without what it takes to go on with it. */
export function recogniseResult(heads: readonly string[]): ResultShape | null {
  const given = heads.findIndex((head) => head.startsWith('ac_'));
  if (given === -1) return null;
  const added = Object.fromEntries(heads.flatMap((head, index) => (index < given ? [] : [[head, index]])));
  const isWhole = ['ac_progress', 'ac_batch', 'ac_row_hash'].every((name) => name in added);
  return isWhole ? { given, added } : null;
}

export interface ResultFileRow {
  /** The input's cells, as they were before the result was written. */
  given: string[];
  batchId: string;
  /** Whether it was done, and the row beside its answers is still the one that was asked. */
  isDone: boolean;
  value(column: ResultColumn): string;
}

/** A row of a result file. A row that was changed since, by hand or by a spreadsheet, is not done: it may ask something else now. Pure. */
export function readResultRow(shape: ResultShape, cells: readonly string[]): ResultFileRow {
  const given = cells.slice(0, shape.given).map(readGivenCell);
  const value = (column: ResultColumn): string => readSafeCell(cells[shape.added[column] ?? -1] ?? '');
  return {
    given,
    batchId: value('ac_batch'),
    isDone: value('ac_progress') === 'done' && value('ac_row_hash') === hashOfRow(given),
    value,
  };
}
