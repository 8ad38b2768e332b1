import type { RunOut } from '../../../shared/domain/credits/credits-history.ts';

/** Whole days that must be known for any forecast. */
const leastDays = 3;
/** Whole days from which the shape of a week is followed: each weekday was seen twice. */
const daysForWeek = 14;
/**
 * Whole days that must be known before a range is given. With 14, spending that comes in bursts lies within the range seven times in ten.
 */
const daysForRange = 21;
/** Days looked back on: four whole weeks, so that each weekday counts alike. */
export const daysLookedAt = 28;
const furthestDays = 3653;
const conePoints = 120;
/** Student's t that 10 % lie above, for 13 to 21 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2). */
const student = [1.35, 1.345, 1.341, 1.337, 1.333, 1.33, 1.328, 1.325, 1.323];
const tenPercentAbove = (freedom: number): number => student[freedom - 13] ?? 1.35;

export interface ForecastInput {
  /** Credits left now: the last figure less what has been spent since. */
  balance: number;
  /** The first day ahead, YYYY-MM-DD: today. */
  today: string;
  /** What of today is already off the balance. */
  spentToday: number;
  /** Spent on each whole day before today, oldest first, the last one yesterday; days without a spend are 0. */
  spentByDay: readonly number[];
  /** The last day on which they can be used, YYYY-MM-DD; null: not known. */
  expires: string | null;
}

/**
 * When credits run out. Pure. The method, as the screen states it:
 *
 * - the last 28 whole days count, or as many as there are; under three there is no forecast; credits added are not spend;
 * - where every weekday was seen at least twice, each day ahead is expected to cost the mean of its weekday, else the mean of all;
 * - from 21 days on there is a range that holds four outcomes in five if days go on as they were. Its half width is a prediction
 *   interval of the sum of the days ahead: t · √(k·σ² + Σ kᵢ²·σ²/nᵢ), where t is Student's, σ is how far days lie from what was expected
 *   of them, k is the days ahead, and kᵢ of nᵢ are the days ahead and the days seen of one weekday;
 * - there is no range under 21 days, and none where spending rises or falls over the days seen (its slope lies outside what chance
 *   gives in four of five steady histories): a range of 28 days then misses what comes;
 * - what is left after the expiry day's own spend is lost, and there is no forecast for later days.
 */
export function forecastRunOut({ balance, today, spentToday, spentByDay, expires }: ForecastInput): RunOut {
  if (expires !== null && expires < today) return { kind: 'expired', on: expires };
  const days = spentByDay.slice(-daysLookedAt);
  const n = days.length;
  if (n < leastDays) return { kind: 'not-enough-data', days: n };
  const total = days.reduce((sum, spent) => sum + spent, 0);
  if (total <= 0) return { kind: 'nothing-spent', days: n };
  const start = dayNumber(today);
  const expectation = expectBy(days, start);
  const noRange = n < daysForRange ? 'few-days' : isChanging(days, start, expectation) ? 'changing' : null;
  const halfWidthAfter = noRange === null ? halfWidthOf(days, start, expectation) : () => 0;

  const cone: { ahead: number; likely: number; least: number | null; most: number | null }[] = [];
  /** In days ahead. */
  const reached: Record<'earliest' | 'likely' | 'latest', number | null> = {
    earliest: null,
    likely: null,
    latest: null,
  };
  const end = expires === null ? null : dayNumber(expires) + 1;
  let unused: { least: number; likely: number; most: number } | null = null;
  let spent = 0;
  for (let ahead = 0; ahead <= furthestDays; ahead += 1) {
    if (ahead === 1) spent = Math.max(0, expectation.of(start) - spentToday);
    else if (ahead > 1) spent += expectation.of(start + ahead - 1);
    const halfWidth = halfWidthAfter(ahead);
    const likely = Math.max(0, balance - spent);
    const least = Math.max(0, balance - spent - halfWidth);
    const most = Math.max(0, Math.min(balance, balance - spent + halfWidth));
    const range = noRange === null ? { least: round(least), most: round(most) } : { least: null, most: null };
    cone.push({ ahead, likely: round(likely), ...range });
    if (start + ahead === end) {
      if (most > 0) unused = { least: round(least), likely: round(likely), most: round(most) };
      break;
    }
    reached.earliest ??= least <= 0 ? ahead : null;
    reached.likely ??= likely <= 0 ? ahead : null;
    reached.latest ??= most <= 0 ? ahead : null;
    if (reached.latest !== null) break;
  }
  // Years of days ahead are worked out after each reading: only those that are shown are written as dates.
  const dayAhead = (ahead: number | null) => (ahead === null ? null : dayText(start + ahead));
  return {
    kind: 'runs-out',
    days: n,
    perDay: total / n,
    lately: noRange === 'changing' ? mean(days.slice(-7)) : null,
    noRange,
    likely: dayAhead(reached.likely),
    earliest: noRange === null ? dayAhead(reached.earliest) : null,
    latest: noRange === null ? dayAhead(reached.latest) : null,
    unused,
    cone: thin(cone).map(({ ahead, ...point }) => ({ day: dayText(start + ahead), ...point })),
    byWeekday: expectation.byWeekday,
  };
}

