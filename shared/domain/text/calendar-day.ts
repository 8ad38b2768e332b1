/**
 * YYYY-MM-DD of a day; null: no calendar has it, as 30 February, or it is before the year 100, as .NET's empty date is (1 January of the
 * year 1).
 */
export function calendarDay(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const is = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return is ? at.toISOString().slice(0, 10) : null;
}

/** The calendar day of a moment (ISO 8601, or milliseconds since 1970) in this computer's zone, YYYY-MM-DD. */
export function localDay(at: string | number | Date): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
