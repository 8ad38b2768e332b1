import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { countOf } from '../../lib/text/format.ts';
import { isMac, marksOneMore, useShortcut } from '../../lib/window/shortcuts.ts';
import { useCopy } from '../../lib/window/use-copy.ts';
import { CopiedNote } from '../copied-note.tsx';
import { ColumnsDialog } from './columns-dialog.tsx';
import { headMenu, rowMenu } from './menu-actions.ts';
import { mostPrinted, printTable } from './print-table.tsx';
import { rowHeight, tightHeight } from './row-heights.ts';
import { markAll, markFrom, markOne, markStretch, noMarks, type RowMarks, toggleMark } from './row-marks.ts';
import { useRowOrder } from './row-order.ts';
import { placeByKey, RowPad } from './row-places.tsx';
import { useRowsInSight } from './rows-in-sight.ts';
import { saveTable } from './save-table.ts';
import type { TableColumn } from './table-columns.ts';
import { TableFind } from './table-find.tsx';
import { TableHead } from './table-head.tsx';
import { type MenuAction, TableMenu } from './table-menu.tsx';
import { BodyRow } from './table-row.tsx';
import { copiedRows, rowHolds, typedRow, typingPause } from './table-text.ts';
import { useTableColumns } from './use-table-columns.ts';

interface DataTableProps<Row extends object> {
  /** The name for a screen reader, the title of a printed sheet and the name of a saved file. */
  label: string;
  /** The name under which the table's look is stored. */
  widthsKey: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Key of the row shown beside the table. */
  selectedKey?: string | null;
  /** Enter, Space or a click on a row. */
  onSelect?: (row: Row) => void;
  /** Columns that are hidden until a person shows them. */
  hiddenAtFirst?: readonly string[];
  /** Columns left out while there is no room for them; the stored look keeps them. */
  leaveOut?: readonly string[];
  tight?: boolean;
  rowClass?: (row: Row) => string | undefined;
  /** A second line under a row, over the whole width. */
  detail?: (row: Row) => ReactNode;
  /** Pixels of that line in a table of more than 200 rows, whose heights must be known before drawing; 42 without it. */
  detailHeight?: (row: Row) => number;
  /** Under the table, of the row that the keys are on: what its columns cut. It stays in its place, so rows do not move under the pointer. */
  ofActive?: (row: Row) => ReactNode;
  /** A line over a row that begins a new part, such as a day. */
  groupOf?: (row: Row) => string;
  /** The rows that are printed and how many there are, if `rows` are only those read so far. */
  rowsTo?: ((most: number) => Promise<{ rows: readonly Row[]; total: number }>) | undefined;
  /** `rows` are only those read so far: said where they are searched, printed and saved. */
  partly?: boolean;
  /** Has main save the whole table, of which the window may have only a part; resolves with the result as a sentence. */
  saveAll?: (columns: readonly TableColumn<Row>[]) => Promise<string>;
  /** The caller has already sorted the rows by the table's look. */
  inOrder?: boolean;
  /** Saves the table in its own way, for example from main; without it what the window has is saved. */
  onSave?: (() => void) | undefined;
}

