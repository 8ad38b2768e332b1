import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import type { Clock } from '../../ports.ts';

/** Midnight at which the user's day began, in this computer's zone, as ISO 8601 in UTC. Days of 23 or 25 hours are days. */
export function startOfToday(clock: Clock): string {
  const midnight = new Date(clock.now());
  midnight.setHours(0, 0, 0, 0);
  return midnight.toISOString();
}

/**
 * Entries dated later than this come from a clock that was far ahead, and no longer count once it is right. Up to a day they do: setting
 * the clock back a day gives no second day's cap. To the end of a quarter of an hour, by which calls are counted.
 */
export function aDayOn(clock: Clock): string {
  const quarter = 15 * 60 * 1000;
  return new Date((Math.floor(clock.now() / quarter) + 97) * quarter - 1).toISOString();
}

/** Outside this range nothing can be stored, and JavaScript's calendar misbehaves: year 1 is 1901, and 10000 sorts before 9999. */
const calendar = { first: '1990-01-01T00:00:00.000Z', last: '2199-12-31T00:00:00.000Z' };

const withinCalendar = (at: string): string =>
  at < calendar.first ? calendar.first : at > calendar.last ? calendar.last : at;

/**
 * The whole days of this computer's zone that a range (ISO 8601) touches, the last one to its last millisecond, as ISO 8601 in UTC. A time
 * outside `calendar` counts as the nearest one in it.
 */
export function wholeDays(range: { from: string; to: string }): { from: string; to: string } {
  const [from, to] = [withinCalendar(range.from), withinCalendar(range.to)];
  const [year = 1970, month = 1, date = 1] = localDay(to).split('-').map(Number);
  return {
    from: startOfDay(localDay(from)),
    to: new Date(new Date(year, month - 1, date + 1).getTime() - 1).toISOString(),
  };
}

/** Midnight at which a calendar day (YYYY-MM-DD) begins in this computer's zone, as ISO 8601 in UTC. */
export function startOfDay(day: string): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toISOString();
}
