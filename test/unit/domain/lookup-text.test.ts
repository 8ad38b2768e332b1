import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type LookupText,
  plainLookupText,
  readLookupText,
  streetSearchOf,
} from '../../../shared/domain/lookup/lookup-text.ts';

/**
 * The published format, written independently from Royal Mail's PAF Programmers' Guide and BS 7666, position by position: the six outward
 * forms with the characters of each position, and the inward one, whose letters are never C, I, K, M, O or V.
 */
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const without = (left: string) => [...letters].filter((letter) => !left.includes(letter)).join('');
const first = without('QVX');
const second = without('IJZ');
const unit = without('CIKMOV');
const digit = '0123456789';
const forms: Readonly<Record<string, readonly string[]>> = {
  A9: [first, digit],
  A99: [first, '123456789', digit],
  A9A: [first, digit, 'ABCDEFGHJKPSTUW'],
  AA9: [first, second, digit],
  AA99: [first, second, '123456789', digit],
  AA9A: [first, second, digit, 'ABEHMNPRVWXY'],
};
const inward = [digit, unit, unit];
const exceptions = [
  'GIR 0AA',
  'ASCN 1ZZ',
  'STHL 1ZZ',
  'TDCU 1ZZ',
  'BBND 1ZZ',
  'BIQQ 1ZZ',
  'FIQQ 1ZZ',
  'PCRN 1ZZ',
  'SIQQ 1ZZ',
  'TKCA 1ZZ',
  'GX11 1AA',
];

const fits = (word: string, places: readonly string[]) =>
  word.length === places.length && places.every((allowed, at) => allowed.includes(word[at] ?? ' '));
const isPublished = (compact: string): boolean =>
  fits(compact.slice(-3), inward) && Object.values(forms).some((form) => fits(compact.slice(0, -3), form));
const fill = (places: readonly string[]) => fc.tuple(...places.map((allowed) => fc.constantFrom(...allowed)));
const spaced = (compact: string) => `${compact.slice(0, -3)} ${compact.slice(-3)}`;
const published = fc
  .constantFrom(...Object.values(forms))
  .chain((form) => fill([...form, ...inward]))
  .map((all) => all.join(''));

const correctionOf = (read: LookupText) => (read.kind === 'no-postcode' ? read.correction : null);

