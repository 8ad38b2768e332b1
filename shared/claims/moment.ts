/**
 * Times in sentences, to the second, in this computer's zone: "10:14:07" on the day the sentence is read, else "22 Nov 2026, 10:14:07". In
 * the hour that a change of the clocks repeats the offset follows, so that the text names one moment.
 */
export interface ReadDay {
  /** The local day on which the sentence is read, YYYY-MM-DD. */
  today: string;
}

/** Every time with its date: for a text that is read on other days. */
export const anyDay: ReadDay = { today: '' };

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');
const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const offsetOf = (date: Date): string => {
  const minutes = -date.getTimezoneOffset();
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
};

/** The same clock face an hour or so earlier or later: then the face alone names two moments. */
function isRepeated(date: Date): boolean {
  const face = `${dayOf(date)} ${date.toTimeString().slice(0, 8)}`;
  return [-120, -60, -30, 30, 60, 120].some((minutes) => {
    const other = new Date(date.getTime() + minutes * 60_000);
    return `${dayOf(other)} ${other.toTimeString().slice(0, 8)}` === face;
  });
}

/** A moment for a claim: ISO 8601 UTC, cut to the second. */
export const toSecond = (at: string): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Pure except for the computer's zone. `at`: ISO 8601. */
export function formatMoment(at: string, { today }: ReadDay): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const zone = isRepeated(date) ? ` (${offsetOf(date)})` : '';
  if (dayOf(date) === today) return `${time}${zone}`;
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}, ${time}${zone}`;
}

/** Source of a regular expression for what `formatMoment` writes; not anchored, without capturing groups. */
export const momentPattern = '(?:\\d{1,2} [A-Z][a-z]{2} \\d{4}, )?\\d{2}:\\d{2}:\\d{2}(?: \\(UTC[+−]\\d{2}:\\d{2}\\))?';

/** The moment that formatMoment wrote; ISO 8601 UTC to the second. Throws for any other text. */
export function parseMoment(text: string, { today }: ReadDay): string {
  const match =
    /^(?:(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}), )?(\d{2}):(\d{2}):(\d{2})(?: \(UTC([+−])(\d{2}):(\d{2})\))?$/.exec(text);
  if (!match) throw new Error(`no moment: ${text}`);
  const [, day, month, year, hours, minutes, seconds, sign, offsetHours, offsetMinutes] = match;
  const [y = 0, m = 1, d = 1] =
    day === undefined ? today.split('-').map(Number) : [Number(year), months.indexOf(month ?? '') + 1, Number(day)];
  if (sign === undefined)
    return toSecond(new Date(y, m - 1, d, Number(hours), Number(minutes), Number(seconds)).toISOString());
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '−' ? -1 : 1);
  return toSecond(
    new Date(Date.UTC(y, m - 1, d, Number(hours), Number(minutes), Number(seconds)) - offset * 60_000).toISOString(),
  );
}

/** The local day of a moment (ISO 8601), YYYY-MM-DD. */
export const readDay = (at: string | number): ReadDay => ({ today: dayOf(new Date(at)) });
