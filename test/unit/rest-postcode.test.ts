import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPostcode } from '../../shared/domain/postcode.ts';

test.each([
  ['SW1A 1AA', 'SW1A 1AA'],
  ['sw1a1aa', 'SW1A 1AA'],
  ['  m1   1ae ', 'M1 1AE'],
  ['B33 8TH', 'B33 8TH'],
  ['CR2 6XH', 'CR2 6XH'],
  ['DN55 1PT', 'DN55 1PT'],
  ['W1T 1JY', 'W1T 1JY'],
])('%s is well-formed', (text, normalised) => {
  expect(checkPostcode(text)).toEqual({ state: 'well-formed', normalised });
});

test.each([
  ['GIR 0AA', 'GIR 0AA'],
  ['gir0aa', 'GIR 0AA'],
  ['ASCN 1ZZ', 'ASCN 1ZZ'],
  ['GX11 1AA', 'GX11 1AA'],
  ['QA1 1AA', 'QA1 1AA'],
  ['SI1 1AA', 'SI1 1AA'],
  ['SW1A 1CA', 'SW1A 1CA'],
])('%s is unusual', (text, normalised) => {
  expect(checkPostcode(text)).toMatchObject({ state: 'unusual', normalised });
});

test.each([
  ['SWIA 1AA', 'SW1A 1AA', 'I and the digit 1'],
  ['SW1A OAA', 'SW1A 0AA', 'O and the digit 0'],
  ['SW1A-1AA', 'SW1A 1AA', 'Did you mean'],
])('%s is malformed and meant as %s', (text, normalised, words) => {
  const check = checkPostcode(text);
  expect(check).toMatchObject({ state: 'malformed', normalised });
  expect(check.hint).toContain(words);
});

test.each(['SW1A 1A', 'SW1A 1', 'M1 11A', 'B33 8T'])('%s is malformed', (text) => {
  expect(checkPostcode(text).state).toBe('malformed');
});

test.each(['', '10 Downing Street', 'Flat 2', 'High Street', 'Acme Ltd', '12345', 'M', 'ŵ'])(
  '%s is no postcode',
  (text) => {
    expect(checkPostcode(text)).toEqual({ state: 'not-a-postcode' });
  },
);

test('the first half alone is said to be one', () => {
  expect(checkPostcode('sw1a')).toMatchObject({ state: 'not-a-postcode', hint: expect.stringContaining('first half') });
});

test('any text is judged, and a normalised form is judged the same', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^[A-Z]{1,2}[0-9OI][A-Z0-9]? ?[0-9OI][A-Z0-9]{2}$/)),
      (text) => {
        const check = checkPostcode(text);
        if (check.state === 'well-formed') expect(checkPostcode(check.normalised ?? '')).toEqual(check);
      },
    ),
  );
});
