import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createActivityLog } from '../../../electron/core/activity/activity-log.ts';
import { exportCalls } from '../../../electron/core/activity/export-calls.ts';
import { savedSubjects } from '../../../electron/core/lookup/saved-subjects.ts';
import { openCallsRepository } from '../../../electron/core/storage/calls-repository.ts';
import { openCallSearch } from '../../../electron/core/storage/search/call-search.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { type RowFilter, wholeTable } from '../../../shared/domain/row-filter.ts';
import { ok } from '../../../shared/result.ts';
import { openTempDatabase, type TempDatabase } from '../../helpers/temp-database.ts';

// Compares the log's search with a slow one over the same rows that uses no SQL, windows or indexes.

const keys = ['Contact centre', 'Nightly batch', 'Web forms'];
const operations = ['GetCredits', 'GetPremise', 'Search', 'ReturnPremise_ByPostcode'];
const people = ['marian', 'tom', ''];
const outcomes = ['answered', 'nothing-found', 'refused', 'unknown', 'failed'] as const;
const subjects = ['00284147', '00284148', 'HR10 2DT', 'quay, truro', ''];
/** More words with the same beginning than the search looks up one by one in the index. */
const many = Array.from({ length: 60 }, (_, index) => `prem${index} Mörbi`);
const saved: Record<string, string> = { '00284147': '14 Tannery Row, HR10 2DT', '00284148': 'Ferry Inn, Môr Quay' };
const day = 86_400_000;
const start = Date.parse('2026-03-01T00:00:00.000Z');

const callOf = fc.record({
  operation: fc.constantFrom(...operations, 'GetCredits', 'GetCredits'),
  subject: fc.oneof(fc.constantFrom(...subjects), fc.constantFrom(...many)),
  paidBy: fc.constantFrom(...keys),
  person: fc.constantFrom(...people),
  outcome: fc.constantFrom(...outcomes),
  errorCode: fc.constantFrom(null, null, 'http-error', 'cap-reached'),
  expectedCredits: fc.constantFrom(0, 1, 2, null),
  // The clock may be set back, so times may not be in the order of the row numbers.
  time: fc.integer({ min: 0, max: 5 }),
});

const some = <T>(values: readonly T[]) => fc.subarray([...values], { maxLength: 2 });
const filterOf = fc.record({
  search: fc.constantFrom(
    '',
    'tannery',
    'TAN row',
    'mor',
    'premise',
    'zzz',
    'marian',
    '"',
    '00284147',
    'hr10 answered',
    'prem',
    'p',
    'prem1 morb',
    'PREM tann',
  ),
  from: fc.constantFrom(null, ...[0, 2, 4].map((days) => new Date(start + days * day).toISOString())),
  to: fc.constantFrom(null, ...[1, 3].map((days) => new Date(start + days * day).toISOString())),
  keys: some(keys),
  operations: some(operations),
  people: some(people.filter(Boolean)),
  outcomes: some(outcomes),
  claims: fc.constant<RowFilter['claims']>([]),
});

const subjectsOf = savedSubjects(
  {
    cachedPremises: () =>
      ok(Object.entries(saved).map(([subject, label]) => ({ subject, label, at: '', interfaces: ['rest' as const] }))),
  } as never,
  ['wyebank'],
);

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const tokens = (text: string) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a call matches, by reading it. */
function passes(call: CallRecord, filter: RowFilter): boolean {
  const words = filter.search.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0 && filter.search.trim() !== '') return false;
  const parts = call.operation.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const joined = call.subject.length <= 10 ? call.subject.replace(/\s/g, '') : '';
  const own = tokens(
    [
      call.subject,
      joined,
      call.operation,
      parts,
      call.connectionName,
      call.paidBy,
      call.interface,
      call.outcome,
      call.person,
    ].join(' '),
  );
  const address = tokens(saved[call.subject] ?? '');
  const has = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);
  return (
    words.every((word) => [...own, ...address].some((token) => token.startsWith(fold(word)))) &&
    (filter.from === null || call.at >= filter.from) &&
    (filter.to === null || call.at <= filter.to) &&
    has(filter.keys, call.paidBy) &&
    has(filter.operations, call.operation) &&
    has(filter.people, call.person) &&
    has(filter.outcomes, call.outcome)
  );
}

