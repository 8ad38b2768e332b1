import { describe, expect, it } from 'vitest';
import { type ForecastInput, forecastRunOut } from '../../../electron/core/credits/forecast.ts';
import type { RunOut } from '../../../shared/domain/credits/credits-history.ts';
import { changing, coverageOf, judged } from '../../helpers/spend-histories.ts';

/** A Monday, so that a list of days divides into weeks. */
const today = '2026-11-23';
const forecast = (spentByDay: number[], more: Partial<ForecastInput> = {}) =>
  forecastRunOut({ balance: 1000, today, spentToday: 0, spentByDay, expires: null, ...more });

function range(result: RunOut): Extract<RunOut, { kind: 'runs-out' }> {
  if (result.kind !== 'runs-out') throw new Error(`no end: ${result.kind}`);
  return result;
}
const days = (count: number, of: (index: number) => number) => Array.from({ length: count }, (_, index) => of(index));

describe('a forecast of histories whose answer is known', () => {
  it('steady: 100 a day ends 1,000 credits on the tenth day, and nothing is uncertain', () => {
    expect(range(forecast(days(28, () => 100)))).toMatchObject({
      perDay: 100,
      earliest: '2026-12-03',
      likely: '2026-12-03',
      latest: '2026-12-03',
    });
  });

  it('weekly cycle: weekends cost nothing, so 1,000 credits last two working weeks and not ten days', () => {
    const week = [100, 100, 100, 100, 100, 0, 0];
    const result = range(forecast(days(28, (index) => week[index % 7] ?? 0)));
    expect(result).toMatchObject({
      byWeekday: true,
      earliest: '2026-12-05',
      likely: '2026-12-05',
      latest: '2026-12-05',
    });
    expect(result.perDay).toBeCloseTo(71.4, 1);
  });

  it('a week is followed only once each weekday was seen twice', () => {
    const week = [100, 100, 100, 100, 100, 0, 0];
    expect(range(forecast(days(13, (index) => week[(index + 1) % 7] ?? 0))).byWeekday).toBe(false);
    expect(range(forecast(days(14, (index) => week[index % 7] ?? 0))).byWeekday).toBe(true);
  });

  it('only the last four weeks count: a busy autumn long ago changes nothing', () => {
    const old = days(60, () => 5000);
    expect(forecast([...old, ...days(28, () => 100)])).toEqual(forecast(days(28, () => 100)));
  });

  it('gaps: days without a spend are days at 0', () => {
    expect(range(forecast(days(10, (index) => (index < 5 ? 100 : 0)))).perDay).toBe(50);
  });

  it('bursts: one day of 1,000 among days of 50 widens the range round what steady days would give', () => {
    const steady = range(forecast(days(28, () => 50)));
    const burst = range(forecast(days(28, (index) => (index === 13 ? 1000 : 50))));
    expect(burst.perDay).toBeGreaterThan(steady.perDay);
    expect(burst.earliest ?? '').toMatch(/^2026-1[12]/);
    expect((burst.earliest ?? '') < (steady.likely ?? '')).toBe(true);
    expect(burst.latest === null || burst.latest > (steady.likely ?? '')).toBe(true);
  });

  it('with 28 known days the range is that of Student’s t with 21 degrees of freedom', () => {
    // Each weekday cost 90 twice and 110 twice: σ² = 28 · 10² / 21. Seven days ahead, with each weekday known from four: 7σ² + 7σ²/4.
    const { unused } = range(
      forecast(
        days(28, (index) => ([0, 3].includes(Math.floor(index / 7)) ? 90 : 110)),
        { balance: 100_000, expires: '2026-11-29' },
      ),
    );
    const half = 1.323188 * Math.sqrt((2800 / 21) * (7 + 7 / 4));
    expect(unused?.likely).toBe(99_300);
    expect(unused?.least).toBeCloseTo(99_300 - half, 0);
    expect(unused?.most).toBeCloseTo(99_300 + half, 0);
  });

  it('makes no forecast from under three whole days, nor for a console that spends nothing', () => {
    expect(forecast([100, 100])).toEqual({ kind: 'not-enough-data', days: 2 });
    expect(forecast([])).toEqual({ kind: 'not-enough-data', days: 0 });
    expect(forecast([0, 0, 0, 0])).toEqual({ kind: 'nothing-spent', days: 4 });
  });

  it('says what expires unused after the expiry day’s spend, and ends there', () => {
    const tens = days(28, () => 10);
    const result = range(forecast(tens, { expires: '2026-12-03' }));
    expect(result).toMatchObject({ earliest: null, likely: null, latest: null });
    expect(result.unused).toEqual({ least: 890, likely: 890, most: 890 });
    expect(result.cone.at(-1)?.day).toBe('2026-12-04');
    const hundreds = days(28, () => 100);
    expect(range(forecast(hundreds, { expires: '2027-12-03' })).unused).toBeNull();
    const lastDay = { balance: 100, expires: today };
    expect(range(forecast(hundreds, lastDay))).toMatchObject({ unused: null, likely: null });
    expect(range(forecast(hundreds, { ...lastDay, balance: 250 })).unused?.likely).toBe(150);
  });

  it('is “expired” once the expiry day is over, whatever was spent', () => {
    const expires = '2026-11-22';
    for (const spent of [[], [1, 2], days(28, () => 100), days(28, () => 0)])
      expect(forecast(spent, { expires })).toEqual({ kind: 'expired', on: expires });
    expect(forecast([], { expires: today }).kind).toBe('not-enough-data');
  });

  it('counts what was spent today once', () => {
    const hundreds = days(28, () => 100);
    expect(range(forecast(hundreds, { balance: 940, spentToday: 60 })).likely).toBe('2026-12-03');
    expect(range(forecast(hundreds, { balance: 700, spentToday: 300 })).likely).toBe('2026-12-01');
  });

  it('has a likely day and no range under 21 days, and says why', () => {
    for (const count of [3, 5, 10, 20]) {
      const result = range(forecast(days(count, (index) => 80 + 40 * (index % 2))));
      expect(result).toMatchObject({ noRange: 'few-days', earliest: null, latest: null });
      expect(result.likely).toMatch(/^2026-12-0[1-5]$/);
      expect(result.cone.every(({ least, most }) => least === null && most === null)).toBe(true);
    }
  });

  it('starts its cone at the balance and stays within the possible', () => {
    const { cone } = range(forecast(days(21, (index) => (index * 37) % 100)));
    expect(cone[0]).toEqual({ day: today, likely: 1000, least: 1000, most: 1000 });
    for (const { least, likely, most } of cone) {
      if (least === null || most === null) throw new Error('no range');
      expect(least).toBeGreaterThanOrEqual(0);
      expect(least).toBeLessThanOrEqual(likely);
      expect(likely).toBeLessThanOrEqual(most);
      expect(most).toBeLessThanOrEqual(1000);
    }
  });
});

