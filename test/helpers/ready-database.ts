import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileTime } from '../../electron/core/storage/database/backups.ts';
import { backupFolder, databaseName, openDatabase } from '../../electron/core/storage/database/database.ts';
import { systemClock } from '../../electron/platform/clock.ts';
import { removeFolder } from './folders.ts';

let ready: Buffer | undefined;

/** Made once a run, whichever of its processes comes first. */
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
 * An empty database of this version, where a folder has none: the migrations, which have tests of their own, take ten times as long as
 * all else that a start does. For tests of what stands on it; as after every first start of a day, it has the day's copy. `now`: the
 * time that the test begins with.
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
