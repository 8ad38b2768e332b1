import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBulks } from '../../../electron/core/licences/bulk/bulk.ts';
import {
  checkChange,
  dismissChange,
  findUnfinishedChanges,
  finishChange,
  runChange,
} from '../../../electron/core/licences/change/change-states.ts';
import { readList } from '../../../electron/core/licences/change/plan.ts';
import { readMachine } from '../../../electron/core/licences/change/read-machine.ts';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { createMachines } from '../../../electron/core/licences/machines/machines.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import type { Bulk } from '../../../shared/domain/licences/licence-bulk.ts';
import { ok } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openLicenceConsole,
  passTime,
  there,
} from '../../helpers/licence-console.ts';
import { withKillPoints } from '../../helpers/licence-kill-points.ts';
import { callService, LicenceService, makeLicence } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const longName = `${there.toLowerCase()}.wyebank.example`;
let folder: string;
let service: LicenceService;
let console: LicenceConsole;

/** A dead laptop that was seen under two names: two licences and a suspended one, and another one under its long name. */
function startService(): LicenceService {
  const made = new LicenceService([
    makeLicence('20418', { LicenseInUse: '1', Available: '0' }),
    makeLicence('20426', { LicenseInUse: '4', Available: '6' }),
    makeLicence('20433', { LicenseInUse: '2', Available: '0' }),
    makeLicence('20441', { Status: 'Suspended', LicenseInUse: '3', Available: '2' }),
  ]);
  for (const id of ['20418', '20426', '20441']) made.bind(id, there);
  made.bind('20433', longName);
  return made;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-moves-'));
  service = startService();
  console = await openLicenceConsole(folder, callService(service));
});
afterEach(() => {
  console.database.close();
  removeFolder(folder);
});

function openBulks({ deps, database }: LicenceConsole) {
  return createBulks({
    store: deps.store,
    inventory: openInventoryStore(database.sql),
    journal: deps.ctx.journal,
    inTransaction: (work) => inTransaction(database.sql, work),
    onProgress: () => {},
  });
}

const all = [
  ['20426', there],
  ['20418', there],
  ['20433', longName],
  ['20441', there],
] as const;

const plan = async (at: LicenceConsole = console, rows: readonly (readonly [string, string])[] = all): Promise<Bulk> =>
  unwrap(
    await openBulks(at).plan(
      {
        connectionId,
        source: `Everything on ${there}`,
        kind: 'register',
        moveTo: here,
        // The cells for change and machine are ignored.
        rows: rows.map(([licence, from], index) => ({
          row: index + 1,
          licence,
          change: 'unregister',
          machine: 'ELSEWHERE',
          from,
          state: '',
        })),
      },
      at.deps,
    ),
  );
const statesOf = (bulk: Bulk): string[] => bulk.rows.map(({ state }) => state);

