import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { createAnswerCache } from '../../../electron/core/answers/answer-cache.ts';
import type { CacheKey } from '../../../electron/core/answers/cache-key.ts';
import { openCachedAnswers } from '../../../electron/core/answers/cached-answers.ts';
import type { StoredAnswer } from '../../../electron/core/answers/stored-answer.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import {
  openConnectionsRepository,
  openHandlesRepository,
} from '../../../electron/core/storage/connections-repository.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import { openServiceDescriptions } from '../../../electron/core/storage/service-descriptions.ts';
import { type Connection, serviceAt } from '../../../shared/domain/connection.ts';
import { appError, type ErrorCode } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import { connectionDraft, openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

const hour = 60 * 60 * 1000;
const days = (amount: number) => ({ mode: 'days', amount }) as const;

const storedAnswer = {
  interface: 'rest',
  operation: 'GetPremise',
  shape: 'A',
  durationMs: 1,
  paidBy: 'one of them',
  keyLastFour: '1234',
  expectedCredits: 1,
  content: { kind: 'operation', title: 'GetPremise', fields: [] },
  request: { method: 'GET', url: 'https://lookup.example/v1/GetPremise', headers: {} },
  raw: { status: 200, headers: {}, text: '{}', bytes: 2 },
} satisfies Partial<StoredAnswer>;

describe('the store of answers', () => {
  let temp: TempDatabase;
  let connection: Connection;
  let id: string;
  beforeEach(() => {
    temp = openTempDatabase();
    connection = temp.addConnection();
    id = connection.id;
  });
  afterEach(() => temp.remove());
  const cache = (totalBytes?: number) =>
    openCachedAnswers(temp.db, temp.clock, totalBytes === undefined ? undefined : () => totalBytes);
  const ownAccounts = () => unwrap(cache().accountsOf(openConnectionsRepository(temp.db.sql).find(id) ?? connection));
  const question = (premise: string, options = {}): CacheKey => ({
    connectionId: id,
    operation: 'GetPremise',
    input: { id: premise, uprn: false },
    options,
  });

  it('returns an answer for the same request only, in any order of its fields', () => {
    const answer = { item: { id: '00284147', udprn: '00012345' } };
    const about = { subject: '00284147' };
    expect(
      unwrap(cache().store(question('00284147', { interface: 'rest', version: '1' }), about, answer)),
    ).not.toBeNull();
    const same = {
      ...question('00284147'),
      input: { uprn: false, id: '00284147' },
      options: { version: '1', interface: 'rest' },
    };
    expect(unwrap(cache().find(same, ownAccounts(), days(1)))).toMatchObject({
      value: answer,
      at: new Date(temp.clock.time).toISOString(),
    });
    for (const other of [
      question('0284147'),
      question('00284147', { interface: 'soap', version: '1' }),
      { ...same, operation: 'GetPremiseGeoData' },
      { ...same, connectionId: 'another' },
      { ...same, input: { id: '00284147', uprn: true } },
      { ...same, input: { id: 284147, uprn: false } },
    ])
      expect(unwrap(cache().find(other, ownAccounts(), days(1)))).toBeUndefined();
  });

  it('stays within its limit with two processes storing at once, though neither counts everything at each answer', () => {
    const room = 200_000;
    const [one, other] = [cache(room), cache(room)];
    const size = () => unwrap(one.size(days(1)));
    for (let at = 0; at < 400; at += 1)
      unwrap((at % 2 === 0 ? one : other).store(question(`${at}`), { subject: `${at}` }, 'x'.repeat(1000)));
    // Each process may have stored a sixteenth of the limit since it last counted.
    expect(size().bytes).toBeLessThanOrEqual(room * (1 + 2 / 16));
    expect(size().answers).toBeGreaterThan(150);
    expect(unwrap(one.find(question('399'), ownAccounts(), days(1)))).toBeDefined();
    expect(unwrap(one.find(question('0'), ownAccounts(), days(1)))).toBeUndefined();
    unwrap(one.shrink());
    expect(size().bytes).toBeLessThanOrEqual(room);
  });

  it('a request that joins another’s call is not stopped by the other’s limit, and is not sent twice once it may have left', async () => {
    const settings = createSettings(temp.db);
    const answers = createAnswerCache(cache(), { settings, log: createActivityLog(temp.db, temp.clock) });
    const connection = temp.addConnection('Answers');
    const asks = (code: ErrorCode) => {
      let sent = 0;
      const send = async () => {
        sent += 1;
        return fail(appError(code));
      };
      const about = { subject: '1', topic: 'premise' } as const;
      const result = answers.ask({ connection, questions: [question('1')], about, cache: 'reload', send }, {});
      return { result: result.then((end) => [sent, end.ok || end.error.code]) };
    };
    for (const [first, ends] of [
      ['cap-reached', [1, 'not-found']],
      ['sent-no-answer', [0, 'sent-no-answer']],
      ['no-credits', [0, 'no-credits']],
    ] as const) {
      const [one, other] = [asks(first), asks('not-found')];
      expect([await one.result, await other.result]).toEqual([[1, first], ends]);
    }
  });

  it('caches an empty answer for a day at most in every mode, and finds answers by the identifiers stored with them', () => {
    unwrap(cache().store(question('1'), { subject: 'one', topic: 'search', empty: true }, 'nothing'));
    unwrap(cache().store(question('2'), { subject: 'two', topic: 'premise', identifiers: ['00012345', ''] }, 'answer'));
    const find = (premise: string, policy: Parameters<ReturnType<typeof cache>['find']>[2]) =>
      unwrap(cache().find(question(premise), ownAccounts(), policy)) !== undefined;
    const identified = (typed: string) =>
      unwrap(cache().listIdentified(id, 'premise', typed, days(30))).map(({ subject }) => subject);
    expect([
      identified('12345'),
      identified('00012345'),
      identified('two'),
      identified('2345'),
      identified('0'),
    ]).toEqual([['two'], ['two'], ['two'], [], []]);
    temp.clock.time += 24 * hour;
    expect([find('1', days(30)), find('1', { mode: 'hours', amount: 23 })]).toEqual([true, false]);
    temp.clock.time += 1;
    expect([find('1', days(30)), find('1', { mode: 'run', amount: 1 })]).toEqual([false, false]);
    expect([find('2', days(30)), find('2', { mode: 'run', amount: 1 })]).toEqual([true, true]);
    expect(unwrap(cache().purge(days(30)))).toBe(1);
  });

  it('answers that are due together are removed some hundreds at a time while others come in', () => {
    const own = cache();
    for (let premise = 0; premise < 450; premise += 1)
      unwrap(own.store(question(`${premise}`), { subject: `${premise}` }, 'answer'));
    temp.clock.time += 31 * 24 * hour;
    const answers = () => unwrap(own.size(days(30))).answers;
    const left = [1, 2, 3, 4].map(() => {
      own.purgeSometimes(days(30));
      return answers();
    });
    expect(left).toEqual([250, 50, 0, 0]);
    expect(unwrap(own.purgeSome(days(30)))).toBe(0);
  });

  it('an answer that is saved until the program ends outlives what another process stores or removes', () => {
    const run = { mode: 'run', amount: 1 } as const;
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    try {
      const [window, command] = [cache(), openCachedAnswers(other, temp.clock)];
      unwrap(window.store(question('1'), { subject: 'of the window' }, 'answer'));
      command.purgeSometimes(run);
      unwrap(command.store(question('2'), { subject: 'of the command' }, 'answer'));
      expect(unwrap(window.size(run))).toMatchObject({ answers: 2, outdated: 0 });
      expect([unwrap(window.purge(run)), unwrap(command.purge(run))]).toEqual([0, 0]);
      const find = (one: typeof window, premise: string) => unwrap(one.find(question(premise), ownAccounts(), run));
      expect(find(window, '1')).toMatchObject({ subject: 'of the window' });
      expect(find(command, '2')).toMatchObject({ subject: 'of the command' });
      // Each is of one program: the other asks for itself.
      expect([find(window, '2'), find(command, '1')]).toEqual([undefined, undefined]);
      other.close();
      expect(unwrap(window.size(run))).toMatchObject({ answers: 2, outdated: 1 });
      expect(unwrap(window.purge(run))).toBe(1);
      expect(find(window, '1')).toMatchObject({ subject: 'of the window' });
    } finally {
      other.close();
    }
  });

  it('applies the cache policy at each read, by hours, days and run', () => {
    unwrap(cache().store(question('1'), { subject: 'one' }, 'answer'));
    const find = (policy: Parameters<ReturnType<typeof cache>['find']>[2]) =>
      unwrap(cache().find(question('1'), ownAccounts(), policy)) !== undefined;
    temp.clock.time += 2 * hour;
    expect(find({ mode: 'off', amount: 1 })).toBe(false);
    expect(find({ mode: 'hours', amount: 2 })).toBe(true);
    temp.clock.time += 1;
    expect(find({ mode: 'hours', amount: 2 })).toBe(false);
    expect(find(days(1))).toBe(true);
    temp.clock.time += 40 * 24 * hour;
    expect(find(days(30))).toBe(false);
    expect(find({ mode: 'run', amount: 1 })).toBe(true);
    const { id: answerId = '' } = unwrap(cache().find(question('1'), ownAccounts(), { mode: 'run', amount: 1 })) ?? {};
    const reusable = () => unwrap(cache().isReusable(answerId, id, { mode: 'run', amount: 1 }));
    expect(reusable()).toBe(true);
    temp.reopen();
    expect(find({ mode: 'run', amount: 1 })).toBe(false);
    // It can still be opened by its id, but is not called saved until the program ends.
    expect(reusable()).toBe(false);
    expect(find(days(41))).toBe(true);
    expect(unwrap(cache().purge(days(41)))).toBe(0);
    expect(unwrap(cache().purge(days(30)))).toBe(1);
    expect(find(days(41))).toBe(false);
  });

  it('belong to the address of the service: a changed address has its own cache, and restoring it finds the old answers', () => {
    const edit = (restBaseUrl: string) => {
      temp.clock.time += hour;
      const connection = connections.find(id);
      if (!connection) throw new Error('gone');
      const { id: _id, ...draft } = connection;
      connections.update(id, { ...draft, restBaseUrl }, new Date(temp.clock.time).toISOString());
    };
    const connections = openConnectionsRepository(temp.db.sql);
    const known = () => unwrap(cache().find(question('1'), ownAccounts(), days(9)))?.value;
    const listed = () => unwrap(cache().listRecent(id, days(9), 10)).length;
    edit('https://first.example/v1');
    unwrap(cache().store(question('1'), { subject: 'one', topic: 'premise', interface: 'rest' }, 'of a'));
    expect([known(), listed()]).toEqual(['of a', 1]);
    edit('https://second.example/v1');
    expect([known(), listed()]).toEqual([undefined, 0]);
    expect(unwrap(cache().listSubjects(id, 'premise', ['GetPremise'], days(9)))).toEqual([]);
    expect(unwrap(cache().listOfSubject(id, 'premise', 'one', days(9)))).toEqual([]);
    unwrap(cache().store(question('1'), { subject: 'one', interface: 'rest' }, 'of b'));
    expect(known()).toBe('of b');
    edit('https://first.example/v2');
    expect([known(), listed()]).toEqual([undefined, 0]);
    edit('https://first.example/v1/');
    expect([known(), listed()]).toEqual(['of a', 1]);
  });

  it('belong to the key that paid for them, and are found as long as the connection has it, whichever is used first', async () => {
    const handles = openHandlesRepository(temp.db.sql);
    const at = new Date(temp.clock.time).toISOString();
    const keys = ['first', 'second'].map((label, nth) => ({
      id: label,
      connectionId: id,
      role: 'lookup-key' as const,
      label,
      lastFour: '1234',
      preferred: nth === 0,
      createdAt: at,
      lastUsedAt: null,
    }));
    for (const key of keys) handles.insert(key, `fingerprint of ${key.label}`);
    const settings = createSettings(temp.db);
    const answers = createAnswerCache(cache(), { settings, log: createActivityLog(temp.db, temp.clock) });
    let sent = 0;
    const ask = async (premise: string, keyLabel?: string) => {
      const answer = { ...storedAnswer, callId: `${++sent}`, at };
      const about = { subject: premise, topic: 'operation' } as const;
      const send = async () => ok(answer);
      return unwrap(
        await answers.ask({ connection, questions: [question(premise)], about, cache: 'default', send }, { keyLabel }),
      ).cached;
    };
    expect([await ask('1', 'second'), await ask('2')]).toEqual([false, false]);
    const known = async () => [await ask('1'), await ask('1', 'second'), await ask('2'), await ask('2', 'second')];
    expect(await known()).toEqual([true, true, true, true]);
    for (const key of keys.toReversed()) {
      handles.prefer(key);
      expect(await known()).toEqual([true, true, true, true]);
    }
    handles.remove('second');
    expect(unwrap(answers.find(connection, question('1')))).toBeUndefined();
    expect(unwrap(answers.find(connection, question('2')))).toBeDefined();
  });

  it('stored by an earlier version is used as long as its connection has not been edited since', () => {
    unwrap(cache().store(question('1'), { subject: 'one' }, 'answer'));
    temp.db.sql.exec(`UPDATE held_answers SET account = ''`);
    const known = () => unwrap(cache().find(question('1'), ownAccounts(), days(9)))?.value;
    expect(known()).toBe('answer');
    temp.clock.time += hour;
    temp.db.sql.prepare('UPDATE connections SET updated_at = ?').run(new Date(temp.clock.time).toISOString());
    expect(known()).toBeUndefined();
  });

  it('stored by a version that knew only their server are of the service that their own request, or their connection, leads to', () => {
    temp.db.close();
    const { folder, clock } = temp;
    temp.remove();
    const before = migrations.findIndex(({ name }) => name === 'services-by-path');
    temp.db = unwrap(openDatabase({ folder, clock, migrations: migrations.slice(0, before) }));
    const server = 'https://lookup.example';
    const connections = openConnectionsRepository(temp.db.sql);
    const draft = connectionDraft('Wyebank', { soapUrl: `${server}/Live/../Lookup.svc/?singleWsdl` });
    connections.insert('edited', draft, '2026-03-03T10:00:00.000Z');
    connections.insert('as it was', { ...draft, name: 'Other' }, '2026-03-01T10:00:00.000Z');
    const store = temp.db.sql.prepare(
      `INSERT INTO held_answers (id, key, connection_id, interface, operation, topic, subject, label, value, bytes, at, run, account)
       VALUES (?, 'k', ?, ?, ?, 'premise', '1', '1', ?, 30, '2026-03-02T10:00:00.000Z', 'r', ?)`,
    );
    const rows = [
      ['rest', 'GetPremise', `${server}/test/GetPremise?key=••••1234&id=1`, `${server} f`, `${server}/test f`],
      ['rest', 'Search', `${server}/Search?key=••••1234&query=GetPremise`, `${server} f`, `${server}/ f`],
      ['soap', 'GetPremiseAddress', `${server}/live/Lookup.asmx`, `${server} f`, `${server}/live/Lookup.asmx f`],
      ['soap', 'GetPremiseAddress', `${server}/`, `${server} f`, `${server}/ f`],
      // The description may name another address of the server than the connection has.
      [
        'soap',
        'GetPremiseAddress',
        `${server}/Lookup.svc/soap11`,
        `${server} f`,
        `${server}/Lookup.svc f`,
        'as it was',
      ],
      // Of these nobody knows the path.
      ['rest', 'GetPremise', `${server}/other?id=1`, `${server} f`, `${server} f`],
      ['rest', 'GetPremise', null, `${server} f`, `${server} f`],
      ['rest', 'GetPremise', 'https://127.0.0.1:8/v1/GetPremise?id=1', 'demo ', 'demo '],
      ['rest', 'GetPremise', `${server}/v1/GetPremise?id=1`, '', ''],
    ] as const;
    for (const [nth, [protocol, operation, url, account, , of = 'edited']] of rows.entries())
      store.run(`${nth}`, of, protocol, operation, JSON.stringify({ request: { url } }), account);
    temp.reopen();
    const now = temp.db.sql.prepare('SELECT account FROM held_answers ORDER BY id').all();
    expect(now.map(({ account }) => account)).toEqual(rows.map((row) => row[4]));
    // What is of no known path is of no service.
    expect(serviceAt(server)).not.toBe(server);
  });

  it('stays within its size by removing the oldest, and stores nothing larger than the whole', () => {
    const text = 'x'.repeat(398);
    for (const name of ['a', 'b', 'c']) {
      temp.clock.time += 1;
      unwrap(cache(1000).store(question(name), { subject: name }, text));
    }
    expect(unwrap(cache().listRecent(id, days(1), 10)).map(({ subject, bytes }) => [subject, bytes])).toEqual([
      ['c', 400],
      ['b', 400],
    ]);
    expect(unwrap(cache(1000).store(question('big'), { subject: 'big' }, 'x'.repeat(1000)))).toBeNull();
    expect(unwrap(cache().clear(id))).toBe(2);
  });

  it('stores every answer to one request: the newest is used, older ones stay until the policy removes them', () => {
    const about = { subject: '00284147', topic: 'premise', label: '14 Tannery Row', interface: 'rest' as const };
    const ids = ['October', 'November'].map((value) => {
      temp.clock.time += 24 * hour;
      return unwrap(cache().store(question('00284147'), about, value));
    });
    expect(new Set(ids).size).toBe(2);
    expect(unwrap(cache().find(question('00284147'), ownAccounts(), days(9)))).toMatchObject({
      id: ids[1],
      value: 'November',
    });
    const list = (policy: ReturnType<typeof days>) =>
      unwrap(cache().listOfSubject(id, 'premise', '00284147', policy)).map(({ value }) => value);
    expect(list(days(9))).toEqual(['November', 'October']);
    temp.clock.time += 12 * hour;
    expect(list(days(1))).toEqual(['November']);
    expect(unwrap(cache().size(days(1)))).toMatchObject({ answers: 2, outdated: 1 });
    expect(unwrap(cache().listSubjects(id, 'premise', ['GetPremise'], days(9)))).toEqual([
      {
        subject: '00284147',
        label: '14 Tannery Row',
        at: new Date(temp.clock.time - 12 * hour).toISOString(),
        interfaces: ['rest'],
      },
    ]);
    expect(unwrap(cache().listSubjects(id, 'search', ['GetPremise'], days(9)))).toEqual([]);
    // Read page by page in order of name: all of them, each once, with every interface that has an answer.
    for (const [subject, over] of [
      ['7', 'rest'],
      ['5', 'rest'],
      ['7', 'soap'],
    ] as const) {
      const about = { subject, topic: 'premise', interface: over, label: `${subject} Kiln Brow` } as const;
      unwrap(cache().store(question(`${subject} ${over}`), about, 'new'));
    }
    const page = (after: string) =>
      unwrap(cache().listSubjects(id, 'premise', ['GetPremise'], days(9), { after, limit: 2 })).map((one) => [
        one.subject,
        one.interfaces,
      ]);
    expect(page('')).toEqual([
      ['00284147', ['rest']],
      ['5', ['rest']],
    ]);
    expect(page('5')).toEqual([['7', ['rest', 'soap']]]);
    expect(page('7')).toEqual([]);
    expect(unwrap(cache().listRecent(id, days(9), 10, 'TANNERY')).length).toBe(2);
    expect(unwrap(cache().listRecent(id, days(9), 10, 'quayside'))).toEqual([]);
    unwrap(cache().store(question('8'), { subject: '8', topic: 'premise', label: 'Tŷ École' }, 'new'));
    for (const words of ['école', 'ÉCOLE', 'TŶ éc'])
      expect(unwrap(cache().listRecent(id, days(9), 10, words)).map(({ subject }) => subject)).toEqual(['8']);
  });

  it('are found by what they are about without looking at the others of their connection', () => {
    const { sql } = temp.db;
    const prepare = sql.prepare.bind(sql);
    const plans: unknown[] = [];
    sql.prepare = (text) => {
      if (text.includes('subject = :subject'))
        plans.push(
          prepare(`EXPLAIN QUERY PLAN ${text}`)
            .all()
            .map(({ detail }) => detail)[0],
        );
      return prepare(text);
    };
    cache();
    expect(plans).toEqual([
      'SEARCH held_answers USING INDEX held_answers_of_topic (connection_id=? AND topic=? AND subject=? AND at>? AND at<?)',
    ]);
  });

  it('keeps settings over a restart, with the default for a stored value that is invalid', () => {
    const settings = createSettings(temp.db);
    expect(unwrap(settings.read('colourScheme'))).toBe('auto');
    unwrap(settings.write('colourScheme', 'dark'));
    unwrap(settings.write('cachePolicy', { mode: 'hours', amount: 3 }));
    unwrap(settings.write('selectedConnectionId', id));
    const after = createSettings(temp.reopen());
    expect(unwrap(after.read('colourScheme'))).toBe('dark');
    expect(unwrap(after.read('cachePolicy'))).toEqual({ mode: 'hours', amount: 3 });
    expect(unwrap(after.read('selectedConnectionId'))).toBe(id);
    temp.db.sql.exec(`UPDATE settings SET value = '"purple"' WHERE key = 'colourScheme'`);
    expect(unwrap(after.read('colourScheme'))).toBe('auto');
  });

  it('keeps the last description of a service', () => {
    const descriptions = openServiceDescriptions(temp.db);
    expect(unwrap(descriptions.find(id))).toBeUndefined();
    unwrap(descriptions.save(id, { operations: ['A'] }, '2026-03-01T00:00:00.000Z'));
    unwrap(descriptions.save(id, { operations: ['A', 'B'] }, '2026-03-02T00:00:00.000Z'));
    expect(unwrap(descriptions.find(id))).toEqual({
      description: { operations: ['A', 'B'] },
      readAt: '2026-03-02T00:00:00.000Z',
    });
    temp.db.sql.prepare('DELETE FROM connections WHERE id = ?').run(id);
    expect(unwrap(descriptions.find(id))).toBeUndefined();
  });
});
