import { setImmediate as turn } from 'node:timers/promises';

/** Rows scanned in one turn of main: the first few hold most pages, and a long walk takes longer steps. */
const firstWindow = 4000;
const longestWindow = 20_000;
/** For an index that gathers before it returns: each window costs it the whole. */
export const widestWindow = 500_000;

/** A stretch of row numbers: from `low` to below `high`. */
export interface Stretch {
  low: number;
  high: number;
}

/**
 * The numbers of a stretch from its end to its beginning, window by window, with a turn of main between two: a million rows are searched
 * without blocking anything. Stops when `signal` says so.
 */
export async function* windowsOf(
  { low, high }: Stretch,
  signal?: AbortSignal,
  longest = longestWindow,
): AsyncGenerator<Stretch> {
  let size = longest === longestWindow ? firstWindow : longest;
  for (let top = high; top > low; ) {
    const bottom = Math.max(low, top - size);
    yield { low: bottom, high: top };
    top = bottom;
    size = longest;
    if (top > low) await turn();
    if (signal?.aborted) return;
  }
}
