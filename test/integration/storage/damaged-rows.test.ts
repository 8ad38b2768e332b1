import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { openLedgerRepository } from '../../../electron/core/spend/ledger-repository.ts';
import { openBalanceSamples } from '../../../electron/core/storage/balance-samples-repository.ts';
import { openCallsRepository } from '../../../electron/core/storage/calls-repository.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import { openOperationsRepository } from '../../../electron/core/storage/operations-repository.ts';
import { openCallSearch } from '../../../electron/core/storage/search/call-search.ts';
import { writeTextFile } from '../../../electron/platform/write-file.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
import { entriesReader } from '../../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase } from '../../helpers/temp-database.ts';

let temp: TempDatabase;
beforeEach(() => {
  temp = openTempDatabase();
});
afterEach(() => temp.remove());

const at = '2026-03-02T09:00:00.000Z';

/** Writes an impossible value into a cell, past every constraint, as a flipped byte would. */
function damage(sql: string): void {
  temp.db.sql.exec('PRAGMA ignore_check_constraints = ON');
  expect(temp.db.sql.prepare(sql).run().changes).toBe(1);
  temp.db.sql.exec('PRAGMA ignore_check_constraints = OFF');
}

test('a damaged cell of the ledger, the activity or the readings hides no other row, and the row says so', async () => {
  const { sql } = temp.db;
  const connectionId = temp.addConnection().id;
  const ledger = openLedgerRepository(sql);
  const calls = openCallsRepository(sql);
  const samples = openBalanceSamples(sql);
  for (const id of ['one', 'two', 'three']) {
    ledger.insertRow({
      id,
      at,
      connectionId,
      run: 'r',
      interface: 'rest',
      operation: 'Search',
      subject: 'HR2 6DB',
      paidBy: 'Main key',
      expected: 1,
      observed: 1,
      balanceBefore: null,
      balanceAfter: null,
      verdict: 'cost',
      since: null,
      explained: null,
      note: 'for Ann',
      madeUp: false,
      segment: null,
      origin: '',
      fingerprint: '',
    });
    calls.insert({
      id,
      at,
      connectionId,
      connectionName: 'Wyebank',
      interface: 'rest',
      operation: 'Search',
      subject: 'HR2 6DB',
      paidBy: 'Main key',
      outcome: 'answered',
      errorCode: null,
      expectedCredits: 1,
      observedCredits: 1,
      durationMs: 5,
      person: '',
      source: '',
    });
    samples.insert(connectionId, '', {
      source: 'rest-key',
      label: id,
      keyLastFour: '',
      credits: 5,
      used: null,
      total: null,
      expiryDate: null,
      text: null,
      at,
    });
  }
  damage(`UPDATE ledger SET since = '2o26' WHERE id = 'two'`);
  damage(`UPDATE calls SET outcome = 'answerec', at = '2026-83-02T09:00:00.000Z' WHERE id = 'two'`);
  damage(`UPDATE balance_readings SET source = 'rest-kex' WHERE label = 'two'`);

  const entries = entriesReader({ sql })(connectionId);
  expect(entries.map(({ id, observed, since }) => [id, observed, since])).toEqual([
    ['three', 1, null],
    ['two', 1, null],
    ['one', 1, null],
  ]);
  expect(entries[1]?.note).toBe('This row is damaged on the disk: since. for Ann');
  expect(entries[0]?.note).toBe('for Ann');
  expect([...ledger.pages({ connectionId, from: '', to: '9' }, 10, Number.MAX_SAFE_INTEGER)].flat()).toHaveLength(3);

  const logged = await loggedCalls({ search: openCallSearch(sql) });
  expect(logged.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['three', 'answered'],
    ['two', 'unknown'],
    ['one', 'answered'],
  ]);
  expect(logged[1]?.subject).toBe('Damaged on the disk: at, outcome. HR2 6DB');
  const history = openOperationsRepository(sql).history({
    connectionId,
    operation: 'Search',
    twin: 'Search',
    search: '',
    before: null,
    limit: 10,
  });
  expect(history).toHaveLength(3);

  expect(samples.latest(connectionId, '9999', null).map(({ label }) => label)).toEqual(['one', 'three']);
  expect([...samples.pages(connectionId, '', '9', 10)].flat()).toHaveLength(2);
});

test('a damaged setting is as it was at first, and can be set again', () => {
  const settings = createSettings(temp.db);
  expect(settings.write('timeoutSeconds', 12)).toMatchObject({ ok: true });
  damage(`UPDATE settings SET value = '{12' WHERE key = 'timeoutSeconds'`);
  expect(settings.read('timeoutSeconds')).toEqual({ ok: true, value: 30 });
  settings.write('timeoutSeconds', 12);
  expect(settings.read('timeoutSeconds')).toEqual({ ok: true, value: 12 });
});

test('a setting that could not be read again is refused, and what was stored stays', () => {
  const settings = createSettings(temp.db);
  const accounting = (count: number) => ({
    poundsPerCredit: 0.04,
    centres: Array.from({ length: count }, (_, n) => ({ label: `Desk ${n}`, centre: 'CC-1' })),
  });
  expect(settings.write('accounting', { a: accounting(200), b: accounting(1) })).toMatchObject({ ok: true });
  expect(settings.write('accounting', { a: accounting(201), b: accounting(1) })).toMatchObject({
    ok: false,
    error: { code: 'bad-input' },
  });
  expect(settings.read('accounting')).toEqual({ ok: true, value: { a: accounting(200), b: accounting(1) } });
});

test('a connection with damaged settings stays listed by name, sends nothing and can be entered again', () => {
  const rows = openConnectionsRepository(temp.db.sql);
  const [bad, good] = [temp.addConnection('Bad'), temp.addConnection('Good')];
  damage(`UPDATE connections SET draft = replace(draft, '"1.1"', '"1.7"') WHERE id = '${bad.id}'`);
  expect(rows.list().map(({ id, name }) => [id, name])).toEqual([
    [bad.id, 'Bad'],
    [good.id, 'Good'],
  ]);
  expect(rows.find(bad.id)).toMatchObject({
    restBaseUrl: '',
    soapUrl: '',
    accountName: expect.stringContaining('damaged'),
  });
});

test('rows that the database does not give are no fault of the file they are written to', async () => {
  function* rows() {
    yield { text: 'head\n', rows: 0 };
    temp.db.sql.exec('SELECT * FROM nowhere');
  }
  const failed = await writeTextFile(join(temp.folder, 'rows.csv'), rows());
  expect(failed).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
});
