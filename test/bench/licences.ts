import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { openLicenceStore } from '../../electron/core/licences/records/licence-store.ts';
import { readLicences } from '../../electron/core/licences/records/read-licence.ts';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
// Declares window.api for the functions that run in the page.
import type {} from '../../renderer/lib/calls/bridge.ts';
import { filterLicences, noFilter } from '../../shared/domain/licences/licence-filter.ts';
import { removeFolder } from '../helpers/folders.ts';
import { makeLicence } from '../helpers/licence-service.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { connectionId, openWindow, timeKey, writeConnection } from './support/bench-window.ts';
import { median } from './support/interleave.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row } from './support/rows.ts';

const count = 50_000;
const types = ['Premises Desktop', 'Geographic Extra', 'Batch Cleansing', 'Web Capture', 'Site'];

/**
 * Fifty thousand licences: from the key that opens the screen to the first rows drawn, and from a letter in the filter to the rows
 * that pass it. In the window of the built program, with what was read last on the disk; no service is asked.
 */
export async function measureLicences({ quick }: BenchOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  try {
    const read = await fill(folder);
    const rounds = quick ? 2 : 5;
    const opens: number[] = [];
    const filters: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { page, close } = await openWindow(folder);
      opens.push(await timeKey(page, '3', '[data-screen="licences"] [role="grid"] tbody tr', 5));
      for (const text of ['web', 'WY-1234', 'batch 99']) filters.push(await timeFilter(page, text));
      await close();
    }
    return [
      compareWithLimit(`the list’s own filter, ${count} licences`, median(read), 100, milliseconds),
      compareWithLimit(`opens with ${count} licences`, median(opens), 200, milliseconds),
      compareWithLimit(`filters ${count} licences, key to rows`, median(filters), 60, milliseconds),
    ];
  } finally {
    removeFolder(folder);
  }
}

/** Stores the licences. Returns how long the filter alone takes on them, for several texts. */
async function fill(folder: string): Promise<number[]> {
  const db = unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
  const now = new Date().toISOString();
  writeConnection(db);
  const records = Array.from({ length: count }, (_, index) =>
    makeLicence(String(10_000 + index), {
      LicenseTypeName: types[index % types.length] ?? '',
      ExpiryDate: `${String((index % 28) + 1).padStart(2, '0')}/0${(index % 9) + 1}/20${26 + (index % 5)}`,
      LicenseInUse: String(index % 4),
      Available: index % 7 === 0 ? 'unlimited' : String(index % 3),
      Status: index % 11 === 0 ? 'S' : 'A',
    }),
  );
  const licences = readLicences(records);
  await openLicenceStore(db).saveLicences(connectionId, licences, now);
  db.close();
  const facts = { today: now.slice(0, 10), onMachines: new Set<string>() };
  return ['web', 'wy-1234', 'batch 99', 'capture 2027'].map((text) => {
    const began = performance.now();
    filterLicences(licences, { ...noFilter, text }, facts);
    return performance.now() - began;
  });
}

/** Milliseconds from the last letter to the frame after the rows that pass. */
async function timeFilter(page: Page, text: string): Promise<number> {
  const box = page.getByRole('textbox', { name: 'Filter licences' });
  await box.fill('');
  await page.waitForFunction(
    (rows) => document.querySelector('[data-screen="licences"] [role="grid"]')?.getAttribute('aria-rowcount') === rows,
    String(count + 1),
  );
  return page.evaluate(
    (typed) =>
      new Promise<number>((done) => {
        const field = document.querySelector<HTMLInputElement>('[data-screen="licences"] search input');
        const grid = () =>
          document.querySelector('[data-screen="licences"] [role="grid"]')?.getAttribute('aria-rowcount');
        const before = grid();
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
        const began = performance.now();
        set?.call(field, typed);
        field?.dispatchEvent(new Event('input', { bubbles: true }));
        const look = () => {
          if (grid() !== before) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
          else setTimeout(look);
        };
        look();
      }),
    text,
  );
}
