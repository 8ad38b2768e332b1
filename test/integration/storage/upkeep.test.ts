import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { createMeasure } from '../../../electron/core/upkeep/measure.ts';
import { createUpkeep } from '../../../electron/core/upkeep/upkeep.ts';
import type { TidyProgress } from '../../../shared/domain/stored-data.ts';
import { ok } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { factsOf } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

const worker = join(import.meta.dirname, '..', '..', '..', 'electron', 'core', 'upkeep', 'sizes-worker.ts');
const pragma = (sql: DatabaseSync, name: string) => Number(Object.values(sql.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
const fill = (sql: DatabaseSync, table: string) =>
  sql.exec(
    `CREATE TABLE ${table} (one TEXT); INSERT INTO ${table} WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
     SELECT hex(randomblob(100)) FROM n`,
  );

describe('what is stored', () => {
  let temp: TempDatabase;
  let id: string;
  let turns: number;
  let progress: TidyProgress[];
  /** How often it was told that something was removed. */
  let removed: number;
  /** Called between two turns of the upkeep. */
  let between: () => void;

  /** Saved answers that are due, by the turn in which they are removed. */
  let due: number[];
  const partsOf = () => ({
    db: temp.db,
    clock: temp.clock,
    logger: { error: () => {} },
    removeAnswers: () => ok(due.shift() ?? 0),
    removeBatches: async () => 1,
    measure: createMeasure(worker, temp.folder),
    onRemoved: () => {
      removed += 1;
    },
    rest: async () => {
      turns += 1;
      between();
    },
  });
  const upkeepOf = () => createUpkeep(partsOf());
  const onProgress = (one: TidyProgress) => void progress.push(one);
  /** Enters a day of readings at one-minute intervals, with a call and a fall of the balance in the middle. */
  function readADay() {
    const facts = factsOf(temp.db, temp.clock, id);
    for (let minute = 0; minute < 480; minute += 1) {
      temp.clock.time += 61_000;
      if (minute === 240) facts.call();
      facts.read(minute < 240 ? 500 : 499);
    }
  }
  const readings = () => Number(temp.db.sql.prepare('SELECT count(*) AS n FROM balance_readings').get()?.n);

  beforeEach(() => {
    temp = openTempDatabase();
    temp.db.sql.exec('PRAGMA synchronous = OFF');
    id = temp.addConnection().id;
    turns = 0;
    due = [2];
    progress = [];
    removed = 0;
    between = () => {};
  });
  afterEach(() => temp.remove());

  it('is measured part by part, and the parts add up to the database', async () => {
    readADay();
    fill(temp.db.sql, 'gone');
    temp.db.sql.exec('DROP TABLE gone');
    const sizes = unwrap(await upkeepOf().measure());
    const sum = sizes.parts.reduce((all, { bytes }) => all + bytes, 0);
    expect(sum).toBe(pragma(temp.db.sql, 'page_count') * pragma(temp.db.sql, 'page_size'));
    const rows = Object.fromEntries(sizes.parts.map((one) => [one.part, one]));
    expect(rows.readings).toMatchObject({ rows: 480 });
    expect(rows.ledger).toMatchObject({ rows: 1 });
    expect(rows.unused?.bytes).toBeGreaterThan(5_000_000);
    expect(sizes.readingsRemoved).toBe(0);
  });

  it('is told to the windows when something of it was removed, and only then', async () => {
    const none = createUpkeep({ ...partsOf(), removeAnswers: () => ok(0), removeBatches: async () => 0 });
    await none.run();
    expect(removed).toBe(0);
    await createUpkeep({ ...partsOf(), removeAnswers: () => ok(0) }).run();
    await createUpkeep({ ...partsOf(), removeBatches: async () => 0 }).run();
    expect(removed).toBe(2);
  });

  it('keeps every reading of the last seven days, and of older ones those that matter', async () => {
    readADay();
    await upkeepOf().run();
    expect(readings()).toBe(480);
    temp.clock.time += 8 * 86_400_000;
    readADay();
    const upkeep = upkeepOf();
    await upkeep.run();
    // The first and last reading of each of about 33 quarters of an hour, those around the call, and one for each page.
    expect(readings()).toBeLessThan(480 + 80);
    expect(unwrap(await upkeep.measure()).readingsRemoved).toBe(960 - readings());
    expect(
      factsOf(temp.db, temp.clock, id)
        .entries()
        .filter(({ observed }) => observed === 1),
    ).toHaveLength(2);
  });

  it('killed between any two turns, leaves an intact file with the same claims, which the next run tidies to the same result', async () => {
    readADay();
    temp.clock.time += 8 * 86_400_000;
    const all = readings();
    const said = JSON.stringify(factsOf(temp.db, temp.clock, id).entries());
    const killed: string[] = [];
    between = () => {
      // What a kill leaves on the disk at this moment.
      const folder = mkdtempSync(join(tmpdir(), 'address-console-killed-'));
      for (const name of readdirSync(temp.folder).filter((one) => one.startsWith(databaseName) && !one.endsWith('shm')))
        copyFileSync(join(temp.folder, name), join(folder, name));
      killed.push(folder);
    };
    await upkeepOf().tidyNow();
    between = () => {};
    const end = readings();
    const seen = new Set<number>();
    for (const folder of killed) {
      const db = unwrap(openDatabase({ folder, clock: temp.clock }));
      const count = (what: string, from = 'balance_readings') =>
        Number(db.sql.prepare(`SELECT ${what} AS n FROM ${from}`).get()?.n);
      expect(db.sql.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      seen.add(count('count(*)'));
      expect(count('sum(stands_for)')).toBe(all);
      expect(
        count(
          'count(*)',
          `segments WHERE from_reading NOT IN (SELECT sequence FROM balance_readings)
             OR to_reading NOT IN (SELECT sequence FROM balance_readings)`,
        ),
      ).toBe(0);
      expect(JSON.stringify(factsOf(db, temp.clock, id).entries())).toBe(said);
      await createUpkeep({ ...partsOf(), db }).tidyNow();
      // A page's last stretch may have its neighbour on the next one, and is removed by the next run.
      expect(count('count(*)')).toBeLessThanOrEqual(end);
      db.close();
      removeFolder(folder);
    }
    // Killed before all of it was removed, and after.
    expect(seen.size).toBeGreaterThan(1);
  });

  it('frees space in small turns, between which others can write, and stops on request', async () => {
    fill(temp.db.sql, 'gone');
    temp.db.sql.exec('DROP TABLE gone');
    const other = new DatabaseSync(join(temp.folder, databaseName), { timeout: 0 });
    other.exec('CREATE TABLE beside (turn INTEGER)');
    let left = pragma(temp.db.sql, 'freelist_count');
    const steps: number[] = [];
    between = () => {
      other.exec(`INSERT INTO beside VALUES (${turns})`);
      const now = pragma(temp.db.sql, 'freelist_count');
      steps.push(left - now);
      left = now;
    };
    const before = pragma(temp.db.sql, 'page_count');
    const stopping = new AbortController();
    const first = between;
    between = () => {
      first();
      if (turns === 10) stopping.abort();
    };
    const upkeep = upkeepOf();
    expect(unwrap(await upkeep.tidyNow({ signal: stopping.signal }))).toMatchObject({
      answers: 2,
      batches: 1,
      stopped: true,
    });
    expect(left).toBeGreaterThan(0);
    between = first;
    const done = unwrap(await upkeep.tidyNow({ onProgress }));
    expect(done).toMatchObject({ stopped: false });
    expect(done.bytes).toBeGreaterThan(1_000_000);
    expect(pragma(temp.db.sql, 'freelist_count')).toBeLessThan(3);
    expect(pragma(temp.db.sql, 'page_count')).toBeLessThan(before / 2);
    // No turn moves more than 41 pages.
    expect(Math.max(...steps)).toBeLessThanOrEqual(41);
    expect(Number(other.prepare('SELECT count(*) AS n FROM beside').get()?.n)).toBe(turns);
    expect(progress.some(({ step }) => step === 'file')).toBe(true);
    other.close();
  });

  it('can be stopped by a person who started it while the hourly run was under way', async () => {
    readADay();
    const stopping = new AbortController();
    between = () => stopping.abort();
    const upkeep = upkeepOf();
    const hourly = upkeep.run();
    expect(unwrap(await upkeep.tidyNow({ signal: stopping.signal }))).toMatchObject({ stopped: true });
    await hourly;
  });

  it('frees space of a file from an earlier version too, and loses nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'address-console-upkeep-'));
    const file = join(folder, databaseName);
    temp.db.sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    // A file of an earlier version, without the pages that incremental compaction needs.
    temp.db.sql.exec('PRAGMA auto_vacuum = NONE; VACUUM');
    temp.db.sql.prepare('VACUUM INTO ?').run(file);
    const old = new DatabaseSync(file);
    expect(pragma(old, 'auto_vacuum')).toBe(0);
    old.close();
    const db = unwrap(openDatabase({ folder, clock: temp.clock }));
    expect(pragma(db.sql, 'auto_vacuum')).toBe(2);
    expect(db.sql.prepare('SELECT count(*) AS n FROM connections').get()).toEqual({ n: 1 });
    db.close();
    expect(statSync(file).size).toBeGreaterThan(0);
    rmSync(`${file}-wal`, { force: true });
    removeFolder(folder);
  });
});
