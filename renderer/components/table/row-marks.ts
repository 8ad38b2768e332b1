/**
 * Which rows are marked for copying and exporting, by the rules of a list in a file manager: a click marks one, Ctrl adds or removes one,
 * Shift marks from the last one marked. Pure.
 */
export interface RowMarks {
  keys: ReadonlySet<string>;
  /** Where a stretch begins; null: nothing was marked yet. */
  anchor: string | null;
}

export const noMarks: RowMarks = { keys: new Set(), anchor: null };

export const markOne = (key: string): RowMarks => ({ keys: new Set([key]), anchor: key });

/** Nothing is marked, and a stretch would begin here. */
export const markFrom = (key: string): RowMarks => ({ keys: new Set(), anchor: key });

export function toggleMark(marks: RowMarks, key: string): RowMarks {
  const keys = new Set(marks.keys);
  if (!keys.delete(key)) keys.add(key);
  return { keys, anchor: key };
}

/** From the anchor to `key`, both included, in the table's order. */
export function markStretch(marks: RowMarks, key: string, order: readonly string[]): RowMarks {
  const to = order.indexOf(key);
  const anchored = marks.anchor === null ? -1 : order.indexOf(marks.anchor);
  const from = anchored < 0 ? to : anchored;
  if (to < 0) return marks;
  return { keys: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: order[from] ?? key };
}

export const markAll = (order: readonly string[]): RowMarks => ({ keys: new Set(order), anchor: order[0] ?? null });
