import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBalances } from '../../electron/core/credits/balances.ts';
import { makeDemoHistory } from '../../electron/core/credits/demo-history.ts';
import { createForecaster } from '../../electron/core/credits/forecaster.ts';
import { createCreditHistory } from '../../electron/core/credits/history.ts';
import { createLedger } from '../../electron/core/credits/ledger.ts';
import { movementOperation } from '../../electron/core/credits/movement.ts';
import { createReconciler } from '../../electron/core/credits/reconcile.ts';
import { migrate } from '../../electron/core/storage/migrate.ts';
import { migrations } from '../../electron/core/storage/migrations.ts';
import type { BalanceReading } from '../../shared/domain/credits.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../helpers/temp-database.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('what days add up to', () => {
  let temp: TempDatabase;
  let id: string;
  beforeEach(() => {
    temp = openTempDatabase();
    id = temp.addConnection().id;
  });
  afterEach(() => temp.remove());

  const ledger = () => createLedger(temp.db, temp.clock);
  const read = (credits: number, expiryDate: string | null = null): BalanceReading =>
    unwrap(
      createBalances(temp.db, temp.clock).recordReading(id, {
        source: 'rest-key',
        label: 'Contact centre',
        keyLastFour: '4f2a',
        credits,
        used: null,
        total: null,
        expiryDate,
        text: null,
      }),
    );
  const spend = (credits: number, observed: number | null = credits) =>
    unwrap(
      ledger().recordSpend(
        {
          connectionId: id,
          callId: null,
          interface: 'rest',
          operation: 'GetPremise',
          subject: '00284147',
          paidBy: 'Contact centre',
          expected: credits,
          balanceBefore: null,
        },
        { observed, balanceAfter: null },
      ),
    );
  const moved = (credits: number, since: string, explained = 0) =>
    unwrap(
      ledger().recordSpend(
        {
          connectionId: id,
          callId: null,
          interface: 'rest',
          operation: movementOperation,
          subject: '',
          paidBy: 'Contact centre',
          expected: 0,
          balanceBefore: null,
          since,
          explained,
        },
        { observed: credits, balanceAfter: null, verdict: 'unexplained' },
      ),
    );
  const later = (milliseconds: number) => {
    temp.clock.time += milliseconds;
  };
  const forecast = () => unwrap(createForecaster(temp.db, temp.clock).read(id));

  it('has not enough data at first, and a range once three whole days are known', () => {
    expect(forecast()).toEqual({ from: null, expires: null, console: null, account: null });
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
      console: { kind: 'range', days: 3, perDay: 10, unused: { likely: 710 } },
    });
  });

  it('shares a fall over a gap out among its days, for the account’s rate and not for this console’s', () => {
    const first = read(5000);
    for (let count = 0; count < 4; count += 1) {
      later(day);
      spend(10);
    }
    later(2 * hour);
    // 400 in 98 hours, of which the first 14 belong to a day known in part only.
    moved(400, first.at);
    read(4560);
    later(day);
    const { console: own, account } = forecast();
    expect(own).toMatchObject({ kind: 'range', days: 4, perDay: 10 });
    expect(account?.kind === 'range' && Math.round(account.perDay)).toBe(Math.round(10 + (400 * 84) / 98 / 4));
  });

  it('puts what was taken beyond a published price down as nobody’s call', () => {
    read(100);
    later(hour);
    spend(1, 6);
    later(hour);
    read(94);
    const now = new Date(temp.clock.now()).toISOString();
    const from = new Date(temp.clock.now() - day).toISOString();
    const [balance] = unwrap(createReconciler(temp.db).reconcile(id, from, now));
    expect(balance).toMatchObject({ expected: 1, observed: 6, unexplained: 5, others: 0, open: 0 });
    const { bars } = unwrap(createCreditHistory(temp.db).read({ connectionId: id, from, to: now, by: 'key' }));
    expect(bars.at(-1)).toMatchObject({ parts: { 'Contact centre': 1 }, unexplained: 5 });
  });

  it('keeps its days in step when an entry is settled, and when it turns out not to be charged', () => {
    const entry = spend(2, null);
    const today = () => {
      const now = new Date(temp.clock.now()).toISOString();
      const { bars } = unwrap(createCreditHistory(temp.db).read({ connectionId: id, from: now, to: now, by: 'key' }));
      return bars[0]?.parts['Contact centre'] ?? 0;
    };
    expect(today()).toBe(2);
    unwrap(ledger().settleSpend(entry.id, { observed: 1, balanceAfter: 9 }));
    expect(today()).toBe(1);
    unwrap(ledger().settleSpend(entry.id, { observed: 0, balanceAfter: 9, verdict: 'not-charged' }));
    expect(today()).toBe(0);
  });

  it('over a window that cuts days in two counts to the entry', () => {
    read(1000);
    for (let count = 0; count < 50; count += 1) {
      later(5 * hour);
      spend(1 + (count % 2));
    }
    later(hour);
    read(925);
    const from = new Date(temp.clock.now() - 300 * hour).toISOString();
    const [balance] = unwrap(createReconciler(temp.db).reconcile(id, from, new Date(temp.clock.now()).toISOString()));
    expect(balance).toMatchObject({ expected: 75, observed: 75, open: 0, spent: [{ calls: 50 }] });
  });

  it('makes a demo year once, that ends at the real figure, adds up, and is marked row by row', () => {
    const reading = read(5000);
    expect(unwrap(makeDemoHistory(temp.db, id, reading))).toBe(true);
    expect(unwrap(makeDemoHistory(temp.db, id, reading))).toBe(false);
    const now = new Date(temp.clock.now()).toISOString();
    const [balance] = unwrap(
      createReconciler(temp.db).reconcile(id, new Date(temp.clock.now() - 366 * day).toISOString(), now),
    );
    expect(balance?.closing?.credits).toBe(5000);
    expect(balance?.open).toBe(0);
    expect(balance?.added).toBeGreaterThan(0);
    expect(balance?.others).toBeGreaterThan(0);
    const entries = unwrap(ledger().listEntries({ connectionId: id, limit: 500 }));
    expect(entries.every(({ madeUp }) => madeUp)).toBe(true);
    const other = temp.addConnection('Another');
    expect(unwrap(ledger().listEntries({ connectionId: other.id, limit: 10 }))).toEqual([]);
  });
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
    const at = (hours: number) => new Date(Date.UTC(2026, 2, 1, 9) + hours * hour).toISOString();
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
    // The same rows written again, one after the other, go through the triggers and must give the same days.
    sql.exec(
      'DELETE FROM reading_days; CREATE TABLE kept AS SELECT * FROM ledger; DELETE FROM ledger; DELETE FROM spend_days',
    );
    sql.exec('INSERT INTO ledger SELECT * FROM kept ORDER BY sequence');
    const readings = sql.prepare('SELECT credits, at FROM balance_readings ORDER BY at').all();
    sql.exec('DELETE FROM balance_readings');
    for (const { credits, at: time } of readings) read.run(Number(credits), String(time));
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
    rmSync(folder, { recursive: true, force: true });
  }
});
