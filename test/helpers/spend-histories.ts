import { forecastRunOut } from '../../electron/core/credits/forecast.ts';

// Histories of spending by a known rule. Each continues beyond the days that the forecast gets, so that the forecast can be compared with them.

/** Uniform numbers from 0 to 1; the same seed gives the same numbers (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The cost of the day with that index; index 0 is a Monday. */
type Rule = (random: () => number, index: number) => number;

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const noisy = (mean: number, part: number, random: () => number): number =>
  Math.max(0, mean * (1 + part * normal(random)));
const week = [1.3, 1.3, 1.3, 1.3, 1.3, 0.3, 0.2];
const shapeOf = (index: number): number => week[index % 7] ?? 1;

function poisson(mean: number, random: () => number): number {
  const least = Math.exp(-mean);
  let events = 0;
  for (let product = random(); product > least; product *= random()) events += 1;
  return events;
}

/** Rules for which the range must contain the outcome in four of five histories. */
export const judged: Readonly<Record<string, Rule>> = {
  'steady, noise 10 %': (random) => noisy(100, 0.1, random),
  'steady, noise 30 %': (random) => noisy(100, 0.3, random),
  'steady, noise 50 %': (random) => noisy(100, 0.5, random),
  'one call a day': (random) => poisson(1, random),
  'weekly, noise 10 %': (random, index) => shapeOf(index) * noisy(100, 0.1, random),
  'weekly, noise 30 %': (random, index) => shapeOf(index) * noisy(100, 0.3, random),
  'weekly, noise 50 %': (random, index) => shapeOf(index) * noisy(100, 0.5, random),
  'bursts, a day in five': (random) => poisson(50, random) + (random() < 0.2 ? 300 : 0),
  'weekly with bursts': (random, index) => shapeOf(index) * poisson(50, random) + (random() < 0.2 ? 300 : 0),
  'log-normal': (random) => 100 * Math.exp(0.7 * normal(random)),
};

/** Rules that change over time, for which no range may be given. */
export const changing: Readonly<Record<string, Rule>> = {
  'rises 1 % a day': (random, index) => 1.01 ** index * noisy(100, 0.1, random),
  'falls 1 % a day': (random, index) => 0.99 ** index * noisy(100, 0.1, random),
  'rises 1 % a day, weekly': (random, index) => 1.01 ** index * shapeOf(index) * noisy(100, 0.1, random),
  'doubled a week ago': (random, index) => (index < 21 ? 1 : 2) * noisy(100, 0.2, random),
};

export interface Coverage {
  /** Fraction of the histories for which a range was given. */
  given: number;
  /** Fraction of the given ranges that contain the balance that was left. */
  covered: number;
}

const horizons = [3, 7, 28, 56];

/** Compares forecasts after `days` days of a rule with the balance 3, 7, 28 and 56 days later. The same arguments give the same result. */
export function coverageOf(rule: Rule, days: number, histories: number): Coverage {
  let given = 0;
  let covered = 0;
  const enough = 1_000_000;
  for (let seed = 1; seed <= histories; seed += 1) {
    const random = numbersFrom(seed * 7919 + days);
    // Histories begin on each weekday in turn: `begin` is the number of days after a Monday.
    const begin = seed % 7;
    const costs = Array.from({ length: days + Math.max(...horizons) }, (_, index) => rule(random, begin + index));
    const today = dateAfter(begin + days);
    const forecast = forecastRunOut({
      balance: enough,
      today,
      spentToday: 0,
      spentByDay: costs.slice(0, days),
      expires: dateAfter(begin + days + Math.max(...horizons)),
    });
    if (forecast.kind !== 'runs-out' || forecast.noRange !== null) continue;
    given += 1;
    for (const ahead of horizons) {
      const left = enough - costs.slice(days, days + ahead).reduce((sum, cost) => sum + cost, 0);
      const { least, most } = forecast.cone[ahead] ?? {};
      if (least == null || most == null) throw new Error('no range, and no reason why');
      // The cone's figures are rounded to a tenth.
      if (least <= left + 0.05 && left - 0.05 <= most) covered += 1;
    }
  }
  return { given: given / histories, covered: given === 0 ? 0 : covered / given / horizons.length };
}

/** 2026-06-01 is a Monday. */
const dateAfter = (days: number): string => new Date(Date.UTC(2026, 5, 1 + days)).toISOString().slice(0, 10);
