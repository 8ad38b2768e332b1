import { type SortingState, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { dataTableFeatures, type TableColumn, toColumnDefs } from './table-columns.ts';
import { TableHead } from './table-head.tsx';
import { BodyRow } from './table-row.tsx';

const rowHeight = 30;
const tightHeight = 26;

interface DataTableProps<Row extends object> {
  /** Said to a screen reader, and the name under which widths are remembered is `widthsKey`. */
  label: string;
  widthsKey: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Key of the row shown beside the table. */
  selectedKey?: string | null;
  /** Enter, Space or a click on a row. Without it rows cannot be selected. */
  onSelect?: (row: Row) => void;
  /** Order at the start; without it the rows stand as they came. */
  initialSort?: { id: string; descending: boolean };
  tight?: boolean;
  rowClass?: (row: Row) => string | undefined;
  /** A second line under a row, over the whole width. */
  detail?: (row: Row) => ReactNode;
  /** Pixels of that line in a table of more than 200 rows, where heights must be known before drawing. */
  detailHeight?: (row: Row) => number;
}

/** Rows one can sort, whose columns one can widen, and which the keys walk through. Beyond 200 rows only those in sight are drawn. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const {
    label,
    widthsKey,
    columns,
    rows: data,
    keyOf,
    selectedKey,
    onSelect,
    initialSort,
    tight = false,
    detailHeight = () => 42,
  } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const [sorting, setSorting] = useState<SortingState>(() =>
    initialSort ? [{ id: initialSort.id, desc: initialSort.descending }] : [],
  );
  const [widths, setWidths] = useState<ColumnWidths>(() => readColumnWidths(widthsKey));
  useEffect(() => keepColumnWidths(widthsKey, widths), [widthsKey, widths]);
  const [activeKey, setActiveKey] = useState<string | null>(null);

  const defs = useMemo(() => toColumnDefs(columns), [columns]);
  const table = useTable({
    features: dataTableFeatures,
    columns: defs,
    data: data as Row[],
    getRowId: keyOf,
    columnResizeMode: 'onChange',
    state: { sorting, columnSizing: widths },
    onSortingChange: setSorting,
    onColumnSizingChange: setWidths,
  });

  const rows = table.getRowModel().rows;
  const active = rows.findIndex((row) => row.id === activeKey);
  const heightOf = (index: number) => {
    const row = rows[index];
    const detailed = row !== undefined && props.detail?.(row.original);
    return (tight ? tightHeight : rowHeight) + (detailed ? detailHeight(row.original) : 0);
  };
  const { virtual, first, last, before, after, scrollTo } = useRowsInSight(rows.length, box, heightOf);

  const moveTo = (index: number) => {
    const to = Math.min(rows.length - 1, Math.max(0, index));
    const row = rows[to];
    if (!row) return;
    setActiveKey(row.id);
    if (virtual) scrollTo(to);
    else document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rows[active];
    if ((event.key === 'Enter' || event.key === ' ') && row && onSelect) {
      event.preventDefault();
      onSelect(row.original);
      return;
    }
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / (tight ? tightHeight : rowHeight)) - 2);
    const target = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: Math.max(active, 0) + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    moveTo(target);
  };

  const span = columns.length;
  const drawn = rows.slice(first, last + 1);
  const activeDrawn = active >= first && active <= last;
  return (
    <div className="table-scroll" ref={box}>
      <table
        ref={grid}
        className={tight ? 'tbl tight' : 'tbl'}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen by keys is a grid
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeDrawn ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={(event) =>
          active < 0 && event.target === event.currentTarget && isByKeys(event.currentTarget) && moveTo(0)
        }
        style={{ minWidth: columns.reduce((sum, column) => sum + (widths[column.id] ?? column.width), 0) }}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: widths[column.id] ?? (column.grow ? undefined : column.width) }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {table.getHeaderGroups()[0]?.headers.map((header, index) => {
              const column = columns[index];
              return column ? (
                <TableHead
                  key={header.id}
                  header={header}
                  column={column}
                  index={index}
                  table={grid}
                  onWidth={(columnId, width) => setWidths((now) => ({ ...now, [columnId]: width }))}
                />
              ) : null;
            })}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Pad height={before} span={span} />}
          {drawn.map((row, offset) => {
            const index = first + offset;
            const detail = props.detail?.(row.original);
            const tone = props.rowClass?.(row.original);
            return (
              <BodyRow
                key={row.id}
                id={`${id}-${index}`}
                index={index}
                className={[tone, onSelect ? 'can-select' : '', detail ? 'open' : ''].filter(Boolean).join(' ')}
                selected={selectedKey === undefined ? undefined : row.id === selectedKey}
                active={index === active}
                onPress={() => {
                  setActiveKey(row.id);
                  onSelect?.(row.original);
                }}
                detail={detail}
                detailHeight={virtual ? detailHeight(row.original) : undefined}
                detailClass={tone ? `detail ${tone}` : 'detail'}
                columns={columns}
                row={row.original}
              />
            );
          })}
          {after > 0 && <Pad height={after} span={span} />}
        </tbody>
      </table>
    </div>
  );
}

/** Focus that came by mouse must not move anything under the pointer. */
const isByKeys = (element: Element) => element.matches(':focus-visible');

const Pad = ({ height, span }: { height: number; span: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a plain spacer, nothing in it takes the focus
  <tr className="pad" aria-hidden="true" style={{ height }}>
    <td colSpan={span} />
  </tr>
);

/** Widths a person has given to columns, in pixels by column id. */
type ColumnWidths = Record<string, number>;

const keyFor = (table: string) => `column-widths:${table}`;
const isWidths = (value: unknown): value is ColumnWidths =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((width) => typeof width === 'number' && width >= 24 && width <= 4000);

/** The remembered widths of a table. Unreadable or absent: none. Only the look of the window is kept here, never data. */
function readColumnWidths(table: string): ColumnWidths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(table)) ?? '{}');
    return isWidths(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** Remembers widths where the window may keep anything; where it may not, they last until it closes. */
function keepColumnWidths(table: string, widths: ColumnWidths): void {
  try {
    localStorage.setItem(keyFor(table), JSON.stringify(widths));
  } catch {
    // Storage refused or full: the widths stay as they are in this window.
  }
}

const drawAllUpTo = 200;

/** Which of the rows are drawn: all of a short table, of a longer one those in sight. `before` and `after`: pixels of those that are not. */
function useRowsInSight(count: number, box: RefObject<HTMLDivElement | null>, heightOf: (index: number) => number) {
  const virtual = count > drawAllUpTo;
  const inSight = useVirtualizer({
    count: virtual ? count : 0,
    getScrollElement: () => box.current,
    estimateSize: heightOf,
    overscan: 10,
    // The head stands over the first rows' place, so the last row in sight ends that much lower.
    scrollPaddingEnd: 28,
  });
  const seen = inSight.getVirtualItems();
  return {
    virtual,
    first: virtual ? (seen[0]?.index ?? 0) : 0,
    last: virtual ? (seen.at(-1)?.index ?? -1) : count - 1,
    before: virtual ? (seen[0]?.start ?? 0) : 0,
    after: virtual ? inSight.getTotalSize() - (seen.at(-1)?.end ?? 0) : 0,
    scrollTo: (index: number) => inSight.scrollToIndex(index, { align: 'auto' }),
  };
}
