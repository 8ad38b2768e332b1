/** A folded range of lines: the line `start` stays visible, those after it up to `end` are hidden. */
export interface Fold {
  start: number;
  end: number;
}

/** Folds in order without those inside others. */
export function outermost(folds: readonly Fold[]): Fold[] {
  const kept: Fold[] = [];
  for (const fold of folds.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (!last || fold.start > last.end) kept.push(fold);
  }
  return kept;
}

/** The number of visible lines. */
export const countVisible = (total: number, folds: readonly Fold[]): number =>
  folds.reduce((left, { start, end }) => left - (end - start), total);

/** The line at a place among the visible ones. */
export function lineAt(place: number, folds: readonly Fold[]): number {
  let line = place;
  for (const { start, end } of folds) {
    if (line <= start) break;
    line += end - start;
  }
  return line;
}

/** The place of a line among the visible ones; for a hidden line, that of its fold. */
export function placeOf(line: number, folds: readonly Fold[]): number {
  let place = line;
  for (const { start, end } of folds) {
    if (line <= start) break;
    place -= Math.min(end, line) - start;
  }
  return place;
}
