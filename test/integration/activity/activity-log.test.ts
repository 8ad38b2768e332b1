import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityLog, type NewCall } from '../../../electron/core/activity/activity-log.ts';
import { callListSql } from '../../../electron/core/storage/calls-repository.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

const call = (more: Partial<NewCall> = {}): NewCall => ({
  connectionId: 'wyebank',
  connectionName: 'Wyebank',
  interface: 'rest',
  operation: 'GetPremise',
  subject: '00284147',
  paidBy: 'Contact centre',
  expectedCredits: 1,
  ...more,
});
const answered = { outcome: 'answered', errorCode: null, observedCredits: 1, durationMs: 31.5 } as const;

describe('the activity log', () => {
  let temp: TempDatabase;
  let log: ReturnType<typeof createActivityLog>;
  beforeEach(() => {
    temp = openTempDatabase();
    log = createActivityLog(temp.db, temp.clock);
  });
  afterEach(() => temp.remove());
  const subjects = (query: Partial<Parameters<typeof log.listCalls>[0]> = {}) =>
    unwrap(log.listCalls({ limit: 100, ...query })).map(({ subject }) => subject);

  it('stores a call as unknown before it is sent, and its outcome when it ends', () => {
    const begun = unwrap(log.beginCall(call()));
    expect(unwrap(log.findCall(begun.id))).toEqual({
      ...call(),
      id: begun.id,
      at: '2026-03-02T10:00:00.000Z',
      outcome: 'unknown',
      errorCode: null,
      observedCredits: null,
      durationMs: 0,
      person: '',
      source: '',
    });
    unwrap(
      log.finishCall(begun.id, {
        outcome: 'failed',
        errorCode: 'sent-no-answer',
        observedCredits: null,
        durationMs: 9.25,
      }),
    );
    unwrap(log.observeCost(begun.id, 1));
    expect(unwrap(log.findCall(begun.id))).toMatchObject({
      outcome: 'failed',
      errorCode: 'sent-no-answer',
      observedCredits: 1,
      durationMs: 9.25,
      subject: '00284147',
    });
    expect(log.finishCall('no such call', answered)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  });

  it('leaves "unknown" behind when the program is killed during a call', async () => {
    temp.db.close();
    const at = (file: string) => JSON.stringify(new URL(`../../../electron/core/${file}`, import.meta.url).href);
    const script = `const { openDatabase } = await import(${at('storage/database/database.ts')});
      const { createActivityLog } = await import(${at('activity/activity-log.ts')});
      const clock = { now: () => ${temp.clock.time} };
      const log = createActivityLog(openDatabase({ folder: ${JSON.stringify(temp.folder)}, clock }).value, clock);
      const first = log.beginCall(${JSON.stringify(call({ subject: 'finished' }))});
      log.finishCall(first.value.id, ${JSON.stringify(answered)});
      log.beginCall(${JSON.stringify(call({ subject: 'under way' }))});
      console.log('ready');
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const found = unwrap(createActivityLog(temp.reopen(), temp.clock).listCalls({ limit: 10 }));
    expect(found.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      ['under way', 'unknown'],
      ['finished', 'answered'],
    ]);
  });

  it('finds by words of subject, operation, connection, key, outcome and error code', () => {
    unwrap(log.beginCall(call({ subject: 'HR1 2DT', operation: 'SearchPremise_ByPostcode', interface: 'soap' })));
    const failed = unwrap(
      log.beginCall(call({ subject: 'quay, truro', operation: 'Search', connectionName: 'Lödstone' })),
    );
    unwrap(
      log.finishCall(failed.id, { outcome: 'failed', errorCode: 'rate-limited', observedCredits: 0, durationMs: 1 }),
    );
    unwrap(log.recordCached(call({ subject: '00999999', paidBy: 'Web shop' })));
    expect(subjects({ search: 'hr1 2d' })).toEqual(['HR1 2DT']);
    expect(subjects({ search: 'HR12DT' })).toEqual(['HR1 2DT']);
    expect(subjects({ search: 'postcode' })).toEqual(['HR1 2DT']);
    expect(subjects({ search: 'searchpremise_by' })).toEqual(['HR1 2DT']);
    expect(subjects({ search: 'truro lod' })).toEqual(['quay, truro']);
    expect(subjects({ search: 'rate-limited' })).toEqual(['quay, truro']);
    expect(subjects({ search: 'unknown' })).toEqual(['HR1 2DT']);
    expect(subjects({ search: 'held' })).toEqual(['00999999']);
    expect(subjects({ search: 'web 0099' })).toEqual(['00999999']);
    expect(subjects({ search: 'nothing of the kind' })).toEqual([]);
    expect(subjects({ search: '  ' })).toHaveLength(3);
  });

  it('treats nothing typed as query syntax', () => {
    unwrap(log.beginCall(call({ subject: 'NOT a query' })));
    for (const search of ['"', 'a OR b', 'NOT', '*', '^(', 'words:x', "'; DROP TABLE calls; --", 'NEAR(a b)'])
      expect(log.listCalls({ search, limit: 10 }).ok, search).toBe(true);
    expect(subjects({ search: 'not a query' })).toEqual(['NOT a query']);
    expect(subjects({ search: '***' })).toEqual([]);
    expect(unwrap(log.countCalls())).toBe(1);
  });

  it('pages without gaps or doubles while new calls arrive', () => {
    for (let n = 0; n < 25; n += 1)
      unwrap(log.beginCall(call({ subject: String(n), connectionId: n % 2 ? 'odd' : 'even' })));
    const seen: string[] = [];
    let before: string | undefined;
    for (;;) {
      const page = unwrap(log.listCalls({ limit: 4, before, connectionId: 'odd' }));
      unwrap(log.beginCall(call({ subject: 'new', connectionId: 'odd' })));
      if (page.length === 0) break;
      seen.push(...page.map(({ subject }) => subject));
      before = page.at(-1)?.id;
    }
    expect(seen).toEqual([23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map(String));
    expect(subjects({ before: 'gone' })).toEqual([]);
  });

  it('answers each list of 100,000 rows from an index, reading no more rows than it shows', () => {
    temp.db.sql.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO calls (id, at, connection_id, connection_name, interface, operation, subject, paid_by, outcome, duration_ms)
      SELECT 'call-' || i, '2026-03-02T09:00:00.000Z', 'c' || (i % 3), 'C', 'rest', 'Search', 'subject ' || i, 'key', 'answered', 1
      FROM n;
      INSERT INTO call_words (rowid, words) SELECT sequence, subject || ' ' || operation FROM calls;
      ANALYZE`);
    const plan = (sql: string) =>
      temp.db.sql
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map((row) => String(row.detail));
    const plans = {
      all: plan(callListSql.all),
      ofConnection: plan(callListSql.ofConnection),
      search: plan(callListSql.search),
      searchOfConnection: plan(callListSql.searchOfConnection),
    };
    expect(plans.all).toEqual(['SEARCH c USING INTEGER PRIMARY KEY (rowid<?)']);
    expect(plans.ofConnection).toEqual(['SEARCH c USING INDEX calls_of_connection (connection_id=? AND sequence<?)']);
    for (const search of [plans.search, plans.searchOfConnection]) {
      expect(search[0]).toMatch(/^SCAN w VIRTUAL TABLE INDEX \d+:.*M/);
      expect(search[1]).toBe('SEARCH c USING INTEGER PRIMARY KEY (rowid=?)');
      expect(search).toHaveLength(2);
    }
    expect(subjects({ limit: 2, before: 'call-50000' })).toEqual(['subject 49999', 'subject 49998']);
    expect(subjects({ limit: 2, search: 'subject 777', connectionId: 'c1' })).toEqual([
      'subject 77797',
      'subject 77794',
    ]);
    expect(unwrap(log.listCalls({ limit: 1_000_000 }))).toHaveLength(500);
  });
});
