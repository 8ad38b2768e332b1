/** A folded stretch: the line that stands for it, and the last one it hides. */
export interface Fold {
  start: number;
  end: number;
}

/** Folds in order without those inside others. */
export function outermost(folds: readonly Fold[]): Fold[] {
  const kept: Fold[] = [];
  for (const fold of [...folds].sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (!last || fold.start > last.end) kept.push(fold);
  }
  return kept;
}

/** How many lines are in sight of so many. */
export const countVisible = (total: number, folds: readonly Fold[]): number =>
  folds.reduce((left, { start, end }) => left - (end - start), total);

/** The line that stands at a place of what is in sight. */
export function lineAt(place: number, folds: readonly Fold[]): number {
  let line = place;
  for (const { start, end } of folds) {
    if (line <= start) break;
    line += end - start;
  }
  return line;
}

/** Where a line stands in sight; of a hidden one, where its fold does. */
export function placeOf(line: number, folds: readonly Fold[]): number {
  let place = line;
  for (const { start, end } of folds) {
    if (line <= start) break;
    place -= Math.min(end, line) - start;
  }
  return place;
}
