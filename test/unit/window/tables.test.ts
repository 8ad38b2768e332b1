import { MantineProvider } from '@mantine/core';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type CallEvidenceState, ReadBalance } from '../../../renderer/components/money/call-evidence.tsx';
import { EvidenceTable } from '../../../renderer/components/money/evidence-table.tsx';
import { rowMenu } from '../../../renderer/components/table/menu-actions.ts';
import { readNextPage } from '../../../renderer/components/table/read-near-end.ts';
import {
  markAll,
  markFrom,
  markOne,
  markStretch,
  noMarks,
  toggleMark,
} from '../../../renderer/components/table/row-marks.ts';
import { moveColumn, orderColumns, placeColumn, shownColumns } from '../../../renderer/components/table/table-look.ts';
import { copiedRows, csvText, rowHolds, typedRow } from '../../../renderer/components/table/table-text.ts';
import { activityColumns } from '../../../renderer/features/activity/activity-columns.tsx';
import { callText } from '../../../renderer/features/activity/call-messages.ts';
import { standText } from '../../../renderer/features/batch/messages.ts';
import { notTicked } from '../../../renderer/features/batch/result/not-done.tsx';
import { ProgressMark } from '../../../renderer/features/batch/rows/row-cells.tsx';
import { entryText } from '../../../renderer/features/credits/ledger/entry-text.ts';
import { figureWidths, ledgerColumns, shortTime } from '../../../renderer/features/credits/ledger/ledger-columns.tsx';
import { historyColumns } from '../../../renderer/features/operations/answer/history-view.tsx';
import { formatMoment, zoneName, zonesOf } from '../../../renderer/lib/text/format.ts';
import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import type { Batch } from '../../../shared/domain/batch.ts';
import type { LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { readSafeCell } from '../../../shared/domain/text/csv.ts';

interface Person {
  name: string;
  number: string;
  at: number;
}
const columns = [
  { id: 'name', head: 'Name', value: ({ name }: Person) => name },
  { id: 'number', head: 'Premise', value: ({ number }: Person) => number },
  {
    id: 'at',
    head: { icon: true },
    name: 'Asked',
    value: ({ at }: Person) => at,
    text: ({ at }: Person) => `day ${at}`,
  },
];
const rows: Person[] = [
  { name: 'Ann', number: '00284147', at: 1 },
  { name: '=1+1', number: '3/4', at: 2 },
  { name: 'anvil\tLtd\nYork', number: '', at: 3 },
];

describe('what is copied and saved', () => {
  test('the clipboard has a cell for each column, the text as shown, and no formula', () => {
    expect(copiedRows(columns, rows, true).split('\n')).toEqual([
      'Name\tPremise\tAsked',
      "Ann\t'00284147\tday 1",
      "'=1+1\t'3/4\tday 2",
      'anvil Ltd York\t\tday 3',
    ]);
    expect(copiedRows(columns.slice(0, 1), rows.slice(0, 1), false)).toBe('Ann');
  });

  test('of several marked rows the menu copies the cell that was clicked, and all rows', () => {
    const [first, clicked, last] = rows as [Person, Person, Person];
    const asColumns = columns.slice(0, 2).map((column) => ({ ...column, head: String(column.head), width: 1 }));
    const copied: string[] = [];
    const none = () => {};
    const groups = rowMenu(asColumns, [first, clicked, last], clicked, asColumns[1], {
      open: undefined,
      copy: (text) => copied.push(text),
      find: none,
      selectAll: none,
      chooseColumns: none,
      save: none,
      print: none,
    });
    for (const id of ['copy-cell', 'copy'])
      groups
        .flat()
        .find((action) => action.id === id)
        ?.run();
    expect(copied).toEqual(['3/4', copiedRows(asColumns, rows, false)]);
  });

  test('a saved table reads back as it was, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.string({ unit: 'grapheme' }), number: fc.string(), at: fc.nat() }), {
          maxLength: 30,
        }),
        async (people) => {
          const read = parse(await csvText(columns, people), { bom: true, record_delimiter: '\r\n' }) as string[][];
          expect(read[0]).toEqual(['Name', 'Premise', 'Asked']);
          expect(read.slice(1).map((cells) => cells.map(readSafeCell))).toEqual(
            people.map(({ name, number, at }) => [name, number, `day ${at}`]),
          );
          for (const cell of read.slice(1).flat()) expect(cell).not.toMatch(/^[=+\-@]/);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a long table is written in slices, in order', async () => {
    const many = Array.from({ length: 5001 }, (_, at) => ({ name: `n${at}`, number: '', at }));
    const read = parse(await csvText(columns, many), { bom: true }) as string[][];
    expect(read.slice(1).map(([name]) => name)).toEqual(many.map(({ name }) => name));
  });
});

