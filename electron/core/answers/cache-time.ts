/** How long an answer may be cached; the setting's own shape (core/settings). */
export interface CacheTime {
  mode: 'off' | 'run' | 'hours' | 'days';
  amount: number;
}

const hourMilliseconds = 60 * 60 * 1000;
/** Later than any stored time: nothing is fresh enough. */
const never = '9999';

/** Hours that an answer of nothing is kept at most: what a service does not know today it may know tomorrow. */
export const emptyHours = 24;

/**
 * Which answers a holding time lets through: those asked from `since` until `until` (ISO, both included), and where `run` is a
 * text only those of that run of the program. Empty ones besides only from `emptySince` on. `now` in milliseconds since 1970.
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
  // An answer from the future is of a clock that was ahead. It does not live until that time comes and then as long again.
  return { since: sinceHours(hours), until: sinceHours(-Math.min(hours, 24)), run: null, emptySince };
}
