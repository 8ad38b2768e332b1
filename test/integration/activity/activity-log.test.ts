import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityLog, type NewCall } from '../../../electron/core/activity/activity-log.ts';
import { wholeTable } from '../../../shared/domain/row-filter.ts';
import { loggedCalls } from '../../helpers/logged-calls.ts';
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
  const subjects = async (search: string) => (await loggedCalls(log, { search })).map(({ subject }) => subject);

  it('stores a call as unknown before it is sent, and its outcome when it ends', () => {
    const begun = unwrap(log.beginCall(call()));
    expect(unwrap(log.findCall(begun.id))).toEqual({
      ...call(),
      id: begun.id,
      at: new Date(temp.clock.time).toISOString(),
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
    expect(unwrap(log.findCall(begun.id))).toMatchObject({
      outcome: 'failed',
      errorCode: 'sent-no-answer',
      observedCredits: null,
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
    const found = await loggedCalls(createActivityLog(temp.reopen(), temp.clock));
    expect(found.map(({ subject, outcome }) => [subject, outcome])).toEqual([
      ['under way', 'unknown'],
      ['finished', 'answered'],
    ]);
  });

  it('finds by words of subject, operation, connection, key, outcome and error code', async () => {
    unwrap(log.beginCall(call({ subject: 'HR1 2DT', operation: 'SearchPremise_ByPostcode', interface: 'soap' })));
    const failed = unwrap(
      log.beginCall(call({ subject: 'quay, truro', operation: 'Search', connectionName: 'Lödstone' })),
    );
    unwrap(
      log.finishCall(failed.id, { outcome: 'failed', errorCode: 'rate-limited', observedCredits: 0, durationMs: 1 }),
    );
    unwrap(log.recordCached(call({ subject: '00999999', paidBy: 'Web shop' })));
    expect(await subjects('hr1 2d')).toEqual(['HR1 2DT']);
    expect(await subjects('HR12DT')).toEqual(['HR1 2DT']);
    expect(await subjects('postcode')).toEqual(['HR1 2DT']);
    expect(await subjects('searchpremise_by')).toEqual(['HR1 2DT']);
    expect(await subjects('truro lod')).toEqual(['quay, truro']);
    expect(await subjects('rate-limited')).toEqual(['quay, truro']);
    expect(await subjects('unknown')).toEqual(['HR1 2DT']);
    expect(await subjects('held')).toEqual(['00999999']);
    expect(await subjects('web 0099')).toEqual(['00999999']);
    expect(await subjects('nothing of the kind')).toEqual([]);
    expect(await subjects('  ')).toHaveLength(3);
  });

  it('treats nothing typed as query syntax', async () => {
    unwrap(log.beginCall(call({ subject: 'NOT a query' })));
    for (const search of ['"', 'a OR b', 'NOT', '*', '^(', 'words:x', "'; DROP TABLE calls; --", 'NEAR(a b)'])
      expect(await subjects(search), search).toEqual(expect.any(Array));
    expect(await subjects('not a query')).toEqual(['NOT a query']);
    expect(await subjects('***')).toEqual([]);
    expect(unwrap(log.countCalls())).toBe(1);
  });

  it('pages without gaps or doubles while new calls arrive', async () => {
    for (let n = 0; n < 25; n += 1) unwrap(log.beginCall(call({ subject: String(n) })));
    const pageAfter = (before: string | null) =>
      log.search.list(wholeTable, { before, limit: 4, fold: false }, () => []);
    const seen: string[] = [];
    for (let page = await pageAfter(null); ; page = await pageAfter(page.next)) {
      unwrap(log.beginCall(call({ subject: 'new' })));
      seen.push(...page.calls.map(({ subject }) => subject));
      if (page.next === null) break;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => String(24 - n)));
    expect((await pageAfter('gone')).calls).toEqual([]);
  });
});