const entry = (kind: 'call' | 'movement', observed: number | null, claims: MoneyClaim[] = []): LedgerEntry => ({
  id: String(observed),
  at: '2026-03-02T10:00:00.000Z',
  kind,
  callId: null,
  operation: 'GetPremise',
  subject: '00284147',
  paidBy: 'Contact centre',
  expected: 1,
  observed,
  balanceAfter: null,
  balanceBefore: null,
  since: null,
  note: '',
  madeUp: false,
  person: '',
  claims,
});

test('the ledger’s falls are saved as numbers, whatever their size, and in words where there is no figure', async () => {
  // Balances may have been read while a charge could still come: then none of them is the one after it.
  expect(entryText(entry('call', null))).toContain('Balance after: not known');
  const falls = ledgerColumns('GMT', new Date(), (subject) => subject, figureWidths([])).filter(
    ({ id }) => id === 'fall',
  );
  const unknown = entry('call', null, [{ kind: 'not-read-since' }]);
  const text = await csvText(falls, [entry('call', 1), entry('movement', 1250), entry('movement', -5000), unknown]);
  const [head, ...cells] = parse(text, { bom: true, record_delimiter: '\r\n' }) as string[][];
  expect(head).toEqual(['Fall of the balance']);
  expect(cells.flat().slice(0, 3)).toEqual(['1', '1250', '-5000']);
  expect(cells.flat()[3]).toMatch(/^[a-z]/);
});

test('the columns of a fall and of the balance after it are as wide as their longest figure', () => {
  const short = figureWidths([]);
  expect(figureWidths([{ ...entry('movement', -10), balanceAfter: 100_000 }])).toEqual(short);
  const long = figureWidths([entry('movement', 1), { ...entry('movement', -24_995_000), balanceAfter: 25_000_000 }]);
  expect(long.after).toBeGreaterThan(short.after);
  expect(long.fall).toBeGreaterThan(long.after);
});

test('the head of calls names the zone of the times below it, and both if the clocks changed between them', () => {
  const head = (...times: string[]) => activityColumns(zonesOf(times), ({ subject }) => subject)[0]?.head;
  const [winter, summer] = ['2026-01-10T10:00:00.000Z', '2026-07-10T10:00:00.000Z'] as const;
  expect(head(winter)).toBe(`Time, ${zoneName(new Date(winter))}`);
  expect(head(summer)).toBe(`Time, ${zoneName(new Date(summer))}`);
  expect(zonesOf([winter, summer, 'no time']).split('/')).toEqual(
    [...new Set([zoneName(new Date(winter)), zoneName(new Date(summer))])].sort(),
  );
  expect(zonesOf([])).toBe(zoneName(new Date()));
});