describe('a move of everything', () => {
  test('the plan shows Status, seats, expiry and credits of each; similar names of the source raise no doubt; a suspended licence is not advised', async () => {
    const bulk = await plan();
    expect(service.writes).toEqual([]);
    expect(bulk.moveTo).toBe(here);
    expect(bulk.rows.map(({ kind, from, to }) => [kind, from, to])).toEqual(
      all.map(([, from]) => ['move', from, here]),
    );
    expect(bulk.rows.map(({ advised, tick }) => [advised, tick])).toEqual([
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [false, 'Take it off even though its Status is Suspended'],
    ]);
    expect(bulk.rows[1]?.licence).toMatchObject({ status: 'A', seatsUsed: 1, seatsFree: 0, credits: 388 });
    expect(bulk.rows[3]?.tickReason).toContain('Its Status is Suspended.');
    expect(unwrap(openBulks(console).latest(connectionId, true))?.id).toBe(bulk.id);
    expect(unwrap(openBulks(console).latest(connectionId))).toBeNull();
  });

  test('is confirmed by the machine’s name alone, and a licence that may not come back also by its own tick', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    for (const [rows, typed, ticked] of [
      [[1], '1', []],
      [[1], here.toLowerCase(), []],
      [[1], '', []],
      [[1, 4], here, []],
      [[1, 4], here, [1]],
    ] as const)
      expect(await bulks.run(id, rows, typed, () => ok(console.deps), ticked), typed).toMatchObject({
        ok: false,
        error: { code: 'not-confirmed' },
      });
    expect(service.writes).toEqual([]);
    expect(statesOf(unwrap(await bulks.run(id, [1, 4], here, () => ok(console.deps), [4])))).toEqual([
      'seen',
      'planned',
      'planned',
      'seen',
    ]);
    expect(console.deps.ctx.journal.list(null, 100).find(({ event }) => event === 'intent')?.text).toContain(
      `started by typing ${here}`,
    );
  });

  test('a row without an answer stops the rest, read or not; they continue without typing only if they were confirmed', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    let writes = 0;
    service.onWrite = () => {
      writes += 1;
      // The third write removes the second licence.
      if (writes === 3) service.manner.unregister = 'silent-does-nothing';
    };
    const held = unwrap(await bulks.run(id, [1, 2, 3], here, () => ok(console.deps)));
    expect(statesOf(held)).toEqual(['seen', 'on-its-way', 'planned', 'planned']);
    expect(held.state).toBe('paused');
    expect(held.pause).toBe('WY-20418 was read and was not as planned.');
    expect(service.writes).toHaveLength(3);
    service.manner.unregister = 'honest';
    service.onWrite = () => {};
    // The suspended licence was not confirmed.
    expect(await bulks.run(id, [3, 4], '', () => ok(console.deps), [4])).toMatchObject({ ok: false });
    const gone = unwrap(await bulks.run(id, [3], '', () => ok(console.deps)));
    expect(statesOf(gone)).toEqual(['seen', 'on-its-way', 'seen', 'planned']);
    expect(service.writes.map(({ licenceNumber }) => licenceNumber)).toEqual([
      '20426',
      '20426',
      '20418',
      '20433',
      '20433',
    ]);
    const texts = console.deps.ctx.journal.list(null, 200).map(({ text }) => text);
    expect(texts.some((text) => text.includes('gone on with; it was started before'))).toBe(true);
    // The change that was on its way ends, and its row gets its outcome.
    const change = gone.rows[1]?.changeId ?? '';
    passTime(11 * 60_000);
    const read = unwrap(await checkChange(change, console.deps));
    unwrap(await finishChange(change, read.reads.at(-1)?.at ?? null, console.deps));
    expect(statesOf(unwrap(bulks.find(id)) as Bulk)).toEqual(['seen', 'seen', 'seen', 'planned']);
  });

  test('a waiting row can be left out, included again, and left out while the one before it is under way', async () => {
    const bulks = openBulks(console);
    const { id, before } = await plan();
    expect(before?.map(({ machine, licenceNumbers }) => [machine, licenceNumbers.toSorted()])).toEqual(
      expect.arrayContaining([
        [there, ['20418', '20426', '20441']],
        [longName, ['20433']],
        [here, []],
      ]),
    );
    // A row that was not confirmed cannot be left out.
    expect(bulks.leaveOut(id, 3, true)).toMatchObject({ ok: false, error: { code: 'bad-input' } });
    let writes = 0;
    service.onWrite = () => {
      writes += 1;
      if (writes === 1) unwrap(bulks.leaveOut(id, 3, true));
    };
    const done = unwrap(await bulks.run(id, [1, 2, 3], here, () => ok(console.deps)));
    expect(statesOf(done)).toEqual(['seen', 'seen', 'planned', 'planned']);
    expect(service.writes.map(({ licenceNumber }) => licenceNumber)).toEqual(['20426', '20426', '20418', '20418']);
    // It is stored: another start of the program has it.
    expect(unwrap(openBulks(console).find(id))).toMatchObject({ confirmed: [1, 2, 3], leftOut: [3], state: 'planned' });
    // A row that was sent is not waiting any more, and one that was not confirmed cannot be included in this way.
    for (const row of [1, 4]) expect(bulks.leaveOut(id, row, false)).toMatchObject({ ok: false });
    expect(unwrap(bulks.leaveOut(id, 3, false))).toMatchObject({ leftOut: [] });
    expect(statesOf(unwrap(await bulks.run(id, [3], '', () => ok(console.deps))))).toEqual([
      'seen',
      'seen',
      'seen',
      'planned',
    ]);
  });

  test('a row whose inclusion could not be stored stays left out', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    const { sql } = console.database;
    let writes = 0;
    service.onWrite = () => {
      writes += 1;
      if (writes > 1) return;
      unwrap(bulks.leaveOut(id, 3, true));
      sql.exec(`CREATE TRIGGER refused BEFORE INSERT ON licence_bulk BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
      expect(bulks.leaveOut(id, 3, false)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
      sql.exec('DROP TRIGGER refused');
    };
    const done = unwrap(await bulks.run(id, [1, 2, 3], here, () => ok(console.deps)));
    expect(statesOf(done)).toEqual(['seen', 'seen', 'planned', 'planned']);
    expect(done.leftOut).toEqual([3]);
  });

  test('a row whose change a person left as it is says so: nothing reads it again', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    service.manner.unregister = 'silent-does-nothing';
    const held = unwrap(await bulks.run(id, [1, 2], here, () => ok(console.deps)));
    expect(held.rows[0]).toMatchObject({ state: 'on-its-way' });
    expect(held.rows[0]?.closed).toBeUndefined();
    unwrap(await dismissChange(held.rows[0]?.changeId ?? '', console.deps));
    expect(unwrap(bulks.find(id))?.rows[0]).toMatchObject({ state: 'on-its-way', closed: true });
  });

  test('a row whose change was undone says so: nothing reads it again', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    service.manner.register = 'says-yes-does-nothing';
    const held = unwrap(await bulks.run(id, [1, 2], here, () => ok(console.deps)));
    expect(held.rows[0]).toMatchObject({ state: 'half-done' });
    service.manner.register = 'honest';
    passTime(10 * 60_000);
    const changeId = held.rows[0]?.changeId ?? '';
    const undo = unwrap(await planUndo(changeId, console.deps));
    unwrap(await runChange(undo.id, { name: undo.machine }, console.deps));
    expect(await checkChange(changeId, console.deps)).toMatchObject({ ok: false });
    expect(unwrap(bulks.find(id))?.rows[0]).toMatchObject({ text: expect.stringContaining('Undone: '), closed: true });
  });

  test('a plan counts the answers that it was made from, not a machine that could not be read', async () => {
    service.unreadable.add(longName);
    const bulk = await plan();
    expect(statesOf(bulk)).toEqual(['planned', 'planned', 'failed', 'planned']);
    expect(bulk.reads).toBe(3);
  });

  test('a machine that answers no read after the write stops the rest too', async () => {
    const bulks = openBulks(console);
    const { id } = await plan();
    service.onWrite = () => void service.unreadable.add(there);
    const held = unwrap(await bulks.run(id, [1, 2], here, () => ok(console.deps)));
    expect(statesOf(held).slice(0, 2)).toEqual(['on-its-way', 'planned']);
    expect(held.pause).toContain('could not be read');
    expect(service.writes).toHaveLength(1);
  });
});

describe('a move of everything killed between any two steps', () => {
  test('sends nothing twice, says what it knows, and can be finished', async () => {
    let points = 1;
    let open = 0;
    for (let point = 1; point <= points; point += 1) {
      const own = mkdtempSync(join(tmpdir(), 'address-console-moves-kill-'));
      try {
        const at = startService();
        const first = await openLicenceConsole(own, callService(at));
        const { id } = await plan(first, all.slice(1, 3));
        let passed = 0;
        const die = () => {
          passed += 1;
          if (passed >= point) throw new Error('killed');
        };
        await openBulks(first)
          .run(id, [1, 2], here, () => ok(withKillPoints(first, die)))
          .catch(() => undefined);
        first.database.close();
        if (passed >= point) points = point + 1;

        const next = await openLicenceConsole(own, callService(at));
        const bulks = openBulks(next);
        const sent = at.writes.length;
        for (const change of findUnfinishedChanges(next.deps)) {
          open += 1;
          unwrap(await checkChange(change.id, next.deps));
          passTime(31_000);
          await checkChange(change.id, next.deps);
          expect(at.writes.length, `point ${point}: reading writes nothing`).toBe(sent);
          passTime(11 * 60_000);
          const read = next.deps.store.change(change.id);
          if (read?.state === 'interrupted')
            unwrap(await finishChange(change.id, read.reads.at(-1)?.at ?? null, next.deps));
        }
        const found = unwrap(bulks.find(id)) as Bulk;
        for (const { row, state, licenceNumber } of found.rows) {
          const writes = at.writes.filter((write) => write.licenceNumber === licenceNumber).length;
          if (state === 'planned') expect(writes, `point ${point}, row ${row}: planned is not sent`).toBe(0);
        }
        const left = found.rows.flatMap(({ row, state }) => (state === 'planned' ? [row] : []));
        if (left.length > 0) unwrap(await bulks.run(id, left, here, () => ok(next.deps)));
        const end = unwrap(bulks.find(id)) as Bulk;
        const failed = end.rows.filter(({ state }) => state !== 'seen');
        // A change that was interrupted before its write says so, and was not sent.
        for (const { state, text, licenceNumber } of failed) {
          expect(
            at.writes.filter((write) => write.licenceNumber === licenceNumber),
            `point ${point}: ${state}, ${text}`,
          ).toEqual([]);
        }
        for (const { licenceNumber } of end.rows.filter(({ state }) => state === 'seen')) {
          expect(
            [there, longName].some((name) => at.holds(name, licenceNumber)),
            `point ${point}`,
          ).toBe(false);
          expect(at.holds(here, licenceNumber), `point ${point}`).toBe(true);
          const kinds = at.writes.flatMap((one) => (one.licenceNumber === licenceNumber ? [one.write] : []));
          expect(kinds, `point ${point}: each write once`).toEqual(['unregister', 'register']);
        }
        expect(verifyJournal(next.database.sql, next.anchorFile)).toMatchObject({ intact: true });
        next.database.close();
      } finally {
        removeFolder(own);
      }
    }
    expect(points).toBeGreaterThan(30);
    expect(open).toBeGreaterThan(20);
  });
});

describe('what machines were seen with', () => {
  const openMachines = () =>
    createMachines({
      store: console.deps.store,
      inventory: openInventoryStore(console.database.sql),
      thisMachine: here,
      now: () => Date.now(),
      inTransaction: (work) => inTransaction(console.database.sql, work),
    });
  const seen = (names: string[]) =>
    unwrap(openMachines().seenOn(connectionId, names)).licences.map(({ name, seen: places, mayStayOff }) => ({
      name,
      // Two reads may be in the same millisecond, so their order is not compared.
      at: places.map(({ machine, last }) => `${machine}${last ? '' : ' before'}`).sort(),
      mayStayOff,
    }));

  test('lists each licence once, with every name and whether the last answer named it; nothing is sent', async () => {
    const { deps } = console;
    unwrap(await readList(connectionId, deps.calls, deps.store, deps.ctx));
    for (const name of [there, longName]) unwrap(await readMachine(name, connectionId, deps));
    passTime(60_000);
    service.bound.get(there)?.delete('20426');
    service.bind('20418', longName);
    for (const name of [there, longName]) unwrap(await readMachine(name, connectionId, deps));
    const { reads } = service;
    expect(seen([there, longName])).toEqual([
      { name: 'WY-20418', at: [longName, there].sort(), mayStayOff: null },
      { name: 'WY-20433', at: [longName], mayStayOff: null },
      { name: 'WY-20441', at: [there], mayStayOff: 'Its Status is Suspended.' },
      { name: 'WY-20426', at: [`${there} before`], mayStayOff: null },
    ]);
    expect(seen(['NEVER-ASKED'])).toEqual([]);
    expect(service.reads).toBe(reads);
  });

  test('says nothing of a list that was never read', async () => {
    unwrap(await readMachine(there, connectionId, console.deps));
    const { licences, listReadAt } = unwrap(openMachines().seenOn(connectionId, [there]));
    expect(listReadAt).toBeNull();
    expect(licences.map(({ licence, mayStayOff }) => [licence, mayStayOff])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });
});