describe('the search of the activity log', () => {
  let temp: TempDatabase;
  let search: ReturnType<typeof openCallSearch>;
  let rows: ReturnType<typeof openCallsRepository>;
  const insert = (given: readonly (Omit<CallRecord, 'id' | 'at'> & { at: string })[]): CallRecord[] =>
    given.map((call, index) => {
      const record = { ...call, id: `call-${index}` };
      rows.insert(record);
      return record;
    });
  const base = {
    connectionId: 'wyebank',
    connectionName: 'Wyebank',
    interface: 'rest' as const,
    subject: '00284147',
    paidBy: 'Contact centre',
    errorCode: null,
    expectedCredits: 1,
    observedCredits: null,
    durationMs: 5,
    person: 'marian',
    source: 'window' as const,
    outcome: 'answered' as const,
    operation: 'GetPremise',
  };
  const made = (calls: readonly { time: number }[]) =>
    insert(calls.map(({ time, ...call }) => ({ ...base, ...call, at: new Date(start + time * day).toISOString() })));

  beforeEach(() => {
    temp = openTempDatabase();
    // A few places of the index a turn, so that a beginning, and a single word, are read in pieces.
    search = openCallSearch(temp.db.sql, 3);
    rows = openCallsRepository(temp.db.sql);
  });
  afterEach(() => temp.remove());

  it('reads saved addresses once for all words of a search, and not at all where none is typed', async () => {
    let reads = 0;
    const read = savedSubjects(
      {
        cachedPremises: () => {
          reads += 1;
          return ok([{ subject: '00284147', label: '1 Quay Street', at: '', interfaces: ['rest' as const] }]);
        },
      } as never,
      ['wyebank'],
    );
    made([{ time: 0 }]);
    await search.list(wholeTable, { before: null, limit: 500, fold: true }, read);
    await search.sums({ ...wholeTable, operations: ['GetPremise'] }, read);
    expect(reads).toBe(0);
    const typed = { ...wholeTable, search: 'quay street' };
    expect((await search.list(typed, { before: null, limit: 500, fold: false }, read)).calls).toHaveLength(1);
    expect(reads).toBe(1);
  });

  it('finds, sums, pages and folds the same as a slow scan of every row', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(callOf, { maxLength: 40 }),
        fc.array(filterOf, { minLength: 3, maxLength: 3 }),
        async (calls, filters) => {
          temp.db.sql.exec(
            "DELETE FROM calls; DELETE FROM call_words; DELETE FROM sqlite_sequence WHERE name = 'calls'",
          );
          const all = made(calls);
          for (const filter of [wholeTable, ...filters]) {
            const expected = all.filter((call) => passes(call, filter)).reverse();
            const ids = expected.map(({ id }) => id);
            const page = await search.list(filter, { before: null, limit: 500, fold: false }, subjectsOf);
            expect(page.calls.map(({ id }) => id)).toEqual(ids);

            const paged: string[] = [];
            for (let before: string | null = null; ; ) {
              const next = await search.list(filter, { before, limit: 3, fold: false }, subjectsOf);
              paged.push(...next.calls.map(({ id }) => id));
              if (next.next === null) break;
              before = next.next;
            }
            expect(paged).toEqual(ids);

            const sent = expected.filter(({ errorCode }) => errorCode !== 'cap-reached');
            const priced = sent.flatMap(({ expectedCredits }) => expectedCredits ?? []);
            expect(await search.sums(filter, subjectsOf)).toEqual({
              calls: expected.length,
              reads: expected.filter(({ operation }) => operation === 'GetCredits').length,
              price: priced.reduce((sum, one) => sum + one, 0),
              unpriced: sent.length - priced.length,
              unsent: expected.length - sent.length,
              unanswered: expected.filter(({ outcome }) => outcome === 'unknown').length,
              refused: expected.filter(({ outcome }) => outcome === 'refused').length,
              saved: 0,
            });

            // Folded pages have the same rows in the same order, and no line groups rows with another call between them.
            const whole: string[] = [];
            for (let before: string | null = null; ; ) {
              const part = await search.list(filter, { before, limit: 2, fold: true }, subjectsOf);
              for (const under of [null, ...part.calls.map(({ id }) => id)]) {
                if (under !== null) whole.push(under);
                for (const line of part.folds.filter((one) => one.under === under)) {
                  const inside = search.unfold(line.newestId, line.oldestId).map(({ id }) => id);
                  expect(inside).toHaveLength(line.count);
                  const from = all.findIndex(({ id }) => id === line.oldestId);
                  const between = all.slice(from, from + line.count);
                  expect(between.every(({ operation }) => operation === 'GetCredits')).toBe(true);
                  expect(between.filter(({ outcome }) => outcome !== 'answered')).toHaveLength(line.unanswered);
                  whole.push(...inside);
                }
              }
              if (part.next === null) break;
              before = part.next;
            }
            expect(whole).toEqual(ids);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('lists the values to choose from, and who made a call', () => {
    made([
      { time: 0, paidBy: 'B', person: 'tom' },
      { time: 0, paidBy: 'A', operation: 'Search' },
      { time: 1, paidBy: '', person: '' },
    ] as never);
    expect(search.choices()).toEqual({
      keys: ['A', 'B'],
      operations: ['GetPremise', 'Search'],
      people: ['marian', 'tom'],
    });
    const log = createActivityLog(temp.db, temp.clock, { person: 'marian', source: 'command line' });
    const begun = log.beginCall({ ...base, expectedCredits: 1 });
    expect(begun).toMatchObject({ ok: true, value: { person: 'marian', source: 'command line' } });
  });

  it('counts each row once for a prefix of many words, one of which is in many rows', async () => {
    made([
      ...many.map((subject) => ({ time: 0, subject, operation: 'Search' })),
      ...Array.from({ length: 20 }, () => ({ time: 1, subject: '' })),
      // Two words of that beginning in one row.
      ...many.slice(0, 5).map((subject) => ({ time: 2, subject })),
      { time: 3, subject: '00284148', operation: 'GetUprn' },
    ] as never);
    const sum = async (words: string) =>
      (await search.sums({ ...wholeTable, search: words }, (word) => (word === 'prem' ? ['00284148'] : []))).calls;
    expect(await sum('prem')).toBe(86);
    expect(await sum('PREM search')).toBe(60);
    expect(await sum('prem getpremise')).toBe(25);
    expect(await sum('prem prem1')).toBe(12);
    expect(await sum('p prem')).toBe(85);
    expect(await sum('prem zzz')).toBe(0);
  });

  it('finds a postcode typed without its blank as it stands in a text, in a saved address, and written so itself', async () => {
    made([
      { time: 0, subject: '2 Tannery Row, Hereford, HR10 2DT' },
      { time: 1, subject: '00284147' },
      { time: 2, subject: 'HR102DT' },
      { time: 3, subject: 'HR10 2DX' },
    ] as never);
    const found = async (typed: string) =>
      (await search.list({ ...wholeTable, search: typed }, { before: null, limit: 9, fold: false }, subjectsOf)).calls;
    expect((await found('hr102dt')).map(({ id }) => id)).toEqual(['call-2', 'call-1', 'call-0']);
    expect(await found('HR102DT tannery')).toHaveLength(2);
    expect(await found('hr102dz')).toEqual([]);
  });

  it('finds a call by its id, by which the ledger and a batch lead to it', async () => {
    made([{ time: 1 }, { time: 2, outcome: 'refused' }] as never);
    const filter = { ...wholeTable, search: 'call-1' };
    const found = await search.list(filter, { before: null, limit: 10, fold: true }, subjectsOf);
    expect(found).toMatchObject({ calls: [{ id: 'call-1', outcome: 'refused' }], next: null });
    expect(await search.sums(filter, subjectsOf)).toMatchObject({ calls: 1, refused: 1 });
    expect(await search.sums({ ...filter, outcomes: ['answered'] }, subjectsOf)).toMatchObject({ calls: 0 });
  });

  it('searches in many slices, stops on request, and exports every row once', async () => {
    temp.db.sql.exec('BEGIN');
    insert(
      Array.from({ length: 9000 }, (_, index) => ({
        ...base,
        at: new Date(start + index).toISOString(),
        outcome: index % 3000 === 0 ? ('refused' as const) : base.outcome,
        subject: index < 2000 ? `tann${index}` : base.subject,
        operation: index % 10 === 5 ? 'GetCredits' : base.operation,
      })),
    );
    temp.db.sql.exec('COMMIT');
    const rare = { ...wholeTable, outcomes: ['refused'] };
    const page = await search.list(rare, { before: null, limit: 10, fold: true }, subjectsOf);
    expect(page.calls.map(({ id }) => id)).toEqual(['call-6000', 'call-3000', 'call-0']);
    expect(page.next).toBeNull();
    expect(await search.sums({ ...wholeTable, search: 'tannery' }, subjectsOf)).toMatchObject({
      calls: 7000,
      price: 7000,
    });
    // The beginning of two thousand words: the newest rows are read one by one, the others found in the index, and none twice.
    const old: string[] = [];
    for (let before: string | null = 'call-2203'; ; ) {
      const next = await search.list({ ...wholeTable, search: 'tann' }, { before, limit: 500, fold: false }, () => []);
      old.push(...next.calls.map(({ id }) => id));
      if (next.next === null) break;
      before = next.next;
    }
    expect(old).toEqual(Array.from({ length: 2000 }, (_, index) => `call-${1999 - index}`));
    const folded = await search.list(
      { ...wholeTable, search: 'tann' },
      { before: null, limit: 500, fold: true },
      () => [],
    );
    expect(folded.calls[0]?.id).toBe('call-1999');
    expect(folded.folds.map(({ newestId, count }) => [newestId, count]).slice(0, 2)).toEqual([
      ['call-1995', 1],
      ['call-1985', 1],
    ]);

    // The index gives none of them before it has gathered all: it is read three places a turn.
    let turns = 0;
    let over = false;
    const countTurn = (): void => {
      turns += 1;
      if (!over) setImmediate(countTurn);
    };
    countTurn();
    const oldest = await search.list(
      { ...wholeTable, search: 'tann' },
      { before: null, limit: 1, fold: false },
      () => [],
    );
    over = true;
    expect(oldest.calls.map(({ id }) => id)).toEqual(['call-1999']);
    expect(turns).toBeGreaterThan(600);

    expect(await search.sums({ ...wholeTable, search: 'tann' }, () => [])).toMatchObject({ calls: 2000, reads: 200 });
    expect(await search.sums({ ...wholeTable, search: 'tann refu' }, () => [])).toMatchObject({ calls: 1 });

    const stopped = new AbortController();
    stopped.abort();
    expect((await search.sums(wholeTable, subjectsOf, stopped.signal)).calls).toBeLessThan(9000);

    let text = '';
    let count = 0;
    for await (const piece of exportCalls(search, wholeTable, subjectsOf)) {
      text += piece.text;
      count += piece.rows;
    }
    expect(count).toBe(9000);
    expect(new Set(text.match(/call-\d+/g)).size).toBe(9000);
  });
});
