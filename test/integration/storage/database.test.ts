import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, databaseName, openDatabase } from '../../../electron/core/storage/database/database.ts';
import { attempt } from '../../../electron/core/storage/database/errors.ts';
import { describeTables, migrate } from '../../../electron/core/storage/database/migrate.ts';
import type { Migration } from '../../../electron/core/storage/database/migrations/migration.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const day = 24 * 60 * 60 * 1000;
const posix = process.platform !== 'win32';
const notes: Migration = { number: 1, name: 'notes', sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT' };
const dated: Migration = { number: 2, name: 'dated', sql: 'ALTER TABLE notes ADD COLUMN at TEXT' };

describe('the program’s database', () => {
  let folder: string;
  let opened: Database[];
  const clock = { time: 0, now: () => clock.time };
  const file = () => join(folder, databaseName);
  const backups = () => (existsSync(join(folder, 'backups')) ? readdirSync(join(folder, 'backups')).sort() : []);
  const texts = (db: Database) =>
    db.sql
      .prepare('SELECT text FROM notes')
      .all()
      .map((row) => row.text);

  function open(list: readonly Migration[] = [notes], more: { busyMs?: number; recovers?: boolean } = {}) {
    const result = openDatabase({ folder, clock, migrations: list, ...more });
    if (result.ok) opened.push(result.value);
    return result;
  }

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'address-console-storage-')), 'data');
    clock.time = Date.parse('2026-03-02T10:00:00.000Z');
    opened = [];
  });
  afterEach(() => {
    for (const db of opened) db.close();
    removeFolder(join(folder, '..'));
  });

  it('numbers its published migrations from one without gaps', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
  });

  it.each(migrations)('has its tables after migration $number', ({ number, tables }) => {
    const sql = new DatabaseSync(':memory:');
    unwrap(migrate(sql, migrations.slice(0, number), () => {}));
    expect(tables).toBe(describeTables(sql, migrations.slice(0, number)));
    sql.close();
  });

  it('creates folder and file for this user alone, with the pragmas needed for safety', () => {
    const db = unwrap(open(migrations));
    const pragma = (name: string) => Object.values(db.sql.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([pragma('journal_mode'), pragma('foreign_keys'), pragma('synchronous'), pragma('busy_timeout')]).toEqual([
      'wal',
      1,
      2,
      5000,
    ]);
    // On macOS what was committed is else in the drive's cache, which a power cut empties.
    expect(pragma('fullfsync')).toBe(1);
    // A commit that moves SQLite's thousand pages into the file takes 7 ms of main in one turn.
    expect(pragma('wal_autocheckpoint')).toBe(250);
    expect(pragma('user_version')).toBe(migrations.length);
    expect(db.recovery).toBeNull();
    expect(backups()).toEqual([]);
    if (posix) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    }
  });

  it('copies the file before the first pending migration alone, and keeps its data and the earlier copies', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('kept')`);
    opened[0]?.close();
    unwrap(open()).close();
    clock.time += 60_000;
    const more = [3, 4, 5, 6, 7].map((number) => ({ number, name: 'more', sql: `CREATE TABLE more_${number} (a)` }));
    const db = unwrap(open([notes, dated, ...more]));
    expect(db.sql.prepare('SELECT text, at FROM notes').all()).toEqual([{ text: 'kept', at: null }]);
    expect(db.sql.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    expect(backups()).toEqual(['2026-03-02T10-00-00.000Z-daily.sqlite', '2026-03-02T10-01-00.000Z-before-0002.sqlite']);
    const copy = new DatabaseSync(join(folder, 'backups', backups()[1] ?? ''), { readOnly: true });
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(copy.prepare('SELECT * FROM notes').all()).toEqual([{ text: 'kept' }]);
    copy.close();
    if (posix) expect(statSync(join(folder, 'backups', backups()[1] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('undoes a migration that fails half way', () => {
    unwrap(open()).close();
    const broken: Migration = {
      number: 2,
      name: 'broken',
      sql: 'CREATE TABLE half (a); INSERT INTO missing VALUES (1)',
    };
    expect(open([notes, broken])).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
    const db = unwrap(open());
    expect(db.sql.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name = 'half'`).get()?.n).toBe(0);
    expect(db.sql.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  });

  it('refuses the file of a newer program and leaves it as it is', () => {
    unwrap(open([notes, dated])).close();
    const before = readFileSync(file());
    expect(open()).toMatchObject({
      ok: false,
      error: { code: 'storage-failed', message: expect.stringContaining('newer Address Console') },
    });
    expect(readFileSync(file())).toEqual(before);
  });

  it('says to an earlier program, which had it open, that a newer one has changed it, and lets that write no more', () => {
    const earlier = unwrap(open());
    const add = (text: string) =>
      earlier.transaction(() => ok(earlier.sql.prepare('INSERT INTO notes VALUES (?)').run(text)));
    unwrap(add('first'));
    // Its words fit the columns and no longer say what they said.
    const meant: Migration = { number: 2, name: 'meant', sql: 'UPDATE notes SET text = upper(text)' };
    unwrap(open([notes, meant], { recovers: false })).close();
    const refused = {
      ok: false,
      error: { code: 'storage-failed', message: expect.stringContaining('A newer Address Console has changed') },
    };
    expect(add('second')).toMatchObject(refused);
    expect(attempt(() => inTransaction(earlier.sql, () => texts(earlier)))).toMatchObject(refused);
    expect([texts(earlier), earlier.sql.isTransaction]).toEqual([['FIRST'], false]);
    const renamed: Migration = { number: 3, name: 'renamed', sql: 'ALTER TABLE notes RENAME COLUMN text TO words' };
    unwrap(open([notes, meant, renamed], { recovers: false })).close();
    expect(attempt(() => texts(earlier))).toMatchObject(refused);
    expect(add('third')).toMatchObject(refused);
    expect(attempt(() => earlier.sql.prepare('SELECT nothing').get())).toMatchObject(refused);
  });

  it('copies itself once a day and keeps the last five copies', () => {
    for (let passed = 0; passed < 9; passed += 1) {
      unwrap(open()).close();
      unwrap(open()).close();
      clock.time += day;
    }
    expect(backups()).toEqual(
      [6, 7, 8, 9, 10].map((date) => `2026-03-${String(date).padStart(2, '0')}T10-00-00.000Z-daily.sqlite`),
    );
  });

  it('opens without its daily copy if that cannot be made, and says so, but is not migrated without one', () => {
    unwrap(open()).close();
    // As a link to a drive that is away.
    symlinkSync(join(folder, '..', 'away'), join(folder, 'backups'), 'junction');
    const db = unwrap(open([notes], { recovers: false }));
    unwrap(db.transaction(() => ok(db.sql.prepare('INSERT INTO notes VALUES (?)').run('written'))));
    expect(db.copyFailure).toContain('backups');
    db.close();
    expect(open([notes, dated])).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
    mkdirSync(join(folder, '..', 'away'));
    const again = unwrap(open());
    expect([again.copyFailure, texts(again), backups().length]).toEqual([null, ['written'], 1]);
  });

  it('opens with an earlier copy that cannot be removed', () => {
    for (let passed = 0; passed < 6; passed += 1) {
      unwrap(open()).close();
      clock.time += day;
    }
    // As one that another program reads: neither is removed as a file.
    for (const name of ['2026-03-01T10-00-00.000Z-daily.sqlite', '2026-03-01T10-00-00.000Z-daily.sqlite.unfinished'])
      mkdirSync(join(folder, 'backups', name));
    expect(unwrap(open()).copyFailure).toBeNull();
    expect(backups().filter((name) => name >= '2026-03-02')).toHaveLength(5);
  });

  const saveAnswer = (sql: DatabaseSync) =>
    sql.exec(`INSERT INTO connections (id, name, draft, created_at, updated_at) VALUES ('c', 'Wyebank', '{}', '', '');
      INSERT INTO held_answers (id, key, connection_id, interface, operation, topic, subject, label, value, pieces, bytes, at, run)
        VALUES ('a', 'k', 'c', 'rest', 'GetPremise', 'premise', '14 Tannery Row', '', '{"line1":"14 Tannery Row"}', 1, 1, '', '');
      INSERT INTO held_pieces VALUES ('a', 0, '', '"${'Tannery'.repeat(2000)}"')`);

  it('has no saved answer in any copy, also not in one of an earlier version', () => {
    const first = unwrap(open(migrations));
    saveAnswer(first.sql);
    first.close();
    const hasText = () => backups().map((name) => readFileSync(join(folder, 'backups', name)).includes('Tannery'));
    const second = unwrap(open(migrations));
    expect(hasText()).toEqual([false]);
    // As an earlier version wrote it.
    const old = join(folder, 'backups', '2026-03-01T10-00-00.000Z-daily.sqlite');
    second.sql.prepare('VACUUM INTO ?').run(old);
    expect(hasText()).toEqual([true, false]);
    second.close();
    const third = unwrap(open(migrations));
    expect(hasText()).toEqual([false, false]);
    if (posix) expect(statSync(old).mode & 0o777).toBe(0o600);
    expect(third.sql.prepare('SELECT count(*) AS n FROM held_answers').get()?.n).toBe(1);
    third.close();
    rmSync(join(folder, 'backups', backups()[1] ?? ''));
    rmSync(file());
    // The rest of it is whole, and an answer can be saved in it.
    const restored = unwrap(open(migrations));
    expect(restored.recovery?.backupAt).toBe('2026-03-01T10:00:00.000Z');
    const schema = (db: DatabaseSync) => db.prepare('SELECT sql FROM sqlite_schema ORDER BY name').all();
    const fresh = new DatabaseSync(':memory:');
    unwrap(migrate(fresh, migrations, () => {}));
    expect(schema(restored.sql)).toEqual(schema(fresh));
    fresh.close();
    expect(restored.sql.prepare('SELECT name FROM connections').all()).toEqual([{ name: 'Wyebank' }]);
    restored.close();
  });

  it('has none either a day later, where commands alone are run', () => {
    const command = () => unwrap(open(migrations, { recovers: false }));
    const first = command();
    saveAnswer(first.sql);
    mkdirSync(join(folder, 'backups'));
    // As an earlier version wrote it.
    const old = join(folder, 'backups', '2026-03-01T10-00-00.000Z-daily.sqlite');
    first.sql.prepare('VACUUM INTO ?').run(old);
    first.close();
    expect(readFileSync(old).includes('Tannery')).toBe(true);
    command().close();
    expect(backups()).toHaveLength(2);
    expect(readFileSync(old).includes('Tannery')).toBe(false);
  });

  it('opens a copy of an earlier version without its saved answers also if the copy cannot be written anew', () => {
    const first = unwrap(open(migrations));
    saveAnswer(first.sql);
    mkdirSync(join(folder, 'backups'));
    // So long that its new form finds no name beside it.
    const name = `2026-03-01T10-00-00.000Z-${'x'.repeat(214)}.sqlite`;
    first.sql.prepare('VACUUM INTO ?').run(join(folder, 'backups', name));
    first.close();
    rmSync(file());
    const restored = unwrap(open(migrations));
    expect(restored.recovery?.backupAt).toBe('2026-03-01T10:00:00.000Z');
    expect(restored.sql.prepare('SELECT name FROM connections').all()).toEqual([{ name: 'Wyebank' }]);
    expect(restored.sql.prepare('SELECT count(*) AS n FROM held_answers').get()?.n).toBe(0);
    restored.close();
    expect(readFileSync(join(folder, 'backups', name)).includes('Tannery')).toBe(true);
    expect(readFileSync(file()).includes('Tannery')).toBe(false);
  });

  it('sets a damaged file aside and opens the last good copy, saying so', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('after the copy')`);
    opened[1]?.close();
    const whole = readFileSync(file());
    // Damage inside the file: the header is intact, a used page is not.
    writeFileSync(file(), Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xa5)]));
    clock.time += 60_000;
    const db = unwrap(open());
    expect(texts(db)).toEqual(['first']);
    expect(db.recovery).toEqual({
      setAside: `${file()}.damaged-2026-03-02T10-01-00.000Z`,
      backupAt: '2026-03-02T10:00:00.000Z',
    });
    expect(readFileSync(db.recovery?.setAside ?? '').length).toBe(whole.length);
    if (posix) expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('says of a file that is gone that nothing was set aside, also if the index of its log is left', () => {
    unwrap(open()).close();
    unwrap(open()).close();
    rmSync(file());
    writeFileSync(`${file()}-shm`, Buffer.alloc(32_768));
    expect(unwrap(open()).recovery).toEqual({ setAside: null, backupAt: '2026-03-02T10:00:00.000Z' });
  });

  it.each(['missing', 'empty'])('keeps the log of a file that is %s, and says that the file was missing', (now) => {
    const copies = ['2026-03-02T10:00:00.000Z', null];
    for (const backupAt of copies) {
      unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
      opened.at(-1)?.close();
      const last = unwrap(open());
      last.sql.exec(`INSERT INTO notes VALUES ('in the log')`);
      const log = readFileSync(`${file()}-wal`);
      last.close();
      if (backupAt === null) rmSync(join(folder, 'backups'), { recursive: true });
      rmSync(file());
      if (now === 'empty') writeFileSync(file(), '');
      writeFileSync(`${file()}-wal`, log);
      expect(open([notes], { recovers: false })).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('damaged or missing') },
      });
      expect(readFileSync(`${file()}-wal`)).toEqual(log);
      clock.time += 60_000;
      const db = unwrap(open());
      expect(db.recovery).toEqual({ setAside: null, backupAt });
      expect(texts(db)).toEqual(backupAt === null ? [] : ['first']);
      const kept = `${file()}.damaged-${new Date(clock.time).toISOString().replaceAll(':', '-')}-wal`;
      expect(readFileSync(kept)).toEqual(log);
      if (posix) expect(statSync(file()).mode & 0o777).toBe(0o600);
      db.recoveryShown();
      db.close();
    }
  });

  it('takes a first start that was killed before anything was written for a first start', () => {
    unwrap(open()).close();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    for (const name of [file(), `${file()}-wal`]) writeFileSync(name, '');
    const db = unwrap(open([notes], { recovers: false }));
    expect([db.recovery, texts(db)]).toEqual([null, []]);
  });

  it('says of a recovery at each start until a window has it, if the one that did it failed afterwards', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    unwrap(open()).close();
    writeFileSync(file(), 'not a database'.repeat(500));
    clock.time += 60_000;
    const failing = { number: 2, name: 'failing', sql: 'INSERT INTO nowhere VALUES (1)' };
    expect(open([notes, failing])).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
    const recovery = {
      setAside: `${file()}.damaged-2026-03-02T10-01-00.000Z`,
      backupAt: '2026-03-02T10:00:00.000Z',
    };
    clock.time += 60_000;
    const next = unwrap(open());
    expect([next.recovery, texts(next)]).toEqual([recovery, ['first']]);
    next.sql.exec(`INSERT INTO notes VALUES ('second')`);
    next.close();
    const shown = unwrap(open());
    expect([shown.recovery, texts(shown)]).toEqual([recovery, ['first', 'second']]);
    shown.recoveryShown();
    shown.close();
    expect(unwrap(open()).recovery).toBeNull();
  });

  it('goes on with a recovery that was cut off, and still calls a damaged file damaged and a missing one missing', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    unwrap(open()).close();
    const [copy] = backups().map((name) => join(folder, 'backups', name));
    const whole = readFileSync(copy ?? '');
    const damaged = 'not a database'.repeat(500);
    for (const found of [damaged, null]) {
      for (const left of ['nothing', 'a part of the copy'] as const) {
        rmSync(file(), { force: true });
        if (found !== null) writeFileSync(file(), found);
        clock.time += 60_000;
        // A folder cannot be copied: the file is set aside, and then the start fails.
        renameSync(copy ?? '', `${copy}.away`);
        mkdirSync(copy ?? '');
        expect(open().ok).toBe(false);
        rmdirSync(copy ?? '');
        renameSync(`${copy}.away`, copy ?? '');
        expect(readdirSync(folder)).not.toContain(databaseName);
        if (left === 'a part of the copy') writeFileSync(file(), whole.subarray(0, 5000));
        clock.time += 60_000;
        expect(open([notes], { recovers: false }).ok).toBe(false);
        const db = unwrap(open());
        expect(texts(db)).toEqual(['first']);
        expect(db.recovery?.backupAt).toBe('2026-03-02T10:00:00.000Z');
        if (found === null) expect(db.recovery?.setAside).toBeNull();
        else expect(readFileSync(db.recovery?.setAside ?? '', 'utf8')).toBe(found);
        db.recoveryShown();
        db.close();
      }
    }
  });

  it('skips a damaged copy, and begins anew if none is intact', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    unwrap(open()).close();
    clock.time += day;
    unwrap(open()).close();
    const [older, newer] = backups().map((name) => join(folder, 'backups', name));
    writeFileSync(newer ?? '', 'not a database at all, but long enough to be looked at as one'.repeat(20));
    writeFileSync(file(), 'not a database either'.repeat(50));
    clock.time += 60_000;
    const restored = unwrap(open());
    expect(texts(restored)).toEqual(['first']);
    expect(restored.recovery?.backupAt).toBe('2026-03-02T10:00:00.000Z');
    restored.close();
    for (const copy of [older, newer, file()]) writeFileSync(copy ?? '', 'nothing whole is left'.repeat(50));
    clock.time += 60_000;
    const empty = unwrap(open());
    expect(texts(empty)).toEqual([]);
    expect(empty.recovery).toMatchObject({ backupAt: null });
    expect(readdirSync(folder).filter((name) => name.includes('damaged')).length).toBeGreaterThanOrEqual(2);
  });

  it('opens a file cut short as damaged, not as a failure', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    truncateSync(file(), 5000);
    expect(unwrap(open()).recovery).not.toBeNull();
  });

  it('opens whatever something else has written into the file of its lock', () => {
    unwrap(open()).sql.exec(`INSERT INTO notes VALUES ('first')`);
    opened[0]?.close();
    writeFileSync(join(folder, 'opening.lock'), 'Dear diary, '.repeat(1000));
    expect(texts(unwrap(open()))).toEqual(['first']);
  });

  it('says what is wrong with a folder that cannot be used', () => {
    writeFileSync(folder, 'a file where the folder should be');
    expect(open()).toMatchObject({ ok: false, error: { code: 'storage-failed', charge: 'not-applicable' } });
  });

  it('reports a full disk as storage-failed and keeps what was there', () => {
    const db = unwrap(open());
    const pages = Number(db.sql.prepare('PRAGMA page_count').get()?.page_count);
    db.sql.exec(`PRAGMA max_page_count = ${pages}`);
    const insert = db.sql.prepare('INSERT INTO notes VALUES (?)');
    const result = db.transaction(() => {
      for (let row = 0; row < 100; row += 1) insert.run('x'.repeat(1000));
      return ok(undefined);
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'storage-failed', message: 'The disk is full.' } });
    expect(texts(db)).toEqual([]);
    expect(db.sql.isTransaction).toBe(false);
  });

  it('undoes a transaction whose result is a failure, with what was nested in it', () => {
    const db = unwrap(open());
    const insert = db.sql.prepare('INSERT INTO notes VALUES (?)');
    const result = db.transaction(() => {
      insert.run('outer');
      unwrap(db.transaction(() => ok(insert.run('inner'))));
      return fail(appError('bad-input'));
    });
    expect(result).toMatchObject({ error: { code: 'bad-input' } });
    expect(texts(db)).toEqual([]);
    unwrap(db.transaction(() => ok(insert.run('kept'))));
    expect(texts(db)).toEqual(['kept']);
  });

  it('lets a second process read while one writes, and names the other process when both write', () => {
    const first = unwrap(open());
    const second = unwrap(open([notes], { busyMs: 50 }));
    first.sql.exec('BEGIN IMMEDIATE');
    first.sql.exec(`INSERT INTO notes VALUES ('not yet')`);
    expect(texts(second)).toEqual([]);
    const refused = attempt(() => second.sql.exec(`INSERT INTO notes VALUES ('second')`));
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'storage-failed', message: 'Another program is writing to the database.' },
    });
    first.sql.exec('COMMIT');
    second.sql.exec(`INSERT INTO notes VALUES ('second')`);
    expect(texts(first)).toEqual(['not yet', 'second']);
  });

  it('keeps what was committed and nothing else when the program is killed', async () => {
    unwrap(open()).close();
    const module = new URL('../../../electron/core/storage/database/database.ts', import.meta.url).href;
    const script = `const { openDatabase } = await import(${JSON.stringify(module)});
      const opened = openDatabase({ folder: ${JSON.stringify(folder)}, clock: { now: () => ${clock.time} }, migrations: [
        { number: 1, name: 'notes', sql: 'CREATE TABLE notes (text TEXT NOT NULL) STRICT' }] });
      const { sql } = opened.value;
      sql.exec("INSERT INTO notes VALUES ('committed')");
      sql.exec("BEGIN IMMEDIATE; INSERT INTO notes VALUES ('under way')");
      console.log('ready');
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const db = unwrap(open());
    expect(db.recovery).toBeNull();
    expect(texts(db)).toEqual(['committed']);
  });

  // As when a script starts several commands at once, or a command starts while the window does.
  it('opens a new file in eight processes at once', async () => {
    const child = join(import.meta.dirname, '..', '..', 'helpers', 'opening-child.ts');
    const processes = [fork(child)];
    try {
      await once(processes[0] as ChildProcess, 'message');
      while (processes.length < 8) processes.push(fork(child));
      await Promise.all(processes.slice(1).map((process) => once(process, 'message')));
      for (let round = 0; round < 20; round++) {
        const fresh = join(folder, String(round));
        const answers = processes.map(async (process) => {
          const answer = once(process, 'message');
          process.send(fresh);
          return (await answer)[0];
        });
        expect(await Promise.all(answers)).toEqual(processes.map(() => ({ recovery: null })));
        expect(readdirSync(fresh).filter((name) => name.includes('damaged'))).toEqual([]);
      }
    } finally {
      for (const process of processes) process.kill();
    }
  });

  it('with any byte of the file flipped, it or the last good copy opens', () => {
    const first = unwrap(open(migrations));
    const note = first.sql.prepare(`INSERT INTO settings (key, value) VALUES (?, '"kept"')`);
    for (let row = 0; row < 200; row += 1) note.run(`name ${row}`);
    first.close();
    unwrap(open(migrations)).close();
    const whole = readFileSync(file());
    clock.time += 60_000;
    // The text of the schema begins on the first page; every byte of the header is changed in turn.
    const places = [
      ...Array(100).keys(),
      ...Array.from({ length: 46 }, (_, at) => 100 + Math.floor((whole.length - 100) * (at / 46))),
    ];
    const ends = new Map<string, number[]>();
    for (const place of places) {
      const flipped = Buffer.from(whole);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8));
      for (const name of readdirSync(folder))
        if (name.startsWith(databaseName)) rmSync(join(folder, name), { recursive: true });
      writeFileSync(file(), flipped);
      const result = open(migrations);
      const end = result.ok
        ? result.value.recovery
          ? 'the copy'
          : 'opened'
        : (result.error.detail ?? result.error.message);
      if (result.ok) result.value.close();
      ends.set(end, [...(ends.get(end) ?? []), place]);
    }
    expect([...ends.keys()].sort(), JSON.stringify([...ends])).toEqual(['opened', 'the copy']);
  });

  it('takes a schema that is not its version’s for damage, and a newer program’s for what it is', () => {
    const made = unwrap(open([notes, dated]));
    const list = [notes, { ...dated, tables: describeTables(made.sql, [notes, dated]) }];
    made.close();
    unwrap(open(list)).close();
    const change = (sql: string) => {
      const raw = new DatabaseSync(file());
      raw.exec(sql);
      raw.close();
      clock.time += 60_000;
      const result = open(list);
      if (!result.ok) return result.error.message;
      result.value.recoveryShown();
      result.value.close();
      return result.value.recovery !== null;
    };
    expect(change('PRAGMA user_version = 1')).toBe(true);
    expect(change('PRAGMA user_version = 99')).toBe(true);
    expect(change('ALTER TABLE notes RENAME COLUMN text TO texu')).toBe(true);
    expect(change('PRAGMA application_id = 0')).toBe(false);
    expect(change('CREATE TABLE of_somebody_else (a)')).toBe(false);
    expect(change(`PRAGMA user_version = 3; PRAGMA application_id = ${0x41430003}`)).toContain('newer Address Console');
  });

  it('removes partial copies left by a kill', () => {
    unwrap(open()).close();
    unwrap(open()).close();
    const left = join(folder, 'backups', '2026-03-01T10-00-00.000Z-daily.sqlite.unfinished');
    for (const name of [left, `${left}-journal`]) writeFileSync(name, 'half');
    const whole = backups().filter((name) => !name.includes('unfinished'));
    unwrap(open()).close();
    expect(backups()).toEqual(whole);
  });

  it.skipIf(!posix)('writes nothing more once its files were deleted or replaced', () => {
    for (const part of ['', '-wal', '-shm']) {
      const db = unwrap(open());
      const add = (text: string) => db.transaction(() => ok(db.sql.prepare('INSERT INTO notes VALUES (?)').run(text)));
      unwrap(add('kept'));
      rmSync(file() + part);
      const refused = {
        ok: false,
        error: { code: 'storage-failed', message: expect.stringContaining('deleted or replaced') },
      };
      expect(add('lost'), part).toMatchObject(refused);
      writeFileSync(file() + part, 'another file');
      expect(add('lost'), part).toMatchObject(refused);
      expect(texts(db)).not.toContain('lost');
      expect(db.sql.isTransaction).toBe(false);
      db.close();
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    }
  });

  it.skipIf(!posix)(
    'names a process that was suspended while opening the database, and opens it once that continues',
    async () => {
      unwrap(open()).close();
      const module = new URL('../../../electron/core/storage/database/file-lock.ts', import.meta.url).href;
      const script = `const { withFileLock } = await import(${JSON.stringify(module)});
      withFileLock(${JSON.stringify(folder)}, () => { console.log('held'); process.kill(process.pid, 'SIGSTOP'); });
      setInterval(() => undefined, 1000);`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(child.stdout, 'data');
        expect(open()).toMatchObject({
          ok: false,
          error: { code: 'storage-failed', message: expect.stringContaining(`Process ${child.pid} was stopped`) },
        });
        child.kill('SIGCONT');
        expect(unwrap(open()).recovery).toBeNull();
      } finally {
        child.kill('SIGKILL');
      }
    },
  );
});
