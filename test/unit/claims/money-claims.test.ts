import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { formatMoment, parseMoment, readDay, toSecond } from '../../../shared/claims/moment.ts';
import {
  assumptions,
  type MoneyClaim,
  moneyClaimSchema,
  parseMoneyClaim,
  renderMoneyClaim,
  shortenMoneyClaims,
} from '../../../shared/claims/money-claims.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const moments = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => toSecond(date.toISOString()));
const credits = fc.integer({ min: 0, max: 9_999_999 });
const counts = fc.integer({ min: 0, max: 5000 });
const words = fc.stringMatching(/^[A-Za-z0-9_ ]{1,40}$/);
const assumed = fc.subarray([...assumptions], { minLength: 1 });
const span = { fall: credits, from: moments, to: moments };
/** Some of them of a stretch in which credits were used and added. */
const ofBoth = <T extends MoneyClaim>(claims: fc.Arbitrary<T>, other: 'rise' | 'fall' = 'rise'): fc.Arbitrary<T> =>
  fc
    .tuple(claims, fc.option(credits))
    .map(([claim, figure]) => (figure === null ? claim : { ...claim, [other]: figure }));

/** Generators of claims of every kind, by the schema of each field. */
const makers: { [K in MoneyClaim['kind']]: fc.Arbitrary<MoneyClaim> } = {
  'nothing-left': fc.constant({ kind: 'nothing-left' }),
  'under-way': fc.constant({ kind: 'under-way' }),
  answered: fc.record({ kind: fc.constant('answered'), at: moments }),
  'unusable-answer': fc.record({ kind: fc.constant('unusable-answer'), at: moments }),
  refused: fc.record({ kind: fc.constant('refused'), code: words }),
  'no-answer': fc.record({ kind: fc.constant('no-answer'), at: moments }),
  'cut-off': fc.record({ kind: fc.constant('cut-off'), at: moments }),
  'saved-answer': fc.constant({ kind: 'saved-answer' }),
  'may-come': fc.record({ kind: fc.constant('may-come'), until: moments }),
  'not-read-before': fc.constant({ kind: 'not-read-before' }),
  'not-read-since': fc.constant({ kind: 'not-read-since' }),
  'no-fall': fc.record({ kind: fc.constant('no-fall'), until: moments }),
  cost: ofBoth(fc.record({ kind: fc.constant('cost'), ...span, assumes: assumed })),
  'at-price': ofBoth(
    fc.record({ kind: fc.constant('at-price'), ...span, calls: counts, price: credits, assumes: assumed }),
  ),
  between: ofBoth(
    fc.record({
      kind: fc.constant('between'),
      ...span,
      calls: counts,
      least: credits,
      most: credits,
      assumes: assumed,
    }),
  ),
  shared: ofBoth(fc.record({ kind: fc.constant('shared'), ...span, calls: counts })),
  rose: fc.record({ kind: fc.constant('rose'), rise: credits, from: moments, to: moments }),
  unclear: fc.record({ kind: fc.constant('unclear'), from: moments, to: moments }),
  late: ofBoth(fc.record({ kind: fc.constant('late'), was: moments, fall: credits, at: moments })),
  'no-call': ofBoth(fc.record({ kind: fc.constant('no-call'), ...span })),
  beyond: ofBoth(fc.record({ kind: fc.constant('beyond'), ...span, calls: counts, explained: credits })),
  added: ofBoth(fc.record({ kind: fc.constant('added'), rise: credits, from: moments, to: moments }), 'fall'),
  expiry: fc.record({ kind: fc.constant('expiry'), day: words }),
  'late-candidates': fc.record({ kind: fc.constant('late-candidates'), names: words, more: counts }),
  'said-then': fc.record({
    kind: fc.constant('said-then'),
    outlet: fc.constantFrom('export', 'export-perhaps', 'alert'),
    at: moments,
    until: moments,
    words,
  }),
  'said-by-other-rule': fc.record({
    kind: fc.constant('said-by-other-rule'),
    outlet: fc.constantFrom('export', 'export-perhaps', 'alert'),
    at: moments,
    until: moments,
  }),
  'said-before': fc.record({ kind: fc.constant('said-before'), version: counts, words }),
};

describe.each(Object.entries(makers))('the sentence of %s', (_kind, claims) => {
  test('says all of the claim and nothing else: it is parsed back to the claim', () => {
    fc.assert(
      fc.property(claims, moments, (claim, now) => {
        const day = readDay(now);
        const sentence = renderMoneyClaim(claim, day);
        expect(parseMoneyClaim(sentence, day)).toEqual(claim);
        expect(sentence).toMatch(/^[A-Z].*\.$|”$/);
        expect(sentence).not.toMatch(/[{}]|undefined|\b(charged|confirmed|proved|settled|nobody else|certainly)\b/i);
      }),
    );
  });

  test('has a short form that fits into a table', () => {
    fc.assert(
      fc.property(claims, (claim) => {
        expect(shortenMoneyClaims([claim]).length).toBeLessThan(40);
      }),
    );
  });
});

test('a fall across an expiry date, shared with one call alone, has no plural', () => {
  const at = '2026-11-22T10:14:07Z';
  const claim: MoneyClaim = { kind: 'shared', fall: 5, from: at, to: at, calls: 1 };
  for (const said of [renderMoneyClaim(claim, readDay(at)), shortenMoneyClaims([claim])])
    expect(said).not.toContain('1 calls');
});

test('a movement that may be the late charge of calls says how many are not named, if any', () => {
  const day = readDay('2026-11-22T10:14:07Z');
  const rendered = (more: number) =>
    renderMoneyClaim({ kind: 'late-candidates', names: 'GetPremise 00284147', more }, day);
  expect(rendered(0)).toBe('It may be the late charge of: GetPremise 00284147.');
  expect(rendered(1200)).toBe('It may be the late charge of: GetPremise 00284147; and 1,200 more.');
});

test('every kind of claim has a maker here', () => {
  expect(Object.keys(makers).sort()).toEqual(
    moneyClaimSchema.options.map(({ shape }) => String([...shape.kind.values][0])).sort(),
  );
});

test('a time names one moment, also in the hour that the clocks repeat', () => {
  process.env.TZ = 'Europe/London';
  const day = readDay('2026-10-25T12:00:00Z');
  for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z', '2026-07-01T10:00:00Z'])
    expect(parseMoment(formatMoment(at, day), day)).toBe(at);
  expect(formatMoment('2026-10-25T00:30:00Z', day)).toBe('01:30:00 (UTC+01:00)');
  expect(formatMoment('2026-10-25T01:30:00Z', day)).toBe('01:30:00 (UTC+00:00)');
  expect(formatMoment('2026-11-22T10:14:07Z', day)).toBe('22 Nov 2026, 10:14:07');
});

test('a text that is no sentence of this console is not parsed as a claim', () => {
  for (const text of ['', 'It was charged.', 'No fall seen by', 'No fall seen by 10:16:35. It cost nothing.'])
    expect(parseMoneyClaim(text, readDay('2026-11-22T10:00:00Z'))).toBeUndefined();
});
