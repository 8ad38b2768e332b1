import { QueryClient } from '@tanstack/react-query';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { draftFor } from '../../../electron/core/licences/journal/journal.ts';
import { createJournalSearch } from '../../../electron/core/licences/journal/journal-search.ts';
import { journalQuery } from '../../../renderer/features/licences/queries.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import { isWholeJournal, type JournalFilter, wholeJournal } from '../../../shared/domain/licences/journal-filter.ts';
import type { JournalEntry } from '../../../shared/domain/licences/licence-journal.ts';
import { ok } from '../../../shared/result.ts';
import { connectionId, here, openTempLicences, type TempLicences, there } from '../../helpers/licence-console.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// Compares the journal's search, which runs in several turns, with a filter over all entries read at once.

let temp: TempLicences;
let all: JournalEntry[];
let search: ReturnType<typeof createJournalSearch>;

beforeAll(async () => {
  temp = await openTempLicences();
  const { deps, database } = temp.console;
  const { journal } = deps.ctx;
  const plan = unwrap(
    await planChange(
      { connectionId, kind: 'register', licenceNumber: '20418', machine: here },
      deps.calls,
      deps.store,
      deps.ctx,
    ),
  );
  // More entries than one turn reads, with several days, people and outcomes.
  for (let nth = 0; nth < 450; nth += 1) {
    const at = new Date(Date.UTC(2026, 10, 1 + Math.floor(nth / 40), 9, nth % 60)).toISOString();
    const draft = draftFor(plan, at, {
      event: nth % 2 === 0 ? 'intent' : 'read-back',
      step: null,
      text: nth === 7 ? 'a needle at the very start' : `entry ${nth}`,
      by: nth % 3 === 0 ? 'Marian Oakes on HFD-PC-0031' : 'Tom Adeyemi on HFD-PC-0007',
    });
    journal.append(
      {
        ...draft,
        machine: nth % 5 === 0 ? there : here,
        kind: nth % 7 === 0 ? 'guid' : 'register',
        licenceNumber: nth % 4 === 0 ? '20418' : '20426',
        verdict: nth % 6 === 0 ? 'on-its-way' : nth % 2 === 0 ? null : 'seen',
      },
      () => {},
    );
  }
  all = journal.list(null, 1000);
  search = createJournalSearch(database.sql, journal);
});
afterAll(() => temp.remove());

const read = async (filter: JournalFilter, limit = 60): Promise<JournalEntry[]> => {
  const found: JournalEntry[] = [];
  for (let before: number | null = null; ; ) {
    const page: JournalEntry[] = await search.find(filter, before, limit);
    found.push(...page);
    if (page.length < limit) return found;
    before = page.at(-1)?.sequence ?? 0;
  }
};

test('returns page by page the same as filtering every entry', async () => {
  const some = <T>(...values: T[]) => fc.subarray(values, { maxLength: 2 });
  // No word consists of hexadecimal digits only: the entry's text also has the previous hash, which the program does not search.
  const words = ['needle', 'marian', 'OAKES', 'lt-0147', 'register', 'nobody', 'guid', 'entry 4'];
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        search: fc.subarray(words, { maxLength: 2 }).map((chosen) => chosen.join('  ')),
        days: fc.option(fc.tuple(fc.integer({ min: 1, max: 13 }), fc.integer({ min: 0, max: 4 })), { nil: null }),
        people: some('Marian Oakes on HFD-PC-0031', 'Somebody else'),
        kinds: some<'guid' | 'register' | 'move'>('guid', 'register', 'move'),
        licences: some('20418', '20426'),
        verdicts: some<'none' | 'seen' | 'on-its-way'>('none', 'seen', 'on-its-way'),
        limit: fc.integer({ min: 1, max: 300 }),
      }),
      async ({ days, limit, ...chosen }) => {
        const from = days && new Date(Date.UTC(2026, 10, days[0])).toISOString();
        const to = days && new Date(Date.UTC(2026, 10, days[0] + days[1], 23, 59, 59, 999)).toISOString();
        const expected = all.filter((entry) => {
          const { people, kinds, licences, verdicts } = chosen;
          const text = JSON.stringify(entry).toLowerCase();
          return (
            (from === null || entry.at >= from) &&
            (to === null || entry.at <= to) &&
            (!people[0] || people.some((one) => one === entry.by)) &&
            (!kinds[0] || kinds.some((one) => one === entry.kind)) &&
            (!licences[0] || licences.some((one) => one === entry.licenceNumber)) &&
            (!verdicts[0] || verdicts.some((one) => one === (entry.verdict ?? 'none'))) &&
            chosen.search
              .toLowerCase()
              .split(/\s+/)
              .every((word) => text.includes(word))
          );
        });
        const found = await read({ from, to, ...chosen }, limit);
        expect(found.map(({ sequence }) => sequence)).toEqual(expected.map(({ sequence }) => sequence));
      },
    ),
    { numRuns: 30 },
  );
});

test('finds by the account’s name for a licence, by the hash of a receipt, and the oldest entry', async () => {
  expect((await read({ ...wholeJournal, search: 'wy-20418' })).length).toBe(450);
  const [newest] = all;
  expect((await read({ ...wholeJournal, search: newest?.hash.slice(0, 20) ?? '' })).map(({ hash }) => hash)).toEqual([
    newest?.hash,
  ]);
  expect((await read({ ...wholeJournal, search: 'NEEDLE very' })).map(({ text }) => text)).toEqual([
    'a needle at the very start',
  ]);
  expect(isWholeJournal({ ...wholeJournal, search: '  ' })).toBe(true);
});

test('a page as long as the window reads is not said to have others after it, if it is the last', async () => {
  vi.stubGlobal('window', {
    api: {
      cancel: () => Promise.resolve(),
      call: {
        'journal.list': async (_: string, { filter, before, limit }: ChannelInput<'journal.list'>) =>
          ok({ entries: await search.find(filter, before, limit) }),
      },
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  // Forty entries a day.
  const fiveDays = { ...wholeJournal, to: new Date(Date.UTC(2026, 10, 5, 23)).toISOString() };
  const readPages = (filter: JournalFilter) =>
    new QueryClient().fetchInfiniteQuery({ ...journalQuery(filter), pages: 9 });
  const { pages } = await readPages(fiveDays);
  expect(pages.map(({ entries }) => entries.length)).toEqual([200]);
  const whole = await readPages(wholeJournal);
  expect(whole.pages.map(({ entries }) => entries.length)).toEqual([200, 200, 50]);
  expect(whole.pages.flatMap(({ entries }) => entries)).toEqual(all);
});

test('lists the persons and licences to choose from; a search can be stopped', async () => {
  expect(await search.choices()).toEqual({
    people: ['Tom Adeyemi on HFD-PC-0007', 'Marian Oakes on HFD-PC-0031'].sort((a, b) =>
      a === all[0]?.by ? -1 : b === all[0]?.by ? 1 : 0,
    ),
    licences: expect.arrayContaining([
      { licenceNumber: '20418', reference: 'WY-20418' },
      { licenceNumber: '20426', reference: 'WY-20418' },
    ]),
  });
  await expect(search.find({ ...wholeJournal, search: 'nobody' }, null, 10, AbortSignal.abort())).rejects.toThrow();
});
