import {
  type Cell,
  type CellKind,
  type CsvColumn,
  csvHead,
  csvRow,
  writeTabbed,
} from '../../../shared/domain/text/csv.ts';

/** What a column needs in order to be copied, saved or printed. */
export interface TextColumn<Row> {
  id: string;
  head: unknown;
  /** The head as a text if `head` is not one: for a screen reader. */
  name?: string;
  /** null: unknown, always last where rows are sorted by it. */
  value: (row: Row) => string | number | null;
  /** What is copied, saved, printed and searched if that is not `value`: a time as it is read, not as it sorts. */
  text?: (row: Row) => string | number | null;
  /** How a spreadsheet may take it; by default text that is never turned into a number or a date. */
  kind?: CellKind;
}

/** `name`; without one the head if it is a text, else the id. */
export const headText = (column: Pick<TextColumn<never>, 'id' | 'head' | 'name'>): string =>
  column.name ?? (typeof column.head === 'string' ? column.head : column.id);

type CellColumn<Row> = Pick<TextColumn<Row>, 'value' | 'text'>;

const cellValue = <Row>(column: CellColumn<Row>, row: Row): string | number | null =>
  (column.text ?? column.value)(row);

/** What is copied, printed and searched of a cell; '' if it is unknown. */
export const cellText = <Row>(column: CellColumn<Row>, row: Row): string => String(cellValue(column, row) ?? '');

/** Rows for the clipboard: tabs between cells, safe in a spreadsheet. */
export function copiedRows<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[], withHeads: boolean): string {
  function* lines(): Generator<string[]> {
    if (withHeads) yield columns.map(headText);
    for (const row of rows) yield columns.map((column) => cellText(column, row));
  }
  return writeTabbed(lines());
}

/** Rows turned into text before the window draws again. */
const slice = 2000;

/** A CSV file of rows, by the one writer. A long table is written in slices, so that the window keeps drawing. */
export async function csvText<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[]): Promise<string> {
  const heads = columns.map((column): CsvColumn => ({ head: headText(column), kind: column.kind ?? 'identifier' }));
  const parts = [csvHead(heads)];
  for (let from = 0; from < rows.length; from += slice) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve));
    const part = rows.slice(from, from + slice);
    parts.push(
      part
        .map((row) =>
          csvRow(
            columns.map((column): Cell => cellValue(column, row)),
            heads,
          ),
        )
        .join(''),
    );
  }
  return parts.join('');
}

/** Milliseconds after which typing starts a new search. */
export const typingPause = 1000;

const folded = (text: string): string => text.toLocaleLowerCase('en-GB');

/** Whether a row has a text in any of its columns, in any case. */
export const rowHolds = <Row>(columns: readonly TextColumn<Row>[], row: Row, wanted: string): boolean =>
  columns.some((column) => folded(cellText(column, row)).includes(folded(wanted)));

/** The row that typing leads to: the next from `from` on, wrapping round, with a cell that begins with what was typed; −1: none. */
export function typedRow<Row>(
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  typed: string,
  from: number,
): number {
  const begin = folded(typed);
  for (let step = 0; step < rows.length; step += 1) {
    const index = (from + step) % rows.length;
    const row = rows[index];
    if (row !== undefined && columns.some((column) => folded(cellText(column, row)).startsWith(begin))) return index;
  }
  return -1;
}