describe('four in five, on histories whose rule is known', () => {
  // In about one of five cases the test of the slope takes a steady history for a changing one.
  it.each(Object.entries(judged).flatMap(([name, rule]) => [21, 28].map((count) => [name, count, rule] as const)))(
    '%s, %i days known',
    (_name, count, rule) => {
      const { given, covered } = coverageOf(rule, count, 300);
      expect(given).toBeGreaterThan(0.65);
      expect(covered).toBeGreaterThan(0.75);
      expect(covered).toBeLessThan(0.88);
    },
  );

  it.each(Object.entries(changing))('%s: no range, but what the last 7 days cost', (_name, rule) => {
    expect(coverageOf(rule, 28, 250).given).toBeLessThan(0.1);
  });

  it.each(Object.entries({ ...judged, ...changing }))('%s: no range from 3, 5, 10 or 20 days', (_name, rule) => {
    for (const count of [3, 5, 10, 20]) expect(coverageOf(rule, count, 20).given).toBe(0);
  });

  it('says what the last 7 days cost if spending changes', () => {
    const rising = range(forecast(days(28, (index) => 100 * 1.01 ** index)));
    expect(rising).toMatchObject({ noRange: 'changing', earliest: null, latest: null });
    // The sum of a geometric series.
    expect(rising.lately).toBeCloseTo((100 * 1.01 ** 21 * (1.01 ** 7 - 1)) / 0.01 / 7, 6);
    expect(rising.perDay).toBeCloseTo((100 * (1.01 ** 28 - 1)) / 0.01 / 28, 6);
  });
});
