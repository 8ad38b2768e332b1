import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseName, openDatabase } from '../../electron/core/storage/database/database.ts';
import { systemClock } from '../../electron/platform/clock.ts';
import { removeFolder } from './folders.ts';

let ready: Buffer | undefined;

function make(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-ready-'));
  const opened = openDatabase({ folder, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.close();
  const file = readFileSync(join(folder, databaseName));
  removeFolder(folder);
  return file;
}

/**
 * An empty database of this version, where a folder has none: the migrations, which have tests of their own, take ten times as long as
 * all else that a start does. For tests of what stands on it; as at every second start, it has a copy of the day.
 */
export function putReadyDatabase(folder: string): void {
  const file = join(folder, databaseName);
  if (existsSync(file)) return;
  ready ??= make();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, ready, { mode: 0o600 });
}
