/** Retry-After as seconds from now; it is seconds or a date, and negative for a date that is past. NaN: it is neither. */
export function secondsOf(retryAfter: string | undefined, now: Date): number {
  const text = (retryAfter ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // A date of HTTP begins with the day of the week. `Date.parse` takes “1.5” and “-5” for days of the year 2001.
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return Number.NaN;
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  // Nine digits at most, as where seconds come. The wait is added to a later time, and near the last date there is the sum would be no date.
  return seconds < 1e9 ? seconds : Number.NaN;
}

/** How long a Retry-After asks to wait, in milliseconds; undefined: it does not say. */
export function readRetryAfter(retryAfter: string | undefined): number | undefined {
  const seconds = secondsOf(retryAfter, new Date());
  return Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : undefined;
}
