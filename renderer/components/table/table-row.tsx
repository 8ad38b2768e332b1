import type { MouseEvent, ReactNode } from 'react';
import { drawable } from '../../../shared/domain/text/visible-text.ts';
import { legible } from '../../lib/text/legible.ts';
import type { TableColumn } from './table-columns.ts';
import { cellText } from './table-text.ts';

interface BodyRowProps<Row> {
  id: string;
  index: number;
  row: Row;
  columns: readonly TableColumn<Row>[];
  className: string;
  selected: boolean;
  active: boolean;
  /** The group that begins with this row; null: the row continues one. */
  group: string | null;
  onPress: (event: MouseEvent<HTMLElement>) => void;
  detail: ReactNode;
  /** Pixels; undefined: as high as its text. */
  detailHeight: number | undefined;
  detailClass: string;
}

/** A click that ends a text selection, or one on a control in the row, does not select the row. */
const isChoice = (event: MouseEvent<HTMLElement>): boolean =>
  window.getSelection()?.isCollapsed !== false &&
  (event.target as HTMLElement).closest('button, a, input, label, select, textarea') === null;

/** Shift and a click mark rows: they must not select the text between them. */
const keepSelection = (event: MouseEvent<HTMLElement>): void => {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.closest('table')?.focus();
};

/** A text that its column cuts is the tooltip of its cell, unless the cell has one for its parts. */
function showIfCut(cell: HTMLElement, text: string): void {
  const isCut = [cell, ...cell.querySelectorAll('.trunc')].some((one) => one.scrollWidth > one.clientWidth);
  if (isCut && cell.querySelector('[title]') === null) cell.title = drawable(text);
  else cell.removeAttribute('title');
}

/** One row, and under it the line that explains it. The grid keeps the focus and handles the keys. */
export function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { id, index, row, columns, className, selected, active, group, onPress } = props;
  const { detail, detailHeight, detailClass } = props;
  return (
    <>
      {group !== null && (
        // The head of a group is not a data row: the arrows skip it.
        <tr className="group">
          <td colSpan={columns.length} role="presentation">
            {legible(group)}
          </td>
        </tr>
      )}
      <tr
        id={id}
        data-row={index}
        aria-rowindex={index + 2}
        aria-selected={selected}
        data-active={active}
        className={className || undefined}
        onClick={(event) => isChoice(event) && onPress(event)}
        onMouseDown={keepSelection}
      >
        {columns.map((column) => (
          <td
            key={column.id}
            // Drawn anew under a pointer that rests, its tooltip would still be the text before.
            ref={(cell) => {
              if (cell?.title) showIfCut(cell, cellText(column, row));
            }}
            className={column.align === 'right' ? 'num' : undefined}
            onMouseEnter={(event) => showIfCut(event.currentTarget, cellText(column, row))}
          >
            {column.cell ? legible(column.cell(row, index)) : legible(column.value(row))}
          </td>
        ))}
      </tr>
      {detail && (
        <tr className={detailClass} style={detailHeight === undefined ? undefined : { height: detailHeight }}>
          <td colSpan={columns.length}>{detail}</td>
        </tr>
      )}
    </>
  );
}
