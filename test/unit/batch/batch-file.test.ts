import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { fileOf, openBatchFile } from '../../../electron/core/batch/store/batch-file.ts';
import { type RowProgress, rowProgresses } from '../../../shared/domain/batch.ts';
import { removeFolder } from '../../helpers/folders.ts';

const folder = mkdtempSync(join(tmpdir(), 'address-console-batch-file-'));
afterAll(() => removeFolder(folder));

/** A file of `count` rows in eight postcodes: each fifth repeats the first, each seventh is malformed, some are unknown, some name a flat or an id. */
function fillFile(id: string, count: number) {
  const file = openBatchFile(folder, id);
  file.beginFill();
  const first = new Map<string, number>();
  for (let row = 1; row <= count; row += 1) {
    const isMalformed = row % 7 === 0;
    const isId = row % 11 === 0;
    // Those of one search all, those of another in part.
    const isUnknown = !isMalformed && (row % 8 === 3 || row % 16 === 4);
    const key = isMalformed || isUnknown ? null : row % 5 === 0 ? 'same' : `row ${row}`;
    const ask =
      isMalformed || isId ? null : file.searchIdFor(`search ${row % 8}`, 'search', `${row % 8}`, isUnknown).id;
    file.insertRow({
      row,
      ask,
      key,
      sameAs: (key !== null && first.get(key)) || null,
      flat: row % 3 === 0,
      given: `Row ${row}`,
      understood: '{}',
      progress: isMalformed ? 'malformed' : isUnknown ? 'unknown' : 'waiting',
      reason: '',
      text: '',
    });
    if (key !== null && !first.has(key)) first.set(key, row);
  }
  file.endFill();
  return file;
}

/** The figures of the stored sums, counted row by row. */
function counted(id: string) {
  const sql = new DatabaseSync(fileOf(folder, id), { readOnly: true });
  try {
    const open = `progress IN ('waiting', 'at-work', 'stopped')`;
    return {
      ...sql
        .prepare(
          `SELECT count(*) AS rows, (SELECT count(*) FROM asks WHERE state = 'waiting' AND stage = 'search') AS searches,
           count(*) FILTER (WHERE same_as IS NULL AND ask IS NULL) AS bare,
           count(*) FILTER (WHERE same_as IS NULL AND ask IS NOT NULL AND flat = 1) AS flat,
           count(*) FILTER (WHERE same_as IS NULL AND ask IS NOT NULL AND flat = 0) AS plain
         FROM rows WHERE ${open}`,
        )
        .get(),
    };
  } finally {
    sql.close();
  }
}

test('the sums of what is left equal a count of every row, whatever happens to rows and calls', () => {
  let files = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          row: fc.integer({ min: 1, max: 40 }),
          to: fc.constantFrom<RowProgress>(...rowProgresses.filter((name) => name !== 'malformed')),
          ask: fc.integer({ min: 1, max: 8 }),
          state: fc.constantFrom('waiting', 'answered', 'unknown', 'refused'),
        }),
        { maxLength: 30 },
      ),
      (steps) => {
        files += 1;
        const id = `sums-${files}`;
        const file = fillFile(id, 40);
        for (const { row, to, ask, state } of steps) {
          file.changeRow(row, { progress: to });
          file.markAsked(ask, row, '2026-11-23T00:00:00Z', 1, false);
          file.endAsk(ask, { state, at: '2026-11-23T00:00:00Z', least: 0, most: 1 });
        }
        expect(file.left()).toEqual(counted(id));
        file.close();
      },
    ),
    { numRuns: 40 },
  );
});

test('a file of the previous version is counted once, when it is first opened', () => {
  const file = fillFile('earlier', 60);
  for (const row of [1, 2, 8]) file.changeRow(row, { progress: 'done', result: 'exact' });
  file.endAsk(1, { state: 'answered', at: '2026-11-23T00:00:00Z', least: 1, most: 1 });
  file.endAsk(2, { state: 'unknown', at: '2026-11-23T00:00:00Z', least: 0, most: 2 });
  // Its search was refused (429), and it waits.
  file.markAsked(6, 6, '2026-11-23T00:00:00Z', 1, false);
  file.endAsk(6, { state: 'waiting', at: '2026-11-23T00:00:00Z', least: 0, most: 1, isTry: true });
  file.backToWaiting();
  const { progress, results } = file.tally();
  file.close();
  const sql = new DatabaseSync(fileOf(folder, 'earlier'));
  sql.exec(`DROP TRIGGER row_counted; ALTER TABLE asks DROP COLUMN under_way; ALTER TABLE asks DROP COLUMN own_call; DROP INDEX asks_unknown; ALTER TABLE asks DROP COLUMN unknown; DROP TRIGGER ask_counted; DROP TABLE ledger_seen; DROP TRIGGER row_changed; DROP TRIGGER ask_changed; DROP INDEX asks_odd; DROP INDEX asks_again;
    DELETE FROM tally WHERE name LIKE 'open %' OR name = 'searches waiting';
    UPDATE rows SET least = 0, most = 0 WHERE row = 6;
    CREATE INDEX asks_by_state ON asks (state) WHERE state != 'answered';
    CREATE TRIGGER row_changed AFTER UPDATE OF progress, result ON rows BEGIN
      UPDATE tally SET rows = rows - 1 WHERE name IN (OLD.progress, 'result ' || OLD.result);
      UPDATE tally SET rows = rows + 1 WHERE name IN (NEW.progress, 'result ' || NEW.result);
    END; PRAGMA user_version = 1;`);
  sql.close();
  const again = openBatchFile(folder, 'earlier');
  expect(again.left()).toEqual(counted('earlier'));
  expect(again.unknownCredits()).toBe(2);
  expect(again.row(6)).toMatchObject({ progress: 'waiting', least: 0, most: 1 });
  const lostBeyond = (counted: number) => {
    again.loseCalls(counted);
    return again.lost();
  };
  expect([lostBeyond(3), lostBeyond(4), again.ledgerSeen()]).toEqual([1, 0, { run: null, call: null }]);
  again.endAsk(1, { state: 'answered', at: '2026-11-23T00:00:00Z', least: 0, most: 2 });
  expect([lostBeyond(3), lostBeyond(4), lostBeyond(8)]).toEqual([3, 2, 0]);
  again.changeRow(6, { progress: 'done' });
  expect(again.left()).toEqual(counted('earlier'));
  expect(again.tally()).toEqual({
    progress: { ...progress, done: progress.done + 1, waiting: progress.waiting - 1 },
    results,
  });
  again.close();
});