test('the evidence of a call has the day of the call, and the day of each reading if they are of several', () => {
  const shown = (...times: Date[]) =>
    renderToStaticMarkup(
      createElement(EvidenceTable, {
        evidence: {
          callId: 'a',
          at: new Date(2026, 10, 27, 9, 12, 40).toISOString(),
          operation: 'GetPremise',
          subject: '00284147',
          expected: 1,
          rows: times.map((at, n) => ({ at: at.toISOString(), text: `row ${n}`, credits: null })),
          claims: [],
          mayShowMore: false,
        },
      }),
    );
  const call = new Date(2026, 10, 27, 9, 12, 40);
  const two = shown(new Date(2026, 10, 26, 17, 5, 9), call);
  expect(two).toContain('GetPremise 00284147, price 1 credit, 27 Nov 2026<');
  expect([two.includes('>26 Nov 17:05:09<'), two.includes('>27 Nov 09:12:40<')]).toEqual([true, true]);
  expect(shown(new Date(2026, 10, 27, 8, 5, 9), call)).toContain('>08:05:09<');
  // The clocks change between them, if this computer's do.
  const summer = new Date(2026, 6, 1, 10);
  expect(shown(summer, call)).toContain(`>Time, ${zonesOf([summer.toISOString(), call.toISOString()])}<`);
});

test('the reading of the balance keeps its place above what asks again, also when no further one is awaited', () => {
  const claim: MoneyClaim = {
    kind: 'refused',
    about: { purses: [], calls: ['a'], from: null, to: null },
    assumes: [],
    version: 1,
  } as never;
  const evidence = {
    callId: 'a',
    at: '2026-11-27T09:12:40.000Z',
    operation: 'GetPremise',
    subject: '',
    expected: 1,
    rows: [],
  };
  const shown = (mayShowMore: boolean, claims: MoneyClaim[]) => {
    const known = {
      evidence: { data: { ...evidence, claims, mayShowMore } },
      isOpen: mayShowMore,
      read: { isPending: false },
    } as unknown as CallEvidenceState;
    return renderToStaticMarkup(createElement(MantineProvider, null, createElement(ReadBalance, known)));
  };
  for (const mayShowMore of [true, false]) expect(shown(mayShowMore, [claim])).toContain('Read the balance · free');
  // No reading says anything of a call that is published as free.
  expect(shown(false, [])).not.toContain('Read the balance');
});

test('balance reads of several days, in one line, are copied with the days of both ends', () => {
  const [from, to] = ['2026-01-09T17:00:00.000Z', '2026-01-12T08:00:00.000Z'] as const;
  const fold = { under: null, newestId: 'b', oldestId: 'a', count: 2, unanswered: 0, from, to };
  const shown = (id: string, changes = {}) =>
    activityColumns('GMT', ({ subject }) => subject)
      .find((column) => column.id === id)
      ?.text?.({ kind: 'fold', id: 'a', fold: { ...fold, ...changes }, open: false });
  expect(shown('at')).toBe(`${formatMoment(from)} to ${formatMoment(to)}`);
  expect([shown('outcome'), shown('outcome', { unanswered: 1 })]).toEqual(['all answered', '1 not answered']);
  // Of a single one nothing is said of “all”.
  expect([0, 1].map((unanswered) => shown('outcome', { count: 1, unanswered }))).toEqual(['answered', 'not answered']);
});

const made = (changes: Partial<CallRecord>): CallRecord => ({
  id: 'a',
  at: '2026-01-09T17:00:00.000Z',
  connectionId: 'c',
  connectionName: 'Wyebank',
  interface: 'rest',
  operation: 'GetCredits',
  subject: '',
  outcome: 'answered',
  errorCode: null,
  expectedCredits: 0,
  observedCredits: null,
  durationMs: 12,
  paidBy: 'test',
  person: 'root',
  source: 'window',
  ...changes,
});

test('the history of an operation leaves in the words that it is shown in', () => {
  const rows = (['held', 'nothing-found'] as const).map((outcome) => ({
    call: made({ outcome, durationMs: 1240 }),
    stored: null,
    asked: null,
  }));
  const lines = copiedRows(
    historyColumns.filter(({ id }) => id === 'outcome' || id === 'took'),
    rows,
    false,
  );
  expect(lines.split('\n')).toEqual(['saved, free\t1,240 ms', 'nothing found\t1,240 ms']);
});

