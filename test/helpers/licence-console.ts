import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeDeps, createChangesUnderWay } from '../../electron/core/licences/change/change-deps.ts';
import type { LicenceCalls } from '../../electron/core/licences/change/licence-calls.ts';
import { openJournal } from '../../electron/core/licences/journal/journal.ts';
import { openLicenceStore } from '../../electron/core/licences/records/licence-store.ts';
import { type Database, openDatabase } from '../../electron/core/storage/database/database.ts';
import type { LicenceChange } from '../../shared/domain/licences/licence-change.ts';
import { removeFolder } from './folders.ts';
import { callService, LicenceService } from './licence-service.ts';
import { putReadyDatabase } from './ready-database.ts';
import { unwrap } from './temp-database.ts';

export interface LicenceConsole {
  deps: ChangeDeps;
  database: Database;
  anchorFile: string;
  /** The change at every transition that was reported, oldest first. */
  told: LicenceChange[];
}

export const here = 'HFD-LT-0219';
export const there = 'HFD-LT-0147';
export const connectionId = 'wyebank';

/** Milliseconds that waits have added to both clocks, which otherwise follow the computer's. */
let jumped = 0;
export const passTime = (ms: number): void => {
  jumped += ms;
};
const now = (): number => Date.now() + jumped;
/** Uptime of a computer that was started more than eleven days ago. */
const uptime = (): number => Math.round(1e9 + performance.timeOrigin + performance.now() - 1.7e12 + jumped);

/** Opens the database, journal and store of a folder as a start of the program does. */
export async function openLicenceConsole(folder: string, calls: LicenceCalls): Promise<LicenceConsole> {
  putReadyDatabase(folder, now());
  const database = unwrap(await openDatabase({ folder, clock: { now } }));
  const anchorFile = join(folder, 'licence-journal.anchor');
  const told: LicenceChange[] = [];
  const deps: ChangeDeps = {
    calls,
    store: openLicenceStore(database),
    underWay: createChangesUnderWay(),
    onStep: (change) => void told.push(change),
    ctx: {
      connectionName: 'Wyebank, Production',
      server: 'https://service.example',
      accountName: 'WYEBANKUT01',
      leadsHere: () => true,
      thisMachine: here,
      by: `admin on ${here}`,
      now,
      uptime,
      wait: async (ms) => passTime(ms),
      readsAgain: () => 'in-time',
      redact: (text) => text.replaceAll('hunter2-hunter2', '••••ter2'),
      journal: openJournal(database.sql, anchorFile),
    },
  };
  return { deps, database, anchorFile, told };
}

export interface TempLicences {
  folder: string;
  service: LicenceService;
  console: LicenceConsole;
  remove(): void;
}

/** A console with a licence service in memory and a new folder. */
export async function openTempLicences(): Promise<TempLicences> {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  const service = new LicenceService();
  const console = await openLicenceConsole(folder, callService(service));
  return {
    folder,
    service,
    console,
    remove() {
      console.database.close();
      removeFolder(folder);
    },
  };
}