interface Expectation {
  byWeekday: boolean;
  of(day: number): number;
  /** How many days were seen of a day's weekday. */
  seen(day: number): number;
}

const weekday = (day: number): number => ((day % 7) + 7) % 7;

function expectBy(days: readonly number[], start: number): Expectation {
  const groups = Array.from({ length: 7 }, () => [] as number[]);
  for (const [index, spent] of days.entries()) groups[weekday(start - days.length + index)]?.push(spent);
  const byWeekday = days.length >= daysForWeek;
  const means = groups.map(mean);
  const all = mean(days);
  return {
    byWeekday,
    of: (day) => (byWeekday ? (means[weekday(day)] ?? all) : all),
    seen: (day) => groups[weekday(day)]?.length ?? 0,
  };
}

/** Each day less what was expected of it, oldest first. */
const residuals = (days: readonly number[], start: number, { of }: Expectation): number[] =>
  days.map((spent, index) => spent - of(start - days.length + index));

/** Days less the means of weekdays that were estimated from them. */
const freedomOf = (days: readonly number[]): number => days.length - 7;

/** Half the width of the range of the sum over that many days ahead. From 21 days on. */
function halfWidthOf(days: readonly number[], start: number, expectation: Expectation): (ahead: number) => number {
  const freedom = freedomOf(days);
  const variance = sumOf(residuals(days, start, expectation).map((one) => one ** 2)) / freedom;
  return (ahead) => {
    let factor = ahead;
    for (let offset = 0; offset < Math.min(7, ahead); offset += 1)
      factor += Math.floor((ahead + 6 - offset) / 7) ** 2 / expectation.seen(start + offset);
    return tenPercentAbove(freedom) * Math.sqrt(factor * variance);
  };
}

/**
 * Whether spending rises or falls over the days seen: the slope of a straight line through them, fitted beside the weekday means, lies
 * further from 0 than in four of five steady histories. From 21 days on.
 */
function isChanging(days: readonly number[], start: number, expectation: Expectation): boolean {
  const rests = residuals(days, start, expectation);
  const line = [...days.keys()];
  const times = residuals(line, start, expectBy(line, start));
  const squares = sumOf(times.map((time) => time ** 2));
  const slope = sumOf(times.map((time, index) => time * (rests[index] ?? 0))) / squares;
  // Less than a hundredth in a week is no change, however regular the days are.
  if (Math.abs(slope) * 7 < mean(days) / 100) return false;
  const freedom = freedomOf(days) - 1;
  const left = Math.max(0, sumOf(rests.map((rest) => rest ** 2)) - slope ** 2 * squares);
  return Math.abs(slope) > tenPercentAbove(freedom) * Math.sqrt(left / freedom / squares);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);
const round = (value: number): number => Math.round(value * 10) / 10;

/** Enough points to draw, and always the last. */
function thin<T>(points: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(points.length / conePoints));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}

/** Days since 1970 of a calendar date; neither time zone nor clock change comes into it. */
export const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
/** The inverse of `dayNumber`: YYYY-MM-DD. */
export const dayText = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);
