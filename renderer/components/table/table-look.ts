import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

// How a person has arranged a table: order of rows, widths, order and choice of columns. Only the look of the window is stored here, never
// data, so it stays in the window's own storage, under the table's name.

export interface TableLook {
  /** null: as the rows came. */
  sort: { id: string; descending: boolean } | null;
  /** Pixels by column. */
  widths: Readonly<Record<string, number>>;
  /** Ids from left to right; columns that are not named keep their place in the table's own order. */
  order: readonly string[];
  /** undefined: those that the table hides by default. */
  hidden?: readonly string[];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Reads what is stored; a part that cannot be read becomes the table's default. */
function readStored(stored: Partial<Record<keyof TableLook, unknown>>): TableLook {
  const { sort, widths, order, hidden } = stored;
  const by = sort as { id?: unknown; descending?: unknown } | null | undefined;
  return {
    sort: typeof by?.id === 'string' ? { id: by.id, descending: by.descending === true } : null,
    widths: Object.fromEntries(
      Object.entries(typeof widths === 'object' && widths !== null ? widths : {}).filter(
        ([, width]) => typeof width === 'number' && width >= 24 && width <= 4000,
      ),
    ),
    order: isTexts(order) ? order : [],
    ...(isTexts(hidden) && { hidden }),
  };
}

const untouched: TableLook = { sort: null, widths: {}, order: [] };
const keyFor = (table: string) => `table:${table}`;

const looks = new Map<string, TableLook>();
const listeners = createListeners();
const subscribe = (listener: () => void) => {
  follow();
  return listeners.subscribe(listener);
};

let following = false;

/** Takes over what other windows make of their tables, for the window's life: else each would write over what another had arranged. */
function follow(): void {
  if (following) return;
  following = true;
  // The browser does not report a window's own writes to it.
  window.addEventListener('storage', ({ key }) => {
    if (key?.startsWith(keyFor('')) && looks.delete(key.slice(keyFor('').length))) listeners.notify();
  });
}

/** The stored look of a table; its default if that is unreadable or absent. */
function readLook(table: string): TableLook {
  const known = looks.get(table);
  if (known) return known;
  let look = untouched;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyFor(table)) ?? '{}');
    if (typeof stored === 'object' && stored !== null) look = readStored(stored);
  } catch {
    // Storage refused or not JSON: the table begins with its default look.
  }
  looks.set(table, look);
  return look;
}

function writeLook(table: string, look: TableLook): void {
  looks.set(table, look);
  try {
    localStorage.setItem(keyFor(table), JSON.stringify(look));
  } catch {
    // Storage refused or full: the look lasts until the window closes.
  }
  listeners.notify();
}

/** The look of a table and the way to change it; every part of the window that shows a table of that name sees the same. */
export function useTableLook(table: string): [TableLook, (change: Partial<TableLook>) => void] {
  const look = useSyncExternalStore(subscribe, () => readLook(table));
  return [look, (part) => writeLook(table, { ...readLook(table), ...part })];
}

/** Restores the table's default look. */
export const resetLook = (table: string): void => writeLook(table, untouched);

interface Named {
  id: string;
}

/** All columns in the chosen order; a new one goes after the one that it follows in the table's own order. */
export function orderColumns<Column extends Named>(columns: readonly Column[], { order }: TableLook): Column[] {
  const known = order.flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const ordered = [...known];
  columns.forEach((column, index) => {
    if (known.includes(column)) return;
    const before = columns[index - 1];
    ordered.splice(before === undefined ? 0 : ordered.indexOf(before) + 1, 0, column);
  });
  return ordered;
}

/** The columns that are shown, in order. A table always shows one. */
export function shownColumns<Column extends Named>(
  columns: readonly Column[],
  look: TableLook,
  hiddenAtFirst: readonly string[] = [],
): Column[] {
  const hidden = look.hidden ?? hiddenAtFirst;
  const ordered = orderColumns(columns, look);
  const shown = ordered.filter(({ id }) => !hidden.includes(id));
  return shown.length > 0 ? shown : ordered.slice(0, 1);
}

/**
 * The order after a shown column was put before another of those shown; `place` equal to their number: after the last. Hidden ones keep
 * their neighbour on the left.
 */
export function placeColumn(
  columns: readonly Named[],
  look: TableLook,
  shown: readonly Named[],
  id: string,
  place: number,
): string[] {
  const ids = orderColumns(columns, look).map((column) => column.id);
  const before = shown[place]?.id;
  if (!ids.includes(id) || before === id) return ids;
  const others = ids.filter((one) => one !== id);
  const last = shown.filter((column) => column.id !== id).at(-1);
  const to = before === undefined ? others.indexOf(last?.id ?? '') + 1 : others.indexOf(before);
  return others.toSpliced(to, 0, id);
}

/** The order after a column was moved by so many places. */
export function moveColumn(columns: readonly Named[], look: TableLook, id: string, by: number): string[] {
  const ids = orderColumns(columns, look).map((column) => column.id);
  const from = ids.indexOf(id);
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  if (from < 0) return ids;
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
}
