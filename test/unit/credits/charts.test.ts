import { expect, test } from 'vitest';
import { levelTexts, ticksUpTo, timeTicks } from '../../../renderer/features/credits/charts/chart-axis.ts';
import { balanceChart } from '../../../renderer/features/credits/charts/chart-data.ts';
import type { CreditHistory } from '../../../shared/domain/credits/credits-history.ts';

test('a balance below 0 is within the axis, and a gap ends with the first reading after it', () => {
  const [from, since, until, at] = ['01T09', '02T18', '06T08', '06T18'].map((time) => `2026-03-${time}:00:00.000Z`);
  if (!from || !since || !until || !at) throw new Error('no time');
  const history: CreditHistory = {
    from,
    to: at,
    since: from,
    lines: [
      {
        source: 'rest-key',
        label: 'Contact centre',
        keyLastFour: '4f2a',
        points: [
          { at: since, credits: 40, gap: null },
          { at, credits: -30, gap: { since, until } },
        ],
      },
    ],
    elsewhere: false,
    series: [],
    barDays: 1,
    bars: [],
    balances: 0,
    madeUp: null,
  };
  const { top, bottom, gaps } = balanceChart(history, null, Date.parse(from), Date.parse(at));
  expect([top, bottom]).toEqual([40, -30]);
  expect(gaps).toEqual([{ from: Date.parse(since), to: Date.parse(until) }]);
  expect(ticksUpTo(top, bottom)).toEqual([-40, -20, 0, 20, 40]);
});

test.each([
  [0, 0, [0, 1]],
  [9, 0, [0, 2.5, 5, 7.5, 10]],
  [0, -9, [-10, -7.5, -5, -2.5, 0, 2.5]],
  [4800, 0, [0, 2000, 4000, 6000]],
])('the axis of %d and %d', (top, bottom, levels) => expect(ticksUpTo(top, bottom)).toEqual(levels));

test.each([
  [4800, 0, ['0', '2,000', '4,000', '6,000']],
  [1_849_000, 0, ['0', '0.5m', '1m', '1.5m', '2m']],
  [9_500_000, 0, ['0', '2.5m', '5m', '7.5m', '10m']],
  [25_000_000, -5_000_000, ['−10m', '0', '10m', '20m', '30m']],
])('the axis of %d and %d has room for its labels', (top, bottom, texts) =>
  expect(levelTexts(ticksUpTo(top, bottom))).toEqual(texts),
);

test('a time axis has its days, or whole minutes if no midnight lies in it', () => {
  const at = (day: number, hour = 0, minute = 0, second = 0) => new Date(2026, 10, day, hour, minute, second).getTime();
  const texts = (from: number, to: number) => timeTicks(from, to).map(({ text }) => text);
  expect(texts(at(26, 20, 0, 30), at(26, 20, 7))).toEqual(['26 Nov, 20:02', '26 Nov, 20:04', '26 Nov, 20:06']);
  expect(texts(at(26, 8, 10), at(26, 17))).toEqual([
    '26 Nov, 10:00',
    '26 Nov, 12:00',
    '26 Nov, 14:00',
    '26 Nov, 16:00',
  ]);
  expect(texts(at(26, 20), at(28, 20))).toEqual(['27 Nov', '28 Nov']);
});
