import type { RunOut } from '../../../shared/domain/credits-history.ts';

/** Whole days that must be known before anything is said. */
export const leastDays = 3;
/** Days looked back at: four whole weeks, so that each weekday counts alike. */
export const daysLookedAt = 28;
/** 80 % of outcomes lie within so many standard deviations of the mean. */
const eightyPercent = 1.2816;
const furthestDays = 3653;
const conePoints = 120;

export interface ForecastInput {
  /** Credits left now. */
  balance: number;
  /** The first day ahead, YYYY-MM-DD: today, of which nothing is counted yet. */
  today: string;
  /** Spent on each whole day before today, oldest first, the last one yesterday; days without a spend are 0. */
  spentByDay: readonly number[];
  /** YYYY-MM-DD; null: not known. */
  expires: string | null;
}

/**
 * When credits run out, as a range. Pure. The method, as the screen states it:
 *
 * - the last 28 whole days count, or as many as there are; under three nothing is said; credits added are no spend;
 * - where every weekday was seen at least twice, each day ahead is expected to cost the mean of its weekday, else the mean of all;
 * - how far days lie from that expectation (σ) and how few days there are (n) widen the range: after k days its half width is
 *   1.28 · √(k·σ² + k²·σ²/n), which holds four outcomes in five if days go on as they were;
 * - the range is cut at the expiry date, and what is left there is said to be lost.
 */
export function forecastRunOut({ balance, today, spentByDay, expires }: ForecastInput): RunOut {
  const days = spentByDay.slice(-daysLookedAt);
  const n = days.length;
  if (n < leastDays) return { kind: 'not-enough-data', days: n };
  const total = days.reduce((sum, spent) => sum + spent, 0);
  if (total <= 0) return { kind: 'nothing-spent', days: n };
  const start = dayNumber(today);
  const expectation = expectBy(days, start);
  const spread = spreadOf(days, start, expectation);

  const cone: { day: string; likely: number; least: number; most: number }[] = [];
  const reached: Record<'earliest' | 'likely' | 'latest', string | null> = {
    earliest: null,
    likely: null,
    latest: null,
  };
  const expiry = expires === null ? null : dayNumber(expires);
  let unused: { least: number; likely: number; most: number } | null = null;
  let spent = 0;
  for (let ahead = 0; ahead <= furthestDays; ahead += 1) {
    if (ahead > 0) spent += expectation.of(start + ahead - 1);
    const halfWidth = eightyPercent * Math.sqrt(ahead * spread ** 2 + (ahead * spread) ** 2 / n);
    const likely = Math.max(0, balance - spent);
    const least = Math.max(0, balance - spent - halfWidth);
    const most = Math.max(0, Math.min(balance, balance - spent + halfWidth));
    const day = dayText(start + ahead);
    cone.push({ day, likely: round(likely), least: round(least), most: round(most) });
    if (start + ahead === expiry && most > 0)
      unused = { least: round(least), likely: round(likely), most: round(most) };
    reached.earliest ??= least <= 0 ? day : null;
    reached.likely ??= likely <= 0 ? day : null;
    reached.latest ??= most <= 0 ? day : null;
    if (reached.latest !== null || start + ahead === expiry) break;
  }
  return {
    kind: 'range',
    days: n,
    perDay: round(total / n),
    ...reached,
    unused,
    cone: thin(cone),
    byWeekday: expectation.byWeekday,
  };
}

interface Expectation {
  byWeekday: boolean;
  of(day: number): number;
}

const weekday = (day: number): number => ((day % 7) + 7) % 7;

function expectBy(days: readonly number[], start: number): Expectation {
  const groups = Array.from({ length: 7 }, () => [] as number[]);
  for (const [index, spent] of days.entries()) groups[weekday(start - days.length + index)]?.push(spent);
  const byWeekday = groups.every((group) => group.length >= 2);
  const means = groups.map(mean);
  const all = mean(days);
  return { byWeekday, of: (day) => (byWeekday ? (means[weekday(day)] ?? all) : all) };
}

/** Standard deviation of a day from what was expected of it; the means taken from the same days cost degrees of freedom. */
function spreadOf(days: readonly number[], start: number, expectation: Expectation): number {
  const squares = days.map((spent, index) => (spent - expectation.of(start - days.length + index)) ** 2);
  const freedom = Math.max(1, days.length - (expectation.byWeekday ? 7 : 1));
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / freedom);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Enough points to draw, and always the last. */
function thin<T>(points: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(points.length / conePoints));
  return points.filter((_, index) => index % step === 0 || index === points.length - 1);
}

/** Days since 1970 of a calendar date; no zone and no clock change comes into it. */
export const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
export const dayText = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);
