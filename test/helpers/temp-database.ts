import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnections } from '../../electron/core/connections/connections.ts';
import { createSecrets } from '../../electron/core/connections/secrets.ts';
import { type Database, openDatabase } from '../../electron/core/storage/database/database.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { type Connection, type ConnectionDraft, emptyConnectionDraft } from '../../shared/domain/connection.ts';
import type { Result } from '../../shared/result.ts';
import { removeFolder } from './folders.ts';
import { putReadyDatabase } from './ready-database.ts';

/** The value of a result. Throws, with the error's text, if it is an error. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message} ${result.error.detail ?? ''}`);
  return result.value;
}

/** A complete connection whose address is under a reserved name that does not exist. */
export const connectionDraft = (name: string, more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  ...emptyConnectionDraft,
  name,
  kind: 'test',
  colour: '#2f6fed',
  restBaseUrl: 'https://lookup.example/v1',
  ...more,
});

export interface TempDatabase {
  folder: string;
  db: Database;
  /** Time stands still until `time` is set. */
  clock: { time: number; now(): number };
  addConnection(name?: string): Connection;
  /** Closes the database and opens the same files, as the next start of the program does. */
  reopen(): Database;
  remove(): void;
}

/** A database on disk in a new folder. */
export function openTempDatabase(): TempDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-database-'));
  // Ten in the morning wherever the test runs: a few hours later it is still the same day.
  const clock = { time: new Date(2026, 2, 2, 10).getTime(), now: () => clock.time };
  putReadyDatabase(folder, clock.time);
  const temp: TempDatabase = {
    folder,
    clock,
    db: unwrap(openDatabase({ folder, clock })),
    addConnection(name = 'Wyebank') {
      const secrets = createSecrets({
        db: temp.db,
        keychain: createMemoryVault(),
        clock,
        demoSecrets: () => undefined,
      });
      return unwrap(createConnections({ db: temp.db, secrets, clock }).add(connectionDraft(name)));
    },
    reopen() {
      temp.db.close();
      temp.db = unwrap(openDatabase({ folder, clock }));
      return temp.db;
    },
    remove() {
      temp.db.close();
      removeFolder(folder);
    },
  };
  return temp;
}
