import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBalances } from '../../electron/core/credits/balances.ts';
import { noCaps } from '../../electron/core/credits/caps.ts';
import { createCapsStore } from '../../electron/core/credits/caps-store.ts';
import { createLedger, type NewSpend } from '../../electron/core/credits/ledger.ts';
import { measurePrices } from '../../electron/core/credits/measured.ts';
import { readOverview } from '../../electron/core/credits/overview.ts';
import { openDatabase } from '../../electron/core/storage/database.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../helpers/temp-database.ts';

const hour = 60 * 60 * 1000;

describe('the ledger', () => {
  let temp: TempDatabase;
  let id: string;
  const known = { lastBalance: null };
  const ledger = () => createLedger(temp.db, temp.clock);
  const balances = () => createBalances(temp.db, temp.clock);
  const spend = (more: Partial<NewSpend> = {}): NewSpend => ({
    connectionId: id,
    callId: null,
    interface: 'rest',
    operation: 'GetPremise',
    subject: '00284147',
    paidBy: 'Contact centre',
    expected: 1,
    balanceBefore: null,
    ...more,
  });
  const admit = (more: Partial<NewSpend> = {}, caps = noCaps) => ledger().admitSpend(spend(more), caps, known);
  const reading = (credits: number | null, keyLastFour = '7f3a') =>
    unwrap(
      balances().recordReading(id, {
        source: 'rest-key',
        label: 'Contact centre',
        keyLastFour,
        credits,
        used: null,
        total: null,
        expiryDate: null,
        text: null,
      }),
    );

  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
  });
  afterEach(() => temp.remove());

  it('enters a spend before it is sent and settles it by the figures', () => {
    const entry = unwrap(admit());
    expect(entry).toMatchObject({ expected: 1, observed: null, verdict: 'unsettled', at: '2026-03-02T10:00:00.000Z' });
    const settled = unwrap(ledger().settleSpend(entry?.id ?? '', { observed: 2, balanceBefore: 12, balanceAfter: 10 }));
    expect(settled).toMatchObject({ observed: 2, balanceAfter: 10, verdict: 'more' });
    expect(unwrap(ledger().listEntries({ connectionId: id, limit: 10 }))).toEqual([settled]);
    expect(ledger().settleSpend('none', { observed: 1, balanceAfter: null })).toMatchObject({
      error: { code: 'bad-input' },
    });
  });

  it('enters no free call', () => {
    expect(unwrap(admit({ expected: 0 }))).toBeNull();
    expect(unwrap(ledger().listEntries({ connectionId: id, limit: 10 }))).toEqual([]);
  });

  it('counts an unsettled spend in full, also in the run after a crash, until it is proved not charged', () => {
    const lost = unwrap(admit({ expected: 2 }));
    const caps = { ...noCaps, perDay: 2 };
    temp.reopen();
    expect(admit({}, caps)).toMatchObject({ ok: false, error: { code: 'cap-reached' } });
    expect(unwrap(ledger().listUnsettled(id)).map((entry) => entry.id)).toEqual([lost?.id]);
    unwrap(ledger().settleSpend(lost?.id ?? '', { observed: 0, balanceAfter: 10, verdict: 'not-charged' }));
    expect(unwrap(ledger().listUnsettled(id))).toEqual([]);
    expect(admit({}, caps).ok).toBe(true);
  });

  it('lets exactly as many calls at once pass as the cap allows, over two processes’ connections', () => {
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    const theirs = createLedger(other, temp.clock);
    const caps = { ...noCaps, perDay: 3 };
    const admitted = [0, 1, 2, 3, 4, 5].map(
      (n) => (n % 2 ? admit({}, caps) : theirs.admitSpend(spend(), caps, known)).ok,
    );
    other.close();
    expect(admitted).toEqual([true, true, true, false, false, false]);
  });

  it('sums run, day and connection apart, and names what is in no sum', () => {
    const settle = (more: Partial<NewSpend>, observed: number | null) =>
      unwrap(ledger().settleSpend(unwrap(admit(more))?.id ?? '', { observed, balanceAfter: null }));
    temp.clock.time = new Date(2026, 2, 1, 23, 59).getTime();
    settle({ expected: 5 }, null);
    temp.clock.time = new Date(2026, 2, 2, 0, 0).getTime();
    settle({ expected: 1 }, 2);
    settle({ expected: null }, null);
    settle({ expected: null }, 3);
    unwrap(ledger().recordSpend(spend({ expected: 1 }), { observed: 0, balanceAfter: null, verdict: 'held-free' }));
    unwrap(ledger().recordSpend(spend({ expected: null }), { observed: 26, balanceAfter: 4, verdict: 'unexplained' }));
    expect(unwrap(ledger().spentToday(id))).toEqual({ credits: 5, unpriced: 1, unsettled: 0 });
    expect(unwrap(ledger().spentThisRun(id))).toEqual({ credits: 10, unpriced: 1, unsettled: 0 });
    expect(unwrap(ledger().spentToday('another'))).toEqual({ credits: 0, unpriced: 0, unsettled: 0 });
    temp.reopen();
    expect(unwrap(ledger().spentThisRun(id)).credits).toBe(0);
    expect(unwrap(ledger().spentToday(id)).credits).toBe(5);
  });

  it('pages newest first', () => {
    for (const subject of ['a', 'b', 'c']) unwrap(admit({ subject }));
    const first = unwrap(ledger().listEntries({ connectionId: id, limit: 2 }));
    const rest = unwrap(ledger().listEntries({ connectionId: id, limit: 2, before: first[1]?.id }));
    expect([...first, ...rest].map(({ subject }) => subject)).toEqual(['c', 'b', 'a']);
  });

  it('keeps every reading, shows the last of each source and key, and takes later spends off', () => {
    unwrap(admit({ expected: 7 }));
    temp.clock.time += hour;
    reading(100);
    reading(55, '0001');
    temp.clock.time += hour;
    reading(90);
    temp.clock.time += hour;
    unwrap(admit({ expected: 2 }));
    expect(unwrap(balances().latestReadings(id)).map(({ keyLastFour, credits }) => [keyLastFour, credits])).toEqual([
      ['0001', 55],
      ['7f3a', 90],
    ]);
    expect(unwrap(balances().readingsSince(id, '2026-03-02T10:30:00.000Z'))).toHaveLength(3);
    // 2 spent since, 7 still under way when it was read.
    expect(unwrap(balances().lastBalance(ledger(), id, 'rest-key', '7f3a'))).toBe(81);
    expect(unwrap(balances().lastBalance(ledger(), id, 'soap-account'))).toBeNull();
    temp.clock.time += hour;
    reading(null);
    expect(unwrap(balances().lastBalance(ledger(), id, 'rest-key', '7f3a'))).toBe(81);
  });

  it('measures a price only from calls that were alone between two readings', () => {
    const measure = (observed: number, alone: boolean) => {
      temp.clock.time += hour;
      const entry = unwrap(admit({ operation: 'GetGridReference', expected: null }));
      unwrap(ledger().settleSpend(entry?.id ?? '', { observed, balanceAfter: 0, alone }));
    };
    const price = measurePrices(temp.db);
    expect(unwrap(price(id, 'GetGridReference'))).toBeUndefined();
    measure(9, false);
    expect(unwrap(price(id, 'GetGridReference'))).toBeUndefined();
    for (const observed of [1, 2, 2]) measure(observed, true);
    measure(9, false);
    expect(unwrap(price(id, 'GetGridReference'))).toEqual({
      credits: 2,
      times: 2,
      firstAt: '2026-03-02T13:00:00.000Z',
      lastAt: '2026-03-02T14:00:00.000Z',
      alsoSeen: [1],
    });
    expect(unwrap(price('another', 'GetGridReference'))).toBeUndefined();
  });

  it('gives the overview from what is stored', () => {
    const caps = createCapsStore(temp.db);
    expect(unwrap(caps.read(id))).toEqual(noCaps);
    unwrap(caps.write(id, { perRun: 10, perDay: null, floor: 5 }));
    unwrap(caps.write(id, { perRun: 10, perDay: 20, floor: 5 }));
    const read = reading(50);
    unwrap(admit({ expected: 2 }));
    unwrap(admit({ expected: null }));
    expect(unwrap(readOverview({ balances: balances(), caps, ledger: ledger() }, id))).toEqual({
      readings: [read],
      caps: { perRun: 10, perDay: 20, floor: 5 },
      spentThisRun: 2,
      spentToday: 2,
      unpricedToday: 1,
      unsettledToday: 2,
    });
    expect(caps.write('no connection', noCaps)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  });
});
