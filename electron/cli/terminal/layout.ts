import { showInvisible } from '../../../shared/domain/text/visible-text.ts';

/** Text layout for a terminal. Nothing is ever cut: what does not fit side by side is put on separate lines. */

type Cell = string | number | boolean | null | undefined;
export type Row = Readonly<Record<string, unknown>>;

const gap = '  ';

export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, part]) => `${name} ${cellText(part)}`)
      .join(', ');
  // A line end inside a cell would look like the start of a row.
  return showInvisible(String(value as Cell)).replace(/\s*[\r\n]+\s*/g, ' ⏎ ');
};

/** Of any number of texts: that of a long table would be too many arguments for `Math.max`. */
const widest = (texts: Iterable<string>): number => {
  let width = 0;
  for (const text of texts) width = Math.max(width, text.length);
  return width;
};

const isFigure = (text: string): boolean => /^[−-]?[\d,]+(?:\.\d+)?$/.test(text);

/** Pairs of name and value, with the values aligned. Names may be a service's too. */
export function layOutPairs(pairs: readonly (readonly [name: string, value: unknown])[]): string[] {
  const texts = pairs.map(([name, value]) => [cellText(name), cellText(value)] as const);
  const width = widest(texts.map(([name]) => name));
  return texts.map(([name, value]) => `${name.padEnd(width)}${gap}${value}`.trimEnd());
}

/**
 * Rows under column heads, with figures aligned to the right. Columns that are empty in every row are left out. If a line would be longer than
 * `width` characters, each row becomes a block of pairs, as in database shells.
 */
export function layOutTable(rows: readonly Row[], width: number, columns?: readonly string[]): string[] {
  const names = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const filled = names.filter((name) => rows.some((row) => cellText(row[name]) !== ''));
  const texts = rows.map((row) => filled.map((name) => cellText(row[name])));
  const heads = filled.map(cellText);
  const widths = heads.map((name, at) => Math.max(name.length, widest(texts.map((cells) => cells[at] ?? ''))));
  const total = widths.reduce((sum, one) => sum + one, gap.length * Math.max(0, widths.length - 1));
  if (total > width)
    return texts.flatMap((cells, row) => [
      ...(row === 0 ? [] : ['']),
      ...layOutPairs(
        filled.flatMap((name, at) => (cells[at] === '' || cells[at] === undefined ? [] : [[name, cells[at]] as const])),
      ),
    ]);
  const right = filled.map((_, at) => texts.every((cells) => cells[at] === '' || isFigure(cells[at] ?? '')));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (right[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join(gap)
      .trimEnd();
  return [line(heads), ...texts.map(line)];
}

/** Breaks a text at spaces into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
