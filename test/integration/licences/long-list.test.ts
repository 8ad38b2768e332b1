import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { readLicencesInTurns } from '../../../electron/core/licences/records/read-licence.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { makeLicence } from '../../helpers/licence-service.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// A list of tens of thousands of licences is stored in few rows, and read and sent to the window in parts. The tests count rows and licences.

const count = 9500;
const readAt = '2026-03-02T10:00:00.000Z';
const many = () => readLicencesInTurns(Array.from({ length: count }, (_, n) => makeLicence(String(n + 1))));

let temp: TempDatabase;
beforeEach(() => {
  temp = openTempDatabase();
});
afterEach(() => temp.remove());

it('is stored in few rows and read again unchanged, in slices, at once, and beside rows of an earlier version', async () => {
  const licences = await many();
  await openLicenceStore(temp.db).saveLicences('c', licences, readAt);
  const rows = Number(temp.db.sql.prepare('SELECT count(*) AS n FROM licence_seen').get()?.n);
  expect(rows).toBe(Math.ceil(count / 500));
  expect(openLicenceStore(temp.db).lastSeen('c')).toEqual({ licences, readAt });
  const again = openLicenceStore(temp.db);
  // Counts how often other work gets a turn while the list is read.
  let turns = 0;
  let over = false;
  const look = () => {
    turns += 1;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await again.loadLastSeen('c');
  over = true;
  expect(turns).toBeGreaterThan(10);
  expect(again.lastSeen('c')).toEqual({ licences, readAt });
  temp.db.sql.exec('DELETE FROM licence_seen WHERE position >= 500');
  const old = temp.db.sql.prepare(`INSERT INTO licence_seen SELECT list, ?, ?, '' FROM licence_reading`);
  for (const [index, licence] of licences.slice(500, 510).entries()) old.run(500 + index, JSON.stringify(licence));
  const mixed = openLicenceStore(temp.db);
  await mixed.loadLastSeen('c');
  expect(mixed.lastSeen('c').licences).toEqual(licences.slice(0, 510));
});

it('is released from memory when unused for a while, and read again when needed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const store = openLicenceStore(temp.db);
    await store.saveLicences('c', await many(), readAt);
    const first = store.lastSeen('c');
    vi.advanceTimersByTime(9000);
    expect(store.lastSeen('c')).toBe(first);
    vi.advanceTimersByTime(9000);
    expect(store.lastSeen('c')).toBe(first);
    vi.advanceTimersByTime(11_000);
    await store.loadLastSeen('c');
    const again = store.lastSeen('c');
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
    expect(store.lastSeen('c')).toBe(again);
    vi.advanceTimersByTime(11_000);
    expect(store.lastSeen('c')).not.toBe(again);
  } finally {
    vi.useRealTimers();
  }
});

it('has the credits of a licence that it names twice once, and no figure where its records differ', async () => {
  const program: Program = unwrap(await startProgram());
  try {
    const connectionId = await program.connect({});
    const own = unwrap(openDatabase({ folder: program.folder, clock: { now: () => Date.now() } }));
    const credits = (id: string, figure: string) => makeLicence(id, { CurrentCreditsAvailable: figure });
    const licences = await readLicencesInTurns([
      ...[credits('1', '100'), credits('0001', '100'), credits('2', '100'), credits('2', '70'), credits('2', '')],
      ...[credits('3', '7'), credits('4', '')],
    ]);
    await openLicenceStore(own).saveLicences(connectionId, licences, readAt);
    own.close();
    const overview = unwrap(await program.call('credits.overview', { connectionId }));
    expect(overview.licences).toEqual({ licences: 4, figures: 2, differing: 1, credits: 107, readAt });
  } finally {
    await program.close();
  }
});

it('is transferred to the window in parts, all of the same list', async () => {
  const program: Program = unwrap(await startProgram());
  try {
    const connectionId = await program.connect({});
    const { folder } = program;
    const own = unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
    await openLicenceStore(own).saveLicences(connectionId, await many(), readAt);
    own.close();
    const seen = unwrap(await program.call('licences.last-seen', { connectionId }));
    expect(seen.list.total).toBe(count);
    expect(seen.list.licences.length).toBeLessThanOrEqual(2000);
    const all = [...seen.list.licences];
    while (all.length < count) {
      const more = unwrap(await program.call('licences.more', { connectionId, readAt, from: all.length }));
      expect(more.licences.length).toBeGreaterThan(0);
      expect(more.licences.length).toBeLessThanOrEqual(2000);
      all.push(...more.licences);
    }
    expect(all.map(({ licenceNumber }) => Number(licenceNumber))).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    );
    const stale = { connectionId, readAt: '2026-03-01T10:00:00.000Z', from: 0 };
    expect(unwrap(await program.call('licences.more', stale)).licences).toEqual([]);
  } finally {
    await program.close();
  }
});
