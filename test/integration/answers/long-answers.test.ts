import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { createAnswerCache } from '../../../electron/core/answers/answer-cache.ts';
import type { CacheKey } from '../../../electron/core/answers/cache-key.ts';
import { openCachedAnswers } from '../../../electron/core/answers/cached-answers.ts';
import type { AnswerContent } from '../../../electron/core/answers/stored-answer.ts';
import { createSettings } from '../../../electron/core/settings/settings.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../../helpers/temp-database.ts';

// The raw text of a long answer is stored in pieces, each written in a separate turn of main. The tests count characters, not time.

const fault = { ok: false, error: { code: 'internal' } } as never;
const policy = { mode: 'days', amount: 9 } as const;
const inOnePiece = 1_000_000;
/** A surrogate pair at the cut between two pieces, a lone surrogate, a NUL, and characters that JSON escapes. */
const awkward = `${'x'.repeat(inOnePiece - 1)}😀\u0000\ud800"\\\n£${'y'.repeat(2 * inOnePiece)}end`;

/** The text as it is read from shared memory, in parts of any length. */
const inParts = (text: string) => ({
  length: text.length,
  parts: [text.slice(0, 7), text.slice(7, 1_500_000), text.slice(1_500_000)],
});

describe('a long answer', () => {
  let temp: TempDatabase;
  let connection: Connection;
  let connectionId: string;
  beforeEach(() => {
    temp = openTempDatabase();
    connection = temp.addConnection();
    connectionId = connection.id;
  });
  afterEach(() => temp.remove());

  const held = (totalBytes?: number) =>
    openCachedAnswers(temp.db, temp.clock, totalBytes === undefined ? undefined : () => totalBytes);
  const question = (id: string): CacheKey => ({ connectionId, operation: 'GetPremise', input: { id }, options: {} });
  const about = { subject: '1', topic: 'premise', interface: 'rest' } as const;
  const ownAccounts = () => unwrap(held().accountsOf(connection));
  const value = { raw: { text: '' }, of: 'a long one' };
  const pieces = () =>
    temp.db.sql.prepare('SELECT answer_id, length(text) AS size, run FROM held_pieces ORDER BY position').all();
  /** Leaves pieces without a row, as a process that is killed before it writes the answer's row. */
  const leaveOrphan = (run: string) =>
    temp.db.sql.prepare('INSERT INTO held_pieces VALUES (?, 0, ?, ?)').run('never-finished', run, '"half"');

  it('is returned character for character, by request, id and subject, also after a restart', async () => {
    const id = unwrap(await held().storeLong(question('1'), about, value, inParts(awkward))) ?? '';
    for (const open of [() => temp.db, () => temp.reopen()]) {
      const again = openCachedAnswers(open(), temp.clock);
      // Not toEqual, which would print megabytes if it failed.
      for (const found of [
        unwrap(again.find(question('1'), ownAccounts(), policy)),
        unwrap(again.findById(id)),
        unwrap(again.listOfSubject(connectionId, 'premise', '1', policy))[0],
      ]) {
        expect((await found?.longText?.read(0)) === awkward).toBe(true);
        expect(found).toMatchObject({ id, value });
      }
    }
  });

  it('is read from any character to any other, a piece a turn, and only the pieces needed', async () => {
    const id = unwrap(await held().storeLong(question('1'), about, value, inParts(awkward))) ?? '';
    const text = unwrap(held().findById(id))?.longText;
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [inOnePiece - 1, inOnePiece + 1],
      [inOnePiece, 2 * inOnePiece],
      [3 * inOnePiece - 1, awkward.length],
      [awkward.length, awkward.length + 5],
    ] as const) {
      expect((await text?.read(from, to)) === awkward.slice(from, to)).toBe(true);
    }
    let turns = 0;
    let over = false;
    const look = () => {
      if (over) return;
      turns += 1;
      setImmediate(look);
    };
    setImmediate(look);
    await text?.read(0);
    over = true;
    expect(turns).toBeGreaterThanOrEqual(3);
    // With a piece missing, nothing is read rather than a part.
    temp.db.sql.exec('DELETE FROM held_pieces WHERE position = 1');
    expect(await text?.read(0)).toBeUndefined();
    expect((await text?.read(0, 9)) === awkward.slice(0, 9)).toBe(true);
  });

  it('is returned as it was, in its list’s order, also as an earlier version stored it', async () => {
    const settings = createSettings(temp.db);
    const log = createActivityLog(temp.db, temp.clock);
    const results = Array.from({ length: 4001 }, (_, n) => ({
      premiseId: String(n),
      line: `${n}\n“a”\u2028`,
      kind: 'premise' as const,
    }));
    const content: AnswerContent = { kind: 'search', results, total: 5000, maxResults: null, text: 'AB1' };
    const answer = {
      interface: 'rest' as const,
      operation: 'Search',
      shape: 'query',
      at: '2026-03-02T10:00:00.000Z',
      durationMs: 1,
      callId: 'c',
      paidBy: 'Key',
      keyLastFour: '1234',
      expectedCredits: 1,
      request: { method: 'GET' as const, url: 'https://x.example/', headers: {} },
    };
    const raw = { status: 200, headers: {}, text: awkward, bytes: awkward.length };
    const asked = { ...question('1'), operation: 'Search' };
    const search = { ...about, topic: 'search' } as const;
    const cache = () => createAnswerCache(held(), { settings, log });
    await cache().store(asked, search, { ...answer, content, raw });
    const before = { ...answer, raw: { ...raw, text: '' }, content: null, rawLength: awkward.length };
    unwrap(
      await held().storeLong(
        { ...asked, input: { id: '2' } },
        search,
        before,
        inParts(awkward + JSON.stringify(content)),
      ),
    );
    for (const id of ['1', '2']) {
      const saved = unwrap(cache().find(connection, { ...asked, input: { id } }));
      expect(saved?.answer).toMatchObject(answer);
      expect(saved?.rawLength).toBe(awkward.length);
      expect(JSON.stringify(unwrap((await saved?.content()) ?? fault)) === JSON.stringify(content)).toBe(true);
      const whole = unwrap((await saved?.whole()) ?? fault);
      expect(whole?.raw.text === awkward).toBe(true);
      expect(whole?.content.kind === 'search' && whole.content.results.length).toBe(results.length);
    }
  });

  it('is written in pieces of bounded size, with turns for others in between, and findable only once it is whole', async () => {
    const store = held();
    let turns = 0;
    let over = false;
    const early: unknown[] = [];
    const look = () => {
      if (over) return;
      turns += 1;
      early.push(unwrap(store.find(question('1'), ownAccounts(), policy)));
      // Pieces of an answer that is being written must not be removed.
      unwrap(store.purge(policy));
      setImmediate(look);
    };
    const writing = store.storeLong(question('1'), about, value, inParts('x'.repeat(4 * inOnePiece + 1)));
    setImmediate(look);
    const id = unwrap(await writing);
    over = true;
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(early.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
    expect(pieces().map(({ size }) => Number(size))).toEqual([...Array(4).fill(inOnePiece + 2), 3]);
    expect(pieces().every(({ answer_id }) => answer_id === id)).toBe(true);
  });

  it('is counted by its pieces and removed with them: by purge, limit, clearing and with its connection', async () => {
    const text = 'x'.repeat(2 * inOnePiece);
    const bytes = 2 * (inOnePiece + 2) + JSON.stringify(value).length;
    const store = held(2 * bytes + 1);
    const hold = (name: string) => store.storeLong(question(name), { ...about, subject: name }, value, inParts(text));
    for (const name of ['a', 'b', 'c']) {
      temp.clock.time += 1;
      unwrap(await hold(name));
    }
    expect(unwrap(store.listRecent(connectionId, policy, 9)).map((row) => [row.subject, row.bytes])).toEqual([
      ['c', bytes],
      ['b', bytes],
    ]);
    expect(unwrap(store.size(policy))).toMatchObject({ answers: 2, bytes: 2 * bytes });
    expect(pieces().length).toBe(4);
    unwrap(held(bytes).shrink());
    expect(pieces().length).toBe(2);
    expect(unwrap(store.clear(connectionId))).toBe(1);
    expect(pieces()).toEqual([]);
    unwrap(await hold('d'));
    temp.clock.time += 10 * 24 * 60 * 60 * 1000;
    expect(unwrap(store.purge(policy))).toBe(1);
    expect(pieces()).toEqual([]);
    unwrap(await hold('e'));
    temp.db.sql.prepare('DELETE FROM connections WHERE id = ?').run(connectionId);
    expect(pieces()).toEqual([]);
  });

  it('larger than the whole limit, or of a connection removed meanwhile, leaves nothing behind', async () => {
    const text = 'x'.repeat(2 * inOnePiece);
    expect(unwrap(await held(1000).storeLong(question('1'), about, value, inParts(text)))).toBeNull();
    // Its number of characters is within the limit, its number of bytes is not.
    expect(
      unwrap(await held(3_000_000).storeLong(question('1'), about, value, inParts('£'.repeat(2 * inOnePiece)))),
    ).toBeNull();
    expect(pieces()).toEqual([]);
    const writing = held().storeLong(question('1'), about, value, inParts(text));
    temp.db.sql.prepare('DELETE FROM connections WHERE id = ?').run(connectionId);
    expect(unwrap(await writing)).toBeNull();
    expect(pieces()).toEqual([]);
  });

  it('half-written by a killed run is removed by the next purge, and that of a run under way stays', () => {
    leaveOrphan('a-run-that-was-killed');
    unwrap(held().purge(policy));
    expect(pieces()).toEqual([]);
    const other = unwrap(openDatabase({ folder: temp.folder, clock: temp.clock }));
    other.acquireRunLock();
    leaveOrphan(other.run);
    unwrap(held().purge(policy));
    expect(pieces().length).toBe(1);
    other.close();
    unwrap(held().purge(policy));
    expect(pieces()).toEqual([]);
  });

  it('with a missing piece is not shown as complete', async () => {
    unwrap(await held().storeLong(question('1'), about, value, inParts(awkward)));
    temp.db.sql.exec('DELETE FROM held_pieces WHERE position = 1');
    expect(unwrap(held().find(question('1'), ownAccounts(), policy))).toBeUndefined();
    expect(unwrap(held().listOfSubject(connectionId, 'premise', '1', policy))).toEqual([]);
  });

  it('stored in one value by an earlier version is read unchanged', () => {
    temp.db.close();
    const { folder, clock } = temp;
    temp.remove();
    const before = unwrap(openDatabase({ folder, clock, migrations: migrations.slice(0, 9) }));
    temp.db = before;
    connection = temp.addConnection();
    connectionId = connection.id;
    const old = openCachedAnswersOfVersion9();
    before.close();
    temp.reopen();
    expect(unwrap(held().findById(old.id))).toMatchObject({ id: old.id, value: old.value, longText: null });
  });

  it('comes into the table without a foreign key whole, in its order, and goes with its connection; a view of it stays', async () => {
    temp.db.close();
    const { folder, clock } = temp;
    temp.remove();
    temp.db = unwrap(openDatabase({ folder, clock, migrations: migrations.slice(0, 30) }));
    connection = temp.addConnection();
    connectionId = connection.id;
    unwrap(held().store(question('1'), about, { first: true }));
    const id = unwrap(await held().storeLong(question('1'), about, value, inParts(awkward)));
    temp.db.sql.exec('CREATE VIEW counted AS SELECT count(*) AS answers FROM held_answers');
    temp.db.close();
    temp.reopen();
    expect(temp.db.sql.prepare('SELECT answers FROM counted').get()?.answers).toBe(2);
    const found = unwrap(held().find(question('1'), ownAccounts(), policy));
    expect(found).toMatchObject({ id, value });
    expect((await found?.longText?.read(0)) === awkward).toBe(true);
    expect(unwrap(held().listOfSubject(connectionId, 'premise', '1', policy))).toHaveLength(2);
    temp.db.sql.prepare('DELETE FROM connections WHERE id = ?').run(connectionId);
    expect([unwrap(held().findById(id ?? '')), pieces()]).toEqual([undefined, []]);
  });

  function openCachedAnswersOfVersion9() {
    const old = { id: 'old', value: { raw: { text: 'as it came' } } };
    temp.db.sql
      .prepare(
        `INSERT INTO held_answers (id, key, connection_id, interface, operation, topic, subject, label, value, bytes, at, run)
         VALUES (?, 'k', ?, 'rest', 'GetPremise', 'premise', '1', '1', ?, 30, '2026-03-02T10:00:00.000Z', 'r')`,
      )
      .run(old.id, connectionId, JSON.stringify(old.value));
    return old;
  }
});
