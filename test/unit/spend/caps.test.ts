import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCaps as checkPolicyCaps } from '../../../electron/core/policy/apply-policy.ts';
import { checkBatch, checkCaps, noCaps, type SpendAsked } from '../../../electron/core/spend/caps.ts';
import { startOfToday } from '../../../electron/core/spend/days.ts';
import { anyDay, formatMoment } from '../../../shared/claims/moment.ts';

const readAt = '2026-11-22T10:14:07.000Z';
const leaves = (credits?: number) => (credits === undefined ? undefined : { credits, readAt });
const asked = (counted: number | null, known: { run?: number; day?: number; balance?: number } = {}): SpendAsked => ({
  counted,
  operation: 'GetPremise',
  readsBalance: false,
  spentThisRun: () => known.run ?? 0,
  spentToday: () => known.day ?? 0,
  balance: () => leaves(known.balance),
});

describe('spending caps', () => {
  it('let everything through if none is set', () => {
    expect(checkCaps(noCaps, asked(null, { run: 1e6, day: 1e6, balance: 0 })).ok).toBe(true);
  });

  it.each([
    ['run', { ...noCaps, perRun: 5 }, { run: 4 }, { run: 5 }, 'the cap'],
    ['day', { ...noCaps, perDay: 5 }, { day: 4 }, { day: 5 }, 'per day'],
    ['minimum balance', { ...noCaps, floor: 100 }, { balance: 101 }, { balance: 100 }, 'minimum balance'],
  ])('refuse beyond exactly the cap of the %s, and say how to raise it', (_name, caps, under, at, word) => {
    expect(checkCaps(caps, asked(1, under)).ok).toBe(true);
    const refused = checkCaps(caps, asked(1, at));
    expect(refused).toMatchObject({ ok: false, error: { code: 'cap-reached', charge: 'not-charged' } });
    expect(!refused.ok && refused.error.next).toContain(word);
  });

  it('say what they count, which is less than what was sent where a reading shows no fall', () => {
    const message = (caps: Partial<typeof noCaps>) => {
      const refused = checkCaps({ ...noCaps, ...caps }, asked(2, { run: 4, day: 4, balance: 500 }));
      return refused.ok ? '' : refused.error.message;
    };
    expect(message({ perRun: 5 })).toBe(
      'This call counts 2 credits. Counted since the program started: 4 credits, of 5 credits allowed.',
    );
    expect(message({ perDay: 5 })).toBe('This call counts 2 credits. Counted today: 4 credits, of 5 credits allowed.');
    // A later reading may have given no figure.
    expect(message({ floor: 1000 })).toBe(
      `This call counts 2 credits and could take the balance of 500 credits (read at ${formatMoment(readAt, anyDay)}, less what was sent since) below the minimum of 1,000 credits.`,
    );
  });

  it('never let the sum pass a cap, whatever the prices', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.array(fc.nat(9)), (cap, prices) => {
        let spent = 0;
        for (const price of prices)
          if (checkCaps({ ...noCaps, perDay: cap }, asked(price, { day: spent })).ok) spent += price;
        return spent <= cap;
      }),
    );
  });

  it('let a call pass that fits exactly, and none beyond it, where its price has decimals', () => {
    let spent = 0;
    let limit = 0;
    let balance = 11;
    for (let call = 1; call <= 15; call += 1) {
      limit = call / 5;
      const known = { run: spent, day: spent, balance };
      const ofBatch = { counted: 0.2, operation: 'GetPremise', spent: () => spent, balance: () => leaves(balance) };
      const floor = (55 - call) / 5;
      expect(checkCaps({ perRun: limit, perDay: limit, floor }, asked(0.2, known)).ok, `call ${call}`).toBe(true);
      expect(checkBatch({ limit, minimumBalance: floor }, ofBatch).ok, `call ${call} of a batch`).toBe(true);
      spent += 0.2;
      balance -= 0.2;
    }
    for (const caps of [{ perRun: limit }, { perDay: limit }, { floor: 8 }])
      expect(checkCaps({ ...noCaps, ...caps }, asked(0.000001, { run: spent, day: spent, balance })).ok).toBe(false);
  });

  it('name what is on when they refuse a call that cannot be counted, and where its figure is set', () => {
    const readsBalance = { ...asked(null), operation: 'GetAvailableCredits', readsBalance: true };
    expect(checkCaps({ ...noCaps, floor: 1 }, readsBalance)).toMatchObject({
      error: {
        message: expect.stringMatching(/^The price of GetAvailableCredits .* minimum balance is on/),
        next: expect.stringContaining('Set a figure for it under Credits'),
      },
    });
  });

  it('of a batch refuse beyond its limit, below its minimum balance, and what cannot be counted, each by its field', () => {
    const terms = { limit: 5, minimumBalance: 100 };
    const of = (counted: number | null, spent: number, balance?: number) =>
      checkBatch(terms, { counted, operation: 'GetPremise', spent: () => spent, balance: () => leaves(balance) });
    expect(of(1, 4, 101).ok).toBe(true);
    for (const [refused, field] of [
      [of(1, 5, 101), 'batch.limit'],
      [of(1, 4, 100), 'batch.minimumBalance'],
      [of(1, 4), 'batch.minimumBalance'],
      [of(null, 0, 101), 'batch.price'],
    ] as const)
      expect(refused).toMatchObject({ error: { code: 'cap-reached', field, charge: 'not-charged' } });
  });

  it('refuse a call that cannot be counted, and one whose balance was never read', () => {
    for (const caps of [{ perRun: 9 }, { perDay: 9 }, { floor: 1 }])
      expect(checkCaps({ ...noCaps, ...caps }, asked(null, { balance: 100 })).ok).toBe(false);
    expect(checkCaps({ ...noCaps, floor: 1 }, asked(1)).ok).toBe(false);
    // Otherwise a balance whose reading has a price could never be read.
    expect(checkCaps({ ...noCaps, floor: 1 }, { ...asked(1), readsBalance: true }).ok).toBe(true);
    expect(checkCaps({ ...noCaps, floor: 1, perDay: 0 }, { ...asked(1), readsBalance: true }).ok).toBe(false);
  });
});

describe('caps in words', () => {
  it.each([
    [1, '1 credit'],
    [2, '2 credits'],
    [4812, '4,812 credits'],
    [1.04, '1.04 credits'],
    [1.2, '1.2 credits'],
  ])('count %s as every other figure is counted', (figure, words) => {
    const refused = checkCaps({ ...noCaps, perDay: figure }, asked(9000));
    expect(!refused.ok && refused.error.message).toContain(`of ${words} allowed`);
    const held = checkPolicyCaps({ version: 1, creditsPerDayMax: figure }, { ...noCaps, perDay: 9e6 });
    expect(!held.ok && held.error.message).toContain(`the cap per day to ${words} at most`);
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
