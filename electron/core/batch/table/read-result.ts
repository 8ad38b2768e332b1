import { createHash } from 'node:crypto';
import { type ResultColumn, resultColumns } from '../../../../shared/domain/batch.ts';
import { readGivenCell, readSafeCell } from '../../../../shared/domain/text/csv.ts';
import type { ResultShape } from '../../../../shared/domain/text/table.ts';

/**
 * The identity of an input row in a result file: a digest of its cells as read, without empty ones at the end, since every row of a result
 * has the same number. 16 hexadecimal digits.
 */
export function hashOfRow(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return createHash('sha256')
    .update(JSON.stringify(cells.slice(0, last + 1)))
    .digest('hex')
    .slice(0, 16);
}

const isResultColumn = (head: string): head is ResultColumn => resultColumns.some((column) => column === head);

/**
 * The columns of a result file of ours; null: it is another table, or one that lacks what resuming takes. Read from the last column back: the
 * input may have had answers of an earlier batch, so the second one of a name is its own.
 */
export function recogniseResult(heads: readonly string[]): ResultShape | null {
  const added: ResultShape['added'] = {};
  let given = heads.length;
  for (const [index, head] of [...heads.entries()].reverse()) {
    if (!isResultColumn(head)) continue;
    if (head in added) break;
    added[head] = index;
    given = index;
  }
  const isWhole = (['ac_progress', 'ac_batch', 'ac_row_hash'] as const).every((name) => name in added);
  return isWhole ? { given, added } : null;
}

/**
 * A row of a result file as the input had it, and what the file says of it if it is done. A row changed since, by hand or by a spreadsheet,
 * is not done: it may ask something else now. Pure.
 */
export function readResultRow(
  shape: ResultShape,
  cells: readonly string[],
): { given: string[]; earlier: Partial<Record<ResultColumn, string>> | null } {
  const given = cells.slice(0, shape.given).map(readGivenCell);
  const earlier: Partial<Record<ResultColumn, string>> = {};
  for (const [name, index] of Object.entries(shape.added))
    earlier[name as ResultColumn] = readSafeCell(cells[index] ?? '');
  const isDone = earlier.ac_progress === 'done' && earlier.ac_row_hash === hashOfRow(given);
  return { given, earlier: isDone ? earlier : null };
}