test('a call that is published as free is called free, as on buttons', () => {
  const price = activityColumns('GMT', ({ subject }) => subject).find(({ id }) => id === 'credits');
  const shown = (changes: Partial<CallRecord>) => price?.text?.({ kind: 'call', id: 'a', call: made(changes) });
  expect(shown({})).toBe('free');
  expect([shown({ expectedCredits: 2 }), shown({ expectedCredits: null })]).toEqual([2, null]);
  // As the log has a saved answer, whose operation may cost.
  expect(shown({ outcome: 'held' })).toBe('saved, free');
  expect(callText(made({ outcome: 'held' }))).toContain('Published price\tsaved, free\n');
  expect(callText(made({}))).toContain('Published price\tfree');
  expect(callText(made({ expectedCredits: 1 }))).toContain('Published price\t1 credit\n');
});

test('a row that a kill left at work is not shown as if it were: its batch does not run', () => {
  const shown = (state: Batch['state']) => {
    const mark = createElement(ProgressMark, { progress: 'at-work', batch: { state } });
    return renderToStaticMarkup(createElement(MantineProvider, null, mark));
  };
  expect(shown('running')).toMatch(/Loader.*at work/);
  for (const state of ['paused', 'waiting'] as const) {
    expect(shown(state)).toContain('cut off');
    expect(shown(state)).not.toContain('Loader');
  }
});

test('of a running batch it is said how many rows are to come: of the others not all are done', () => {
  const progress = { waiting: 4, 'at-work': 1, done: 2, malformed: 1 };
  expect(standText({ state: 'running', plan: { rows: { total: 8 } }, progress } as Batch)).toBe('5 of 8 rows to go');
});

test('rows whose outcome is unknown: what a tick does, and where it is', () => {
  const progress = { waiting: 0, 'at-work': 0, done: 4, stopped: 0, failed: 0, malformed: 0 };
  const text = (unknown: number, row?: number, ticked = 0, isUnknownFree = false) =>
    notTicked({ progress: { ...progress, unknown } }, { rows: ticked, unknown: ticked, isUnknownFree }, row);
  expect(text(1, 5)).toBe('Row 5 is not asked again unless you tick it under No result; it may cost twice.');
  expect(text(3)).toBe('3 unknown rows are not asked again unless you tick them under No result; each may cost twice.');
  expect(text(3, undefined, 3)).toBe('3 rows with an unknown outcome are asked once more and may cost twice.');
  expect(text(3, undefined, 0, true)).toBe(
    '3 unknown rows are not asked again unless you tick them under No result; that is free by the published price.',
  );
  expect(text(1, 5, 1, true)).toBe('1 row with an unknown outcome is asked once more, free by the published price.');
});

describe('finding and typing', () => {
  test('finds in any column, any case, as shown', () => {
    expect(rows.map((row) => rowHolds(columns, row, 'AN'))).toEqual([true, false, true]);
    expect(rows.map((row) => rowHolds(columns, row, 'day 2'))).toEqual([false, true, false]);
  });

  test('typing goes to the next row that begins so, wrapping round', () => {
    expect(typedRow(columns, rows, 'an', 0)).toBe(0);
    expect(typedRow(columns, rows, 'an', 1)).toBe(2);
    expect(typedRow(columns, rows, 'ann', 1)).toBe(0);
    expect(typedRow(columns, rows, 'zz', 0)).toBe(-1);
    expect(typedRow(columns, [], 'a', 1)).toBe(-1);
  });
});

describe('marking rows', () => {
  const order = ['a', 'b', 'c', 'd'];
  const keysOf = ({ keys }: { keys: ReadonlySet<string> }) => [...keys].join('');

  test('marks one, one more, a range either way from the last one marked, all', () => {
    expect(keysOf(markOne('b'))).toBe('b');
    const two = toggleMark(markOne('a'), 'c');
    expect(keysOf(two)).toBe('ac');
    expect(keysOf(toggleMark(two, 'a'))).toBe('c');
    expect(keysOf(markStretch(two, 'd', order))).toBe('cd');
    expect(keysOf(markStretch(markStretch(two, 'd', order), 'a', order))).toBe('abc');
    expect(keysOf(markAll(order))).toBe('abcd');
    expect(keysOf(markFrom('b'))).toBe('');
  });

  test('if the row where a range began is gone, the range begins anew', () => {
    expect(keysOf(markStretch(markOne('gone'), 'c', order))).toBe('c');
    expect(keysOf(markStretch(noMarks, 'b', order))).toBe('b');
    expect(keysOf(markStretch(markOne('a'), 'gone', order))).toBe('a');
  });
});

