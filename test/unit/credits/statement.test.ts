import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statementColumns, statementRows } from '../../../renderer/features/credits/statement/statement.ts';
import { noAccounting } from '../../../shared/domain/credits/accounting.ts';
import type { LedgerSums } from '../../../shared/domain/credits/credits.ts';
import type { Reconciliation } from '../../../shared/domain/credits/credits-history.ts';

const figure = fc.nat({ max: 5000 });
const sumsOf = fc.record({
  entries: figure,
  of: figure,
  calls: figure,
  price: figure,
  unpriced: figure,
  alone: figure,
  byPrice: figure,
  shared: figure,
  sharedBy: figure,
  open: figure,
  notExplained: figure,
  added: figure,
  balances: figure,
  madeUp: figure,
});
const nothing: LedgerSums = {
  entries: 0,
  of: 0,
  calls: 0,
  price: 0,
  unpriced: 0,
  alone: 0,
  byPrice: 0,
  shared: 0,
  sharedBy: 0,
  open: 0,
  notExplained: 0,
  added: 0,
  balances: 0,
  madeUp: 0,
};
const balance: Reconciliation = {
  source: 'rest-key',
  keys: [{ label: 'Contact centre', keyLastFour: '4f2a' }],
  opening: { at: '2026-11-01T08:00:00.000Z', credits: 5000 },
  closing: { at: '2026-11-30T08:00:00.000Z', credits: 4200 },
  additions: [],
  added: 0,
  spent: [],
  expected: 700,
  outside: 0,
  observed: 800,
  others: 26,
  othersMadeUp: 0,
  unexplained: 0,
  open: 74,
  unpriced: 0,
  undecided: 0,
  mayHaveDrawn: 0,
  quiet: { windows: 0, still: 0, seconds: 0 },
};

describe('the monthly statement', () => {
  test('each line is a figure of one kind: no price is added to a fall', () => {
    fc.assert(
      fc.property(sumsOf, sumsOf, (one, all) => {
        const rows = statementRows({
          byKey: [{ key: 'A', sums: one }],
          all,
          balances: [balance],
          accounting: noAccounting,
        });
        const allowed = new Set([one.price, all.price, all.shared, all.notExplained, 5000, 4200, 0, 800, 26]);
        for (const { credits, pounds } of rows) {
          expect(credits === null || allowed.has(credits)).toBe(true);
          expect(pounds).toBeNull();
        }
        expect(rows.filter(({ part, item }) => part === 'Published prices' && item === 'All calls')).toMatchObject([
          { calls: all.calls, credits: all.price },
        ]);
        const unknown = rows.filter(({ part }) => part === 'Not known');
        expect(unknown.map(({ calls }) => calls)).toEqual(
          expect.arrayContaining([all.unpriced, all.sharedBy, all.open, null]),
        );
      }),
    );
  });

  test('pounds and cost centres appear only if they were given', () => {
    const accounting = { poundsPerCredit: 0.045, centres: [{ label: 'A', centre: 'CC-12' }] };
    const rows = statementRows({
      byKey: [
        { key: 'A', sums: { ...nothing, calls: 3, price: 101 } },
        { key: 'B', sums: { ...nothing, calls: 1, price: 2, unpriced: 1 } },
        { key: 'silent', sums: nothing },
      ],
      all: { ...nothing, calls: 4, price: 103, unpriced: 1 },
      balances: [],
      accounting,
    });
    expect(rows.slice(0, 3)).toMatchObject([
      { item: 'A', centre: 'CC-12', credits: 101, pounds: 4.55 },
      { item: 'B', centre: '', credits: 2, pounds: 0.09, note: expect.stringContaining('1 call without a published') },
      { item: 'All calls', credits: 103, pounds: 4.64 },
    ]);
    expect(statementColumns(accounting).map(({ id }) => id)).toContain('pounds');
    expect(statementColumns(noAccounting).map(({ id }) => id)).not.toContain('pounds');
    const half = { ...nothing, calls: 1, price: 67 };
    expect(statementRows({ byKey: [], all: half, balances: [], accounting })[0]?.pounds).toBe(3.02);
  });

  test('made-up falls of the demo are named separately: the unexplained falls leave them out', () => {
    const notes = (othersMadeUp: number) =>
      statementRows({ byKey: [], all: nothing, balances: [{ ...balance, othersMadeUp }], accounting: noAccounting })
        .filter(({ item }) => item.includes('while no call'))
        .map(({ credits, note }) => ({ credits, note }));
    expect(notes(20)).toEqual([
      { credits: 26, note: expect.stringContaining('20 of them in the demo’s made-up history') },
    ]);
    expect(notes(0)).toEqual([{ credits: 26, note: '' }]);
  });

  test('a sum of figures with decimals is what is shown, saved and printed, and not its binary fraction', () => {
    const all = { ...nothing, notExplained: 0.1 + 0.2 };
    const balances = [{ ...balance, others: 0.1 + 0.7, added: 1.1 + 2.2 }];
    const rows = statementRows({ byKey: [], all, balances, accounting: noAccounting });
    const saved = statementColumns(noAccounting).find(({ id }) => id === 'credits');
    expect(rows.map((row) => saved?.value(row))).toEqual(expect.arrayContaining([0.3, 0.8, 3.3]));
  });

  test('what was spent before the first reading or after the last is a line, so that prices and falls can be compared', () => {
    const outsideOf = (one: Reconciliation) =>
      statementRows({ byKey: [], all: nothing, balances: [one], accounting: noAccounting })
        .filter(({ item }) => item.includes('after the last'))
        .map(({ part, item, credits }) => ({ part, item, credits }));
    expect(outsideOf({ ...balance, outside: 3 })).toEqual([
      {
        part: 'Not known',
        item: 'Contact centre ••4f2a: calls before the first reading or after the last',
        credits: 3,
      },
    ]);
    expect(outsideOf(balance)).toEqual([]);
    // Nothing is compared with a balance that was not read twice.
    expect(outsideOf({ ...balance, outside: 3, closing: null })).toEqual([]);
  });

  test('with a balance that was read once the statement says that nothing follows', () => {
    const once = { ...balance, keys: [{ label: 'Account', keyLastFour: '' }], closing: null };
    const rows = statementRows({ byKey: [], all: nothing, balances: [once], accounting: noAccounting });
    expect(rows.filter(({ part }) => part === 'What the balance did')).toMatchObject([
      { item: 'Account', credits: null, note: expect.stringContaining('nothing follows') },
    ]);
  });
});
