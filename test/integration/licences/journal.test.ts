import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { readArguments } from '../../../electron/cli/arguments.ts';
import { journalCommand } from '../../../electron/cli/commands/journal-command.ts';
import { toCanonicalJson } from '../../../electron/core/canonical-json.ts';
import { runChange } from '../../../electron/core/licences/change/change-states.ts';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { firstPreviousHash, hashEntry, openJournal } from '../../../electron/core/licences/journal/journal.ts';
import { anchorName } from '../../../electron/core/licences/journal/journal-anchor.ts';
import { verifyExport, verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { describeCheck } from '../../../renderer/features/licences/journal/journal-messages.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { connectionId, here, type LicenceConsole, openLicenceConsole } from '../../helpers/licence-console.ts';
import { callService, LicenceService } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let folder: string;
let whole: string;
let wholeAnchor: string;
let lines: string[];
let entries: number;

const changeOnce = async ({ deps }: LicenceConsole, kind: 'register' | 'unregister') => {
  const request = { connectionId, kind, licenceNumber: '20418', machine: here };
  const plan = unwrap(await planChange(request, deps.calls, deps.store, deps.ctx));
  return unwrap(await runChange(plan.id, { name: here }, deps));
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'licences-'));
  const console = await openLicenceConsole(folder, callService(new LicenceService()));
  await changeOnce(console, 'register');
  await changeOnce(console, 'unregister');
  lines = [...console.deps.ctx.journal.exportLines()];
  entries = lines.length;
  console.database.sql.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  console.database.close();
  whole = join(folder, databaseName);
  wholeAnchor = console.anchorFile;
});
afterAll(() => removeFolder(folder));

let copy = 0;
let file: string;
let anchor: string;
beforeEach(() => {
  copy += 1;
  file = join(folder, `copy-${copy}.sqlite`);
  anchor = join(folder, `copy-${copy}.anchor`);
  copyFileSync(whole, file);
  copyFileSync(wholeAnchor, anchor);
});

const triggers = [
  'licence_journal_no_update',
  'licence_journal_no_delete',
  'licence_journal_in_order',
  'licence_journal_anchor_grows',
  'licence_journal_anchor_stays',
];

/** Changes the file as somebody who tampers with SQLite would, and verifies it. */
function tamper(sql: string) {
  const db = new DatabaseSync(file);
  for (const trigger of triggers) db.exec(`DROP TRIGGER ${trigger}`);
  db.exec(sql);
  const check = verifyJournal(db, anchor);
  db.close();
  return check;
}

