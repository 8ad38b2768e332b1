import { expect, it } from 'vitest';
import { shortDay } from '../../../renderer/features/credits/balance/run-out-figures.tsx';

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it.each([
  [-400, true],
  [-30, false],
  [30, false],
  [400, true],
])('a day %i days from now has its year: %s', (days, hasYear) => {
  expect(/ \d{4}$/.test(shortDay(daysFromNow(days)))).toBe(hasYear);
});
