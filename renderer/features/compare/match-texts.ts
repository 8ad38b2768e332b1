/** One piece of a text; `common`: the other text has it too. */
export interface TextPiece {
  text: string;
  common: boolean;
}

/** Cells of the longest comparison that is made in full. */
const mostCells = 4_000_000;

/**
 * Pairs two lists by their longest common subsequence: [left index or null, right index or null], in order. Beyond `mostCells` what lies
 * between the shared start and the shared end is paired by position and counts as different.
 */
export function pairUp(left: readonly string[], right: readonly string[]): [number | null, number | null][] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  const rows = left.length - start - end;
  const columns = right.length - start - end;
  const pairs: [number | null, number | null][] = Array.from({ length: start }, (_, i) => [i, i]);
  if (rows * columns > mostCells) {
    for (let i = 0; i < Math.max(rows, columns); i += 1)
      pairs.push([i < rows ? start + i : null, i < columns ? start + i : null]);
  } else pairs.push(...pairMiddle(left, right, start, rows, columns));
  for (let i = end; i > 0; i -= 1) pairs.push([left.length - i, right.length - i]);
  return pairs;
}

function pairMiddle(
  left: readonly string[],
  right: readonly string[],
  start: number,
  rows: number,
  columns: number,
): [number | null, number | null][] {
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i -= 1)
    for (let j = columns - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        left[start + i] === right[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number | null, number | null][] = [];
  let [i, j] = [0, 0];
  while (i < rows || j < columns) {
    if (i < rows && j < columns && left[start + i] === right[start + j]) pairs.push([start + i++, start + j++]);
    else if (j >= columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) pairs.push([start + i++, null]);
    else pairs.push([null, start + j++]);
  }
  return pairs;
}

/** Two texts in pieces by their words: which words only one of them has. */
export function markWords(left: string, right: string): { left: TextPiece[]; right: TextPiece[] } {
  const words = (text: string) => text.split(/(\s+)/).filter((word) => word !== '');
  const [a, b] = [words(left), words(right)];
  const inLeft = new Set<number>();
  const inRight = new Set<number>();
  for (const [i, j] of pairUp(a, b))
    if (i !== null && j !== null && a[i] === b[j]) {
      inLeft.add(i);
      inRight.add(j);
    }
  return { left: join(a, inLeft), right: join(b, inRight) };
}

function join(words: readonly string[], common: ReadonlySet<number>): TextPiece[] {
  const pieces: TextPiece[] = [];
  words.forEach((text, index) => {
    const last = pieces.at(-1);
    // Blanks go with the word before them, so that no mark begins or ends with one.
    const same = common.has(index) || (text.trim() === '' && last?.common !== false);
    if (last && last.common === same) last.text += text;
    else pieces.push({ text, common: same });
  });
  return pieces;
}
