import { formatDate } from './format.ts';

/** Whole days of this computer's zone, ISO 8601 UTC: from midnight of the first to the last millisecond of the last. */
export interface DayRange {
  from: string;
  to: string;
}

/** The whole local days from the first to the last, both included. */
export const wholeDays = (first: Date, last: Date): DayRange => ({
  from: new Date(first.getFullYear(), first.getMonth(), first.getDate()).toISOString(),
  to: new Date(new Date(last.getFullYear(), last.getMonth(), last.getDate() + 1).getTime() - 1).toISOString(),
});

/** The last so many days, today with them. */
export const lastDays = (days: number, now: Date): DayRange =>
  wholeDays(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1), now);

/** The day before this one. */
export function yesterday(now: Date): DayRange {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return wholeDays(day, day);
}

/** Two whole days of date fields as a range, in either order; null: one of them is no date. */
export function readDays(first: string, last: string): DayRange | null {
  const read = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`) : null);
  const [from, to] = first <= last ? [read(first), read(last)] : [read(last), read(first)];
  if (!from || !to || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return null;
  return wholeDays(from, to);
}

/** "19 – 21 Nov 2026", "23 Oct – 21 Nov 2026", "21 Nov 2026". */
export function formatDays({ from, to }: DayRange): string {
  const [first, last] = [formatDate(from), formatDate(to)];
  if (first === last) return last;
  const [day = '', month = '', year = ''] = first.split(' ');
  const [, lastMonth, lastYear] = last.split(' ');
  if (year !== lastYear) return `${first} – ${last}`;
  return month === lastMonth ? `${day} – ${last}` : `${day} ${month} – ${last}`;
}