describe('columns as a person has arranged them', () => {
  const all = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const look = (order: string[], hidden: string[] = []) => ({ sort: null, widths: {}, order, hidden });
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).join('');

  test('moved by places, never out of the table', () => {
    expect(moveColumn(all, look([]), 'b', 1).join('')).toBe('acbd');
    expect(moveColumn(all, look(['d', 'c', 'b', 'a']), 'a', -9).join('')).toBe('adcb');
    expect(moveColumn(all, look([]), 'gone', 1).join('')).toBe('abcd');
  });

  test('a column is put before another of those in sight, or after the last; hidden ones keep their neighbour', () => {
    const shown = all.filter(({ id }) => id !== 'b');
    const put = (id: string, place: number) => placeColumn(all, look([]), shown, id, place).join('');
    expect(put('d', 0)).toBe('dabc');
    expect(put('a', 3)).toBe('bcda');
    expect(put('a', 2)).toBe('bcad');
    // Dropped on either side of itself: nothing moves.
    expect(put('c', 1)).toBe('abcd');
    expect(put('c', 2)).toBe('abcd');
    expect(put('gone', 0)).toBe('abcd');
  });

  test('a new column of a later version is at its default place, and a removed one is forgotten', () => {
    expect(ids(orderColumns(all, look(['d', 'gone', 'a'])))).toBe('dabc');
    expect(ids(orderColumns(all, look(['b', 'c'])))).toBe('abcd');
  });

  test('one column is always shown', () => {
    expect(ids(shownColumns(all, look([], ['a', 'c'])))).toBe('bd');
    expect(ids(shownColumns(all, look(['c'], ['a', 'b', 'c', 'd'])))).toHaveLength(1);
  });

  test('every column is there once, whatever order was stored', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x')), (order) => {
        const unique = [...new Set(order)];
        expect([...ids(orderColumns(all, look(unique)))].sort().join('')).toBe('abcd');
      }),
    );
  });
});

test('a page asked for while those before are read again comes after them, also if that begins once more, and none is dropped', async () => {
  const client = new QueryClient();
  const answers: (() => void)[] = [];
  let state = 'old';
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: ({ pageParam }) =>
      new Promise<string>((resolve) => {
        const read = `${state} ${pageParam}`;
        answers.push(() => resolve(read));
      }),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => (pages.length < 3 ? pages.length : undefined),
  });
  const unsubscribe = observer.subscribe(() => {});
  const answerOne = async () => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.();
  };
  const pages = () => observer.getCurrentResult().data?.pages;
  await answerOne();
  await expect.poll(pages).toEqual(['old 0']);
  state = 'new';
  void client.invalidateQueries({ queryKey: ['list'] });
  const more = readNextPage(observer.getCurrentResult());
  // The next call of the batch.
  state = 'newer';
  void client.invalidateQueries({ queryKey: ['list'] });
  answers.shift();
  await answerOne();
  await expect.poll(pages).toEqual(['newer 0']);
  await answerOne();
  expect((await more)?.pages).toEqual(['newer 0', 'newer 1']);
  expect(answers).toEqual([]);
  unsubscribe();
});

test('an entry of a week ago is not under the name of today’s weekday, also in the week in which a clock goes forward', () => {
  // New Zealand's clocks went forward on 27 September 2026.
  const today = new Date(2026, 9, 3, 9);
  expect(shortTime(new Date(2026, 8, 27, 0, 5).toISOString(), today)).toMatch(/^Sun/);
  expect(shortTime(new Date(2026, 8, 26, 23, 30).toISOString(), today)).toMatch(/^26 Sep/);
});
