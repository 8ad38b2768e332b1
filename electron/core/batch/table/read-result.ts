import { hash } from 'node:crypto';
import { neededColumns, type ResultColumn, resultColumns } from '../../../../shared/domain/batch.ts';
import { readGivenCell, readSafeCell } from '../../../../shared/domain/text/csv.ts';
import type { ResultShape } from '../../../../shared/domain/text/table.ts';

/**
 * The identity of an input row in a result file: a digest of its cells as read, without empty ones at the end, since every row of a result
 * has the same number. 16 hexadecimal digits.
 */
export function hashOfRow(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return hash('sha256', JSON.stringify(cells.slice(0, last + 1))).slice(0, 16);
}

const isResultColumn = (head: string): head is ResultColumn => resultColumns.some((column) => column === head);

/**
 * The columns of a result file of ours; null: it is another table, or one that lacks what resuming takes. Ours begin with the last `ac_result`:
 * the input may have had answers of an earlier batch, and somebody may have written more columns beside ours.
 */
export function recogniseResult(heads: readonly string[]): ResultShape | null {
  const added: ResultShape['added'] = {};
  const given = heads.lastIndexOf('ac_result');
  for (const [index, head] of heads.entries())
    if (given !== -1 && index >= given && isResultColumn(head) && !(head in added)) added[head] = index;
  return neededColumns.every((name) => name in added) ? { given, added } : null;
}

/** The cells of a row of a result file except ours: the input's, then what stands beside the answers. */
export function givenCells({ given, added }: ResultShape, cells: readonly string[]): string[] {
  const ours = new Set(Object.values(added));
  return cells.filter((_, index) => index < given || !ours.has(index)).map(readGivenCell);
}

/** Whether a row may have left without an answer that was written down: its outcome is unknown, and it is asked again only by a tick. */
export const isUnknownEarlier = ({ ac_progress }: Partial<Record<ResultColumn, string>>): boolean =>
  ac_progress === 'unknown' || ac_progress === 'at-work';

/**
 * A row of a result file as the input had it, and what the file says of it. One that was changed since, by hand or by a spreadsheet, may ask
 * something else now: of it only its credits are read. An unknown outcome stays, since what was sent may be what is asked for now. Pure.
 */
export function readResultRow(
  shape: ResultShape,
  cells: readonly string[],
): { given: string[]; earlier: Partial<Record<ResultColumn, string>> } {
  const given = givenCells(shape, cells);
  const earlier: Partial<Record<ResultColumn, string>> = {};
  for (const [name, index] of Object.entries(shape.added))
    earlier[name as ResultColumn] = readSafeCell(cells[index] ?? '');
  const isAsItWas = earlier.ac_row_hash === hashOfRow(given.slice(0, shape.given));
  if (isAsItWas || isUnknownEarlier(earlier)) return { given, earlier };
  return { given, earlier: { ac_credits: earlier.ac_credits ?? '' } };
}
