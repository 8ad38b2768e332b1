import {
  type ColumnDef,
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { TextColumn } from './table-text.ts';

/** What one column of a DataTable shows and how it sorts. Keep the array stable between renders. */
export interface TableColumn<Row> extends TextColumn<Row> {
  head: ReactNode;
  /** What is shown if that is not `value`. */
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
