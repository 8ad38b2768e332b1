/** How long an answer may be cached, in the same shape as the setting (core/settings). */
export interface CacheTime {
  mode: 'off' | 'run' | 'hours' | 'days';
  /** Hours or days, as `mode` says; otherwise ignored. */
  amount: number;
}

const hourMilliseconds = 60 * 60 * 1000;
/** Later than any stored time, so that nothing is fresh enough. */
const never = '9999';

/** The most hours an answer of “nothing found” is kept: the service may know tomorrow what it does not know today. */
export const emptyHours = 24;

/**
 * Which answers a caching time lets through: those stored between `since` and `until` (ISO, both inclusive), and if `run` is a text only
 * those of that run of the program. Empty ones must also be no older than `emptySince`. `now` in milliseconds since 1970.
 */
export function allowedSpan(
  { mode, amount }: CacheTime,
  now: number,
  currentRun: string,
): { since: string; until: string; run: string | null; emptySince: string } {
  const sinceHours = (hours: number): string => new Date(now - hours * hourMilliseconds).toISOString();
  const emptySince = sinceHours(emptyHours);
  if (mode === 'off') return { since: never, until: never, run: null, emptySince };
  if (mode === 'run') return { since: '', until: never, run: currentRun, emptySince };
  const hours = mode === 'days' ? amount * 24 : amount;
  // An answer from the future was dated by a clock that ran ahead. It must not live until that time and then for its full life again.
  return { since: sinceHours(hours), until: sinceHours(-Math.min(hours, 24)), run: null, emptySince };
}
