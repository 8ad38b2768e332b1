import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { type Database, databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrate } from '../../../electron/core/storage/database/migrate.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import type { LicenceList } from '../../../shared/domain/licences/licence.ts';
import { licenceLists, listLength } from '../../helpers/licence-lists.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// A list of licences replaces the previous one as a whole although it is written in many transactions, even if the program is killed at any
// point, another process reads at any time, or another list is written meanwhile.

let temp: TempDatabase;
beforeEach(() => {
  temp = openTempDatabase();
});
afterEach(() => temp.remove());

/** Rows of lists to which no reading refers. */
const orphans = (db: Database) =>
  db.sql.prepare('SELECT count(*) AS n FROM licence_seen WHERE list NOT IN (SELECT list FROM licence_reading)').get()
    ?.n;

/** The number of a list. Fails unless the list is complete and has the time of that number. */
function numberOf({ licences, readAt }: LicenceList, length: number): number {
  const names = new Set(licences.map(({ referenceNo }) => referenceNo));
  const nth = (Date.parse(readAt ?? '') - Date.parse('2026-03-02T10:00:00.000Z')) / 1000;
  expect([licences.length, [...names], nth]).toEqual([length, [`L-${nth}`], nth]);
  expect(licences.at(-1)?.licenceNumber).toBe(String(length));
  return nth;
}

class Killed extends Error {}

/** The database of a program that dies at its nth statement: from that one on no statement is run. */
function dyingAt(db: Database, point: number): { db: Database; passed(): number } {
  let passed = 0;
  const pass = () => {
    passed += 1;
    if (passed >= point) throw new Killed();
  };
  const guard = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(_, name) {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]) => {
          if (names.includes(String(name))) pass();
          const made: unknown = found.apply(target, given);
          return name === 'prepare' ? guard(made as object, ['run', 'all', 'get']) : made;
        };
      },
    });
  return { db: { ...db, sql: guard(db.sql, ['exec']) }, passed: () => passed };
}

it('killed at any statement of writing, is complete and either the old or the new one; leftovers are removed at the next start', async () => {
  const old = await licenceLists(1, listLength);
  const fresh = await licenceLists(2, listLength);
  await openLicenceStore(temp.db).saveLicences('c', old.licences, old.readAt);
  const found: number[] = [];
  let left = 0;
  for (let point = 1; ; point += 1) {
    const dying = dyingAt(temp.db, point);
    const ended = await openLicenceStore(dying.db)
      .saveLicences('c', fresh.licences, fresh.readAt)
      .then(
        () => 'saved',
        (thrown) => thrown,
      );
    // SQLite rolls back the transaction of the dead program when the file is opened.
    const db = temp.reopen();
    if (orphans(db) !== 0) left += 1;
    const store = openLicenceStore(db);
    const nth = numberOf(store.lastSeen('c'), listLength);
    if (ended === 'saved') expect(nth).toBe(2);
    else expect(ended).toBeInstanceOf(Killed);
    found.push(nth);
    await store.sweepLists();
    expect(orphans(db)).toBe(0);
    expect(numberOf(openLicenceStore(db).lastSeen('c'), listLength)).toBe(nth);
    if (dying.passed() < point) break;
    await store.saveLicences('c', old.licences, old.readAt);
  }
  // Up to one statement the old list is found, after it the new one.
  expect(found).toEqual(found.toSorted());
  expect(found.length).toBeGreaterThan(20);
  expect(left).toBeGreaterThan(10);
});

