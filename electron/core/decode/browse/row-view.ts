import { naturalOrder } from '../../../../shared/domain/text/natural-order.ts';
import type { Table } from './tables.ts';

/** Which rows of a table are wanted, and in which order. */
export interface RowView {
  /** By its position among the columns; null: in the order they came. */
  column: number | null;
  descending: boolean;
  /** Contained in any of a row's cells, ignoring case; empty: all rows. */
  filter: string;
}

const folded = (text: string): string => text.toLocaleLowerCase('en-GB');
const isNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** Empty cells come first, as among texts. */
const figureOf = (cell: string): number => (cell.trim() === '' ? Number.NEGATIVE_INFINITY : Number(cell));

/**
 * Positions of the rows wanted; numbers by value, text in natural order, cells that were not sent last in either direction, equal ones in the order they
 * came.
 */
export function viewRows({ rows }: Table, { column, descending, filter }: RowView): Uint32Array {
  const wanted = folded(filter);
  const places: number[] = [];
  for (const [place, row] of rows.entries())
    if (wanted === '' || row.some((cell) => cell !== null && folded(cell).includes(wanted))) places.push(place);
  if (column === null) return Uint32Array.from(descending ? places.reverse() : places);
  const cells = places.map((place) => ({ place, cell: rows[place]?.[column] ?? null }));
  const known = cells.filter((one): one is { place: number; cell: string } => one.cell !== null);
  const way = descending ? -1 : 1;
  // In natural order 1.5 comes before 1.45, and −2 before −10.
  const isNumbers = known.every(({ cell }) => cell.trim() === '' || isNumber.test(cell));
  const numbers = isNumbers ? Float64Array.from(known, ({ cell }) => figureOf(cell)) : null;
  const order = Array.from(known.keys()).sort(
    numbers
      ? (a, b) => (numbers[a] === numbers[b] ? 0 : way * ((numbers[a] ?? 0) < (numbers[b] ?? 0) ? -1 : 1))
      : (a, b) => way * naturalOrder.compare(known[a]?.cell ?? '', known[b]?.cell ?? ''),
  );
  const unknown = cells.filter(({ cell }) => cell === null);
  return Uint32Array.from([...order.map((index) => known[index]?.place ?? 0), ...unknown.map(({ place }) => place)]);
}