test('a file of an earlier version that could not be brought up to date is free for the next time', () => {
  const id = 'refused';
  fillFile(id, 6).close();
  const sql = new DatabaseSync(fileOf(folder, id), { timeout: 0 });
  sql.exec(`DROP TRIGGER row_counted; ALTER TABLE asks DROP COLUMN under_way; ALTER TABLE asks DROP COLUMN own_call;
    UPDATE asks SET row = 1, most = 1 WHERE id = 1; PRAGMA user_version = 4;
    CREATE TRIGGER full BEFORE UPDATE ON rows BEGIN SELECT raise(ABORT, 'full'); END`);
  expect(() => openBatchFile(folder, id)).toThrow('full');
  sql.exec('DROP TRIGGER full');
  sql.close();
  const file = openBatchFile(folder, id);
  expect(file.row(1)).toMatchObject({ least: 0, most: 1 });
  file.close();
});

test('a search in the rows finds the same in slices as at once, page by page', async () => {
  const file = fillFile('pages', 45_000);
  const all = (await file.page({ search: 'row 4' }, 0, 50_000)).rows.map(({ row }) => row);
  expect(all).toEqual(Array.from({ length: 45_000 }, (_, at) => at + 1).filter((row) => `${row}`.startsWith('4')));
  const page = await file.page({ search: 'row 4' }, 4000, 100);
  expect(page.total).toBe(all.length);
  expect(page.rows.map(({ row }) => row)).toEqual(all.slice(4000, 4100));
  expect((await file.page({ progress: ['malformed'] }, 10, 3)).rows.map(({ row }) => row)).toEqual([77, 84, 91]);
  file.close();
});

test('stopping and resuming a batch changes the state of each waiting row without writing any', async () => {
  const file = fillFile('stopped', 5000);
  file.markAsked(1, 8, '2026-11-23T00:00:00Z', 1, false);
  file.changeRow(2, { progress: 'done', result: 'exact' });
  file.changeRow(3, { progress: 'stopped', reason: 'refused-402' });
  const before = file.tally();
  const open = before.progress.waiting + before.progress['at-work'];
  file.stopAll();
  expect(file.tally()).toEqual({
    ...before,
    progress: { ...before.progress, waiting: 0, 'at-work': 0, stopped: before.progress.stopped + open },
  });
  const stopped = await file.page({ progress: ['stopped'] }, 0, 5000);
  expect(stopped.total).toBe(before.progress.stopped + open);
  expect(stopped.rows).toHaveLength(stopped.total);
  expect(new Set(stopped.rows.map(({ progress }) => progress))).toEqual(new Set(['stopped']));
  expect(await file.page({ progress: ['waiting'] }, 0, 100)).toEqual({ rows: [], total: 0 });
  expect((await file.page({ progress: ['waiting', 'done'] }, 0, 100)).total).toBe(1);
  expect((await file.page({ progress: ['stopped'], search: 'row 8' }, 0, 1)).rows[0]?.row).toBe(8);
  expect(file.rowsFrom(1, 3).map(({ progress, reason }) => [progress, reason])).toEqual([
    ['stopped', 'not-asked'],
    ['done', ''],
    ['stopped', 'refused-402'],
  ]);
  expect(file.row(8)).toMatchObject({ progress: 'stopped', reason: 'not-asked' });
  const sql = new DatabaseSync(fileOf(folder, 'stopped'), { readOnly: true });
  expect(sql.prepare(`SELECT count(*) AS rows FROM rows WHERE progress = 'stopped'`).get()).toEqual({ rows: 1 });
  sql.close();
  await file.goOn();
  expect(file.tally().progress).toEqual({ ...before.progress, waiting: open + 1, 'at-work': 0, stopped: 0 });
  expect(file.row(3)).toMatchObject({ progress: 'waiting', reason: '' });
  file.close();
});

test('what is on disk is so on macOS as well, where it is else in the drive’s cache', () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const file = openBatchFile(folder, 'flushed');
  const [sql] = exec.mock.contexts as DatabaseSync[];
  exec.mockRestore();
  expect(sql?.prepare('PRAGMA fullfsync').get()).toEqual({ fullfsync: 1 });
  file.close();
});

test.skipIf(process.platform !== 'linux')('a second handle leaves the locks of the first on the file', () => {
  const first = openBatchFile(folder, 'locked');
  const { ino } = statSync(fileOf(folder, 'locked'));
  // Of this process: a file of another device may have the same number.
  const locks = () =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes(`:${ino} `) && line.includes(` ${process.pid} `)).length;
  const held = locks();
  expect(held).toBeGreaterThan(0);
  const second = openBatchFile(folder, 'locked');
  expect(locks()).toBe(held);
  second.close();
  expect(locks()).toBe(held);
  first.close();
});
