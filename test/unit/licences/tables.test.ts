import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { describeDue, findDue, writeCalendar } from '../../../electron/core/licences/annotations/reminders.ts';
import {
  compareInventory,
  readInventory,
  writeInventory,
} from '../../../electron/core/licences/machines/inventory-table.ts';
import { describeMachines, type MachineFacts } from '../../../electron/core/licences/machines/machine-findings.ts';
import { writeLicences } from '../../../electron/core/licences/records/licence-table.ts';
import { readLicences } from '../../../electron/core/licences/records/read-licence.ts';
import { readTable } from '../../../electron/core/tables/read-table.ts';
import { describeCounts } from '../../../renderer/features/bulk/bulk-run.ts';
import { LicenceFigure } from '../../../renderer/features/credits/balance/balance-figures.tsx';
import { AnnotationsPart } from '../../../renderer/features/licences/detail/annotations-part.tsx';
import { seatTotals } from '../../../renderer/features/licences/list/figures.ts';
import { licenceColumns } from '../../../renderer/features/licences/list/licence-columns.tsx';
import { Remarks } from '../../../renderer/features/licences/list/remarks.tsx';
import { machineColumns } from '../../../renderer/features/machines/machine-columns.tsx';
import type { Licence } from '../../../shared/domain/licences/licence.ts';
import {
  type BulkRow,
  bulkRowInputSchema,
  guessMapping,
  mapRows,
  readRowRequest,
} from '../../../shared/domain/licences/licence-bulk.ts';
import { filterLicences, noFilter } from '../../../shared/domain/licences/licence-filter.ts';
import { makeLicence } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

describe('the changes in a table', () => {
  test('columns are recognised by many names; a row’s request is read from what it names', () => {
    const mapping = guessMapping(['Old machine', 'LicenseID', 'New machine']);
    expect(mapping).toEqual({ from: 0, licence: 1, machine: 2 });
    expect(guessMapping(['20411', 'PC-1'])).toBeNull();
    const [move] = mapRows([['A', '1', 'B ']], mapping ?? {});
    expect(move && readRowRequest(move, 'register')).toEqual({ kind: 'move', licence: '1', to: 'B', from: 'A' });
    const wish = (change: string, from: string, machine: string) =>
      readRowRequest({ row: 1, licence: '1', change, machine, from, state: '' }, 'register');
    expect(wish('', 'A', 'no machine')).toMatchObject({ kind: 'unregister', from: 'A' });
    expect(wish('unregister', '', 'A')).toMatchObject({ kind: 'unregister', from: 'A', to: null });
    expect(wish('move', 'A', 'A')).toBe('the same machine twice');
    expect(wish('register', 'A', 'B')).toBe('register takes one machine, and two are named');
  });

  test('a cell of any length is one that main takes, and what is cut off makes no other name', () => {
    const cells = fc.tuple(
      fc.constantFrom('1', 'PC-1', 'register', 'seen'),
      fc.nat(2500),
      fc.constantFrom('', '9', 'x'),
    );
    fc.assert(
      fc.property(cells, ([head, blanks, tail]) => {
        const text = `${head}${' '.repeat(blanks)}${tail}`;
        const [row] = mapRows([[text, text, text]], { licence: 0, machine: 1, state: 2 });
        const read = bulkRowInputSchema.parse(row);
        const request = readRowRequest(read, 'register');
        const understood = [typeof request === 'string' ? '' : request.to, read.state.trim(), read.licence.trim()];
        for (const one of understood)
          if (one !== text.trim()) expect(['PC-1', 'register', 'seen', '1']).not.toContain(one);
      }),
    );
  });
});

const licences = readLicences([
  makeLicence('20418', { LicenseInUse: '1', Available: '0' }),
  makeLicence('20419', { LicenseInUse: '3', Available: '0', ExpiryDate: '09/12/2026', CurrentCreditsAvailable: '95' }),
  makeLicence('20441', { ExpiryDate: '14/11/2026', LicenseInUse: '0', Available: '2' }),
  makeLicence('20447', { ExpiryDate: '31.02.2027', Available: 'some' }),
]);

