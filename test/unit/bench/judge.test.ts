import { expect, test } from 'vitest';
import { isMissed } from '../../bench/support/judge.ts';

test('an aim is missed if the median run exceeds it by more than half of the spread of the runs', () => {
  expect(isMissed([1.2, 1.21, 1.19])).toBe(true);
  expect(isMissed([1.05, 1.3, 0.9])).toBe(false);
  expect(isMissed([1.4, 0.9, 0.95])).toBe(false);
  // Always about three times the aim, despite the variation.
  expect(isMissed([3, 3.8, 2.6])).toBe(true);
  expect(isMissed([0.5, 0.5, 0.5])).toBe(false);
});

test('one run says nothing about noise', () => {
  expect(isMissed([5])).toBe(false);
});
