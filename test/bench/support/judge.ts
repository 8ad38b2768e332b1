import { median } from './interleave.ts';

/** Number of runs of a subject by which a miss is judged. */
export const judgedRuns = 3;

/**
 * Whether an aim is missed by more than its noise: how much of the aim each of several runs took, and half of what lies between the
 * least and the most of them. One run alone says nothing of its noise, so a miss of it is none yet.
 */
export function isMissed(reached: readonly number[]): boolean {
  if (reached.length < 2) return false;
  return median([...reached]) - (Math.max(...reached) - Math.min(...reached)) / 2 > 1;
}
