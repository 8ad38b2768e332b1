import { lazy } from '../../lazy.ts';
import { calendarDay } from '../text/calendar-day.ts';

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

/**
 * What a text says as a date, once with the day before the month and once with the month before the day; YYYY-MM-DD, null if that is no
 * date that exists. The two are the same if the text leaves no choice.
 */
export interface ParsedDate {
  dayFirst: string | null;
  monthFirst: string | null;
}

const unread: ParsedDate = { dayFirst: null, monthFirst: null };

const zone = String.raw`(?<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})`;
/** A time of day may follow the date, and a zone either of them. */
const time = String.raw`(?:[T\s]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?\s*(?<half>[AP]M)?)?\s*${zone}?`;
const form = (date: string): RegExp => new RegExp(`^${date}${time}$`, 'i');
const forms = {
  yearFirst: form(String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})`),
  compact: form(String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})`),
  figures: form(String.raw`(?<first>\d{1,2})[/.-](?<second_>\d{1,2})[/.-](?<year>\d{4}|\d{2})`),
  dayWord: form(String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+(?<word>[A-Z]{3,9})\.?,?[\s-]+(?<year>\d{4}|\d{2})`),
  wordDay: form(String.raw`(?<word>[A-Z]{3,9})\.?[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?<year>\d{4}|\d{2})`),
};
const dotNet = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;

/**
 * Reads the likely forms of a date whose format is not published (field notes, `ExpiryDate`). A time with a zone is an instant and counts
 * as its day in the United Kingdom; a time without one, and a date with only a zone, are taken as written. Which of two interpretations
 * applies is decided by the list that the text came in, not here. Pure.
 */
export function readDate(text: string): ParsedDate {
  const value = text.trim();
  const ticks = dotNet.exec(value);
  if (ticks) return same(ukDay(Number(ticks[1])));
  const plain = (forms.yearFirst.exec(value) ?? forms.compact.exec(value))?.groups;
  if (plain) return same(dayOf(plain, Number(plain.month), Number(plain.day)));
  const words = (forms.dayWord.exec(value) ?? forms.wordDay.exec(value))?.groups;
  if (words) return same(dayOf(words, readMonth(words.word ?? ''), Number(words.day)));
  const figures = forms.figures.exec(value)?.groups;
  if (!figures) return unread;
  const [first, second] = [Number(figures.first), Number(figures.second_)];
  return { dayFirst: dayOf(figures, second, first), monthFirst: dayOf(figures, first, second) };
}

const same = (day: string | null): ParsedDate => ({ dayFirst: day, monthFirst: day });

type Groups = Readonly<Record<string, string | undefined>>;

/** null if there is no such day or time. Year 1 is .NET's empty date, and two digits are of this century. */
function dayOf(groups: Groups, month: number, day: number): string | null {
  const year = Number(groups.year) + (groups.year?.length === 2 ? 2000 : 0);
  if (year < 1900) return null;
  const written = calendarDay(year, month, day);
  if (written === null || groups.hour === undefined) return written;
  const sinceMidnight = readTime(groups);
  if (sinceMidnight === null) return null;
  const offset = groups.zone === undefined ? null : readOffset(groups.zone);
  return offset === null ? written : ukDay(Date.parse(written) + sinceMidnight - offset);
}

/** Milliseconds since midnight; null: no time of day. 12 AM is midnight. */
function readTime({ hour, minute, second = '0', half }: Groups): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (half !== undefined && (hours < 1 || hours > 12)) return null;
  if (hours > 24 || minutes > 59 || seconds > 60) return null;
  const ofDay = half === undefined ? hours : (hours % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return ((ofDay * 60 + minutes) * 60 + seconds) * 1000;
}

/** How far a zone is ahead of UTC, in milliseconds. */
function readOffset(text: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(text);
  if (!parts) return 0;
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000;
}

/** Lazy: it takes milliseconds of a start. */
const ukCalendar = lazy(
  () =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit', day: '2-digit' }),
);

/** The day that an instant (milliseconds since 1970) is in the United Kingdom; null before 1900 and if there is no such instant. */
function ukDay(instant: number): string | null {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1900 || date.getUTCFullYear() > 9999) return null;
  const parts = new Map(
    ukCalendar()
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
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