describe('the journal', () => {
  it('an intact journal verifies, in the database and as an export', () => {
    const check = tamper('SELECT 1');
    expect(check).toMatchObject({ entries: 11, intact: true, brokenAt: null, fault: null });
    expect(verifyExport(lines)).toEqual(check);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ sequence: 1, previousHash: firstPreviousHash });
  });

  test.each([
    'UPDATE licence_journal SET body = body WHERE sequence = 3',
    'DELETE FROM licence_journal WHERE sequence = 11',
    'DELETE FROM licence_journal',
    "INSERT INTO licence_journal SELECT 20, change_id, connection_id, licence_id, state, body, previous_hash, 'x' FROM licence_journal WHERE sequence = 1",
    'UPDATE licence_journal_anchor SET entries = 3',
    'DELETE FROM licence_journal_anchor',
    'DELETE FROM licence_change',
  ])('refuses %s', (sql) => {
    const db = new DatabaseSync(file);
    expect(() => db.exec(sql)).toThrow(/append-only|only grows|is kept/);
    expect(verifyJournal(db, anchor).intact).toBe(true);
    db.close();
  });

  it('is whole beside a process that appends while it is verified', () => {
    const reader = new DatabaseSync(file);
    const other = new DatabaseSync(file);
    const journal = openJournal(other, anchor);
    const [last] = journal.list(null, 1);
    if (!last) throw new Error('no entries');
    const { sequence: _, hash: __, previousHash: ___, ...draft } = last;
    const prepare = reader.prepare.bind(reader);
    // Between two of its reads, whichever they are, another process appends an entry.
    reader.prepare = (sql) => {
      const statement = prepare(sql);
      const once = <T>(read: () => T) => {
        const value = read();
        journal.append(draft, () => {});
        return value;
      };
      return {
        get: () => once(() => statement.get()),
        iterate: () => once(() => statement.iterate()),
      } as StatementSync;
    };
    expect(verifyJournal(reader, anchor)).toMatchObject({ intact: true, fault: null });
    reader.close();
    expect(verifyJournal(other, anchor)).toMatchObject({ intact: true, entries: entries + 2 });
    other.close();
  });

  test.each([
    [
      'a changed text',
      `UPDATE licence_journal SET body = replace(body, 'admin', 'nobody') WHERE sequence = 4`,
      4,
      'changed',
    ],
    [
      'a changed verdict',
      `UPDATE licence_journal SET body = replace(body, '"verdict":"seen"', '"verdict":"unknown"') WHERE sequence = 5`,
      5,
      'changed',
    ],
    [
      'a changed hash',
      `UPDATE licence_journal SET hash = 'f' || substr(hash, 2) || 'x' WHERE sequence = 2`,
      2,
      'changed',
    ],
    ['a changed column', `UPDATE licence_journal SET state = 'finished' WHERE sequence = 2`, 2, 'changed'],
    [
      'an added member',
      `UPDATE licence_journal SET body = json_set(body, '$.more', 1) WHERE sequence = 6`,
      6,
      'unreadable',
    ],
    [
      'a nested member added',
      `UPDATE licence_journal SET body = replace(body, '"thisMachine":true', '"thisMachine":true,"x":1') WHERE sequence = 4`,
      4,
      'unreadable',
    ],
    ['no JSON', `UPDATE licence_journal SET body = 'gone' WHERE sequence = 7`, 7, 'unreadable'],
    ['a removed entry', 'DELETE FROM licence_journal WHERE sequence = 6', 6, 'missing'],
    ['a removed first entry', 'DELETE FROM licence_journal WHERE sequence = 1', 1, 'missing'],
    [
      'a removed entry, closed up',
      'DELETE FROM licence_journal WHERE sequence = 6; UPDATE licence_journal SET sequence = sequence - 1 WHERE sequence > 6',
      6,
      'out-of-order',
    ],
    [
      'two entries changed over',
      'UPDATE licence_journal SET sequence = 99 WHERE sequence = 3; UPDATE licence_journal SET sequence = 3 WHERE sequence = 4; UPDATE licence_journal SET sequence = 4 WHERE sequence = 99',
      3,
      'out-of-order',
    ],
    ['a cut tail', 'DELETE FROM licence_journal WHERE sequence > 8', 9, 'cut-short'],
    ['everything gone', 'DELETE FROM licence_journal', 1, 'cut-short'],
    ['its anchor gone', 'DELETE FROM licence_journal_anchor', 12, 'cut-short'],
  ] as const)('shows %s', (_, sql, brokenAt, fault) => {
    expect(tamper(sql)).toMatchObject({ intact: false, brokenAt, fault });
  });

  it('detects an entry rewritten together with its hash, at the next entry', () => {
    const entry = { ...JSON.parse(lines[3] ?? ''), by: 'nobody' };
    const { hash: _, ...content } = entry;
    const sql = `UPDATE licence_journal SET body = '${toCanonicalJson(content).replaceAll("'", "''")}', hash = '${hashEntry(entry)}' WHERE sequence = 4`;
    expect(tamper(sql)).toMatchObject({ intact: false, brokenAt: 5, fault: 'missing' });
  });

  it('detects a tail cut together with the database’s anchor, by the anchor file beside it', () => {
    const cut = `DELETE FROM licence_journal WHERE sequence > 8; UPDATE licence_journal_anchor SET entries = 8, last_hash = (SELECT hash FROM licence_journal WHERE sequence = 8)`;
    expect(tamper(cut)).toMatchObject({ intact: false, brokenAt: 9, fault: 'cut-short', entries: 8 });
  });

  it('accepts an anchor file some entries behind, as after a kill before it was written', () => {
    const eighth = JSON.parse(lines[7] ?? '');
    writeFileSync(anchor, JSON.stringify({ entries: 8, lastHash: eighth.hash }));
    expect(tamper('SELECT 1').intact).toBe(true);
    writeFileSync(anchor, JSON.stringify({ entries: 8, lastHash: 'a'.repeat(64) }));
    const db = new DatabaseSync(file);
    expect(verifyJournal(db, anchor)).toMatchObject({ intact: false, brokenAt: 8, fault: 'replaced' });
    writeFileSync(anchor, 'not an anchor');
    expect(verifyJournal(db, anchor)).toMatchObject({ intact: false });
    db.close();
  });

  it('keeps the anchor file up to date', () => {
    const last = JSON.parse(lines.at(-1) ?? '');
    expect(JSON.parse(readFileSync(wholeAnchor, 'utf8'))).toEqual({ entries, lastHash: last.hash });
    expect(existsSync(`${wholeAnchor}.new`)).toBe(false);
  });

  it('goes on to detect that an older copy of the database was put back, however much is written after that', async () => {
    const append = (db: DatabaseSync, times: number) => {
      const journal = openJournal(db, anchor);
      const {
        sequence: _s,
        hash: _h,
        previousHash: _p,
        ...draft
      } = journal.list(null, 1)[0] ?? expect.fail('no entry');
      for (let n = 0; n < times; n += 1) journal.append({ ...draft, at: new Date(clock++).toISOString() }, () => {});
      return verifyJournal(db, anchor);
    };
    let clock = Date.UTC(2026, 10, 20);
    const longer = new DatabaseSync(file);
    expect(append(longer, 3)).toMatchObject({ intact: true, entries: entries + 3 });
    const before = readFileSync(anchor, 'utf8');
    longer.close();
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    copyFileSync(whole, file);

    const back = new DatabaseSync(file);
    expect(append(back, 1)).toMatchObject({ intact: false, fault: 'cut-short', brokenAt: entries + 2 });
    // As long as it was, and longer: another entry stands where the anchor names one, and which of those before it did is not known.
    for (const times of [2, 2]) {
      const check = append(back, times);
      expect(check).toMatchObject({ intact: false, fault: 'replaced', brokenAt: entries + 3 });
      expect(describeCheck(check)).toContain(
        `broken at entry ${entries + 3}: it is not the one that the anchor file names, so entries up to it were replaced`,
      );
    }
    const own = join(folder, 'put-back');
    mkdirSync(own);
    copyFileSync(file, join(own, databaseName));
    for (const end of ['-wal', '-shm'])
      if (existsSync(file + end)) copyFileSync(file + end, join(own, databaseName + end));
    copyFileSync(anchor, join(own, anchorName));
    const told = await journalCommand(unwrap(readArguments('journal', ['verify'])), {
      env: { ADDRESS_CONSOLE_DATA_FOLDER: own },
      folderName: 'Address Console',
    });
    expect(told).toMatchObject({
      error: {
        code: 'journal-broken',
        message: `The licence journal is broken: entry ${entries + 3} is not the one that the anchor file names: entries up to it were replaced, or that file was.`,
      },
    });
    expect(readFileSync(anchor, 'utf8')).toBe(before);
    back.close();
  });

  it('detects changes to an export', () => {
    const put = (at: number, line: string) => lines.with(at, line);
    expect(verifyExport(put(2, (lines[2] ?? '').replace('admin', 'nobody')))).toMatchObject({
      brokenAt: 3,
      fault: 'changed',
    });
    expect(verifyExport(lines.toSpliced(4, 1))).toMatchObject({ brokenAt: 5, fault: 'missing' });
    expect(verifyExport(lines.toReversed())).toMatchObject({ intact: false });
    expect(verifyExport(lines.slice(0, 7))).toMatchObject({ intact: true, entries: 7 });
    const lastHash = JSON.parse(lines.at(-1) ?? '').hash;
    expect(verifyExport(lines.slice(0, 7), { entries, lastHash })).toMatchObject({ intact: false, fault: 'cut-short' });
  });

  /** What the command says of a file. */
  const verifyFile = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return journalCommand(unwrap(readArguments('journal', ['verify', path])), { env: {}, folderName: 'none' });
  };

  it('takes a line separator in a text of an export for no end of an entry', async () => {
    const { hash: _, ...first } = JSON.parse(lines[0] ?? '');
    const pasted = { ...first, text: 'Dismissed. Reason: old laptop\u2028scrapped\u2029by Kim' };
    const line = toCanonicalJson({ ...pasted, hash: hashEntry(pasted) });
    for (const end of ['\n', '\r\n'])
      expect(await verifyFile('pasted.jsonl', line + end)).toMatchObject({ ok: true, value: { entries: 1 } });
  });

  it('says of an export what is wrong in it, and of another file that it is none', async () => {
    const changed = lines.with(2, (lines[2] ?? '').replace('admin', 'nobody'));
    expect(await verifyFile('changed.jsonl', changed.join('\n'))).toMatchObject({
      ok: false,
      error: {
        code: 'journal-broken',
        message: `The export ${join(folder, 'changed.jsonl')} is broken: entry 3 was changed.`,
        next: expect.stringMatching(/^Check the journal of the computer that it came from/),
      },
    });
    const other = await verifyFile('wyebank.json', '{\n  "name": "Wyebank"\n}\n');
    expect(other).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    expect(JSON.stringify(other)).not.toContain('broken');
  });

  it('stores nothing of an entry whose transaction fails', () => {
    const db = new DatabaseSync(file);
    const journal = openJournal(db);
    const { sequence: _s, hash: _h, previousHash: _p, ...draft } = journal.list(null, 1)[0] ?? expect.fail('no entry');
    const stop = () => {
      throw new Error('disk full');
    };
    expect(() => journal.append(draft, stop)).toThrow('disk full');
    expect(() => journal.append(draft, () => {}, stop)).toThrow('disk full');
    expect(verifyJournal(db)).toMatchObject({ intact: true, entries });
    expect(journal.append(draft, () => {}).sequence).toBe(entries + 1);
    expect(verifyJournal(db, anchor)).toMatchObject({ intact: true, entries: entries + 1 });
    db.close();
  });

  it('commits with synchronous=FULL and then restores the connection’s setting', () => {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA synchronous = NORMAL');
    const journal = openJournal(db);
    const { sequence: _s, hash: _h, previousHash: _p, ...draft } = journal.list(null, 1)[0] ?? expect.fail('no entry');
    let inside: unknown;
    journal.append(draft, () => {
      inside = db.prepare('PRAGMA synchronous').get()?.synchronous;
    });
    expect([inside, db.prepare('PRAGMA synchronous').get()?.synchronous]).toEqual([2, 1]);
    db.close();
  });

  it('is listed newest first, in pages', () => {
    const db = new DatabaseSync(file);
    const journal = openJournal(db);
    const first = journal.list(null, 4).map((entry) => entry.sequence);
    expect(first).toEqual([11, 10, 9, 8]);
    expect(journal.list(7, 500).map((entry) => entry.sequence)).toEqual([6, 5, 4, 3, 2, 1]);
    db.close();
  });
});

describe('canonical JSON', () => {
  it('does not depend on the order of members', () => {
    expect(toCanonicalJson({ b: [1, { d: null, c: 'é"' }], a: undefined, A: true })).toBe(
      toCanonicalJson({ A: true, b: [1, { c: 'é"', d: null }] }),
    );
    expect(toCanonicalJson({ b: 1, a: [undefined] })).toBe('{"a":[null],"b":1}');
  });
});
