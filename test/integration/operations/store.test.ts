import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSavedLookups } from '../../../electron/core/operations/saved-lookups.ts';
import { historySql, openOperationsRepository } from '../../../electron/core/storage/operations-repository.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

let temp: TempDatabase;
beforeEach(() => {
  temp = openTempDatabase();
});
afterEach(() => temp.remove());

describe('saved lookups', () => {
  const lookup = (name: string, folder = '') => ({
    name,
    folder,
    operation: 'ReturnPremise_ByPostcode',
    dataset: false,
    fields: [{ name: 'sPostcode', values: ['HR10 2DT'] }],
  });
  const open = () => createSavedLookups(temp.db, temp.clock);

  test('are listed by folder and name, and stay after a restart', () => {
    const saved = open();
    for (const [name, folder] of [
      ['Zoo', ''],
      ['Depot', 'Sites'],
      ['Annex', 'Sites'],
    ] as const)
      unwrap(saved.save(lookup(name, folder)));
    temp.reopen();
    expect(unwrap(open().list()).map(({ folder, name }) => `${folder}/${name}`)).toEqual([
      '/Zoo',
      'Sites/Annex',
      'Sites/Depot',
    ]);
    expect(unwrap(open().list())[0]).toMatchObject({ fields: [{ name: 'sPostcode', values: ['HR10 2DT'] }] });
  });

  test('a name occurs once in a folder, ignoring case', () => {
    const saved = open();
    const first = unwrap(saved.save(lookup('Depot', 'Sites')));
    expect(saved.save(lookup('DEPOT', 'sites'))).toMatchObject({
      ok: false,
      error: { code: 'bad-input', field: 'name' },
    });
    const other = unwrap(saved.save(lookup('Depot')));
    expect(saved.rename(other.id, 'depot', 'Sites')).toMatchObject({ ok: false, error: { field: 'name' } });
    expect(unwrap(saved.rename(first.id, 'depot', 'Sites')).name).toBe('depot');
  });

  test('a removed one is restored unchanged, unless its name is taken by now', () => {
    const saved = open();
    const made = unwrap(saved.save(lookup('Depot')));
    unwrap(saved.remove(made.id));
    expect(unwrap(saved.list())).toEqual([]);
    expect(unwrap(saved.restore(made.id))).toEqual(made);
    unwrap(saved.remove(made.id));
    unwrap(saved.save(lookup('Depot')));
    expect(saved.restore(made.id)).toMatchObject({ ok: false, error: { field: 'name' } });
  });

  test('a removed one is deleted a day later', () => {
    const saved = open();
    const made = unwrap(saved.save(lookup('Depot')));
    const other = unwrap(saved.save(lookup('Other')));
    unwrap(saved.remove(made.id));
    temp.clock.time += 25 * 60 * 60 * 1000;
    unwrap(saved.remove(other.id));
    expect(saved.restore(made.id)).toMatchObject({ ok: false });
  });

  test('a key is not saved', () => {
    expect(open().save({ ...lookup('x'), fields: [{ name: 'LicenceID', values: ['a'] }] })).toMatchObject({
      ok: false,
    });
  });
});

describe('history over a hundred thousand calls', () => {
  const count = 100_000;
  const operations = [
    'Search',
    'SearchPremise_ByPostcode',
    'ReturnPremise_ByPostcode',
    'ReturnPremise_ByPostcode_Dataset',
  ];

  function fill(): void {
    const { sql } = temp.db;
    const insert = sql.prepare(
      `INSERT INTO calls (id, at, connection_id, connection_name, interface, operation, subject, paid_by, outcome, error_code,
         expected_credits, observed_credits, duration_ms)
       VALUES (?, ?, 'wyebank', 'Wyebank', 'soap', ?, ?, 'key', 'answered', NULL, 1, NULL, 10)`,
    );
    const words = sql.prepare('INSERT INTO call_words (rowid, words) VALUES (?, ?)');
    sql.exec('BEGIN');
    for (let n = 0; n < count; n += 1) {
      const operation = operations[n % operations.length] ?? '';
      const subject = `HR10 ${n}`;
      const { lastInsertRowid } = insert.run(`call-${n}`, '2026-03-02T10:00:00.000Z', operation, subject);
      words.run(lastInsertRowid, `${subject} ${operation} answered`);
    }
    sql.exec('COMMIT');
  }

  test('has the operation’s and its twin’s calls, newest first, page by page, each once', () => {
    fill();
    const rows = openOperationsRepository(temp.db.sql);
    const query = {
      connectionId: 'wyebank',
      operation: 'ReturnPremise_ByPostcode',
      twin: 'ReturnPremise_ByPostcode_Dataset',
      search: '',
      limit: 400,
    };
    const seen: string[] = [];
    let before: string | null = null;
    for (let page = 0; page < 5; page += 1) {
      const found = rows.history({ ...query, before });
      seen.push(...found.map(({ call }) => call.id));
      before = found.at(-1)?.call.id ?? null;
    }
    const expected = Array.from({ length: count }, (_, n) => count - 1 - n).filter((n) => n % 4 >= 2);
    expect(seen).toEqual(expected.slice(0, 2000).map((n) => `call-${n}`));

    // “Search” is also the beginning of other names, whose calls must not be included.
    const search = rows.history({ ...query, operation: 'Search', twin: 'Search_Dataset', before: null });
    expect(new Set(search.map(({ call }) => call.operation))).toEqual(new Set(['Search']));
    const found = rows.history({ ...query, operation: 'Search', twin: 'Search_Dataset', before: null, search: '500' });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ call }) => call.operation === 'Search' && / 500/.test(call.subject))).toBe(true);
    expect(rows.history({ ...query, before: null, search: '"*)(' })).toEqual([]);
    expect(rows.history({ ...query, before: 'no such call' })).toEqual([]);
  });

  test('neither way reads the whole log', () => {
    const plan = (sql: string) =>
      temp.db.sql
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row.detail));
    expect(plan(historySql.all).filter((step) => /calls_of_operation/.test(step))).toHaveLength(2);
    expect(plan(historySql.all).filter((step) => /^SCAN c\b/.test(step))).toEqual([]);
    expect(plan(historySql.search).filter((step) => /^SCAN c\b/.test(step))).toEqual([]);
    expect(plan(historySql.search).some((step) => /SCAN w VIRTUAL TABLE INDEX/.test(step))).toBe(true);
  });
});
