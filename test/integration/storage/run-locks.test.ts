import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunLocks } from '../../../electron/core/storage/run-locks.ts';
import { removeFolder } from '../../helpers/folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-locks-'));
});
afterEach(() => removeFolder(folder));

test('who looks for any window does not take away the file of one that is about to lock it, only that of one long gone', () => {
  const command = openRunLocks(folder, 'command-1');
  const file = join(folder, 'window-1.lock');
  writeFileSync(file, '');
  expect([command.isAnotherAlive('window-'), existsSync(file)]).toEqual([false, true]);
  const window = openRunLocks(folder, 'window-1');
  window.acquire();
  expect(command.isAnotherAlive('window-')).toBe(true);
  expect(command.isAnotherAlive('bulk-')).toBe(false);
  window.close();
  writeFileSync(file, '');
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(file, before, before);
  expect([command.isAnotherAlive('window-'), existsSync(file)]).toEqual([false, false]);
});

test('a run whose lock somebody else holds is not taken for shown: it can show itself once that has ended', () => {
  const other = new DatabaseSync(join(folder, 'window-1.lock'));
  other.exec('BEGIN EXCLUSIVE');
  const window = openRunLocks(folder, 'window-1');
  expect(() => window.acquire()).toThrow();
  other.close();
  window.acquire();
  expect(openRunLocks(folder, 'command-1').isAlive('window-1')).toBe(true);
  window.close();
});
