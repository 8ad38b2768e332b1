import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBalances } from '../../electron/core/credits/balances.ts';
import { createCapsStore } from '../../electron/core/credits/caps-store.ts';
import { createForecaster } from '../../electron/core/credits/forecaster.ts';
import { createCreditHistory } from '../../electron/core/credits/history.ts';
import { createLedger } from '../../electron/core/credits/ledger.ts';
import { readOverview } from '../../electron/core/credits/overview.ts';
import { createReconciler } from '../../electron/core/credits/reconcile.ts';
import { openDatabase } from '../../electron/core/storage/database.ts';
import type { Result } from '../../shared/result.ts';

/**
 * `node test/bench/credits.ts`: a year of use, 1,000,000 ledger entries and 100,000 readings, and how long the main process takes
 * to answer everything the credits screen asks when it opens, and each range after that. Targets: 300 ms and 100 ms.
 */

const entries = 1_000_000;
const samples = 100_000;
const day = 86_400_000;
const now = Date.parse('2026-11-21T10:00:00.000Z');
const connectionId = 'bench';

const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
const clock = { now: () => now };
const unwrap = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.message} ${result.error.detail ?? ''}`);
  return result.value;
};
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const db = unwrap(openDatabase({ folder, clock }));
try {
  fill();
  measure();
} finally {
  db.close();
  rmSync(folder, { recursive: true, force: true });
}

function fill(): void {
  const began = performance.now();
  const spend = db.sql.prepare(
    `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, observed, balance_before,
       balance_after, verdict, since, explained) VALUES (?, 'bench', ?, ?, 'rest', ?, '00284147', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const read = db.sql.prepare(
    `INSERT INTO balance_readings (connection_id, source, label, key_last_four, credits, at)
     VALUES (?, 'rest-key', ?, ?, ?, ?)`,
  );
  const keys = ['Contact centre', 'Nightly batch', 'Web forms', 'Returns'];
  const operations = ['Search', 'GetPremise', 'GetPremiseGeoData', 'GetUprn', 'GetDistance', 'Autocomplete'];
  const start = now - 365 * day;
  const step = (365 * day) / entries;
  const each = entries / samples;
  let balance = 1_200_000;
  let before = new Date(start).toISOString();
  db.sql.exec('BEGIN');
  for (let index = 0; index < entries; index += 1) {
    const at = new Date(start + index * step).toISOString();
    const key = keys[index % 4] ?? '';
    const credits = index % 7 === 0 ? 2 : 1;
    spend.run(
      crypto.randomUUID(),
      connectionId,
      at,
      operations[index % 6] ?? '',
      key,
      credits,
      credits,
      balance,
      balance - credits,
      'matches',
      null,
      null,
    );
    balance -= credits;
    if (index % each !== each - 1) continue;
    const readAt = new Date(start + index * step + 1).toISOString();
    if (index % 50_000 === 49_999) {
      balance -= 30;
      spend.run(
        crypto.randomUUID(),
        connectionId,
        readAt,
        'No call of this console',
        keys[0] ?? '',
        0,
        30,
        balance + 30,
        balance,
        'unexplained',
        before,
        each,
      );
    }
    read.run(connectionId, keys[0] ?? '', '4f2a', balance, readAt);
    before = readAt;
  }
  db.sql.exec('COMMIT');
  say(`filled in ${Math.round(performance.now() - began)} ms`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function measure(): void {
  const ledger = createLedger(db, clock);
  const balances = createBalances(db, clock);
  const caps = createCapsStore(db);
  const history = createCreditHistory(db);
  const forecaster = createForecaster(db, clock);
  const reconciler = createReconciler(db);
  const iso = (time: number) => new Date(time).toISOString();
  const range = (days: number) => ({ connectionId, from: iso(now - days * day), to: iso(now) });
  const parts: Record<string, () => unknown> = {
    overview: () => unwrap(readOverview({ balances, caps, ledger }, connectionId)),
    'ledger page': () => unwrap(ledger.listEntries({ connectionId, limit: 100 })),
    'history, 90 days': () => unwrap(history.read({ ...range(90), by: 'key' })),
    forecast: () => unwrap(forecaster.read(connectionId)),
    'reconciliation, 90 days': () => unwrap(reconciler.reconcile(connectionId, iso(now - 90 * day), iso(now))),
    'before a paid call': () => unwrap(balances.lastBalance(ledger, connectionId, 'rest-key')),
  };
  let open = 0;
  for (const [name, run] of Object.entries(parts)) {
    const began = performance.now();
    run();
    const took = performance.now() - began;
    if (name !== 'before a paid call') open += took;
    say(`${name.padEnd(28)}${took.toFixed(1).padStart(8)} ms, first time`);
  }
  report('open, all of it', open, 300);
  for (const days of [1, 7, 30, 45, 90, 365]) {
    for (const by of ['key', 'operation', 'source'] as const) {
      const times = Array.from({ length: 7 }, () => {
        const began = performance.now();
        unwrap(history.read({ ...range(days), by }));
        unwrap(reconciler.reconcile(connectionId, iso(now - days * day), iso(now)));
        return performance.now() - began;
      });
      report(`${days} days by ${by}`, median(times), 100);
    }
  }
}

function report(what: string, took: number, limit: number): void {
  say(`${what.padEnd(28)}${took.toFixed(1).padStart(8)} ms of ${limit} ms ${took <= limit ? 'kept' : 'NOT KEPT'}`);
  if (took > limit) process.exitCode = 1;
}
