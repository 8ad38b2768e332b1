import { type SortingState, useTable } from '@tanstack/react-table';
import { type RefObject, useMemo } from 'react';
import { announce } from '../../lib/window/announce.ts';
import { dataTableFeatures, type TableColumn, toColumnDefs } from './table-columns.ts';
import { orderColumns, placeColumn, shownColumns, useTableLook } from './table-look.ts';
import { headText } from './table-text.ts';
import { useColumnDrag } from './use-column-drag.ts';

interface ColumnsInput<Row extends object> {
  widthsKey: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  hiddenAtFirst?: readonly string[];
  leaveOut?: readonly string[];
}

/**
 * The columns of a table as its stored look has them: which are shown, in what order, how wide, and by which the rows are sorted
 * (`sortedBy`; undefined: they stay as they came). Each change is stored at once.
 */
export function useTableColumns<Row extends object>(
  props: ColumnsInput<Row>,
  grid: RefObject<HTMLTableElement | null>,
) {
  const { rows, keyOf, hiddenAtFirst, leaveOut } = props;
  const [look, changeLook] = useTableLook(props.widthsKey);
  const columns = useMemo(() => {
    const shown = shownColumns(props.columns, look, hiddenAtFirst);
    const roomy = shown.filter(({ id: one }) => !leaveOut?.includes(one));
    return roomy.length > 0 ? roomy : shown;
  }, [props.columns, look, hiddenAtFirst, leaveOut]);
  const defs = useMemo(() => toColumnDefs(props.columns), [props.columns]);
  const sortId = look.sort?.id ?? null;
  const descending = look.sort?.descending ?? false;
  const sorting = useMemo(
    (): SortingState =>
      props.columns.some((column) => column.id === sortId && column.sort !== false) && sortId !== null
        ? [{ id: sortId, desc: descending }]
        : [],
    [props.columns, sortId, descending],
  );
  const sortBy = (next: SortingState) =>
    changeLook({ sort: next[0] ? { id: next[0].id, descending: next[0].desc } : null });
  const firstRow = useMemo(() => rows.slice(0, 1), [rows]);
  const table = useTable({
    features: dataTableFeatures,
    columns: defs,
    // TanStack needs one row to know a column's first sort direction; a model of fifty thousand takes longer than drawing them.
    data: firstRow,
    getRowId: keyOf,
    columnResizeMode: 'onChange',
    state: { sorting, columnSizing: look.widths as Record<string, number> },
    onSortingChange: (change) => sortBy(typeof change === 'function' ? change(sorting) : change),
    onColumnSizingChange: (change) =>
      changeLook({ widths: typeof change === 'function' ? change(look.widths as Record<string, number>) : change }),
  });

  /** Puts a column before another of those shown. */
  const place = (columnId: string, to: number) => {
    const order = placeColumn(props.columns, look, columns, columnId, to);
    const was = columns.findIndex((column) => column.id === columnId);
    const moved = orderColumns(columns, { ...look, order });
    const now = moved.findIndex((column) => column.id === columnId);
    const column = columns[was];
    if (!column || now === was) return;
    changeLook({ order });
    announce(`${headText(column)}, column ${now + 1} of ${moved.length}`);
  };
  /** One place to the left or right, past columns that are hidden. */
  const moveBy = (columnId: string, by: number) => {
    const at = columns.findIndex((column) => column.id === columnId);
    place(columnId, Math.min(columns.length, Math.max(0, by > 0 ? at + by + 1 : at + by)));
  };
  const { drag, startDrag } = useColumnDrag(grid, place);
  return {
    columns,
    headers: new Map(table.getHeaderGroups()[0]?.headers.map((header) => [header.column.id, header])),
    look,
    changeLook,
    sortedBy: sorting.length > 0 ? props.columns.find((column) => column.id === sortId) : undefined,
    descending,
    sortBy,
    moveBy,
    drag,
    startDrag,
  };
}
