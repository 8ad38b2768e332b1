import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCaps, noCaps, type SpendAsked } from '../../electron/core/credits/caps.ts';
import { startOfToday } from '../../electron/core/credits/day.ts';
import { compareSpend } from '../../electron/core/credits/ledger.ts';

const asked: SpendAsked = { expected: 1, spentThisRun: 0, spentToday: 0, lastBalance: null };

describe('spending caps', () => {
  it('let everything through where none is set', () => {
    expect(checkCaps(noCaps, { ...asked, spentThisRun: 1e6, spentToday: 1e6, lastBalance: 0 }).ok).toBe(true);
  });

  it.each([
    ['run', { ...noCaps, perRun: 5 }, { spentThisRun: 4 }, { spentThisRun: 5 }, 'per run'],
    ['day', { ...noCaps, perDay: 5 }, { spentToday: 4 }, { spentToday: 5 }, 'per day'],
    ['floor', { ...noCaps, floor: 100 }, { lastBalance: 101 }, { lastBalance: 100 }, 'floor'],
  ])('hold at exactly the %s cap, and say how to raise it', (_name, caps, under, at, word) => {
    expect(checkCaps(caps, { ...asked, ...under }).ok).toBe(true);
    const refused = checkCaps(caps, { ...asked, ...at });
    expect(refused).toMatchObject({ ok: false, error: { code: 'cap-reached', charge: 'not-charged' } });
    expect(!refused.ok && refused.error.next).toContain(word);
  });

  it('never let the sum pass a cap, whatever the prices', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.nat(9)), (cap, prices) => {
        let spent = 0;
        for (const expected of prices) {
          const caps = { ...noCaps, perDay: cap };
          if (checkCaps(caps, { ...asked, expected, spentToday: spent }).ok) spent += expected;
        }
        return spent <= cap;
      }),
    );
  });

  it('let a free call and a balance read through at any cap', () => {
    const caps = { perRun: 0, perDay: 0, floor: 10 };
    expect(checkCaps(caps, { ...asked, expected: 0, lastBalance: 0 }).ok).toBe(true);
    expect(checkCaps(caps, { ...asked, expected: null, lastBalance: 0, readsBalance: true }).ok).toBe(true);
  });

  it('let a call without a known price through unless the balance is at the floor', () => {
    const unpriced = { ...asked, expected: null, spentThisRun: 9, spentToday: 9 };
    expect(checkCaps({ perRun: 1, perDay: 1, floor: null }, unpriced).ok).toBe(true);
    expect(checkCaps({ ...noCaps, floor: 10 }, { ...unpriced, lastBalance: null }).ok).toBe(true);
    expect(checkCaps({ ...noCaps, floor: 10 }, { ...unpriced, lastBalance: 11 }).ok).toBe(true);
    expect(checkCaps({ ...noCaps, floor: 10 }, { ...unpriced, lastBalance: 10 }).ok).toBe(false);
  });
});

describe('the verdict on a spend', () => {
  it.each([
    [1, 1, 'matches'],
    [1, 2, 'more'],
    [2, 1, 'less'],
    [1, null, 'not-read'],
    [null, null, 'not-read'],
    [null, 3, 'measured'],
  ])('of expected %s and observed %s is %s', (expected, observed, verdict) => {
    expect(compareSpend(expected, observed)).toBe(verdict);
  });
});

describe('today', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const start = (timeZone: string, at: string) => {
    process.env.TZ = timeZone;
    return startOfToday({ now: () => Date.parse(at) });
  };

  it('begins at midnight of this computer’s zone, in winter, summer and on the days between', () => {
    expect(start('Europe/London', '2026-01-15T00:10:00Z')).toBe('2026-01-15T00:00:00.000Z');
    expect(start('Europe/London', '2026-07-15T23:30:00Z')).toBe('2026-07-15T23:00:00.000Z');
    expect(start('Europe/London', '2026-03-29T22:30:00Z')).toBe('2026-03-29T00:00:00.000Z');
    expect(start('Europe/London', '2026-10-25T23:30:00Z')).toBe('2026-10-24T23:00:00.000Z');
    expect(start('Pacific/Auckland', '2026-01-15T12:00:00Z')).toBe('2026-01-15T11:00:00.000Z');
  });
});