describe('postcodes', () => {
  test.each(Object.entries(forms))('every one of form %s is recognised, in any case and spacing', (_name, form) => {
    fc.assert(
      fc.property(
        fill([...form, ...inward]).map((all) => all.join('')),
        (compact) => {
          const text = spaced(compact);
          for (const typed of [text, compact, text.toLowerCase(), `  ${text}.`, `${text},`, `“${text}”`, `${text}\r\n`])
            expect(readLookupText(typed)).toMatchObject({
              kind: 'postcode',
              text,
              asks: { operation: 'SearchPremise_ByPostcode', fields: { sPostcode: text } },
            });
        },
      ),
      { numRuns: 400 },
    );
  });

  test('with one wrong character none is taken for a postcode; a correction is one that can exist', () => {
    const oneWrong = published.chain((compact) =>
      fc
        .tuple(fc.nat(compact.length - 1), fc.constantFrom(...letters, ...digit))
        .map(([at, sign]) => compact.slice(0, at) + sign + compact.slice(at + 1)),
    );
    let impossible = 0;
    fc.assert(
      fc.property(oneWrong, (compact) => {
        const read = readLookupText(spaced(compact));
        expect([compact, read.kind === 'postcode']).toEqual([compact, isPublished(compact)]);
        if (!isPublished(compact)) impossible += 1;
        const correction = correctionOf(read);
        if (correction !== null) expect(isPublished(correction.replace(' ', ''))).toBe(true);
        if (read.kind === 'no-postcode') expect(read.asks).toBeNull();
      }),
      { numRuns: 5000 },
    );
    expect(impossible).toBeGreaterThan(1000);
  });

  test('40 of 40 with the letter O or I in place of a digit are refused, and corrected to what was meant', () => {
    const wrong = published
      .filter((compact) => /[01]/.test(compact))
      .chain((compact) => {
        const places = [...compact].flatMap((sign, at) => (sign === '0' || sign === '1' ? [at] : []));
        return fc.constantFrom(...places).map((at) => ({
          meant: compact,
          typed: compact.slice(0, at) + (compact[at] === '0' ? 'O' : 'I') + compact.slice(at + 1),
        }));
      });
    let refused = 0;
    for (const { typed } of fc.sample(wrong, { numRuns: 40, seed: 16 })) {
      const read = readLookupText(spaced(typed));
      if (read.kind !== 'no-postcode') continue;
      refused += 1;
      const correction = correctionOf(read)?.replace(' ', '') ?? '';
      expect([typed, isPublished(correction)]).toEqual([typed, true]);
      expect(correction).toHaveLength(typed.length);
    }
    expect(refused).toBe(40);
  });

  test.each([
    ['M2O 1AA', 'M20 1AA', 'the third character is the letter O'],
    ['HR1O 2DT', 'HR10 2DT', 'the fourth character is the letter O'],
    ['SWIA 1AA', 'SW1A 1AA', 'the third character is the letter I'],
    ['M01 1AA', 'M1 1AA', 'no district has a 0 in front'],
    ['HR10 2DO', null, 'O is not used in the second half'],
    ['HR1O 2DO', null, 'O is not used after HR1'],
    ['QA1 1AA', null, 'no postcode area starts with Q'],
    ['SW1A 1CA', null, 'C is not used in the second half'],
  ])('%s cannot exist; correction: %s', (typed, correction, reason) => {
    const read = readLookupText(typed);
    expect(read).toMatchObject({ kind: 'no-postcode', correction, asks: null });
    expect(read.reason).toContain(`${typed} is not in the published form of a postcode: ${reason}`);
  });

  test.each(exceptions)('%s is one of the exceptions', (text) => {
    expect(readLookupText(text.toLowerCase())).toMatchObject({ kind: 'postcode', text });
  });

  test('the beginning of a postcode is never doubted', () => {
    fc.assert(
      fc.property(published, (compact) => {
        const start = /^[A-Z]+\d/.exec(compact)?.[0].length ?? 0;
        for (let length = start; length < compact.length; length++) {
          const typed = compact.slice(0, length);
          expect([typed, readLookupText(typed).kind]).toEqual([
            typed,
            isPublished(typed) ? 'postcode' : 'start-of-postcode',
          ]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['Boots', 'words'],
  ['Pomona', 'words'],
  ['Ossia Iol', 'words'],
  ['Unit 1A', 'words'],
  ['Flat 2', 'words'],
  ['10', 'words'],
  ['1010 High Road', 'words'],
  ['St. John’s Street', 'words'],
  ['www.boots.com', 'words'],
  ['14 Tannery Row, Hereford, HR10 2DT', 'address'],
  ['14 Tannery Row\r\nHereford\r\nHR10 2DT\r\n', 'address'],
  ['14 HR10 2DT', 'address'],
  ['2 Tannery Row\nHereford\nHR10 2DT\nUnited Kingdom', 'address'],
  ['HR10 2DT, thanks', 'address'],
  ['Postcode: HR10 2DT\tTel 01432 123456', 'address'],
  ['HR10 2DT (flat 3)', 'address'],
  ['hr102dt 2 Tannery Row', 'address'],
  ['HR10 2DT or HR10 2DX, near Hereford', 'words'],
  ['Unit B1 2nd floor, Hereford', 'words'],
  ['\u200bHR10 2DX\u200b', 'postcode'],
  ['HR10 2DT\nHR10 2DX\n', 'postcodes'],
  ['HR10 2DT; HR10 2DX', 'postcodes'],
  ['08114067', 'number'],
  ['100 0123 45678', 'number'],
  ['1234567890123', 'words'],
  ['52.05731, -2.71894', 'place'],
  ['-52.1, 2.5', 'place'],
  ['51°30′26″N 0°7′39″W', 'place'],
  ['SO 50803 40125', 'place'],
  ['SO5080', 'place'],
  ['SO50 8', 'start-of-postcode'],
  ['350803, 240125', 'place'],
  ['PO Box 12, Hereford', 'po-box'],
  ['P.O. Box 12', 'po-box'],
  ['Box Hill', 'words'],
  ['Poboxes Ltd', 'words'],
  ['///kettle.orbit.plum', 'unknown-here'],
  ['kettle.orbit.plum', 'unknown-here'],
  ['https://w3w.co/kettle.orbit.plum', 'unknown-here'],
  ['9C3XGV8P+4F', 'unknown-here'],
  ['75008 Paris', 'unknown-here'],
  ['D02 AF30', 'unknown-here'],
  ['K1A 0B1', 'unknown-here'],
  ['1012 AB Amsterdam', 'unknown-here'],
  ['Beverly Hills, CA 90210', 'unknown-here'],
  ['12 Rue du Bac, Paris, France', 'unknown-here'],
  [' .,; ', 'nothing'],
])('%j is read as %s', (typed, kind) => {
  const read = readLookupText(typed);
  expect(read.kind).toBe(kind);
  const asking = ['words', 'address', 'postcode', 'po-box'].includes(kind);
  expect(read.asks !== null).toBe(asking);
});

test.each(['100012345678', 'SO 50803 40125', '///kettle.orbit.plum', 'D02 AF30'])(
  'that no search by %j is published is all that is said of the service',
  (typed) => {
    expect(readLookupText(typed).reason).toMatch(/no search by (?:it|a place) is published/i);
  },
);

test('outer punctuation and blanks make no other search, inner marks stay', () => {
  for (const typed of ['Pomona', 'Pomona.', ' "Pomona" ', '(Pomona)', 'Pomona ,', 'Pomona\n', '- Pomona'])
    expect(plainLookupText(typed)).toBe('Pomona');
  expect(plainLookupText('14 Tannery Row ,, Hereford\n\nHR10 2DT.')).toBe('14 Tannery Row, Hereford, HR10 2DT');
  expect(plainLookupText('A & B (UK) Ltd, St. John’s')).toBe('A & B (UK) Ltd, St. John’s');
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const once = plainLookupText(typed);
      expect(plainLookupText(once)).toBe(once);
      expect(readLookupText(once).kind).toBe(readLookupText(typed).kind);
    }),
    { numRuns: 2000 },
  );
});

test('numbers keep their leading zeros, PO boxes and streets their town', () => {
  expect(readLookupText('0811 4067')).toMatchObject({ digits: '08114067', mayBePremise: true });
  expect(readLookupText('10001234567')).toMatchObject({ digits: '10001234567', mayBePremise: false });
  expect(readLookupText('po box 12a, Hereford HR1 1AA').asks).toEqual({
    operation: 'SearchPremise_ByPOBox',
    fields: { sPOBox: '12a', sTown: 'Hereford HR1 1AA' },
  });
  expect(streetSearchOf('14 Tannery Row, Bartonsham, Hereford, HR10 2DT').fields).toEqual({
    sStreet: 'Tannery Row',
    sNumber: '14',
    sTown: 'Hereford',
  });
});
