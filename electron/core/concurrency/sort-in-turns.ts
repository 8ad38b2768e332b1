import { setImmediate as turn } from 'node:timers/promises';

/** Items sorted or merged before yielding to everything else. */
const sliceSize = 500;

/** Sorts a long list like `toSorted`, stable, in slices that are then merged, so that main never blocks on it. */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  size = sliceSize,
): Promise<T[]> {
  let sorted: T[][] = [];
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await turn();
    sorted.push(items.slice(from, from + size).sort(compare));
  }
  while (sorted.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < sorted.length; at += 2)
      merged.push(await merge(sorted[at] ?? [], sorted[at + 1] ?? [], compare, size));
    sorted = merged;
  }
  return sorted[0] ?? [];
}

async function merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  size: number,
): Promise<T[]> {
  const merged: T[] = [];
  let fromLeft = 0;
  let fromRight = 0;
  while (fromLeft < left.length && fromRight < right.length) {
    const a = left[fromLeft] as T;
    const b = right[fromRight] as T;
    // Of equal items the left one goes first, as it came first.
    if (compare(b, a) < 0) {
      merged.push(b);
      fromRight += 1;
    } else {
      merged.push(a);
      fromLeft += 1;
    }
    if (merged.length % size === 0) await turn();
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight));
}
