import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { createAlerts } from '../../../electron/core/credits/alerts.ts';
import { makeDemoHistory } from '../../../electron/core/credits/demo-history.ts';
import { createCreditHistory, toBars } from '../../../electron/core/credits/history.ts';
import { createReconciler } from '../../../electron/core/credits/reconcile.ts';
import { startOfDay, wholeDays } from '../../../electron/core/spend/days.ts';
import { openCreditHistoryRepository, undecidedSql } from '../../../electron/core/storage/credit-history-repository.ts';
import { migrate } from '../../../electron/core/storage/database/migrate.ts';
import {
  fillDrawnOn,
  spendDaysOfBalances,
} from '../../../electron/core/storage/database/migrations/0028-spend-days-of-balances.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import { namesIn } from '../../../electron/core/storage/one-balance.ts';
import { nothingSpentText } from '../../../renderer/features/credits/balance/run-out-figures.tsx';
import { spendSums } from '../../../renderer/features/credits/charts/chart-data.ts';
import {
  movedText,
  openText,
  otherCallsText,
  quietText,
} from '../../../renderer/features/credits/reconcile/reconcile-pane.tsx';
import { statementRows } from '../../../renderer/features/credits/statement/statement.ts';
import { noAccounting } from '../../../shared/domain/credits/accounting.ts';
import type { BalanceSample } from '../../../shared/domain/credits/credits.ts';
import type { SpendBar } from '../../../shared/domain/credits/credits-history.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { localDay } from '../../../shared/domain/text/calendar-day.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { entriesReader, factsOf, forecasterOf, origin, servers } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('what is undecided in a range is found without reading the calls that are decided', () => {
  const temp = openTempDatabase();
  try {
    const plan = temp.db.sql.prepare(`EXPLAIN QUERY PLAN ${undecidedSql}`).all();
    expect(plan.map((row) => String(row.detail))).toEqual([
      'SEARCH ledger USING INDEX ledger_undecided (connection_id=? AND interface=? AND at>? AND at<?)',
    ]);
  } finally {
    temp.remove();
  }
});

test('sums of a balance go from one connection to the next, not through all days of all of them', () => {
  const temp = openTempDatabase();
  try {
    const { sql } = temp.db;
    const prepare = sql.prepare.bind(sql);
    const steps: string[] = [];
    sql.prepare = (text) => {
      steps.push(
        ...prepare(`EXPLAIN QUERY PLAN ${text}`)
          .all()
          .map((row) => String(row.detail)),
      );
      return prepare(text);
    };
    openCreditHistoryRepository(sql);
    expect(steps).toContain('SEARCH spend_days USING PRIMARY KEY (connection_id=? AND day>? AND day<?)');
    expect(steps.filter((step) => /^SCAN (?:spend_days|reading_days|ledger|segments)/.test(step))).toEqual([]);
  } finally {
    temp.remove();
  }
});

