import type { DateOrder } from '../../../../shared/domain/licences/licence.ts';
import { readDate } from '../../../../shared/domain/licences/licence-date.ts';

export type NumericOrder = 'day-first' | 'month-first' | 'undecided';

/**
 * Which of two numbers is the day, decided by a whole list: a date that can be read in only one order decides it for all. If there are some
 * of both, or none, it is not decided (the format is not published, field notes). Pure.
 */
export function decideOrder(texts: readonly string[]): NumericOrder {
  const dates = texts.map(readDate);
  const dayFirst = dates.some((date) => date.dayFirst !== null && date.monthFirst === null);
  const monthFirst = dates.some((date) => date.monthFirst !== null && date.dayFirst === null);
  if (dayFirst === monthFirst) return 'undecided';
  return dayFirst ? 'day-first' : 'month-first';
}

/** The day a licence expires as YYYY-MM-DD by the order of its list, and how it was read; null: no date, or not decided. */
export function readExpiry(text: string, order: NumericOrder): { expiresOn: string | null; dateOrder: DateOrder } {
  const { dayFirst, monthFirst } = readDate(text);
  if (dayFirst === monthFirst) return { expiresOn: dayFirst, dateOrder: dayFirst === null ? 'none' : 'clear' };
  if (order === 'undecided') return { expiresOn: null, dateOrder: 'undecided' };
  const expiresOn = order === 'day-first' ? dayFirst : monthFirst;
  return { expiresOn, dateOrder: expiresOn === null ? 'none' : order };
}