it('is complete for a process that reads while another writes lists', async () => {
  const child = fork(resolve(import.meta.dirname, '../../helpers/licence-list-child.ts'), [temp.folder, '12'], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let over = false;
  const ended = once(child, 'exit').then(([code]) => {
    over = true;
    return code as number;
  });
  const seen = new Set<number>();
  const store = openLicenceStore(temp.db);
  for (let round = 0; !over; round += 1) {
    // Read in slices, and at once by a store that has no cache.
    if (round % 2 === 0) await store.loadLastSeen('c');
    const list = (round % 2 === 0 ? store : openLicenceStore(temp.db)).lastSeen('c');
    if (list.readAt !== null) seen.add(numberOf(list, listLength));
    await turn();
  }
  expect(await ended).toBe(0);
  expect(numberOf(store.lastSeen('c'), listLength)).toBe(12);
  expect(seen.size).toBeGreaterThan(1);
  expect(orphans(temp.db)).toBe(0);
});

describe('two lists at once', () => {
  const at = (nth: number) => licenceLists(nth, listLength);

  it.each([
    ['the later one is begun first', 2, 1],
    ['the earlier one is begun first', 1, 2],
  ])('of one process: the one that was read later stays, when %s', async (_, first, second) => {
    const store = openLicenceStore(temp.db);
    const lists = await Promise.all([at(first), at(second)]);
    await Promise.all(lists.map(({ licences, readAt }) => store.saveLicences('c', licences, readAt)));
    expect(numberOf(store.lastSeen('c'), listLength)).toBe(2);
    expect(numberOf(openLicenceStore(temp.db).lastSeen('c'), listLength)).toBe(2);
    expect(orphans(temp.db)).toBe(0);
  });

  it('of two processes: neither removes what the other is writing', async () => {
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    const stores = [openLicenceStore(temp.db), openLicenceStore(other)];
    const lists = await Promise.all([at(1), at(2)]);
    await Promise.all([
      ...stores.map((store, index) =>
        store.saveLicences(`c${index}`, lists[index]?.licences ?? [], lists[index]?.readAt ?? ''),
      ),
      ...stores.map((store) => store.sweepLists()),
    ]);
    expect(stores.map((_, index) => numberOf(openLicenceStore(temp.db).lastSeen(`c${index}`), listLength))).toEqual([
      1, 2,
    ]);
    other.close();
  });

  it('a list whose rows were removed while it was written is not taken as complete', async () => {
    const store = openLicenceStore(temp.db);
    const [old, fresh] = [await at(1), await at(2)];
    await store.saveLicences('c', old.licences, old.readAt);
    const saving = store.saveLicences('c', fresh.licences, fresh.readAt);
    expect(
      temp.db.sql
        .prepare('DELETE FROM licence_seen WHERE run = ? AND list NOT IN (SELECT list FROM licence_reading)')
        .run(temp.db.run).changes,
    ).toBeGreaterThan(0);
    await expect(saving).rejects.toThrow('gone');
    expect(numberOf(openLicenceStore(temp.db).lastSeen('c'), listLength)).toBe(1);
  });
});

it('of a connection removed meanwhile is not stored', async () => {
  const store = openLicenceStore(temp.db);
  const { licences, readAt } = await licenceLists(1, listLength);
  const saving = store.saveLicences('c', licences, readAt);
  store.forgetConnection('c');
  await saving;
  expect(store.lastSeen('c')).toEqual({ licences: [], readAt: null });
  expect(temp.db.sql.prepare('SELECT count(*) AS n FROM licence_seen').get()?.n).toBe(0);
});

it('of a database from before lists had names is read, and replaced', async () => {
  const { licences, readAt } = await licenceLists(1, 40);
  const folder = join(temp.folder, 'old');
  unwrap(openDatabase({ folder, clock: temp.clock, migrations: migrations.slice(0, 11) })).close();
  const before = new DatabaseSync(join(folder, databaseName));
  const add = before.prepare(`INSERT INTO licence_seen (connection_id, position, body) VALUES ('c', ?, ?)`);
  for (const [position, licence] of licences.entries()) add.run(position, JSON.stringify(licence));
  before.prepare(`INSERT INTO licence_reading (connection_id, read_at) VALUES ('c', ?)`).run(readAt);
  unwrap(migrate(before, migrations, () => {}));
  before.close();
  const db = unwrap(openDatabase({ folder, clock: temp.clock }));
  const store = openLicenceStore(db);
  await store.sweepLists();
  expect(store.lastSeen('c')).toEqual({ licences, readAt });
  const fresh = await licenceLists(2, 10);
  await store.saveLicences('c', fresh.licences, fresh.readAt);
  expect(openLicenceStore(db).lastSeen('c')).toEqual(fresh);
  expect(orphans(db)).toBe(0);
  db.close();
});
