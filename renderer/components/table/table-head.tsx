import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Header } from '@tanstack/react-table';
import type { KeyboardEvent, MouseEvent, PointerEvent, RefObject, TouchEvent } from 'react';
import { flushSync } from 'react-dom';
import type { DataTableFeatures, TableColumn } from './table-columns.ts';
import { headText } from './table-text.ts';

const step = 16;
const directions = { asc: 'ascending', desc: 'descending' } as const;

/** The width that shows every drawn value of a column in full, plus its padding. */
function fittingWidth(table: HTMLTableElement | null, index: number): number | null {
  if (!table) return null;
  const cells = table.querySelectorAll<HTMLElement>(`tr:not(.pad, .detail) > :nth-child(${index + 1})`);
  const widths = [...cells].map((cell) => cell.scrollWidth + 2);
  return widths.length === 0 ? null : Math.max(...widths);
}

interface TableHeadProps<Row extends object> {
  header: Header<DataTableFeatures, Row>;
  column: TableColumn<Row>;
  index: number;
  table: RefObject<HTMLTableElement | null>;
  onWidth: (id: string, width: number) => void;
  /** Moves the column by so many places to the right. */
  onMove: (by: number) => void;
  onMenu: (event: MouseEvent<HTMLElement>) => void;
  /** A press that may become a drag of the column. */
  onGrab: (event: PointerEvent<HTMLElement>) => void;
  /** While a column is dragged: this is the one, or it would be dropped before or after this one. */
  drag: 'moved' | 'before' | 'after' | undefined;
}

/**
 * One column head: the button sorts; dragging the edge, a double click on it, or Alt and an arrow sets the width; dragging the head, or
 * Alt, Shift and an arrow, moves the column.
 */
export function TableHead<Row extends object>({
  header,
  column,
  index,
  table,
  onWidth,
  onMove,
  onMenu,
  onGrab,
  drag,
}: TableHeadProps<Row>) {
  const sorted = header.column.getIsSorted();
  const canSort = column.sort !== false;
  const name = headText(column);
  const fit = () => {
    const width = fittingWidth(table.current, index);
    if (width !== null) onWidth(column.id, width);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    if (event.shiftKey) return onMove(event.key === 'ArrowRight' ? 1 : -1);
    const now = event.currentTarget.closest('th')?.offsetWidth ?? header.getSize();
    onWidth(column.id, Math.max(40, now + (event.key === 'ArrowRight' ? step : -step)));
  };
  // A column that fills the remaining space has no width of its own until it is dragged: it starts from its current one.
  const startDrag = (event: MouseEvent<HTMLElement> | TouchEvent<HTMLElement>) => {
    const width = event.currentTarget.closest('th')?.offsetWidth;
    if (width) flushSync(() => onWidth(column.id, width));
    header.getResizeHandler()(event);
  };
  return (
    <th
      scope="col"
      data-drag={drag}
      onContextMenu={onMenu}
      onPointerDown={onGrab}
      className={column.align === 'right' ? 'num' : undefined}
      aria-sort={canSort ? (sorted ? directions[sorted] : 'none') : undefined}
      aria-label={typeof column.head === 'string' ? undefined : name}
    >
      {canSort ? (
        <button
          type="button"
          className="sort"
          onClick={header.column.getToggleSortingHandler()}
          onKeyDown={onKeyDown}
          aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight"
          title="Sort. Drag to move the column. Alt and an arrow key change the width; with Shift they move it."
        >
          <span className="trunc">{column.head}</span>
          {sorted === 'asc' && <IconArrowUp size={12} className="ti" aria-hidden="true" />}
          {sorted === 'desc' && <IconArrowDown size={12} className="ti" aria-hidden="true" />}
        </button>
      ) : (
        column.head
      )}
      <span
        aria-hidden="true"
        className="resize"
        data-active={header.column.getIsResizing()}
        onPointerDown={(event) => event.stopPropagation()}
        onMouseDown={startDrag}
        onTouchStart={startDrag}
        onDoubleClick={fit}
      />
    </th>
  );
}