describe('the list of licences', () => {
  test('seats that were read before the last change of their licence leave as “was”, as they are shown', () => {
    const textOf = (isOlder: boolean) =>
      licences.slice(0, 1).map(
        licenceColumns(
          () => null,
          () => isOlder,
        ).find(({ id }) => id === 'seats')?.text ?? String,
      );
    expect([textOf(false), textOf(true)]).toEqual([['full'], ['was full']]);
  });

  test('one more that has expired, or expires soon, is one; several are several', () => {
    const said = (count: number, day: string): string => {
      const list = readLicences(
        Array.from({ length: count }, (_, at) => makeLicence(String(20500 + at), { ExpiryDate: day })),
      );
      const shown = { licences: list, today: '2026-11-21', now: new Date(2026, 10, 21, 10) };
      return renderToStaticMarkup(createElement(Remarks, shown));
    };
    const half = readLicences([makeLicence('20418', { LicenseInUse: '3', Available: 'Y' })]);
    const shown = { licences: half, today: '2026-11-21', now: new Date(2026, 10, 21, 10) };
    const text = renderToStaticMarkup(createElement(Remarks, shown)).replace(/<[^>]*>/g, '');
    expect(text).toContain('WY-20418 did not come with both numbers of its seats, so the console does not guess.');
    expect(said(4, '14/11/2026')).toContain('>1 more licence has expired.<');
    expect(said(5, '14/11/2026')).toContain('>2 more licences have expired.<');
    expect(said(4, '29/11/2026')).toContain('>1 more licence expires within 30 days.<');
    expect(said(5, '29/11/2026')).toContain('>2 more licences expire within 30 days.<');
  });

  test('a list some of whose dates are day first and others month first is not said to show neither', () => {
    const said = (...days: string[]): string => {
      const list = readLicences(days.map((ExpiryDate, at) => makeLicence(String(20500 + at), { ExpiryDate })));
      const shown = { licences: list, today: '2026-11-21', now: new Date(2026, 10, 21, 10) };
      return renderToStaticMarkup(createElement(Remarks, shown)).replace(/<[^>]*>/g, '');
    };
    expect(said('22/01/2028', '06/16/2027')).toBe(
      '1 remark on these licences, 1 on expiry2 expiry dates are not read: some dates of the list can only be day first, others only month first.',
    );
    expect(said('01/02/2028')).toContain(
      '1 expiry date is not read: the list does not decide which is day and which is month.',
    );
  });
});

test.each([
  [{ figures: 0, differing: 0 }, '|no number given|', '|3 gave no number. |Open Licences|'],
  [
    { figures: 0, differing: 1 },
    '|no single number given|',
    '|2 gave no number. |Records of 1 differ. |Open Licences|',
  ],
  [{ figures: 2, differing: 1 }, '|107|credits|', '|Records of 1 differ. |Open Licences|'],
])('what the credits of three licences are the sum of: %j', (counts, figure, note) => {
  const read = { licences: 3, credits: 107, readAt: '2026-11-14T09:00:00.000Z', ...counts };
  const markup = renderToStaticMarkup(createElement(LicenceFigure, { read, onOpen: () => undefined }));
  const text = markup.replace(/(<[^>]*>)+/g, '|');
  expect(text).toContain(figure);
  expect(text).toContain(note);
});

test('exported licences name the machines they were found on so that each can be read back, and none as a number', () => {
  const at = '2026-11-21T09:00:00.000Z';
  const on = (machine: string, licenceNumber: string) => ({ machine, licenceNumbers: [licenceNumber], askedAt: at });
  const listed = licences.slice(0, 2);
  const [first = '', second = ''] = listed.map(({ licenceNumber }) => licenceNumber);
  const holdings = [on('HFD LT 0147', first), on('HFD LT 0219', first), on('20418', second)];
  const text = [...writeLicences(listed, [], holdings)].map((piece) => piece.text).join('');
  const rows = text.trim().split('\r\n').slice(1);
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(['"HFD LT 0147; HFD LT 0219"', `"'20418"`]);
});

test('the counts at the end of a bulk change are in the words of its rows', () => {
  const rows = ['seen', 'seen', 'on-its-way', 'confirmed'].map((state) => ({ state }) as BulkRow);
  expect(describeCounts({ rows })).toBe('2 seen as planned, 1 on its way, 1 done, said an earlier version');
});

