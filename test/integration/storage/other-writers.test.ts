import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { watchOtherWriters } from '../../../electron/core/storage/database/other-writers.ts';
import { openTempDatabase } from '../../helpers/temp-database.ts';

test('what another connection commits is reported, own writes and what is undone are not', async () => {
  const temp = openTempDatabase();
  const other = new DatabaseSync(join(temp.folder, databaseName));
  let reports = 0;
  const stop = watchOtherWriters(temp.db.sql, 1, () => {
    reports += 1;
  });
  try {
    temp.addConnection('Own');
    other.exec('BEGIN IMMEDIATE; DELETE FROM connections; ROLLBACK');
    await sleep(50);
    expect(reports).toBe(0);
    for (const expected of [1, 2]) {
      other.exec("UPDATE connections SET name = name || '.'");
      await expect.poll(() => reports).toBe(expected);
    }
    stop();
    other.exec('DELETE FROM connections');
    await sleep(50);
    expect(reports).toBe(2);
  } finally {
    stop();
    other.close();
    temp.remove();
  }
});
