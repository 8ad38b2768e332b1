import { median } from './interleave.ts';

/** Number of runs of a subject by which a miss is judged. */
export const judgedRuns = 3;

/**
 * Whether an aim is missed by more than noise: the share of the aim that each run took, compared with half the spread between the
 * least and the most of them. One run alone says nothing about noise, so its miss does not count yet.
 */
export function isMissed(reached: readonly number[]): boolean {
  if (reached.length < 2) return false;
  return median([...reached]) - (Math.max(...reached) - Math.min(...reached)) / 2 > 1;
}