describe('findings about machines', () => {
  const at = (minute: number) => `2026-11-21T09:${String(minute).padStart(2, '0')}:00.000Z`;
  const facts: MachineFacts = {
    inventory: [{ name: 'HFD-LT-0147', nickname: 'Reception', owner: 'Hereford', site: '', note: '' }],
    holdings: [
      { machine: 'HFD-LT-0147', licenceNumbers: ['20418', '20441'], askedAt: at(20) },
      { machine: 'hfd-lt-0147.wyebank.example', licenceNumbers: ['020418'], askedAt: at(20) },
      { machine: 'LEO-DT-0113', licenceNumbers: [], askedAt: at(21) },
      { machine: 'TRO-DT-0004', licenceNumbers: ['99999'], askedAt: at(21) },
    ],
    history: [
      { machine: 'HFD-LT-0147', licenceNumbers: ['20418', '20441'], askedAt: at(20), sequence: 3 },
      { machine: 'HFD-LT-0147', licenceNumbers: ['20433'], askedAt: at(1), sequence: 2 },
      { machine: 'LEO-DT-0113', licenceNumbers: [], askedAt: '2026-10-02T09:00:00.000Z', sequence: 1 },
    ],
    failures: [{ machine: 'TRO-SV-0001', at: at(21), message: 'timed out' }],
    licences,
    readAt: '2026-11-03T10:00:00.000Z',
    lastScan: { startedAt: at(19), finishedAt: at(22), asked: 5, answered: 4, historyBefore: 2 },
    thisMachine: 'HFD-LT-0219',
    today: '2026-11-21',
  };

  test('of a list that was never read nothing is said, neither that it names a licence nor that it does not', () => {
    const { machines } = describeMachines({ ...facts, licences: [], readAt: null });
    const [holder] = machines.filter(({ name }) => name === 'HFD-LT-0147');
    expect(holder?.holds.map(({ listed }) => listed)).toEqual([null, null]);
    expect(holder?.findings.map(({ kind }) => kind)).not.toContain('ghost');
  });

  test('similar names, a duplicate, an orphan, a ghost, an expired licence, changes, no answer; this machine is included', () => {
    const { machines, remarks, onNoMachine } = describeMachines(facts);
    const found = Object.fromEntries(
      machines.map(({ name, findings }) => [name, findings.map(({ kind }) => kind).sort()]),
    );
    expect(found).toEqual({
      'HFD-LT-0147': ['changed', 'double', 'expired', 'near-equal'],
      'hfd-lt-0147.wyebank.example': ['double', 'near-equal'],
      'HFD-LT-0219': [],
      'LEO-DT-0113': ['nothing'],
      'TRO-DT-0004': ['ghost'],
      'TRO-SV-0001': ['no-answer'],
    });
    // A machine that answers what cannot be used has answered.
    expect(machines.find(({ name }) => name === 'TRO-SV-0001')?.findings.map(({ text }) => text)).toEqual([
      'could not be read: timed out',
    ]);
    expect(machines.find(({ thisMachine }) => thisMachine)).toMatchObject({ name: 'HFD-LT-0219', kept: false });
    expect(remarks.map(({ kind }) => kind).sort()).toEqual(['double', 'near-equal', 'orphan']);
    // What the two fields say is not published (field notes, “Values”).
    const textOf = (wanted: string) => remarks.find(({ kind }) => kind === wanted)?.text;
    expect(textOf('orphan')).toContain('is 3, taken for seats in use; it was named for no machine asked');
    expect(textOf('double')).toContain('which is more than its seats, if LicenseInUse and Available count them.');
    expect(onNoMachine).toEqual(['WY-20419', 'WY-20447']);
    const changed = machines[0]?.findings.find(({ kind }) => kind === 'changed')?.text;
    expect(changed).toContain('new: WY-20418, WY-20441; no longer named: 20433');
    const said = machines.flatMap(({ findings }) => findings);
    expect(said.find(({ kind }) => kind === 'ghost')?.text).toBe(
      'named with 99999, which the account’s list of 3 Nov 2026 does not name',
    );
    expect(said.find(({ kind }) => kind === 'expired')?.text).toBe(
      'named with WY-20441, which has expired by the account’s list of 3 Nov 2026',
    );
  });

  test('a machine that was asked and did not answer leaves as not read, one that was not asked as that', () => {
    const { machines } = describeMachines(facts);
    const asked = machineColumns.find(({ id }) => id === 'asked');
    const outOf = (name: string) => {
      const machine = machines.find((one) => one.name === name);
      if (!machine) throw new Error(name);
      return [writeInventory([machine]).split('\r\n')[1]?.split(',')[5], asked?.text?.(machine)];
    };
    expect(outOf('TRO-SV-0001')).toEqual(['not read', 'not read']);
    expect(outOf('HFD-LT-0219')).toEqual(['not asked', 'never']);
  });

  test('a licence named for two machines on different days may have been moved between', () => {
    const [first, second] = facts.holdings;
    const days = ['2026-10-01T09:00:00.000Z', '2026-11-21T09:00:00.000Z'];
    const holdings = [first, second].flatMap((one, index) => (one ? [{ ...one, askedAt: days[index] ?? '' }] : []));
    const textOf = (all: typeof holdings) =>
      describeMachines({ ...facts, holdings: all }).remarks.find(({ kind }) => kind === 'double')?.text;
    expect(textOf(holdings)).toMatch(/came between 1 Oct 2026 and 21 Nov 2026: it may have been moved\.$/);
    expect(textOf(facts.holdings as typeof holdings)).toMatch(/made elsewhere\.$/);
  });

  test('a licence that the list names twice is remarked once, and not for seats of which its records say different things', () => {
    const twice = (more: Parameters<typeof makeLicence>[1]) =>
      describeMachines({
        ...facts,
        licences: readLicences([
          makeLicence('20419', { LicenseInUse: '3', Available: '0' }),
          makeLicence('0020419', { ReferenceNo: 'WY-20419', LicenseInUse: '3', Available: '0', ...more }),
        ]),
      });
    expect(twice({}).remarks.filter(({ kind }) => kind === 'orphan')).toHaveLength(1);
    expect(twice({}).onNoMachine).toEqual(['WY-20419']);
    expect(twice({ LicenseInUse: '0' }).remarks.filter(({ kind }) => kind === 'orphan')).toEqual([]);
  });

  test('unknown seats are no duplicate, and before any read nothing is missing', () => {
    const { remarks, onNoMachine } = describeMachines({
      ...facts,
      holdings: [],
      history: [],
      licences: licences.filter(({ licenceNumber }) => licenceNumber === '20447'),
    });
    expect([remarks, onNoMachine]).toEqual([[], []]);
  });
});

