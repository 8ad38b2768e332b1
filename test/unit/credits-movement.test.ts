import { describe, expect, it } from 'vitest';
import { csvRow } from '../../electron/core/credits/csv.ts';
import { drawnFrom } from '../../electron/core/credits/drawn-from.ts';
import { gapOf, toBars, toPoints } from '../../electron/core/credits/history.ts';
import { findMovement } from '../../electron/core/credits/movement.ts';
import { waitAfter } from '../../electron/core/credits/poller.ts';
import { findSharing } from '../../electron/core/credits/shared-balance.ts';
import { type BalanceReading, type LedgerEntry, ledgerEntrySchema } from '../../shared/domain/credits.ts';
import { appError } from '../../shared/errors.ts';

const entry = (more: Partial<LedgerEntry>): LedgerEntry =>
  ledgerEntrySchema.parse({
    id: crypto.randomUUID(),
    at: '2026-03-02T10:00:00.000Z',
    callId: null,
    operation: 'GetPremise',
    subject: '',
    paidBy: 'One',
    expected: 1,
    observed: null,
    balanceAfter: null,
    verdict: 'not-read',
    ...more,
  });
const reading = (at: string, keyLastFour: string, credits: number): BalanceReading => ({
  source: 'rest-key',
  label: keyLastFour,
  keyLastFour,
  credits,
  used: null,
  total: null,
  expiryDate: null,
  text: null,
  at,
});

describe('what no call explains', () => {
  it.each([
    ['nothing moved', 100, 100, [], undefined],
    ['calls explain it', 100, 98, [{}, {}], undefined],
    ['others alone', 100, 74, [], { credits: 26, explained: 0 }],
    ['others beside calls', 100, 90, [{}, { expected: 2 }], { credits: 7, explained: 3 }],
    ['credits came in', 100, 600, [], { credits: -500, explained: 0 }],
    ['credits came in while calls were made', 100, 597, [{}, { expected: 2 }], { credits: -500, explained: 3 }],
    ['a call of unknown cost may have done it', 100, 90, [{ expected: null }], undefined],
    ['cheaper than published', 100, 99, [{}, {}], undefined],
    [
      'not charged and held count nothing',
      100,
      95,
      [{ verdict: 'not-charged', observed: 0 }, { verdict: 'held-free' }],
      { credits: 5, explained: 0 },
    ],
    [
      'an earlier movement is not explained by itself',
      100,
      95,
      [{ verdict: 'unexplained', observed: 5 }],
      { credits: 5, explained: 0 },
    ],
  ] as const)('%s', (_name, before, after, entries, movement) => {
    expect(
      findMovement(
        before,
        after,
        entries.map((more) => entry(more as Partial<LedgerEntry>)),
      ),
    ).toEqual(movement);
  });

  it('takes the calls of this key alone where only they fit the fall', () => {
    const one = entry({ paidBy: 'One' });
    const two = entry({ paidBy: 'Two' });
    expect(drawnFrom(2, 'One', [one, two])).toEqual([one, two]);
    expect(drawnFrom(1, 'One', [one, two])).toEqual([one]);
    expect(drawnFrom(9, 'One', [one, two])).toEqual([one, two]);
    expect(drawnFrom(9, 'One', [one, two], true)).toEqual([one]);
  });

  it('knows keys of one balance by their readings, and assumes nothing of keys never read in turn', () => {
    const none = () => 0;
    expect(findSharing([reading('2', 'a', 50), reading('1', 'a', 50)], none)).toBeUndefined();
    expect(findSharing([reading('2', 'b', 47), reading('1', 'a', 50)], () => 3)).toBe(true);
    expect(findSharing([reading('2', 'b', 900), reading('1', 'a', 50)], none)).toBe(false);
    expect(
      findSharing([reading('4', 'a', 40), reading('3', 'b', 50), reading('2', 'a', 50), reading('1', 'b', 50)], none),
    ).toBe(true);
  });
});

describe('the balance over time', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000).toISOString();

  it('draws no line over a time without readings', () => {
    const samples = [0, 1, 30, 31].map((hours) => ({ firstAt: at(hours), at: at(hours), credits: 10 }));
    expect(toPoints(samples, 24 * 3_600_000).map(({ gapSince }) => gapSince)).toEqual([null, null, at(1), null]);
    expect(gapOf(3_600_000)).toBe(3 * 3_600_000);
    expect(gapOf(365 * 86_400_000)).toBe(3 * 86_400_000);
  });

  it('gives each day a bar, weeks from Monday where there are too many, and the smallest series together', () => {
    const sums = Array.from({ length: 7 }, (_, index) => ({
      day: '2026-03-04',
      kind: 'spend' as const,
      series: `key ${index}`,
      credits: 70 - index,
      unpriced: 0,
    }));
    const daily = toBars(
      [
        ...sums,
        { day: '2026-03-05', kind: 'unexplained', series: '', credits: 26, unpriced: 0 },
        { day: '2026-03-05', kind: 'added', series: '', credits: -500, unpriced: 0 },
      ],
      '2026-03-03',
      '2026-03-06',
    );
    expect(daily.bars.map(({ day }) => day)).toEqual(['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']);
    expect(daily.series).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'other']);
    expect(daily.bars[1]?.parts.other).toBe(66 + 65 + 64);
    expect(daily.bars[2]).toMatchObject({ unexplained: 26, added: 500, parts: {} });
    const weekly = toBars(sums, '2026-01-01', '2026-03-06');
    expect(weekly.barDays).toBe(7);
    expect(weekly.bars.at(-1)).toMatchObject({ day: '2026-03-02', parts: { 'key 0': 70 } });
  });
});

describe('polite', () => {
  it('waits a minute, longer with each failure, and longest after a refusal', () => {
    const network = appError('connect-timeout');
    expect(waitAfter(0, null)).toBe(60_000);
    expect([1, 2, 3].map((failures) => waitAfter(failures, network))).toEqual([120_000, 240_000, 480_000]);
    expect(waitAfter(1, appError('rate-limited'))).toBe(300_000);
    expect(waitAfter(50, network)).toBe(3_600_000);
  });
});

it('keeps a cell from running as a formula, and an identifier from losing its zeros', () => {
  expect(csvRow(['=1+1', '00284147', 'a "b", c', null, 12.5, '-3.2', '@x', false])).toBe(
    `"'=1+1","'00284147","a ""b"", c",,12.5,-3.2,"'@x",false\r\n`,
  );
});
