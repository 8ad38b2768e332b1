/**
 * YYYY-MM-DD of a day; null: no calendar has it, as 30 February, or it is before the year 100, as .NET's empty date is (1 January of the
 * year 1).
 */
export function calendarDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const is = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return is ? at.toISOString().slice(0, 10) : null;
}
