import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { createBalances } from '../../electron/core/credits/balances.ts';
import { createCreditHistory } from '../../electron/core/credits/history.ts';
import { readOverview } from '../../electron/core/credits/overview.ts';
import { createReconciler } from '../../electron/core/credits/reconcile.ts';
import { createCapsStore } from '../../electron/core/spend/caps-store.ts';
import { createLedger } from '../../electron/core/spend/ledger.ts';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { ok } from '../../shared/result.ts';
import { removeFolder } from '../helpers/folders.ts';
import { entriesReader, forecasterOf, servers } from '../helpers/spend-facts.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { connectionId, openWindow, timeKey, writeConnection } from './support/bench-window.ts';
import { day, entries, writeCreditYear } from './support/credit-year.ts';
import { median } from './support/interleave.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row } from './support/rows.ts';

/**
 * A year of use, 1,000,000 ledger entries and 100,000 readings: how long the main process takes to answer all that the credits screen
 * asks when it opens, and each range after that; then the same in the window of the built program, from the key to what is drawn.
 */
export async function measureCredits({ quick }: BenchOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  try {
    return [...measureMain(folder, quick ? 3 : 7), ...(await measureWindow(folder, quick ? 2 : 5))];
  } finally {
    removeFolder(folder);
  }
}

const timeOf = (run: () => void): number => {
  const began = performance.now();
  run();
  return performance.now() - began;
};

function measureMain(folder: string, rounds: number): Row[] {
  const now = Date.now();
  const clock = { now: () => now };
  const db = unwrap(openDatabase({ folder, clock }));
  writeConnection(db);
  writeCreditYear(db, now);
  const ledger = createLedger(db, clock);
  const balances = createBalances(db, clock, ledger);
  const caps = createCapsStore(db);
  const history = createCreditHistory(db, clock, () => servers);
  const forecaster = forecasterOf(db, clock);
  const reconciler = createReconciler(db, () => false);
  const iso = (time: number) => new Date(time).toISOString();
  const since = (days: number) => ({ connectionId, from: iso(now - days * day), to: iso(now) });
  const entriesOf = entriesReader(db);
  const open = timeOf(() => {
    unwrap(readOverview({ balances, caps, ledger, licenceCredits: () => ok(null) }, connectionId));
    entriesOf(connectionId, 100);
    unwrap(history.read({ ...since(90), by: 'key' }));
    unwrap(forecaster.read(connectionId));
    unwrap(reconciler.reconcile(connectionId, iso(now - 90 * day), iso(now)));
  });
  const ranges = [1, 7, 30, 45, 90, 365].flatMap((days) =>
    (['key', 'operation', 'source'] as const).map((by) =>
      median(
        Array.from({ length: rounds }, () =>
          timeOf(() => {
            unwrap(history.read({ ...since(days), by }));
            unwrap(reconciler.reconcile(connectionId, iso(now - days * day), iso(now)));
          }),
        ),
      ),
    ),
  );
  const beforeCall = timeOf(
    () =>
      void unwrap(
        ledger.leastBalance({
          connectionId,
          interface: 'rest',
          origins: ['https://service.example'],
          fingerprint: 'bench',
        }),
      ),
  );
  db.close();
  return [
    compareWithLimit(`all that the screen asks on opening, ${entries} entries, first time`, open, 300, milliseconds),
    compareWithLimit('a range in the main process, the slowest of 18', Math.max(...ranges), 100, milliseconds),
    compareWithLimit('the last balance, before a paid call', beforeCall, 10, milliseconds),
  ];
}

async function measureWindow(folder: string, rounds: number): Promise<Row[]> {
  const opens: number[] = [];
  const redraws = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    const { page, close } = await openWindow(folder, { width: 1280, height: 800 });
    opens.push(await timeKey(page, '2', '[data-screen="credits"] .credits-canvas svg', 1));
    await page.waitForTimeout(1000);
    const ranges = page.getByRole('radiogroup', { name: 'Range shown' }).getByRole('radio');
    // Each twice, so that the first of them, which may be the one that is shown, is drawn anew as well.
    for (const index of [...Array(await ranges.count()).keys(), 0]) {
      const radio = ranges.nth(index);
      if (await radio.isChecked()) continue;
      const name = (await radio.getAttribute('value')) ?? '';
      redraws.set(name, [...(redraws.get(name) ?? []), await timeRange(page, name)]);
    }
    await close();
  }
  return [
    compareWithLimit('the credits screen opens, key to charts', median(opens), 300, milliseconds),
    ...[...redraws].map(([name, took]) =>
      compareWithLimit(`range “${name}” chosen, to the last change of the charts`, median(took), 100, milliseconds),
    ),
  ];
}

/** Milliseconds from choosing a range to the frame after the charts' last change: half a second of quiet says it was the last. */
const timeRange = (page: Page, value: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const charts = document.querySelector('[data-screen="credits"] .credits-charts');
        const radio = [
          ...document.querySelectorAll<HTMLInputElement>('[data-screen="credits"] input[type="radio"]'),
        ].find((one) => one.value === wanted);
        const began = performance.now();
        let last = Number.NaN;
        let quiet: ReturnType<typeof setTimeout>;
        new MutationObserver(() => {
          requestAnimationFrame(() =>
            setTimeout(() => {
              last = performance.now() - began;
            }),
          );
          clearTimeout(quiet);
          quiet = setTimeout(() => done(last), 500);
        }).observe(charts ?? document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        radio?.click();
      }),
    value,
  );
