/** Widths a person has given to columns, in pixels by column id. */
export type ColumnWidths = Record<string, number>;

const keyFor = (table: string) => `column-widths:${table}`;
const isWidths = (value: unknown): value is ColumnWidths =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((width) => typeof width === 'number' && width >= 24 && width <= 4000);

/** The remembered widths of a table. Unreadable or absent: none. Only the look of the window is kept here, never data. */
export function readColumnWidths(table: string): ColumnWidths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(table)) ?? '{}');
    return isWidths(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** Remembers widths where the window may keep anything; where it may not, they last until it closes. */
export function keepColumnWidths(table: string, widths: ColumnWidths): void {
  try {
    localStorage.setItem(keyFor(table), JSON.stringify(widths));
  } catch {
    // Storage refused or full: the widths stay as they are in this window.
  }
}
