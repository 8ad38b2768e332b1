import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPostcode } from '../../../shared/domain/address/postcode.ts';

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
  ['SJ1 1AA', 'SJ1 1AA'],
  ['M1L 1AA', 'M1L 1AA'],
  ['EC1C 1AA', 'EC1C 1AA'],
  ['SW1A 1CA', 'SW1A 1CA'],
])('%s is unusual', (text, normalised) => {
  expect(checkPostcode(text)).toMatchObject({ state: 'unusual', normalised });
});

test.each([
  ['SWIA 1AA', 'SW1A 1AA', 'I and the digit 1'],
  ['SW1A OAA', 'SW1A 0AA', 'O and the digit 0'],
  ['SW1A-1AA', 'SW1A 1AA', 'Did you mean'],
  ['SW1A1 AA', 'SW1A 1AA', 'Did you mean'],
  ['M2O 1AA', 'M20 1AA', 'O and the digit 0'],
  ['SI1 1AA', 'S11 1AA', 'I and the digit 1'],
  ['M01 1AA', 'M1 1AA', 'Did you mean'],
  ['SW09 1AA', 'SW9 1AA', 'Did you mean'],
])('%s is malformed and meant as %s', (text, normalised, words) => {
  const check = checkPostcode(text);
  expect(check).toMatchObject({ state: 'malformed', normalised });
  expect(check.hint).toContain(words);
});

test.each(['SW1A 1A', 'SW1A 1', 'M1 11A', 'B33 8T'])('%s is malformed', (text) => {
  expect(checkPostcode(text).state).toBe('malformed');
});

test.each(['HR10 2DO', 'HR1O 2DO', 'B12 OOO'])('%s has no repair that could exist', (text) => {
  const { state, hint = '' } = checkPostcode(text);
  expect(state).not.toBe('well-formed');
  expect(hint).not.toContain('Did you mean');
});

test.each([
  '',
  'Boots',
  'Pomona',
  'Solo',
  'Ossia Iol',
  '10 Downing Street',
  'Flat 2',
  'High Street',
  'Acme Ltd',
  '12345',
  'M',
  'ŵ',
])('%s is no postcode', (text) => {
  expect(checkPostcode(text)).toEqual({ state: 'not-a-postcode' });
});

test('the first half alone is named as that', () => {
  expect(checkPostcode('sw1a')).toMatchObject({ state: 'not-a-postcode', hint: expect.stringContaining('first half') });
});

/**
 * The published format, written independently from the table of Royal Mail's PAF Programmers' Guide and BS 7666, position by position. Each
 * line is one of the six forms; brackets contain the characters that a position may have.
 */
const first = 'ABCDEFGHIJKLMNOPRSTUWYZ';
const second = 'ABCDEFGHKLMNOPQRSTUVWXY';
const third = 'ABCDEFGHJKPSTUW';
const fourth = 'ABEHMNPRVWXY';
const unit = 'ABDEFGHJLNPQRSTUWXYZ';
const any = '0123456789';
const notZero = '123456789';
const forms = [
  [first, any],
  [first, notZero, any],
  [first, any, third],
  [first, second, any],
  [first, second, notZero, any],
  [first, second, any, fourth],
].map((outward) => ({ outward, inward: [any, unit, unit] }));
const published = fc
  .constantFrom(...forms)
  .chain(({ outward, inward }) =>
    fc
      .tuple(...[...outward, ...inward].map((letters) => fc.constantFrom(...letters)))
      .map((letters) => `${letters.slice(0, -3).join('')} ${letters.slice(-3).join('')}`),
  );
const isPublished = (text: string): boolean => {
  const [outward = '', inward = '', ...more] = text.split(' ');
  const fits = (word: string, places: readonly string[]) =>
    word.length === places.length && places.every((letters, index) => letters.includes(word[index] ?? ' '));
  return more.length === 0 && forms.some((one) => fits(outward, one.outward) && fits(inward, one.inward));
};

test('every postcode of the published form is well-formed, however it is typed', () => {
  fc.assert(
    fc.property(published, (text) => {
      for (const typed of [text, text.replace(' ', ''), ` ${text.toLowerCase()} `, text.replace(' ', '   ')])
        expect(checkPostcode(typed)).toEqual({ state: 'well-formed', normalised: text });
    }),
    { numRuns: 2000 },
  );
});

test('nothing else is, and every correction is of the published form', () => {
  const near = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[A-Z]{1,2}[0-9OI][A-Z0-9]? ?[0-9OI][A-Z0-9]{2}$/),
    fc.stringMatching(/^[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}$/),
    fc
      .tuple(published, fc.nat(7), fc.constantFrom(...'OI01QCZ- '))
      .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1)),
  );
  fc.assert(
    fc.property(near, (text) => {
      const check = checkPostcode(text);
      const written = text.trim().toUpperCase().replace(/\s+/g, ' ');
      const compact = written.replaceAll(' ', '');
      const spaced = `${compact.slice(0, -3)} ${compact.slice(-3)}`;
      const isOne = (written === spaced || written === compact) && isPublished(spaced);
      expect(check.state === 'well-formed').toBe(isOne);
      if (check.state === 'malformed' && check.normalised !== undefined)
        expect(isPublished(check.normalised)).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
