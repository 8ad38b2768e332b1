import { expect, test } from 'vitest';
import {
  countOf,
  formatCredits,
  formatDate,
  formatNumber,
  formatRate,
  formatStop,
} from '../../../renderer/lib/text/format.ts';

test.each([
  [1.2, '1.2 credits a day'],
  [0.2, '0.2 credits a day'],
  [1, '1 credit a day'],
  [0.98, '1 credit a day'],
  [1.04, '1 credit a day'],
  [9.94, '9.9 credits a day'],
  [9.96, '10 credits a day'],
  [71.43, '71 credits a day'],
  [1 / 28, 'less than 0.1 credits a day'],
  [0, '0 credits a day'],
  [1234.5, '1,235 credits a day'],
])('%d is “%s”', (perDay, words) => expect(formatRate(perDay)).toBe(words));

test('stopping a call takes a credit for granted only of a call that has a published price', () => {
  expect(formatStop({ kind: 'credits', credits: 1 })).toBe('Once it is sent, stopping does not take the credit back.');
  expect(formatStop({ kind: 'credits', credits: 2 })).toBe('Once it is sent, stopping does not take the credits back.');
  expect(formatStop({ kind: 'credits', credits: 0 })).toBe('This call is published as free.');
  expect(formatStop({ kind: 'not-published' })).toBe(
    'Its price is not published. Once it is sent, stopping does not take it back.',
  );
  expect(formatStop({ kind: 'measured', credits: 0, times: 3 })).toBe(
    'Its price is not published. Once it is sent, stopping does not take it back.',
  );
});

test('the plural is that of the figure shown, and 0 has no minus', () => {
  expect([0.4, 0.6, 1, 1.2, 1.6, -1, -0.4, -0].map((count) => countOf(count, 'day'))).toEqual([
    '0.4 days',
    '0.6 days',
    '1 day',
    '1.2 days',
    '1.6 days',
    '−1 days',
    '−0.4 days',
    '0 days',
  ]);
  expect([-0, -1e-9, -0.3, 0.5].map(formatNumber)).toEqual(['0', '0', '−0.3', '0.5']);
  expect([1, 1.04, 1.2, 0.4, 0, -0.01, -3, 4812, null].map((one) => formatCredits(one))).toEqual([
    '1 credit',
    '1.04 credits',
    '1.2 credits',
    '0.4 credits',
    '0 credits',
    '−0.01 credits',
    '−3 credits',
    '4,812 credits',
    'not given',
  ]);
});

test.each([
  ['2027-03-31', '31 Mar 2027'],
  // A moment is written as the day in this computer’s zone.
  [new Date(2027, 2, 31, 12).toISOString(), '31 Mar 2027'],
  // Of another form, or in no calendar: as it came.
  ['03/04/2027', '03/04/2027'],
  ['2027-02-30', '2027-02-30'],
  ['0001-01-01', '0001-01-01'],
  ['0001-01-01T00:00:00', '0001-01-01T00:00:00'],
  ['3', '3'],
])('the date %s is written “%s”', (text, written) => expect(formatDate(text)).toBe(written));

test('a count has its word in the plural unless it is one', () => {
  expect([0, 1, 4812].map((count) => countOf(count, 'row'))).toEqual(['0 rows', '1 row', '4,812 rows']);
});
