import { describe, expect, it } from 'vitest';
import { type ForecastInput, forecastRunOut } from '../../electron/core/credits/forecast.ts';
import type { RunOut } from '../../shared/domain/credits-history.ts';

/** A Monday, so that a list of days reads like weeks. */
const today = '2026-11-23';
const forecast = (spentByDay: number[], more: Partial<ForecastInput> = {}) =>
  forecastRunOut({ balance: 1000, today, spentByDay, expires: null, ...more });

function range(result: RunOut): Extract<RunOut, { kind: 'range' }> {
  if (result.kind !== 'range') throw new Error(`no range: ${result.kind}`);
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
    const burst = range(forecast(days(28, (index) => (index === 9 ? 1000 : 50))));
    expect(burst.perDay).toBeGreaterThan(steady.perDay);
    expect(burst.earliest ?? '').toMatch(/^2026-1[12]/);
    expect((burst.earliest ?? '') < (steady.likely ?? '')).toBe(true);
    expect(burst.latest === null || burst.latest > (steady.likely ?? '')).toBe(true);
  });

  it('more days of the same unrest make a narrower range', () => {
    const unrest = (count: number) =>
      range(
        forecast(
          days(count, (index) => (index % 2 === 0 ? 40 : 60)),
          { balance: 500 },
        ),
      );
    const width = ({ earliest, latest }: { earliest: string | null; latest: string | null }) =>
      Date.parse(latest ?? '2099-01-01') - Date.parse(earliest ?? '2099-01-01');
    expect(width(unrest(13))).toBeLessThan(width(unrest(4)));
  });

  it('says nothing under three whole days, and nothing of a console that spends nothing', () => {
    expect(forecast([100, 100])).toEqual({ kind: 'not-enough-data', days: 2 });
    expect(forecast([])).toEqual({ kind: 'not-enough-data', days: 0 });
    expect(forecast([0, 0, 0, 0])).toEqual({ kind: 'nothing-spent', days: 4 });
  });

  it('says what expires unused, and stops there', () => {
    const result = range(
      forecast(
        days(28, () => 10),
        { expires: '2026-12-03' },
      ),
    );
    expect(result).toMatchObject({ earliest: null, likely: null, latest: null });
    expect(result.unused).toEqual({ least: 900, likely: 900, most: 900 });
    expect(result.cone.at(-1)?.day).toBe('2026-12-03');
    expect(
      range(
        forecast(
          days(28, () => 100),
          { expires: '2027-12-03' },
        ),
      ).unused,
    ).toBeNull();
  });

  it('starts its cone at the balance and never leaves the possible', () => {
    const { cone } = range(forecast(days(20, (index) => index * 7)));
    expect(cone[0]).toEqual({ day: today, likely: 1000, least: 1000, most: 1000 });
    for (const { least, likely, most } of cone) {
      expect(least).toBeGreaterThanOrEqual(0);
      expect(least).toBeLessThanOrEqual(likely);
      expect(likely).toBeLessThanOrEqual(most);
      expect(most).toBeLessThanOrEqual(1000);
    }
  });
});
