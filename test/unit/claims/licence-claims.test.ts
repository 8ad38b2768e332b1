import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type LicenceClaim,
  parseLicenceClaims,
  renderLicenceClaim,
  renderLicenceClaims,
} from '../../../shared/claims/licence-claims.ts';
import { readDay } from '../../../shared/claims/moment.ts';

const at = '2026-11-22T10:14:09Z';
const day = readDay(at);

describe('sentences about licences', () => {
  test.each<[LicenceClaim, RegExp]>([
    [{ kind: 'seen', licence: 'WY-20418', machine: 'NEW-3', at }, /^WY-20418 was seen on NEW-3, read \d\d:14:09\.$/],
    [
      { kind: 'not-among', licence: 'WY-20418', machine: 'OLD-3', of: 3, at },
      /^WY-20418 was not among the licences named for OLD-3 \(3\), read \d\d:14:09\.$/,
    ],
    [{ kind: 'named-none', machine: 'OLD-3', at }, /^The service named no licence for OLD-3, read \d\d:14:09\.$/],
    [
      { kind: 'on-its-way', reads: 3, last: '2026-11-22T10:24:31Z', next: '2026-11-22T10:34:31Z' },
      /^On its way: read 3 times, last \d\d:24:31, next \d\d:34:31\.$/,
    ],
    [{ kind: 'half-done', on: 'both' }, /^Half done: seen on both\.$/],
  ])('%j', (claim, words) => {
    expect(renderLicenceClaim(claim, day)).toMatch(words);
    expect(renderLicenceClaim(claim, { today: '' })).toContain(claim.kind === 'half-done' ? '' : '22 Nov 2026, ');
  });

  const moment = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}Z`);
  const name = fc.oneof(
    fc.constantFrom(
      'WY-20418',
      'OLD-3',
      'licence 20418',
      'NEW-3, read 10:14:09.',
      'A was seen on B',
      '“”\\',
      'a.',
      '.b',
      '',
    ),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  );
  const count = fc.nat(5000);
  const claim: fc.Arbitrary<LicenceClaim> = fc.oneof(
    fc.record({ kind: fc.constant('seen' as const), licence: name, machine: name, at: moment }),
    fc.record({ kind: fc.constant('not-seen' as const), licence: name, machine: name, reads: count, at: moment }),
    fc.record({ kind: fc.constant('named-none' as const), machine: name, at: moment }),
    fc.record({ kind: fc.constant('not-among' as const), licence: name, machine: name, of: count, at: moment }),
    fc.record({ kind: fc.constant('unread' as const), machine: name, at: moment, why: name }),
    fc.constant({ kind: 'nothing-left' as const }),
    fc.constant({ kind: 'not-read-yet' as const }),
    fc.record({ kind: fc.constant('on-its-way' as const), reads: count, last: moment, next: fc.option(moment) }),
    fc.record({ kind: fc.constant('half-done' as const), on: fc.constantFrom('both' as const, 'neither' as const) }),
    fc.record({ kind: fc.constant('not-as-wished' as const), reads: count, until: moment }),
    fc.record({ kind: fc.constant('write-after' as const), at: moment }),
    fc.record({
      kind: fc.constant('not-read-back' as const),
      operation: fc.constantFrom('RegisterLicense' as const, 'UnregisterLicense' as const),
      licence: name,
      machine: name,
      came: fc.constantFrom('text' as const, 'no-answer' as const, 'error' as const),
      words: name,
      at: moment,
    }),
    fc.record({
      kind: fc.constant('said-then' as const),
      outlet: fc.constantFrom('receipt' as const, 'list' as const, 'list-perhaps' as const),
      at: moment,
      until: moment,
      words: name,
    }),
  );

  it('are parsed back to their claims, whatever a machine is called', () => {
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 4 }), fc.constantFrom('', '2026-11-22'), (claims, today) => {
        const text = renderLicenceClaims(claims, { today });
        expect(parseLicenceClaims(text, { today })).toEqual(claims);
        expect(text.replace(/“(?:\\.|[^\\”])*”/gsu, '')).not.toMatch(/charged|confirmed|proved|settled|certain/i);
      }),
      { numRuns: 400 },
    );
  });

  it('are not claims if the text contains anything else', () => {
    for (const text of ['WY-1 is on NEW-3.', 'WY-1 was seen on NEW-3, read 10:14:09. And so on.', 'was seen on'])
      expect(parseLicenceClaims(text, day)).toBeNull();
  });
});
