import { countOf } from '../../lib/text/format.ts';
import { isMac } from '../../lib/window/shortcuts.ts';
import type { TableColumn } from './table-columns.ts';
import type { MenuAction } from './table-menu.tsx';
import { cellText, copiedRows, headText } from './table-text.ts';

/** “Ctrl C”, or “⌘C” on a Mac. */
export const modKey = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);

interface RowMenuParts<Row> {
  open: ((row: Row) => void) | undefined;
  copy: (text: string, what: string) => void;
  find: () => void;
  selectAll: () => void;
  chooseColumns: () => void;
  save: () => void;
  print: () => void;
}

/** What can be done with the chosen rows, in groups. `row`: the one of them that was clicked; `column`: where it was. */
export function rowMenu<Row>(
  columns: readonly TableColumn<Row>[],
  chosen: readonly Row[],
  row: Row,
  column: TableColumn<Row> | undefined,
  { open, copy, find, selectAll, chooseColumns, save, print }: RowMenuParts<Row>,
): MenuAction[][] {
  const one = chosen.length === 1;
  const counted = countOf(chosen.length, 'row');
  const saved = one ? 'the table' : counted;
  return [
    open && one ? [{ id: 'open', label: 'Open', shortcut: 'Enter', run: () => open(row) }] : [],
    [
      {
        id: 'copy',
        label: `Copy ${one ? 'the row' : counted}`,
        shortcut: modKey('C'),
        run: () => copy(copiedRows(columns, chosen, false), counted),
      },
      {
        id: 'copy-heads',
        label: 'Copy with headings',
        run: () => copy(copiedRows(columns, chosen, true), counted),
      },
      ...(column
        ? [
            {
              id: 'copy-cell',
              label: `Copy ${headText(column)}`,
              run: () => copy(cellText(column, row), headText(column)),
            },
          ]
        : []),
    ],
    [
      { id: 'find', label: 'Find…', shortcut: modKey('F'), run: find },
      { id: 'all', label: 'Select all rows', shortcut: modKey('A'), run: selectAll },
      { id: 'columns', label: 'Columns…', run: chooseColumns },
    ],
    [
      { id: 'save', label: `Save ${saved} as CSV…`, run: save },
      { id: 'print', label: `Print ${saved}…`, shortcut: modKey('P'), run: print },
    ],
  ];
}

interface HeadMenuParts {
  isSorted: boolean;
  /** Of TanStack's form; none: the rows stay as they came. */
  sortBy: (sorting: { id: string; desc: boolean }[]) => void;
  moveBy: (columnId: string, by: number) => void;
  hide: (columnId: string) => void;
  chooseColumns: () => void;
}

/** What can be done with a column, in groups. `columns`: those shown. */
export function headMenu<Row>(
  columns: readonly TableColumn<Row>[],
  column: TableColumn<Row>,
  { isSorted, sortBy, moveBy, hide, chooseColumns }: HeadMenuParts,
): MenuAction[][] {
  const { id } = column;
  const at = columns.indexOf(column);
  return [
    column.sort === false
      ? []
      : [
          { id: 'up', label: 'Sort upwards', run: () => sortBy([{ id, desc: false }]) },
          { id: 'down', label: 'Sort downwards', run: () => sortBy([{ id, desc: true }]) },
          ...(isSorted ? [{ id: 'unsorted', label: 'Do not sort', run: () => sortBy([]) }] : []),
        ],
    [
      ...(at > 0 ? [{ id: 'left', label: 'Move to the left', run: () => moveBy(id, -1) }] : []),
      ...(at < columns.length - 1 ? [{ id: 'right', label: 'Move to the right', run: () => moveBy(id, 1) }] : []),
      ...(columns.length > 1 ? [{ id: 'hide', label: `Hide ${headText(column)}`, run: () => hide(id) }] : []),
      { id: 'columns', label: 'Columns…', run: chooseColumns },
    ],
  ];
}