describe('reminders and filters', () => {
  const at = '2026-11-21T10:04:38.000Z';
  const owns = [
    { licenceNumber: '20419', note: 'a, b; c', leadDays: 30, noticedFor: null },
    { licenceNumber: '20441', note: '', leadDays: 0, noticedFor: null },
    { licenceNumber: '20418', note: '', leadDays: 30, noticedFor: null },
    { licenceNumber: '20447', note: '', leadDays: 30, noticedFor: null },
  ];

  test('due within the lead time, the nearest first; an expiry that cannot be read reminds of nothing', () => {
    const due = findDue(licences, owns, '2026-11-21');
    expect(describeDue(due, new Date(2026, 10, 20, 10, 4, 38).toISOString(), '2026-11-21')).toBe(
      'By the list read 20 Nov 2026, 10:04:38: WY-20441 expired 7 days ago. WY-20419 expires in 18 days.',
    );
    expect(findDue(licences, owns, '2026-11-08')).toMatchObject([]);
    expect(findDue(licences, owns, '2026-11-09').map(({ name }) => name)).toEqual(['WY-20419']);
  });

  test('a record without a LicenseID is offered no note and no reminder, which would be those of every such record', () => {
    const client = new QueryClient();
    const kept = { licenceNumber: '', note: 'of another one', leadDays: 30 };
    client.setQueryData(['licences', 'own', 'c'], { labels: [], perLicence: [kept], rule: null });
    const [licence] = readLicences([makeLicence(' ', { ReferenceNo: 'WY-A' })]);
    const part = createElement(AnnotationsPart, { connectionId: 'c', licence: licence as Licence });
    const shown = createElement(QueryClientProvider, { client }, createElement(MantineProvider, null, part));
    const markup = renderToStaticMarkup(shown);
    expect(markup).toContain('It came without a LicenseID, so no note or reminder can be set for it.');
    expect(markup).not.toContain('of another one');
  });

  test('a licence that the list names twice reminds once: of the expiry that comes next, or of the last that has passed', async () => {
    const list = readLicences([
      makeLicence('20418', { ExpiryDate: '01/10/2026' }),
      makeLicence('0020418', { ReferenceNo: 'WY-20418', ExpiryDate: '30/11/2026' }),
      makeLicence('20418', { ExpiryDate: '15/12/2026' }),
      makeLicence('20418', { ExpiryDate: '30/11/2026' }),
      makeLicence('20419', { ExpiryDate: '' }),
      makeLicence('20419', { ExpiryDate: '14/11/2026' }),
    ]);
    const reminded = (today: string) => findDue(list, owns, today).map(({ name, expiresOn }) => [name, expiresOn]);
    const of19 = ['WY-20419', '2026-11-14'];
    expect(reminded('2026-11-21')).toEqual([of19, ['WY-20418', '2026-11-30']]);
    expect(reminded('2026-12-01')).toEqual([of19, ['WY-20418', '2026-12-15']]);
    expect(reminded('2026-12-20')).toEqual([of19, ['WY-20418', '2026-12-15']]);
    const { text, rows } = await writeCalendar(list, owns, { connectionId: 'c', connectionName: 'C', at, readAt: at });
    expect([rows, text.match(/DTSTART.*(?=\r)/g)]).toEqual([
      2,
      ['DTSTART;VALUE=DATE:20261130', 'DTSTART;VALUE=DATE:20261114'],
    ]);
  });

  test('seats of a licence that the list names twice count once, and not at all where its records differ', () => {
    const twice = (more: Parameters<typeof makeLicence>[1]) =>
      seatTotals(
        readLicences([
          makeLicence('20418', { LicenseInUse: '1', Available: '2' }),
          makeLicence('0020418', { LicenseInUse: '1', Available: '2', ...more }),
        ]),
        '2026-11-21',
      );
    expect(twice({})).toEqual({ used: 1, free: 2, lost: 0, unknownLicences: 0 });
    expect(twice({ Available: '1' })).toEqual({ used: 1, free: 0, lost: 0, unknownLicences: 1 });
    expect(twice({ ExpiryDate: '14/11/2026' })).toEqual({ used: 1, free: 0, lost: 0, unknownLicences: 1 });
    expect(twice({ LicenseID: '', LicenseInUse: '3' })).toEqual({ used: 4, free: 4, lost: 0, unknownLicences: 0 });
  });

  test('leading zeros do not count in an id of digits; one that is not a number is compared as it is written', () => {
    const [licence] = licences.filter(({ licenceNumber }) => licenceNumber === '20419');
    const written = ['0020419', '7A', '007A'].map((licenceNumber) => ({ ...(licence as Licence), licenceNumber }));
    const own = ['20419', '7A'].map((licenceNumber) => ({ licenceNumber, note: '', leadDays: 30, noticedFor: null }));
    const due = findDue(written, own, '2026-11-21');
    expect(due.map(({ licenceNumber }) => licenceNumber)).toEqual(['0020419', '7A']);
  });

  test('a rule reminds of all except its exceptions and what had expired before it; a licence’s own lead time takes precedence', async () => {
    const rule = { leadDays: 30, since: '2026-11-10', except: ['0020447'] };
    const names = (own: typeof owns, one: typeof rule | null) =>
      findDue(licences, own, '2026-11-21', one).map(({ name, leadDays }) => `${name} ${leadDays}`);
    expect(names([], null)).toEqual([]);
    expect(names([], rule)).toEqual(['WY-20441 30', 'WY-20419 30']);
    expect(names([], { ...rule, since: '2026-11-21' })).toEqual(['WY-20419 30']);
    expect(names([], { ...rule, except: ['20441', '20419'] })).toEqual([]);
    expect(names([], { ...rule, leadDays: 17 })).toEqual(['WY-20441 17']);
    const own = { licenceNumber: '20419', note: '', leadDays: 60, noticedFor: null };
    expect(names([own], { ...rule, leadDays: 17 })).toEqual(['WY-20441 17', 'WY-20419 60']);
    // A note alone does not change the reminder.
    expect(names([{ ...own, leadDays: null } as never], rule)).toEqual(['WY-20441 30', 'WY-20419 30']);
    const facts = { connectionId: 'c', connectionName: 'Wyebank', at, readAt: at };
    const { text, rows } = await writeCalendar(licences, [own], facts, rule);
    expect([rows, text.includes('TRIGGER:-P60D'), text.includes('TRIGGER:-P30D')]).toEqual([3, true, true]);
  });

  test('the calendar: one all-day event each, alarm before it, text escaped, lines folded', async () => {
    const { text, rows } = await writeCalendar(licences, owns, {
      connectionId: 'c',
      connectionName: 'Wyebank, Production with a name that is long enough to need folding over lines',
      at,
      readAt: new Date(2026, 10, 20, 10, 4, 38).toISOString(),
    });
    expect(rows).toBe(3);
    expect(text).toContain('TRIGGER:-P30D');
    expect(text.replaceAll('\r\n ', '')).toContain('a\\, b\\; c\\nLicenseID 20419\\, Wyebank\\, Production');
    // It may have been renewed since.
    expect(text.replaceAll('\r\n ', '')).toContain('by the list read 20 Nov 2026\\, 10:04:38\r\n');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  const note = 'was 11111111-2222-4333-8444-5555aaaabeef before';
  const machine = { name: 'PC-1', nickname: '', owner: '', site: '', note: '' };
  const tableOf = (stored: typeof machine): string => {
    const read = { holdings: [], history: [], failures: [], licences, readAt: null, lastScan: null };
    const here = { thisMachine: 'PC-1', today: '2026-11-21' };
    return writeInventory(describeMachines({ ...read, ...here, inventory: [stored] }).machines);
  };

  test('a GUID in a note leaves masked, in the calendar and in the table of machines', async () => {
    const facts = { connectionId: 'c', connectionName: 'Wyebank', at, readAt: at };
    const own = { licenceNumber: '20419', note, leadDays: 30, noticedFor: null };
    const { text } = await writeCalendar(licences, [own], facts);
    for (const shown of [text.replaceAll('\r\n ', ''), tableOf({ ...machine, note })])
      expect(shown).toContain('was ••••beef before');
  });

  test('the table of machines taken back as it was saved changes nothing, and a mask in it takes no note’s place', async () => {
    const stored = { ...machine, owner: 'Ann', note };
    const back = async (text: string) =>
      compareInventory(unwrap(readInventory(unwrap(await readTable(text, 10)))), [stored], () => false);
    const table = tableOf(stored);
    expect((await back(table)).result).toEqual({ added: 0, changed: 0, same: 1, refused: [] });
    expect((await back(table.replace('Ann', 'Bob'))).toSave).toEqual([{ ...stored, owner: 'Bob' }]);
  });

  test('the calendar as a reader of RFC 5545 finds it, whatever the texts hold', async () => {
    const check = async (name: string, note: string, expiry: string, day: string) => {
      const licence = readLicences([makeLicence('20419', { ReferenceNo: name, ExpiryDate: expiry })])[0] as Licence;
      const own = { licenceNumber: '20419', note, leadDays: 30, noticedFor: null };
      const { text } = await writeCalendar([licence, licence], [own], {
        connectionId: 'c',
        connectionName: name,
        at,
        readAt: at,
      });
      expect(text.replaceAll('\r\n', '').replaceAll('\t', '')).not.toMatch(/\p{Cc}/u);
      expect(text.isWellFormed()).toBe(true);
      const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
      const events = calendar.getAllSubcomponents('vevent');
      expect(events).toHaveLength(1);
      const event = new ICAL.Event(events[0] as ICAL.Component);
      const isKept = (sign: string): boolean => sign === '\t' || !/\p{Cc}/u.test(sign);
      const shown = [...(name.trim() || 'licence 20419').toWellFormed()].filter(isKept).join('');
      expect(event.summary.replaceAll('\n', '')).toBe(`${shown} expires`);
      expect(event.startDate.isDate).toBe(true);
      expect(event.startDate.toString()).toBe(day);
      expect(event.duration.toSeconds()).toBe(86_400);
      const [alarm] = (events[0] as ICAL.Component).getAllSubcomponents('valarm');
      expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('-P30D');
    };
    await check('WY-20419', 'a, b; c', '31.12.9999', '9999-12-31');
    await check(
      'WY\rBEGIN:VALARM\r\nEND:VEVENT',
      'a\rb\nc\u0000\u0007\u000b\u001b[31m\u007f',
      '28/02/2028',
      '2028-02-28',
    );
    await check('Ŵ'.repeat(60), '\\;,:"'.repeat(40), '29/02/2028', '2028-02-29');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 60 }),
        (name, note) => check(name, note, '31/03/2027', '2027-03-31'),
      ),
      { numRuns: 100 },
    );
  });

  test('each facet and every word', () => {
    const facts = { today: '2026-11-21', onMachines: new Set(['20418']) };
    const ids = (filter: Partial<typeof noFilter>) =>
      filterLicences(licences, { ...noFilter, ...filter }, facts).map(({ licenceNumber }) => licenceNumber);
    expect(ids({ quick: ['soon'] })).toEqual(['20419']);
    expect(ids({ quick: ['expired'] })).toEqual(['20441']);
    expect(ids({ quick: ['free'] })).toEqual([]);
    expect(ids({ quick: ['unknown'] })).toEqual(['20447']);
    expect(ids({ quick: ['no-machine'] })).toEqual(['20419', '20441', '20447']);
    expect(ids({ text: 'wy-204 2026' })).toEqual(['20419', '20441']);
    expect(ids({ statuses: ['S'] })).toEqual([]);
  });
});
