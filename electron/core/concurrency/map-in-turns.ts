import { setImmediate as turn } from 'node:timers/promises';

/** Items mapped before yielding to everything else. */
const sliceSize = 1000;

/** Maps a long list in slices, yielding between them, so that main never blocks on it. */
export async function mapInTurns<T, U>(items: readonly T[], map: (item: T) => U, size = sliceSize): Promise<U[]> {
  const mapped: U[] = [];
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await turn();
    for (const item of items.slice(from, from + size)) mapped.push(map(item));
  }
  return mapped;
}
