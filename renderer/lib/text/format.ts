import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { calendarDay } from '../../../shared/domain/text/calendar-day.ts';
import { countOf, formatCredits, formatFigure } from '../../../shared/domain/text/figures.ts';

// Numbers, prices and times as the window writes them: en-GB, always with units, and with the zone if a time has no column head to name it.

const locale = 'en-GB';

/** 4,812; 0.25. A mean is rounded by who shows it: what was read or counted is not. */
export const formatNumber = formatFigure;
export { countOf, formatCredits };
/** A mean, without its fraction. */
export const formatWhole = (value: number): string => formatNumber(Math.round(value));

/** "71 credits a day", "1.2 credits a day", "less than 0.1 credits a day": a rate, with a tenth if it is under ten. */
export function formatRate(perDay: number): string {
  if (perDay > 0 && perDay < 0.05) return 'less than 0.1 credits a day';
  return `${formatCredits(perDay < 9.95 ? Math.round(perDay * 10) / 10 : Math.round(perDay))} a day`;
}

/** "price 1 credit": what is published of a call that was made; null: nothing is. */
export function formatPublished(credits: number | null): string {
  if (credits === null) return 'price not published';
  return credits === 0 ? 'published as free' : `price ${formatCredits(credits)}`;
}

/** A price as it is written on a button and in a row. */
export function formatPrice(price: ShownPrice): string {
  switch (price.kind) {
    case 'credits':
      return price.credits === 0 ? 'free' : formatCredits(price.credits);
    case 'measured':
      return `measured: ${formatNumber(price.credits)}`;
    case 'cached':
      return 'saved, free';
    case 'not-published':
      return 'price not published';
  }
}

/** Whether a price is known to be nothing: by what is published, or because the answer is saved. A measured 0 is not proof. */
export function isFree(price: ShownPrice): boolean {
  return price.kind === 'cached' || (price.kind === 'credits' && price.credits === 0);
}

/** What it means for money to stop waiting for a call at this price. */
export function formatStop(price: ShownPrice): string {
  if (isFree(price)) return 'This call is published as free.';
  return price.kind === 'credits'
    ? `Once it is sent, stopping does not take the ${price.credits === 1 ? 'credit' : 'credits'} back.`
    : 'Its price is not published. Once it is sent, stopping does not take it back.';
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** 09:41 */
export const shortClock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' });
/** 18 Nov */
export const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });

const readTime = (iso: string): Date | null => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time;
};

/** The zone's short name at that moment: GMT, BST, CET. */
export function zoneName(at: Date): string {
  return zone.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** Of these times: "GMT", or "BST/GMT" if the clocks changed between them. Without any, of now. */
export function zonesOf(times: readonly string[]): string {
  const read = times.flatMap((iso) => readTime(iso) ?? []);
  return [...new Set((read.length === 0 ? [new Date()] : read).map(zoneName))].sort().join('/');
}

/** "09:41:07 GMT". Text that is no time is returned as it is, here and in the formats below. */
export function formatTime(iso: string): string {
  const at = readTime(iso);
  return at ? `${clock.format(at)} ${zoneName(at)}` : iso;
}

/** "09:41:07", for a column whose head carries the zone. */
export function formatClock(iso: string): string {
  const at = readTime(iso);
  return at ? clock.format(at) : iso;
}

/**
 * "31 Mar 2027" from an ISO time, or from YYYY-MM-DD without any shift of zone. Text of another form, such as 03/04/2027, which may be of
 * April or of March, and a day that no calendar has are returned as they are.
 */
export function formatDate(text: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d{2})-(\d{2})(T|$)/.exec(text) ?? [];
  if (calendarDay(Number(year), Number(month), Number(day)) === null) return text;
  const at = time === 'T' ? readTime(text) : new Date(Number(year), Number(month) - 1, Number(day));
  return at ? dayMonthYear.format(at) : text;
}

/** "21 Nov 2026 10:04:39 GMT", for receipts. */
export function formatMoment(iso: string): string {
  const at = readTime(iso);
  return at ? `${dayMonthYear.format(at)} ${clock.format(at)} ${zoneName(at)}` : iso;
}

const startOfDay = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** "today 09:41", "yesterday 23:10", "18 Nov 14:20", "18 Nov 2025"; days are those of this computer's zone. */
export function formatWhen(iso: string, now: Date = new Date()): string {
  const at = readTime(iso);
  if (!at) return iso;
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000);
  if (days === 0) return `today ${shortClock.format(at)}`;
  if (days === 1) return `yesterday ${shortClock.format(at)}`;
  if (at.getFullYear() !== now.getFullYear()) return dayMonthYear.format(at);
  return `${dayMonth.format(at)} ${shortClock.format(at)}`;
}

/** "just now", "3 min ago", "1 h ago", "2 days ago", then the date. A time ahead of now is "just now". */
export function formatAge(iso: string, now: Date = new Date()): string {
  const at = readTime(iso);
  if (!at) return iso;
  const seconds = (now.getTime() - at.getTime()) / 1000;
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 15 ? `${countOf(days, 'day')} ago` : formatDate(iso);
}

/** "in 130 days", "today", "7 days ago" from YYYY-MM-DD, counted from this computer's day. Text of another form is returned as it is. */
export function formatDaysUntil(day: string, now: Date = new Date()): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!parts) return day;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])).getTime();
  const days = Math.round((at - startOfDay(now)) / 86_400_000);
  if (days === 0) return 'today';
  return days > 0 ? `in ${countOf(days, 'day')}` : `${countOf(-days, 'day')} ago`;
}

/** "184 ms", "20,004 ms": how long one call took. */
export function formatDuration(milliseconds: number): string {
  return `${formatNumber(Math.round(milliseconds))} ms`;
}

/** "1.4 s", "12 s", "2 min 5 s": how long something has been under way. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** "214 bytes", "18.4 kB", "2.1 MB", in thousands. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte');
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** "−2.71894": decimal degrees to five places (about a metre), with a true minus sign. */
export function formatDegrees(degrees: number): string {
  return degrees.toFixed(5).replace('-', '−');
}

/** With a capital at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
