import type { Clock } from '../../platform/clock.ts';

/** Midnight at which the user's day began, in this computer's zone, as ISO 8601 in UTC. Days of 23 or 25 hours are days. */
export function startOfToday(clock: Clock): string {
  const midnight = new Date(clock.now());
  midnight.setHours(0, 0, 0, 0);
  return midnight.toISOString();
}

/**
 * Entries of later than this are of a clock that was far ahead, and count no more once it is right. Up to a day they do: a clock that
 * is set back a day gives no second day's cap.
 */
export const aDayOn = (clock: Clock): string => new Date(clock.now() + 24 * 60 * 60 * 1000).toISOString();

/** The calendar day of a moment (ISO 8601) in this computer's zone, YYYY-MM-DD. */
export function localDay(at: string | number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Midnight at which a calendar day begins in this computer's zone, as ISO 8601 in UTC. */
export function startOfDay(day: string): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
}
