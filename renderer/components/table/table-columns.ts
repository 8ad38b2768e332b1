import {
  type ColumnDef,
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { CellKind } from '../../../shared/domain/text/csv.ts';

/** What one column of a DataTable shows and how it sorts. Keep the array stable between renders. */
export interface TableColumn<Row> {
  id: string;
  head: ReactNode;
  /** The head as a text if `head` is not one: for a screen reader. */
  name?: string;
  /** What is sorted by, and shown unless `cell` says otherwise. null: unknown, always last. */
  value: (row: Row) => string | number | null;
  /** What is copied, saved, printed and searched if that is not `value`: a time as it is read, not as it sorts. */
  text?: (row: Row) => string | number | null;
  /** How a spreadsheet may take it; by default text that is never turned into a number or a date. */
  kind?: CellKind;
  cell?: (row: Row, index: number) => ReactNode;
  /** Pixels: the width of the longest real value. */
  width: number;
  /** Takes the remaining space. One column per table. */
  grow?: boolean;
  align?: 'right';
  /** false: no sorting by this column. */
  sort?: boolean;
}

/** The features of TanStack Table that the tables here use. */
export const dataTableFeatures = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
});
export type DataTableFeatures = typeof dataTableFeatures;

/** Turns columns into TanStack's definitions. The rows are sorted without it (row-order.ts). */
export function toColumnDefs<Row extends object>(
  columns: readonly TableColumn<Row>[],
): ColumnDef<DataTableFeatures, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    accessorFn: (row: Row) => column.value(row) ?? undefined,
    size: column.width,
    minSize: 40,
    maxSize: 1600,
    enableSorting: column.sort !== false,
  }));
}
