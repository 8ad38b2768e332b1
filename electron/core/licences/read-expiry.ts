const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** A time after the date is accepted and dropped: it is either midnight or part of no published meaning. */
const time = String.raw`(?:[T\s]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[AaPp][Mm])?\s*(?:Z|[+-]\d{2}:?\d{2})?)?`;
const iso = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${time}$`);
/** UK order: the service is a UK one. 03/04/2027 is 3 April; 04/25/2027 is no date, for then both readings would be guesses. */
const dayFirst = new RegExp(String.raw`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})${time}$`);
const named = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([A-Za-z]{3,9})\.?,?[\s-]+(\d{4})${time}$`);
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const dotNet = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;

/**
 * The day a licence expires as YYYY-MM-DD, or null where the text is no date that exists. The format of `ExpiryDate` is
 * not published (field notes): the likely forms are read, day before month, and the text itself is kept beside.
 */
export function readExpiry(text: string): string | null {
  const value = text.trim();
  const ticks = dotNet.exec(value);
  if (ticks) return readTicks(Number(ticks[1]));
  const yearFirst = iso.exec(value) ?? compact.exec(value);
  if (yearFirst) return toDay(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3]));
  const uk = dayFirst.exec(value);
  if (uk) return toDay(Number(uk[3]), Number(uk[2]), Number(uk[1]));
  const words = named.exec(value);
  if (words) return toDay(Number(words[3]), readMonth(words[2] ?? ''), Number(words[1]));
  return null;
}

/** The day in the UK of an instant: /Date(…)/ of a UK midnight in summer is 23:00 UTC of the day before. */
const ukDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

function readTicks(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return null;
  const parts = new Map(ukDay.formatToParts(date).map((part) => [part.type, part.value]));
  return toDay(Number(parts.get('year')), Number(parts.get('month')), Number(parts.get('day')));
}

/** 1 to 12; 0 is no month. */
function readMonth(word: string): number {
  const name = word.toLowerCase();
  return (
    months.findIndex(
      (month) => name === month || name === month.slice(0, 3) || (month === 'september' && name === 'sept'),
    ) + 1
  );
}

/** Year 1 is .NET's empty date, not an expiry. */
function toDay(year: number, month: number, day: number): string | null {
  if (year < 1900) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : null;
}