describe('a range of any length', () => {
  test.each([
    ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['0099-06-01T00:00:00.000Z', '0099-06-02T00:00:00.000Z'],
    ['9999-12-31T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
  ])('%s to %s has no more bars than there are days of what is stored', (from, to) => {
    const temp = openTempDatabase();
    try {
      const { id } = temp.addConnection();
      const facts = factsOf(temp.db, temp.clock, id);
      facts.read(100);
      temp.clock.time += 3 * day;
      facts.call({ expected: 1 });
      const range = wholeDays({ from, to });
      expect(Date.parse(range.to)).toBeGreaterThan(Date.parse(range.from));
      const history = unwrap(
        createCreditHistory(temp.db, temp.clock, () => servers).read({ connectionId: id, ...range, by: 'key' }),
      );
      expect(history.bars.length).toBeLessThanOrEqual(4);
      expect(
        unwrap(createReconciler(temp.db, () => false).reconcile(id, range.from, range.to)).length,
      ).toBeLessThanOrEqual(1);
      // The core answers too if it is called without the handlers.
      const bare = unwrap(
        createCreditHistory(temp.db, temp.clock, () => servers).read({
          connectionId: id,
          from: range.from,
          to,
          by: 'key',
        }),
      );
      expect(bare.bars.length).toBeLessThanOrEqual(4);
    } finally {
      temp.remove();
    }
  });

  test('weeks without a spend have a bar, the first and the current one too', () => {
    const weeks = toBars([], '2026-01-07', '2026-03-17').bars.map((bar) => bar.day);
    expect([weeks.length, weeks[0], weeks.at(-1)]).toEqual([11, '2026-01-05', '2026-03-16']);
  });

  test('a row that a wrong clock left centuries away does not fill the time between with empty weeks', () => {
    const row = (date: string) => ({ day: date, kind: 'spend' as const, series: 'key', credits: 1, unpriced: 0 });
    const { bars } = toBars([row('2026-01-05'), row('9998-01-05')], '2026-01-01', '9998-12-31');
    expect(bars).toHaveLength(2);
  });
});

describe('what days add up to', () => {
  let temp: TempDatabase;
  let id: string;
  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
  });
  afterEach(() => temp.remove());

  const facts = () => factsOf(temp.db, temp.clock, id);
  const ledger = () => facts().ledger;
  const read = (credits: number, expiryDate: string | null = null): BalanceSample =>
    facts().read(credits, { expiryDate });
  /** A call between two readings of its balance, with no other call between them. */
  const spend = (credits: number) => facts().call({ expected: credits });
  const later = (milliseconds: number) => {
    temp.clock.time += milliseconds;
  };
  const forecast = () => unwrap(forecasterOf(temp.db, temp.clock).read(id));

  it('has not enough data at first, and a range once three whole days are known', () => {
    expect(forecast()).toEqual({ from: null, expires: null, unpriced: 0, console: null, account: null });
    read(1000, '2026-03-31');
    for (let count = 0; count < 3; count += 1) {
      spend(10);
      later(day);
    }
    expect(forecast().console).toEqual({ kind: 'not-enough-data', days: 2 });
    spend(10);
    later(day);
    read(960, '2026-03-31');
    expect(forecast()).toMatchObject({
      from: { label: 'Contact centre', credits: 960 },
      expires: '2026-03-31',
      console: { kind: 'runs-out', days: 3, perDay: 10, noRange: 'few-days', unused: { likely: 700 } },
    });
  });

  it('has the same daily sums by person as by key; a call without a person counts as not recorded', async () => {
    const asked = (person: string) => {
      const log = createActivityLog(temp.db, temp.clock, { person, source: 'window' });
      const call = { connectionName: '', interface: 'rest', operation: 'GetPremise', subject: '', paidBy: '' } as const;
      facts().call({
        callId: unwrap(log.beginCall({ ...call, connectionId: id, expectedCredits: 1 })).id,
        expected: 1,
      });
    };
    for (let count = 0; count < 3; count += 1) {
      asked('Marian Oakes');
      asked('Marian Oakes');
      asked('Tom Adeyemi');
      facts().call({ expected: 2 });
      later(day);
    }
    const range = {
      connectionId: id,
      ...wholeDays({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z' }),
    };
    const history = createCreditHistory(temp.db, temp.clock, () => servers);
    const byPerson = unwrap(await history.readByPerson(range));
    expect([...byPerson.series].sort()).toEqual(['Marian Oakes', 'Tom Adeyemi', 'not recorded']);
    const spentOn = byPerson.bars.filter(({ parts }) => Object.keys(parts).length > 0);
    expect(spentOn.map(({ parts }) => parts)).toEqual(
      Array(3).fill({ 'Marian Oakes': 2, 'Tom Adeyemi': 1, 'not recorded': 2 }),
    );
    const sums = (bars: readonly SpendBar[]) =>
      bars.map(({ day: on, parts }) => [on, Object.values(parts).reduce((sum, part) => sum + part, 0)]);
    expect(sums(byPerson.bars)).toEqual(sums(unwrap(history.read({ ...range, by: 'key' })).bars));
  });

  it('spreads a fall over a gap among its days for the account’s rate, and not for this console’s', () => {
    read(5000);
    for (let count = 0; count < 4; count += 1) {
      later(day);
      spend(10);
    }
    later(2 * hour);
    // 400 in 98 hours. The first 14 hours belong to a day that is known only in part, so the spend is divided by hours.
    read(4560);
    later(day);
    const { console: own, account } = forecast();
    expect(own).toMatchObject({ kind: 'runs-out', days: 4, perDay: 10 });
    // The rate is assumed to continue after the last reading, which was at noon.
    expect(account?.kind === 'runs-out' && account.perDay).toBeCloseTo(10 + (400 / 98) * 24, 6);
  });

  it('subtracts what was spent since the last reading, as a fresh reading would', () => {
    const { at } = read(4000);
    for (let count = 0; count < 28; count += 1) {
      later(day);
      spend(100);
    }
    later(day);
    const stale = forecast();
    // Read on 2 March. After 28 days at 100 a day, 1,200 are left on 31 March, which last for twelve more days.
    expect(stale.from).toMatchObject({ credits: 4000, at, spentSince: 2800 });
    expect(stale.console).toMatchObject({
      perDay: 100,
      earliest: '2026-04-12',
      likely: '2026-04-12',
      latest: '2026-04-12',
    });
    read(1200);
    const fresh = forecast();
    expect(fresh.from).toMatchObject({ credits: 1200, spentSince: 0 });
    expect(stale.console).toEqual(fresh.console);
    expect(stale.account).toEqual(fresh.account);
  });

  it('subtracts what others are likely to have spent since the last reading, for the account’s rate only', () => {
    read(9000);
    let left = 9000;
    for (let count = 0; count < 28; count += 1) {
      later(day);
      if (count >= 14) continue;
      left -= 50;
      read(left);
    }
    const { console: own, account } = forecast();
    expect(own).toMatchObject({ kind: 'nothing-spent' });
    // 8,300 at ten o'clock on 16 March last 166 days at 50 a day: the first day without credits is 30 August.
    expect(account?.kind === 'runs-out' && account.perDay).toBeCloseTo(50, 6);
    expect(account?.kind === 'runs-out' && account.likely).toBe('2026-08-30');
  });

  it('uses the earlier of run-out and expiry, and says which', () => {
    const told: string[] = [];
    const alerts = createAlerts({
      db: temp.db,
      clock: temp.clock,
      nameOf: () => 'Wyebank',
      forecaster: forecasterOf(temp.db, temp.clock),
      ledger: ledger(),
      notify: ({ title }) => void told.push(title),
    });
    unwrap(alerts.save(id, [{ kind: 'days-left', threshold: 7 }]));
    const readAndCheck = (credits: number, expiryDate: string) => unwrap(alerts.check(id, read(credits, expiryDate)));
    readAndCheck(5000, '2026-03-31');
    expect(told).toEqual([]);
    later(day);
    readAndCheck(5000, '2026-03-05');
    expect(told).toEqual(['5,000 credits expire in 2 days']);
    later(3 * day);
    expect(forecast().console).toEqual({ kind: 'expired', on: '2026-03-05' });
    readAndCheck(0, '2026-03-05');
    readAndCheck(6000, '2027-03-05');
    readAndCheck(6000, '2026-03-05');
    expect(told.slice(1)).toEqual(['6,000 credits expired 1 day ago, by their date']);

    // While it is off it reports nothing; a threshold that was crossed in the meantime is reported once it is on again.
    const alert = { kind: 'below-credits', threshold: 500 } as const;
    unwrap(alerts.save(id, [alert]));
    readAndCheck(700, '2027-03-05');
    expect(unwrap(alerts.list(id))).toEqual([{ ...alert, toldAt: null, isOn: true, now: 700 }]);
    expect(unwrap(alerts.turn(id, alert, false))).toMatchObject([{ isOn: false }]);
    readAndCheck(400, '2027-03-05');
    expect(told).toHaveLength(2);
    expect(unwrap(alerts.turn(id, alert, true))).toMatchObject([{ isOn: true, toldAt: null, now: 400 }]);
    readAndCheck(399, '2027-03-05');
    expect(told.slice(2)).toEqual(['Fewer than 500 credits left']);
  });

  it('has no alert in per cent at exactly its figure', () => {
    const told: string[] = [];
    const alerts = createAlerts({
      db: temp.db,
      clock: temp.clock,
      nameOf: () => 'Wyebank',
      forecaster: forecasterOf(temp.db, temp.clock),
      ledger: ledger(),
      notify: ({ title }) => void told.push(title),
    });
    unwrap(alerts.save(id, [{ kind: 'below-percent', threshold: 29 }]));
    unwrap(alerts.check(id, facts().read(29, { used: 71, total: 100 })));
    expect(told).toEqual([]);
    later(hour);
    unwrap(alerts.check(id, facts().read(28.9, { used: 71.1, total: 100 })));
    expect(told).toEqual(['Less than 29 % of 100 credits left']);
  });

  it('watches and forecasts the balance of the key that pays, whichever key was read last', () => {
    const told: string[] = [];
    const forecaster = forecasterOf(temp.db, temp.clock, { payerOf: () => 'Contact centre' });
    const alerts = createAlerts({
      db: temp.db,
      clock: temp.clock,
      nameOf: () => 'Wyebank',
      forecaster,
      ledger: ledger(),
      notify: ({ title }) => void told.push(title),
    });
    unwrap(alerts.save(id, [{ kind: 'below-credits', threshold: 500 }]));
    for (let count = 0; count < 3; count += 1) {
      unwrap(alerts.check(id, read(400)));
      later(hour);
      const other = { label: 'In reserve', keyLastFour: '91c2', fingerprint: 'in-reserve' };
      unwrap(alerts.check(id, facts().read(9000, other)));
      later(hour);
    }
    expect(told).toEqual(['Fewer than 500 credits left']);
    expect(unwrap(alerts.list(id))).toMatchObject([{ now: 400 }]);
    expect(unwrap(forecaster.read(id)).from).toMatchObject({ label: 'Contact centre', credits: 400 });
  });

  it('counts what other keys spend only while they may share the balance of the key that pays', () => {
    const batch = { paidBy: 'Nightly batch', fingerprint: 'batch' };
    for (let left = 500; left >= 460; left -= 10) {
      read(left);
      later(hour);
      facts().call({ expected: 10 });
      facts().call({ ...batch, expected: 90 });
      later(day - hour);
    }
    const of = (separate: boolean) => {
      unwrap(ledger().declareSeparate(origin, separate));
      return unwrap(
        forecasterOf(temp.db, temp.clock, {
          payerOf: () => 'Contact centre',
          isSeparate: () => separate,
        }).read(id),
      );
    };
    expect(of(false)).toMatchObject({ from: { credits: 460, spentSince: 100 }, console: { perDay: 100 } });
    expect(of(true)).toMatchObject({ from: { credits: 460, spentSince: 10 }, console: { perDay: 10 } });
  });

  it('counts what a licence spends off the account’s balance, which is read with the GUID, also where keys are separate', () => {
    for (let left = 500; left >= 460; left -= 10) {
      facts().read(left, { source: 'soap-account', label: 'Account', keyLastFour: 'beef', fingerprint: 'guid' });
      later(hour);
      facts().call({ interface: 'soap', paidBy: 'Desk licence', fingerprint: 'licence', expected: 10 });
      later(day - hour);
    }
    const separate = forecasterOf(temp.db, temp.clock, { isSeparate: () => true });
    expect(unwrap(separate.read(id))).toMatchObject({ from: { spentSince: 10 }, console: { perDay: 10 } });
  });

  it('counts no fall of a server to which the connection no longer leads', () => {
    for (let left = 500; left >= 300; left -= 50) {
      facts().read(left, { origin: 'https://before.example', fingerprint: 'before' });
      later(day);
    }
    for (let days = 0; days < 4; days += 1) {
      read(400);
      later(day);
    }
    const of = (rest: string) =>
      unwrap(forecasterOf(temp.db, temp.clock, { serversFor: () => ({ rest, soap: origin }) }).read(id)).account;
    expect(of('https://before.example')).toMatchObject({ kind: 'runs-out' });
    // On the days before it was first read there nothing is known of this balance.
    expect(of(origin)).toEqual({ kind: 'nothing-spent', days: 3 });
  });

  it('never says that nothing was spent where the cost of calls is not known, though the balance was seen to fall', () => {
    for (let left = 500; left >= 460; left -= 10) {
      read(left);
      for (let calls = 0; calls < 2; calls += 1) facts().call({ operation: 'GeoData_ForPostcode', expected: null });
      later(day);
    }
    read(450);
    const { console: own, unpriced } = forecast();
    expect(own).toEqual({ kind: 'nothing-spent', days: 4 });
    expect(nothingSpentText(4, unpriced)).toBe('no cost known in 4 days, 8 calls of unknown cost');
    expect(nothingSpentText(4, 0)).toBe('nothing spent in 4 days');
    const range = wholeDays({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T00:00:00.000Z' });
    const history = createCreditHistory(temp.db, temp.clock, () => servers);
    const { bars } = unwrap(history.read({ connectionId: id, ...range, by: 'key' }));
    expect(spendSums(bars)).toEqual({ all: 0, unexplained: 0, unpriced: 10 });
  });

  it('says that nothing was read only up to the first reading of the day after, and takes no impossible day for an expiry', () => {
    read(50, '2026-02-30');
    const since = new Date(temp.clock.now()).toISOString();
    later(5 * day);
    const until = read(40, '2026-02-30').at;
    later(6 * hour);
    read(30, '2026-02-30');
    const range = wholeDays({ from: '2026-01-01T00:00:00.000Z', to: '2026-12-31T00:00:00.000Z' });
    const history = createCreditHistory(temp.db, temp.clock, () => servers);
    const [line] = unwrap(history.read({ connectionId: id, ...range, by: 'key' })).lines;
    expect(line?.points.map(({ credits, gap }) => [credits, gap])).toEqual([
      [50, null],
      [30, { since, until }],
    ]);
    expect(forecast()).toMatchObject({ from: { credits: 30 }, expires: null });
    // It would be 2 March, on which it was read.
    expect(
      facts()
        .entries()
        .flatMap(({ claims }) => claims.map(({ kind }) => kind)),
    ).not.toContain('expiry');
    // .NET's empty date is none on which credits expired.
    read(20, '0001-01-01T00:00:00');
    expect(forecast()).toMatchObject({ from: { credits: 20 }, expires: null });
  });

  it('says of a quiet window that no call was begun in it: one begun before may have been under way', () => {
    const call = facts().send();
    later(5_000);
    read(100);
    later(10_000);
    read(99);
    facts().end(call);
    const reconcile = () => {
      const from = new Date(temp.clock.now() - day).toISOString();
      const now = new Date(temp.clock.now()).toISOString();
      const [balance] = unwrap(createReconciler(temp.db, () => false).reconcile(id, from, now));
      return balance ? quietText(balance) : '';
    };
    expect(reconcile()).toBe(
      'Of 1 quiet window over REST (less than a minute, with no call of this connection over it begun between the readings, apart from those that are free by published prices), the balance stood still in 0 and moved in 1.',
    );
    temp.remove();
    temp = openTempDatabase();
    id = temp.addConnection().id;
    read(100);
    later(5_000);
    facts().call();
    read(99);
    expect(reconcile()).toBe(
      'Between any two readings a call of this connection over REST was begun that is not free by its published price, sent or not.',
    );
  });

  it('calls no rise a fall, if a service’s figures contradict each other', () => {
    facts().read(100, { used: 0, total: 100 });
    later(hour);
    facts().read(150, { used: 0, total: 100 });
    const now = new Date(temp.clock.now()).toISOString();
    const [balance] = unwrap(
      createReconciler(temp.db, () => false).reconcile(id, new Date(temp.clock.now() - day).toISOString(), now),
    );
    if (!balance) throw new Error('no reconciliation');
    expect(balance).toMatchObject({ observed: -50, open: -50, added: 0 });
    expect(quietText(balance)).toMatch(/^Of 1 quiet window over REST \(1 hour, /);
    expect(quietText({ ...balance, quiet: { ...balance.quiet, seconds: 20 } })).toMatch(/\(less than a minute, /);
    expect(movedText(balance.observed)).toBe('Apart from what is listed, the balance rose by 50 credits.');
    expect(openText(balance)).toBe('the lines above come to more than the balance fell by');
    const none = {
      price: 0,
      unpriced: 0,
      alone: 0,
      byPrice: 0,
      shared: 0,
      sharedBy: 0,
      open: 0,
      notExplained: 0,
      balances: 0,
    };
    const rows = statementRows({
      byKey: [],
      all: { ...none, entries: 0, of: 0, calls: 0, added: 0, madeUp: 0 },
      balances: [balance],
      accounting: noAccounting,
    });
    expect(rows.find(({ item }) => item.includes('rose further'))).toMatchObject({ credits: 50 });
    expect(rows.some(({ item }) => item.endsWith('fell by'))).toBe(false);
  });

  it('counts what was taken beyond a published price as nobody’s call', () => {
    read(100);
    later(hour);
    spend(1);
    later(hour);
    read(94);
    const now = new Date(temp.clock.now()).toISOString();
    const from = new Date(temp.clock.now() - day).toISOString();
    const [balance] = unwrap(createReconciler(temp.db, () => false).reconcile(id, from, now));
    expect(balance).toMatchObject({ expected: 1, observed: 6, unexplained: 5, others: 0, open: 0 });
    const { bars } = unwrap(
      createCreditHistory(temp.db, temp.clock, () => servers).read({ connectionId: id, from, to: now, by: 'key' }),
    );
    expect(bars.at(-1)).toMatchObject({ parts: { 'Contact centre': 1 }, unexplained: 5 });
  });

  it('updates its days when the balance shows the cost of a call', () => {
    read(11);
    const entry = spend(2);
    const today = () => {
      const now = new Date(temp.clock.now()).toISOString();
      const { bars } = unwrap(
        createCreditHistory(temp.db, temp.clock, () => servers).read({
          connectionId: id,
          from: now,
          to: now,
          by: 'key',
        }),
      );
      return bars[0]?.parts['Contact centre'] ?? 0;
    };
    expect(today()).toBe(2);
    read(10);
    expect(facts().entry(entry)?.observed).toBe(1);
    expect(today()).toBe(1);
    spend(2);
    expect(today()).toBe(3);
    read(10);
    expect(today()).toBe(1);
  });

  it('says what was spent before the first reading of a range and after its last', () => {
    const from = new Date(temp.clock.now()).toISOString();
    const reconcile = () =>
      unwrap(createReconciler(temp.db, () => false).reconcile(id, from, new Date(temp.clock.now()).toISOString()))[0];
    for (const credits of [3, 4]) {
      spend(credits);
      later(5 * hour);
    }
    read(1000);
    expect(reconcile()).toMatchObject({ opening: { credits: 1000 }, closing: null, expected: 0, outside: 7 });
    later(day);
    spend(10);
    later(hour);
    read(990);
    later(day);
    spend(20);
    later(hour);
    expect(reconcile()).toMatchObject({ expected: 10, observed: 10, open: 0, outside: 27 });
  });

  it('counts exact entries in a window that cuts days in two', () => {
    read(1000);
    for (let count = 0; count < 50; count += 1) {
      later(5 * hour);
      spend(1 + (count % 2));
    }
    later(hour);
    read(925);
    const from = new Date(temp.clock.now() - 300 * hour).toISOString();
    const [balance] = unwrap(
      createReconciler(temp.db, () => false).reconcile(id, from, new Date(temp.clock.now()).toISOString()),
    );
    expect(balance).toMatchObject({ expected: 75, observed: 75, open: 0, spent: [{ calls: 50 }] });
  });

  it('makes a demo year once; it ends at the real figure, adds up, and is marked row by row', () => {
    const sample = read(5000);
    expect(unwrap(makeDemoHistory(temp.db, id, sample))).toBe(true);
    expect(unwrap(makeDemoHistory(temp.db, id, sample))).toBe(false);
    const now = new Date(temp.clock.now()).toISOString();
    const [balance] = unwrap(
      createReconciler(temp.db, () => false).reconcile(id, new Date(temp.clock.now() - 366 * day).toISOString(), now),
    );
    expect(balance?.closing?.credits).toBe(5000);
    expect(balance?.open).toBe(0);
    expect(balance?.added).toBeGreaterThan(0);
    expect(balance?.others).toBeGreaterThan(0);
    expect(balance?.othersMadeUp).toBe(balance?.others);
    const entries = entriesReader(temp.db)(id);
    expect(entries.every(({ madeUp }) => madeUp)).toBe(true);
    const other = temp.addConnection('Another');
    expect(entriesReader(temp.db)(other.id)).toEqual([]);
  });
});

describe('the figures of one balance', () => {
  let temp: TempDatabase;
  let id: string;
  let facts: ReturnType<typeof factsOf>;
  let from: string;
  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
    facts = factsOf(temp.db, temp.clock, id);
    from = new Date(temp.clock.time - 1).toISOString();
  });
  afterEach(() => temp.remove());

  const a = { fingerprint: 'a', label: 'A', keyLastFour: '1111' };
  const b = { fingerprint: 'b', label: 'B', keyLastFour: '2222' };
  const account = { fingerprint: 'guid', label: 'Account', keyLastFour: '3333', source: 'soap-account' as const };
  const payer = ({ fingerprint, label }: { fingerprint: string; label: string }) => ({ fingerprint, paidBy: label });
  const licence = {
    interface: 'soap',
    operation: 'GeoData_ForPostcode',
    fingerprint: 'licence',
    paidBy: 'Licence',
  } as const;
  const later = (ms: number) => {
    temp.clock.time += ms;
  };
  const sheets = (separate = false) =>
    unwrap(createReconciler(temp.db, () => separate).reconcile(id, from, new Date(temp.clock.time).toISOString()));
  const forecast = (payer = 'A') => unwrap(forecasterOf(temp.db, temp.clock, { payerOf: () => payer }).read(id));

  it.each([null, 1])('count calls over SOAP whose falls it showed, of the published price %s', (expected) => {
    let left = 100;
    facts.read(left, a);
    facts.read(5000, account);
    for (let days = 0; days < 5; days += 1) {
      for (let calls = 0; calls < 3; calls += 1) {
        later(hour);
        facts.call({ ...licence, expected });
        left -= 1;
        facts.read(left, a);
      }
      later(day - 3 * hour);
    }
    facts.read(5000, account);
    expect(forecast()).toMatchObject({ console: { perDay: 3 }, account: { perDay: 3 }, unpriced: 0 });
    const [rest, soap] = sheets();
    const spent = [{ paidBy: 'Licence', credits: 15, calls: 15 }];
    expect(rest).toMatchObject({ spent, expected: 15, observed: 15, open: 0 });
    // Which of the two they draw on is not known, so they count against both.
    expect(soap).toMatchObject({ spent, expected: 15, observed: 0, open: -15 });
  });

  it('count calls against their own balance too where another, which others draw on, falls by their prices', () => {
    let left = 100;
    let credits = 10_000;
    facts.read(credits, a);
    facts.read(left, account);
    for (let days = 0; days < 5; days += 1) {
      for (let calls = 0; calls < 3; calls += 1) {
        later(hour);
        facts.call({ ...licence, expected: 1 });
      }
      credits -= 20;
      facts.read(credits, a);
      // As a paid reading without a price, which is a call of the stretch that it ends.
      facts.call({ ...licence, expected: null });
      left -= 3;
      facts.read(left, account);
      later(day - 3 * hour);
    }
    const [, soap] = sheets();
    expect(soap).toMatchObject({ observed: 15, open: 0 });
    expect(soap?.spent).toMatchObject([{ paidBy: 'Licence', credits: 15 }]);
  });

  it('never say that nothing was spent beside calls over the other interface that may have drawn on it', () => {
    for (let days = 0; days < 5; days += 1) {
      facts.read(1000 + days * 100, a);
      later(hour);
      facts.call({ ...licence, expected: 1 });
      later(day - hour);
    }
    // The balance rose beside four of them, and was not read since the last.
    expect(forecast()).toMatchObject({ console: { kind: 'nothing-spent' }, unpriced: 4 });
    expect(sheets().map(otherCallsText)).toEqual([
      '4 calls over SOAP may have drawn on it too; no reading shows that.',
    ]);
    facts.read(1400, a);
    temp.remove();
    temp = openTempDatabase();
    id = temp.addConnection().id;
    facts = factsOf(temp.db, temp.clock, id);
    for (let days = 0; days < 5; days += 1) {
      facts.read(1000, a);
      later(hour);
      facts.call({ ...licence, expected: 1 });
      later(day - hour);
    }
    facts.read(1000, a);
    // It stood still beside all of them.
    expect(forecast()).toMatchObject({ account: { kind: 'nothing-spent' }, unpriced: 0 });
  });

  it('count no calls over SOAP that a fall does not account for', () => {
    let left = 10_000;
    facts.read(left, a);
    for (let days = 0; days < 5; days += 1) {
      later(hour);
      // Of a balance of their own, which is never read; beside a call with the key, then beside somebody else's.
      for (let calls = 0; calls < 30; calls += 1) facts.call({ ...licence, expected: 1 });
      facts.call(payer(a));
      later(hour);
      left -= 1;
      facts.read(left, a);
      for (let calls = 0; calls < 10; calls += 1) facts.call({ ...licence, expected: 1 });
      later(hour);
      left -= 1;
      facts.read(left, a);
      later(day - 3 * hour);
    }
    expect(forecast()).toMatchObject({ console: { perDay: 1 }, unpriced: 160 });
    const [balance] = sheets();
    expect(balance).toMatchObject({ spent: [{ paidBy: 'A', calls: 5 }], expected: 5, observed: 10, open: 5 });
    expect(balance && otherCallsText(balance)).toBe(
      '200 calls over SOAP may have drawn on it too; no reading shows that.',
    );
  });

  it.each([
    { calls: 1, expected: 1, showsCost: 0, beyond: 5 },
    { calls: 10, expected: 1, showsCost: 0, beyond: 5 },
    { calls: 1, expected: null, showsCost: 2, beyond: 3 },
  ])(
    'have all of a fall that the ledger says no call explains: $calls of the price $expected that cost $showsCost',
    async (world) => {
      for (let days = 0; days < 5; days += 1) {
        facts.read(500, b);
        facts.read(100, a);
        later(hour);
        for (let calls = 0; calls < world.calls; calls += 1) facts.call({ ...payer(a), expected: world.expected });
        later(hour);
        facts.read(100 - world.showsCost, a);
        facts.read(100, a);
        later(hour);
        facts.read(495, b);
        facts.read(500, b);
        later(day - 3 * hour);
      }
      facts.read(500, b);
      const [balance] = sheets();
      expect(balance).toMatchObject({ keys: [{ label: 'B' }, { label: 'A' }], unexplained: 5 * world.beyond });
      expect((await facts.ledger.search.sums(id, wholeTable, () => [])).notExplained).toBe(5 * world.beyond);
      expect(forecast('B').account).toMatchObject({ perDay: world.beyond + world.showsCost });
    },
  );

  it('have each credit once, where two keys of one account are read at different times', async () => {
    facts.read(100, a);
    later(1000);
    facts.read(100, b);
    later(hour);
    facts.read(1100, a);
    facts.call(payer(a));
    facts.read(1099, a);
    later(1000);
    facts.call(payer(b));
    facts.read(1098, b);
    facts.read(1098, a);
    let left = 1098;
    for (let days = 0; days < 5; days += 1) {
      for (let reads = 0; reads < 4; reads += 1) {
        later(day / 4);
        left -= 10;
        facts.read(left, a);
      }
      facts.read(left, b);
    }
    const [balance] = sheets();
    expect(balance).toMatchObject({
      keys: [{ label: 'A' }, { label: 'B' }],
      added: 1000,
      expected: 2,
      others: 200,
      open: 0,
    });
    expect(forecast().account).toMatchObject({ perDay: expect.closeTo(40, 0) });
    const sums = async () => facts.ledger.search.sums(id, { ...wholeTable }, () => []);
    // Of two balances, as far as is known, until a person says that they are two.
    expect(await sums()).toMatchObject({ notExplained: 400, balances: 2 });
    const history = createCreditHistory(temp.db, temp.clock, () => servers);
    const drawn = () =>
      unwrap(history.read({ connectionId: id, from, to: new Date(temp.clock.time).toISOString(), by: 'key' }));
    expect(drawn().balances).toBe(2);
    unwrap(facts.ledger.declareSeparate(origin, true));
    expect([(await sums()).balances, drawn().balances]).toEqual([0, 0]);
  });

  it.each([
    ['a key is replaced', b],
    ['the address is edited', { ...a, origin: 'https://live.example' }],
  ])('are exact together where %s: none of the credits of one can be in the other', async (_, next) => {
    const balances = async () => {
      const to = new Date(temp.clock.time).toISOString();
      const history = createCreditHistory(temp.db, temp.clock, () => servers);
      const drawn = unwrap(history.read({ connectionId: id, from, to, by: 'key' })).balances;
      return [(await facts.ledger.search.sums(id, wholeTable, () => [])).balances, drawn];
    };
    facts.read(100, a);
    later(day);
    facts.read(95, a);
    facts.read(95, next);
    later(day);
    facts.read(91, next);
    expect(await balances()).toEqual([0, 0]);
    // The first one is read once more: it fell in the same days.
    facts.read(90, a);
    expect(await balances()).toEqual([2, 2]);
  });

  it('are its own, though another that plainly differs has the same label', () => {
    facts.read(1000, a);
    facts.read(5000, { ...account, label: 'A' });
    for (let days = 1; days <= 5; days += 1) {
      later(day);
      facts.read(1000, a);
      facts.read(5000 - 100 * days, { ...account, label: 'A' });
    }
    expect(forecast().account).toEqual({ kind: 'nothing-spent', days: 4 });
    expect(sheets()).toMatchObject([
      { observed: 0, others: 0, open: 0 },
      { observed: 500, others: 500, open: 0 },
    ]);
  });

  it('have its last top-up, whichever key or connection saw that first', () => {
    const told: string[] = [];
    let payer = 'A';
    const alerts = createAlerts({
      db: temp.db,
      clock: temp.clock,
      nameOf: () => 'Wyebank',
      forecaster: forecasterOf(temp.db, temp.clock, { payerOf: () => payer }),
      ledger: facts.ledger,
      notify: ({ title }) => void told.push(title),
    });
    unwrap(alerts.save(id, [{ kind: 'below-percent', threshold: 20 }]));
    const read = (credits: number, ...keys: (typeof a)[]) => {
      for (const key of keys) {
        unwrap(alerts.check(id, facts.read(credits, key)));
        later(hour);
      }
    };
    read(100, a, b);
    read(1000, a, b);
    payer = 'B';
    read(900, b, a);
    expect(told).toEqual([]);
    read(100, b, a);
    expect(told).toEqual(['Less than 20 % of 1,000 credits left']);
    // The next one is read with A first.
    read(20_000, a, b);
    read(3000, b);
    expect(told.slice(1)).toEqual(['Less than 20 % of 20,000 credits left']);
    const night = factsOf(temp.db, temp.clock, temp.addConnection('Night').id);
    night.read(40_000, b);
    later(hour);
    read(39_000, b);
    read(7000, b);
    expect(told.slice(2)).toEqual(['Less than 20 % of 40,000 credits left']);
  });

  it('have no call of a key that was replaced under its label, where keys are separate', () => {
    unwrap(facts.ledger.declareSeparate(origin, true));
    const main = { label: 'A' };
    facts.call({ ...payer(a) });
    later(hour);
    facts.read(99, a);
    later(hour);
    facts.call({ ...payer(a) });
    later(hour);
    facts.read(98, a);
    later(hour);
    facts.read(50, { ...b, ...main });
    for (let calls = 0; calls < 5; calls += 1) {
      later(1000);
      facts.call({ ...payer(b), paidBy: 'A' });
    }
    later(hour);
    facts.read(45, { ...b, ...main });
    expect(sheets(true)).toMatchObject([
      { keys: [{ keyLastFour: '1111' }], expected: 1, outside: 1, open: 0 },
      { keys: [{ keyLastFour: '2222' }], expected: 5, outside: 0, open: 0 },
    ]);
  });

  it('have no call that went to another address meanwhile, whose balance was not read', () => {
    facts.read(1000, a);
    for (let days = 0; days < 5; days += 1) {
      later(day);
      for (let calls = 0; calls < 10; calls += 1) facts.call({ ...payer(a), origins: ['https://other.example'] });
    }
    facts.read(1000, a);
    expect(sheets()).toMatchObject([{ spent: [], expected: 0, outside: 0, observed: 0, open: 0 }]);
    expect(forecast()).toMatchObject({ console: { kind: 'nothing-spent' }, unpriced: 0 });
  });

  it('count the calls that another connection sends with the same key', () => {
    const other = factsOf(temp.db, temp.clock, temp.addConnection('Night').id);
    facts.read(1000, a);
    for (let days = 1; days <= 5; days += 1) {
      later(day);
      for (let calls = 0; calls < 4; calls += 1) other.call(payer(a));
      facts.read(1000 - 4 * days, a);
      later(1000);
      // With a key of its own it may have another balance.
      other.call(payer(b));
      facts.read(1000 - 4 * days, a);
    }
    expect(sheets()).toMatchObject([{ spent: [{ paidBy: 'A', credits: 20 }], observed: 20, open: 0 }]);
    expect(forecast()).toMatchObject({ console: { perDay: 4 }, account: { perDay: 4 } });
  });

  it('are true of its account, in histories where everybody spends and every key is read when it may', () => {
    const event = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ does: fc.constant('read' as const), key: fc.nat(2), elsewhere: fc.constant(false) }),
      },
      {
        weight: 6,
        arbitrary: fc.record({ does: fc.constant('call' as const), key: fc.nat(2), elsewhere: fc.boolean() }),
      },
      // Many over SOAP, beside whatever else happens until the next reading.
      {
        weight: 1,
        arbitrary: fc.record({ does: fc.constant('calls' as const), count: fc.integer({ min: 2, max: 30 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          does: fc.constant('take' as const),
          of: fc.nat(2),
          credits: fc.integer({ min: 1, max: 9 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ does: fc.constant('add' as const), of: fc.nat(2), credits: fc.constantFrom(50, 500) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(hour, 9 * hour, day) }),
      },
    );
    // Which account each of two REST keys and of SOAP draws on; whether a person has said so of the keys; equal labels, as of a replaced key.
    const world = fc.record({
      accounts: fc.constantFrom([0, 0, 0], [0, 0, 2], [0, 1, 0], [0, 1, 1], [0, 1, 2]),
      said: fc.boolean(),
      alike: fc.boolean(),
      // Whether the account of the licences and the second key are ever read; what the calls may cost at most.
      unread: fc.constantFrom<number[]>([], [], [2], [1, 2], [1]),
      prices: fc.constantFrom<(number | null)[]>([1], [1], [1, 2, null]),
      events: fc.array(event, { minLength: 20, maxLength: 70 }),
    });
    fc.assert(
      fc.property(world, ({ accounts, said, alike, unread, prices, events }) => {
        const separate = said && new Set(accounts).size === 3;
        const own = openTempDatabase();
        try {
          const connectionId = own.addConnection().id;
          const entered = factsOf(own.db, own.clock, connectionId);
          const begin = new Date(own.clock.time - 1).toISOString();
          if (separate) unwrap(entered.ledger.declareSeparate(origin, true));
          const keys = [a, alike ? { ...b, label: 'A' } : b, alike ? { ...account, label: 'A' } : account];
          const truth = [0, 1, 2].map(() => ({ added: 1000, taken: 0, byOthers: 0 }));
          const accountOf = (key: number) => truth[accounts[key] ?? 0] as (typeof truth)[number];
          /** What had happened to a key's account whenever it was read. */
          const read: ((typeof truth)[number] & { key: number; at: string })[] = [];
          let paid = 0;
          let called = 0;
          for (const one of events) {
            own.clock.time += 1000;
            if (one.does === 'wait') own.clock.time += one.ms;
            else if (one.does === 'take') {
              const of = accountOf(one.of);
              of.taken += one.credits;
              of.byOthers += one.credits;
            } else if (one.does === 'add') accountOf(one.of).added += one.credits;
            else if (one.does === 'calls')
              for (let calls = 0; calls < one.count; calls += 1) {
                entered.call({ ...licence, expected: 1 });
                accountOf(2).taken += 1;
              }
            else if (one.does === 'call') {
              const { fingerprint, label } = keys[one.key] ?? a;
              const origins = one.elsewhere ? ['https://other.example'] : [origin];
              const expected = prices[called % prices.length] ?? null;
              called += 1;
              const payer = one.key === 2 ? licence : { fingerprint, paidBy: label };
              entered.call({ ...payer, origins, expected });
              if (one.elsewhere) continue;
              accountOf(one.key).taken += 1;
              if (one.key < 2) paid += 1;
            } else if (!unread.includes(one.key)) {
              const at = { ...accountOf(one.key) };
              entered.read(at.added - at.taken, { ...keys[one.key], used: at.taken, total: at.added });
              read.push({ ...at, key: one.key, at: new Date(own.clock.time).toISOString() });
            }
          }
          own.clock.time += 1000;
          const reconciler = createReconciler(own.db, () => separate);
          const everything = () => ({
            sheets: unwrap(reconciler.reconcile(connectionId, begin, new Date(own.clock.time).toISOString())),
            forecasts: ['A', 'B'].map((label) =>
              unwrap(
                forecasterOf(own.db, own.clock, { payerOf: () => label, isSeparate: () => separate }).read(
                  connectionId,
                ),
              ),
            ),
          });
          const now = everything();
          for (const sheet of now.sheets) {
            const key = keys.findIndex(({ keyLastFour }) => keyLastFour === sheet.keys[0]?.keyLastFour);
            const ofKey = read.filter((one) => one.key === key);
            const [first, last] = [ofKey[0], ofKey.at(-1)];
            if (!first || !last || sheet.closing === null) continue;
            const fell = last.taken - first.taken;
            expect(sheet.added).toBe(last.added - first.added);
            expect(sheet.observed).toBe(fell);
            expect(sheet.others + sheet.unexplained).toBeLessThanOrEqual(last.byOthers - first.byOthers);
            expect(sheet.expected + sheet.others + sheet.unexplained + sheet.open).toBe(fell);
            // Nothing is left open where no balance but one can be meant.
            if (
              new Set(accounts).size === 1 &&
              sheet.source === 'rest-key' &&
              sheet.mayHaveDrawn === 0 &&
              prices.length === 1
            )
              expect(sheet.open).toBe(0);
            // Calls over the other interface count only as far as falls account for them: of this balance, or of the other key's, that may be it.
            const ofOther = sheet.spent.filter(
              ({ paidBy }) => (paidBy === 'Licence') === (sheet.source === 'rest-key'),
            );
            const mayBe = sheet.source === 'rest-key' && !separate && !unread.includes(1) ? [0, 1] : [];
            const others = mayBe.reduce((sum, one) => sum + accountOf(one).taken, 0);
            expect(ofOther.reduce((sum, { credits }) => sum + credits, 0)).toBeLessThanOrEqual(fell + others);
          }
          const ofKeys = now.sheets.filter(({ source }) => source === 'rest-key');
          // A call over SOAP may have drawn on either.
          if (
            separate &&
            prices.length === 1 &&
            ofKeys.every(({ spent }) => spent.every(({ paidBy }) => paidBy !== 'Licence'))
          )
            expect(ofKeys.reduce((sum, { expected, outside }) => sum + expected + outside, 0)).toBeLessThanOrEqual(
              paid,
            );
          // Of the whole days that a forecast looks at, as far as its key was read on them.
          const whole = (at: string) =>
            at >= startOfDay(localDay(Date.parse(begin) + day)) && at < startOfDay(localDay(own.clock.time));
          for (const [key, { account: rate, unpriced }] of now.forecasts.entries()) {
            const taken = read.filter((one) => one.key === key && whole(one.at)).map((one) => one.taken);
            if (!alike && rate?.kind === 'nothing-spent' && unpriced === 0) expect(taken.at(-1)).toBe(taken[0]);
          }
          // An upgrade finds the same, and all computed anew from the facts.
          const { sql } = own.db;
          const drawnOn = () => sql.prepare('SELECT id, drawn_on FROM ledger WHERE sent_sequence IS NOT NULL').all();
          const drawn = drawnOn();
          sql.exec(`UPDATE ledger SET drawn_on = ''; ${fillDrawnOn}`);
          expect(drawnOn()).toEqual(drawn);
          expect(everything()).toEqual(now);
          unwrap(entered.ledger.rebuildSegments());
          expect(everything()).toEqual(now);
          expect(drawnOn()).toEqual(drawn);
        } finally {
          own.remove();
        }
      }),
      { numRuns: Number(process.env.BALANCE_WORLDS ?? 40) },
    );
  });
});

it('finds in what an earlier version stored which balance each call counts against', () => {
  const temp = openTempDatabase();
  try {
    const facts = factsOf(temp.db, temp.clock, temp.addConnection().id);
    const account = { fingerprint: 'guid', label: 'Account', source: 'soap-account' as const };
    const licence = { interface: 'soap' as const, fingerprint: 'licence' };
    const between = (rest: number, soap: number, ...calls: Parameters<typeof facts.call>[0][]) => {
      for (const call of calls) facts.call(call);
      facts.read(rest);
      facts.read(soap, account);
    };
    between(100, 100);
    // Both show it; the first two alone, of unknown price.
    between(99, 99, { ...licence, expected: null });
    between(98, 97, { ...licence, expected: null });
    between(96, 95, licence, { fingerprint: 'batch' });
    // Fewer than their prices.
    between(95, 94, licence, licence);
    between(94, 94, { origins: ['https://other.example', origin] });
    between(93, 92, { expected: 2 });
    between(88, 91, {});
    between(88, 89, {});
    const { sql } = temp.db;
    const stored = () => [
      sql.prepare('SELECT id, drawn_on FROM ledger WHERE sent_sequence IS NOT NULL ORDER BY sequence').all(),
      sql.prepare('SELECT * FROM spend_days WHERE calls > 0 ORDER BY 1, 2, 3, 4, 5, 6, 7').all(),
    ];
    const before = stored();
    const both = ['rest', 'soap'];
    expect(
      before[0]?.map(({ drawn_on }) => namesIn(String(drawn_on)).map((name) => name.slice(0, name.indexOf(' ')))),
    ).toEqual([
      ['soap', ...both],
      ['soap', 'rest'],
      ['soap', ...both],
      ['rest', ...both],
      [],
      [],
      ['rest', 'rest'],
      both,
      both,
      both,
    ]);
    sql.exec(`DROP INDEX ledger_drawn_on; DROP TABLE spend_days; CREATE TABLE spend_days (day TEXT);
      DROP TRIGGER ledger_day_added; DROP TRIGGER ledger_day_changed; DROP TRIGGER ledger_day_removed;
      ALTER TABLE ledger DROP COLUMN drawn_on;
      CREATE TRIGGER ledger_day_added AFTER INSERT ON ledger BEGIN SELECT 1; END;
      CREATE TRIGGER ledger_day_changed AFTER UPDATE OF observed ON ledger BEGIN SELECT 1; END;
      CREATE TRIGGER ledger_day_removed AFTER DELETE ON ledger BEGIN SELECT 1; END;`);
    sql.exec(spendDaysOfBalances.sql ?? '');
    expect(stored()).toEqual(before);
  } finally {
    temp.remove();
  }
});

it('fills the days of a ledger that was there before them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-migration-'));
  const sql = new DatabaseSync(join(folder, 'old.sqlite'));
  try {
    unwrap(migrate(sql, migrations.slice(0, 4), () => {}));
    const enter = sql.prepare(
      `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, observed, verdict)
       VALUES (?, 'r', 'c', ?, 'rest', 'GetPremise', '', 'One', ?, ?, ?)`,
    );
    const read = sql.prepare(
      `INSERT INTO balance_readings (connection_id, source, label, key_last_four, credits, at)
       VALUES ('c', 'rest-key', 'One', '4f2a', ?, ?)`,
    );
    const at = (hours: number) => new Date(new Date(2026, 2, 1, 9).getTime() + hours * hour).toISOString();
    const rows = [
      [1, 1, 'matches'],
      [1, 6, 'more'],
      [null, null, 'not-read'],
      [2, null, 'unsettled'],
      [2, 0, 'not-charged'],
      [1, null, 'held-free'],
      [0, -500, 'unexplained'],
    ] as const;
    read.run(100, at(0));
    read.run(100, at(1));
    for (const [index, [expected, observed, verdict]] of rows.entries())
      enter.run(`e${index}`, at(2), expected, observed, verdict);
    read.run(590, at(3));
    unwrap(migrate(sql, migrations, () => {}));
    const filled = {
      spend: sql.prepare('SELECT * FROM spend_days ORDER BY kind').all(),
      read: sql.prepare('SELECT * FROM reading_days').all(),
    };
    // Inserts the same rows again one by one, so that the triggers run; the days must be the same.
    sql.exec(
      'DELETE FROM reading_days; CREATE TABLE kept AS SELECT * FROM ledger; DELETE FROM ledger; DELETE FROM spend_days',
    );
    sql.exec('INSERT INTO ledger SELECT * FROM kept ORDER BY sequence');
    const samples = sql.prepare('SELECT credits, at FROM balance_readings ORDER BY at').all();
    sql.exec('DELETE FROM balance_readings');
    for (const { credits, at: time } of samples) read.run(Number(credits), String(time));
    expect(sql.prepare('SELECT * FROM spend_days ORDER BY kind').all()).toEqual(filled.spend);
    expect(sql.prepare('SELECT * FROM reading_days').all()).toEqual(filled.read);
    expect(filled.spend.map(({ kind, credits, calls, unpriced }) => [kind, credits, calls, unpriced])).toEqual([
      ['added', -500, 1, 0],
      ['spend', 4, 4, 1],
      ['unexplained', 5, 1, 0],
    ]);
    expect(filled.read).toMatchObject([{ samples: 3, last_credits: 590, quiet: 1, still: 1 }]);
  } finally {
    sql.close();
    removeFolder(folder);
  }
});