/**
 * Rows that can be sorted, marked, copied, searched, saved and printed and that the keys walk through; columns can be widened, moved and
 * hidden. Of a long table only the rows in sight are drawn.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, widthsKey, rows: data, keyOf, selectedKey, onSelect, tight = false } = props;
  const { detailHeight = () => 42, groupOf, rowsTo, saveAll, hiddenAtFirst, partly = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const findField = useRef<HTMLInputElement>(null);
  const { columns, headers, look, changeLook, sortedBy, descending, sortBy, moveBy, drag, startDrag } = useTableColumns(
    props,
    grid,
  );
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [marks, setMarks] = useState<RowMarks>(noMarks);
  const [finding, setFinding] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; groups: MenuAction[][] } | null>(null);
  const [choosingColumns, setChoosingColumns] = useState(false);
  const { copied, copy, report } = useCopy();
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });

  const rows = useRowOrder(data, keyOf, props.inOrder ? undefined : sortedBy, descending);
  const inOrder = () => rows.map((row) => row.id);
  const originals = () => rows.map((row) => row.original);
  // Those marked may all be filtered out: then the row that is shown beside the table is the selected one.
  const isAnyMarked = marks.keys.size > 0 && rows.some((row) => marks.keys.has(row.id));
  const active = activeKey === null ? -1 : rows.findIndex((row) => row.id === activeKey);
  const startsGroup = (index: number): string | null => {
    const row = rows[index];
    // Groups belong to the order in which the rows came; sorted by a column, the rows of a group would be scattered.
    if (!groupOf || !row || sortedBy) return null;
    const group = groupOf(row.original);
    const before = rows[index - 1];
    return before && groupOf(before.original) === group ? null : group;
  };
  const heightOf = (index: number) => {
    const row = rows[index];
    const detailed = row !== undefined && props.detail?.(row.original);
    const group = startsGroup(index) === null ? 0 : tightHeight;
    return (tight ? tightHeight : rowHeight) + (detailed ? detailHeight(row.original) : 0) + group;
  };
  const { virtual, first, last, before, after, scrollTo } = useRowsInSight(
    rows.length,
    box,
    heightOf,
    props.detail !== undefined,
  );

  const showRow = (index: number) => {
    if (virtual) scrollTo(index);
    // In a low window the page around the box scrolls too.
    (virtual ? box.current : document.getElementById(`${id}-${index}`))?.scrollIntoView({ block: 'nearest' });
  };
  // A text under the table that is longer than the one before takes room from the rows: the last of them in sight would be out of it.
  const hasText = props.ofActive !== undefined && active >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row's text is looked at; the rows scroll freely under the same one
  useEffect(() => {
    if (!hasText) return;
    const frame = requestAnimationFrame(() =>
      document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [hasText, activeKey]);
  const moveTo = (index: number, stretch = false) => {
    const to = Math.min(rows.length - 1, Math.max(0, index));
    const row = rows[to];
    if (!row) return;
    setActiveKey(row.id);
    setMarks((now) =>
      stretch
        ? markStretch(now.anchor === null ? markFrom(activeKey ?? row.id) : now, row.id, inOrder())
        : markFrom(row.id),
    );
    showRow(to);
  };

  /** The marked rows in table order; if none is marked, the one the keys are on. */
  const chosenRows = (): Row[] => {
    const marked = rows.filter((row) => marks.keys.has(row.id));
    const on = rows[active];
    return (marked.length > 0 ? marked : on ? [on] : []).map((row) => row.original);
  };
  const copyRows = () => {
    const chosen = chosenRows();
    if (chosen.length > 0) copy(copiedRows(columns, chosen, false), countOf(chosen.length, 'row'));
  };
  /** Two or more chosen rows are saved or printed alone; fewer mean the whole table. */
  const rowsOut = (chosen: readonly Row[]): readonly Row[] => (chosen.length > 1 ? chosen : originals());
  const save = (chosen: readonly Row[]) =>
    report(
      () =>
        saveAll && chosen.length <= 1
          ? saveAll(columns)
          : saveTable(label, columns, rowsOut(chosen), partly && chosen.length <= 1),
      'Not saved',
    );
  const print = (chosen: readonly Row[]) =>
    report(async () => {
      if (!rowsTo || chosen.length > 1) {
        const out = rowsOut(chosen);
        return printTable(label, columns, out, out.length, partly && chosen.length <= 1);
      }
      const { rows: read, total } = await rowsTo(mostPrinted);
      return printTable(label, columns, read, total);
    }, 'Not printed');
  const find = () => {
    setFinding((now) => now ?? '');
    // Already open: the field is there and takes the focus at once.
    findField.current?.select();
  };
  // From anywhere on the screen; a table on a hidden screen or tab does not answer.
  useShortcut('find', () => (box.current?.checkVisibility() ? find() : false));

  const found = useMemo(
    () => (finding ? rows.flatMap((row, index) => (rowHolds(columns, row.original, finding) ? [index] : [])) : []),
    [finding, rows, columns],
  );
  const step = (by: 1 | -1) => {
    if (found.length === 0) return;
    const next = by === 1 ? found.find((index) => index > active) : found.findLast((index) => index < active);
    moveTo(next ?? (by === 1 ? found[0] : found.at(-1)) ?? 0);
  };

  const typeAhead = (key: string, at: number): void => {
    const fresh = at - typed.current.at > typingPause;
    const text = fresh ? key : typed.current.text + key;
    typed.current = { text, at };
    // The first letter starts from the row below; the next ones may stay on the row they lead to.
    const index = typedRow(columns, originals(), text, fresh ? active + 1 : Math.max(0, active));
    if (index >= 0) moveTo(index);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const row = rows[active];
    const mod = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    const act = (run: () => void) => {
      event.preventDefault();
      run();
    };
    const pausing = event.timeStamp - typed.current.at > typingPause;
    // Shift may be down while a text with a space in it is typed.
    if (marksOneMore(event) && (mod || pausing) && row) return act(() => setMarks((now) => toggleMark(now, row.id)));
    if (mod && !event.shiftKey) {
      const key = event.key.toLowerCase();
      if (key === 'c' && window.getSelection()?.isCollapsed !== false) act(() => copyRows());
      if (key === 'f') act(find);
      if (key === 'a') act(() => setMarks(markAll(inOrder())));
      if (key === 'p') act(() => print(chosenRows()));
      return;
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && marks.keys.size > 0) return act(() => setMarks(noMarks));
    if ((event.key === 'Enter' || (event.key === ' ' && pausing)) && row && onSelect)
      return act(() => onSelect(row.original));
    if (/^[\p{L}\p{N}]$/u.test(event.key) || (event.key === ' ' && !pausing))
      return act(() => typeAhead(event.key, event.timeStamp));
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / (tight ? tightHeight : rowHeight)) - 2);
    const target = placeByKey(event.key, active, rows.length, page);
    if (target === undefined) return;
    act(() => moveTo(target, event.shiftKey));
  };

  const press = (event: MouseEvent, key: string, row: Row) => {
    setActiveKey(key);
    if (event.shiftKey)
      setMarks((now) => markStretch(now.anchor === null ? markFrom(activeKey ?? key) : now, key, inOrder()));
    else if (isMac ? event.metaKey : event.ctrlKey) setMarks((now) => toggleMark(now, key));
    else {
      setMarks(onSelect ? markFrom(key) : markOne(key));
      onSelect?.(row);
    }
  };

  const openMenu = (event: MouseEvent<HTMLElement>) => {
    const on = (event.target as HTMLElement).closest('tr[data-row]');
    const index = on ? Number(on.getAttribute('data-row')) : active;
    const row = rows[index];
    if (!row || (event.target as HTMLElement).closest('thead')) return;
    event.preventDefault();
    setActiveKey(row.id);
    if (!marks.keys.has(row.id)) setMarks(markOne(row.id));
    const cell = (event.target as HTMLElement).closest('td');
    const column = cell && on ? columns[[...on.children].indexOf(cell)] : undefined;
    // From the keyboard the event has no position: the menu opens under the row.
    const place = on ? { x: event.clientX, y: event.clientY } : placeOf(document.getElementById(`${id}-${index}`));
    const chosen = marks.keys.has(row.id)
      ? rows.filter((one) => marks.keys.has(one.id)).map((one) => one.original)
      : [row.original];
    setMenu({
      ...place,
      groups: rowMenu(columns, chosen, row.original, column, {
        open: onSelect,
        copy,
        find,
        selectAll: () => setMarks(markAll(inOrder())),
        chooseColumns: () => setChoosingColumns(true),
        save: props.onSave && chosen.length === 1 ? props.onSave : () => save(chosen),
        print: () => print(chosen),
      }),
    });
  };

  const openHeadMenu = (event: MouseEvent<HTMLElement>, column: TableColumn<Row>) => {
    event.preventDefault();
    const at =
      event.clientX === 0 && event.clientY === 0
        ? placeOf(event.currentTarget)
        : { x: event.clientX, y: event.clientY };
    setMenu({
      ...at,
      groups: headMenu(columns, column, {
        isSorted: sortedBy !== undefined,
        sortBy,
        moveBy,
        hide: (id) => changeLook({ hidden: [...(look.hidden ?? hiddenAtFirst ?? []), id] }),
        chooseColumns: () => setChoosingColumns(true),
      }),
    });
  };

  const span = columns.length;
  const drawn = rows.slice(first, last + 1);
  const activeDrawn = active >= first && active <= last;
  const activeRow = rows[active]?.original;
  return (
    <div className="table-box">
      {finding !== null && (
        <TableFind
          field={findField}
          text={finding}
          found={found.length}
          at={found.indexOf(active)}
          partly={partly || rowsTo !== undefined}
          onText={(text) => {
            setFinding(text);
            const hit = text === '' ? -1 : rows.findIndex((row) => rowHolds(columns, row.original, text));
            if (hit >= 0) moveTo(hit);
          }}
          onStep={step}
          onClose={() => {
            setFinding(null);
            grid.current?.focus();
          }}
        />
      )}
      <div className="table-scroll" ref={box}>
        <table
          ref={grid}
          className={tight ? 'tbl tight sticky-head' : 'tbl sticky-head'}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows are chosen by keys is a grid
          role="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-multiselectable="true"
          aria-activedescendant={activeDrawn ? `${id}-${active}` : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onContextMenu={openMenu}
          onFocus={(event) =>
            active < 0 && event.target === event.currentTarget && isByKeys(event.currentTarget) && moveTo(0)
          }
          style={{ minWidth: columns.reduce((sum, column) => sum + (look.widths[column.id] ?? column.width), 0) }}
        >
          <colgroup>
            {columns.map((column) => (
              <col
                key={column.id}
                style={{ width: look.widths[column.id] ?? (column.grow ? undefined : column.width) }}
              />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column, index) => {
                const header = headers.get(column.id);
                return header ? (
                  <TableHead
                    key={column.id}
                    header={header}
                    column={column}
                    index={index}
                    table={grid}
                    onWidth={(columnId, width) => changeLook({ widths: { ...look.widths, [columnId]: width } })}
                    onMove={(by) => moveBy(column.id, by)}
                    onGrab={(event) => startDrag(event, column.id)}
                    drag={
                      drag === null
                        ? undefined
                        : drag.id === column.id
                          ? 'moved'
                          : drag.place === index
                            ? 'before'
                            : drag.place === columns.length && index === columns.length - 1
                              ? 'after'
                              : undefined
                    }
                    onMenu={(event) => openHeadMenu(event, column)}
                  />
                ) : null;
              })}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <RowPad height={before} span={span} />}
            {drawn.map((row, offset) => {
              const index = first + offset;
              const detail = props.detail?.(row.original);
              const tone = props.rowClass?.(row.original);
              return (
                <BodyRow
                  key={row.id}
                  id={`${id}-${index}`}
                  index={index}
                  group={startsGroup(index)}
                  className={[tone, onSelect ? 'can-select' : '', detail ? 'open' : ''].filter(Boolean).join(' ')}
                  selected={marks.keys.has(row.id) || (!isAnyMarked && row.id === selectedKey)}
                  active={index === active}
                  onPress={(event) => press(event, row.id, row.original)}
                  detail={detail}
                  detailHeight={virtual ? detailHeight(row.original) : undefined}
                  detailClass={tone ? `detail ${tone}` : 'detail'}
                  columns={columns}
                  row={row.original}
                />
              );
            })}
            {after > 0 && <RowPad height={after} span={span} />}
          </tbody>
        </table>
      </div>
      {props.ofActive && activeRow && <div className="of-active">{props.ofActive(activeRow)}</div>}
      {copied && (
        <div className="table-note">
          <CopiedNote copied={copied} />
        </div>
      )}
      {menu && (
        <TableMenu
          at={menu}
          groups={menu.groups}
          onClose={() => {
            setMenu(null);
            grid.current?.focus();
          }}
        />
      )}
      {choosingColumns && (
        <ColumnsDialog
          table={widthsKey}
          columns={props.columns}
          hiddenAtFirst={hiddenAtFirst ?? []}
          onClose={() => setChoosingColumns(false)}
        />
      )}
    </div>
  );
}

/** Just under an element, for a menu that was opened by the keyboard. */
function placeOf(element: Element | null): { x: number; y: number } {
  const place = element?.getBoundingClientRect();
  return place ? { x: place.left + 16, y: place.bottom } : { x: 0, y: 0 };
}

/** Focus that came by mouse must not move anything under the pointer. */
const isByKeys = (element: Element) => element.matches(':focus-visible');
