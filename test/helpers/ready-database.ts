import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTime } from '../../electron/core/storage/database/backups.ts';
import { backupFolder, databaseName, openDatabase } from '../../electron/core/storage/database/database.ts';
import { systemClock } from '../../electron/platform/clock.ts';
import { removeFolder } from './folders.ts';

let ready: Buffer | undefined;

/** Reads the prepared database. The first process of a test run that needs it creates it. */
function readOrMake(): Buffer {
  const shared = join(tmpdir(), 'address-console-ready.sqlite');
  if (existsSync(shared)) return readFileSync(shared);
  const folder = mkdtempSync(join(tmpdir(), 'address-console-ready-'));
  const opened = openDatabase({ folder, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.close();
  const file = readFileSync(join(folder, databaseName));
  renameSync(join(folder, databaseName), shared);
  removeFolder(folder);
  return file;
}

/**
 * Puts an empty database of this version into a folder that has none: the migrations, which other tests run, take ten times as long as
 * the rest of a start. It also puts the daily copy there, as after the first start of a day. `now` is the time at which the
 * test begins.
 */
export function putReadyDatabase(folder: string, now = Date.now()): void {
  const file = join(folder, databaseName);
  if (existsSync(file)) return;
  ready ??= readOrMake();
  const copies = join(folder, backupFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(copies, { recursive: true, mode: 0o700 });
  writeFileSync(file, ready, { mode: 0o600 });
  writeFileSync(join(copies, `${fileTime(now)}-daily.sqlite`), ready, { mode: 0o600 });
}
