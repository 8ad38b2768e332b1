import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBulks } from '../../../electron/core/licences/bulk/bulk.ts';
import { checkChange, findUnfinishedChanges } from '../../../electron/core/licences/change/change-states.ts';
import type { LicenceCalls } from '../../../electron/core/licences/change/licence-calls.ts';
import { planChange } from '../../../electron/core/licences/change/plan.ts';
import { verifyJournal } from '../../../electron/core/licences/journal/journal-verify.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import { readTable } from '../../../electron/core/tables/read-table.ts';
import { type Bulk, bulkRowStates, guessMapping, mapRows } from '../../../shared/domain/licences/licence-bulk.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok } from '../../../shared/result.ts';
import { bundleChild } from '../../helpers/bundled-child.ts';
import { removeFolder } from '../../helpers/folders.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openLicenceConsole,
  passTime,
} from '../../helpers/licence-console.ts';
import { callService, LicenceService, type Manner, makeLicence } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let folder: string;
let service: LicenceService;
let console: LicenceConsole;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-bulk-'));
  service = new LicenceService([
    makeLicence('20411', { Available: '5000' }),
    makeLicence('20412', { Available: '2' }),
    makeLicence('20441', { ExpiryDate: '14/11/2020' }),
  ]);
  console = await openLicenceConsole(folder, callService(service));
});
afterEach(() => {
  console.database.close();
  removeFolder(folder);
});

function openBulks(at: LicenceConsole = console) {
  const { deps, database } = at;
  const bulks = createBulks({
    store: deps.store,
    inventory: openInventoryStore(database.sql),
    journal: deps.ctx.journal,
    inTransaction: (work) => inTransaction(database.sql, work),
    onProgress: () => {},
  });
  const plan = async (text: string): Promise<Bulk> => {
    const [first = [], ...rows] = unwrap(await readTable(text, 5001));
    const mapping = guessMapping(first);
    if (!mapping) throw new Error('no head');
    return unwrap(
      await bulks.plan({ connectionId, source: 'november.csv', kind: 'register', rows: mapRows(rows, mapping) }, deps),
    );
  };
  const run = async (bulk: Bulk, rows = plannedOf(bulk)): Promise<Bulk> =>
    unwrap(await bulks.run(bulk.id, rows, String(rows.length), () => ok(deps)));
  const csv = (bulk: Bulk): string => unwrap(bulks.exportCsv(bulk.id, () => '')).pieces[0]?.text ?? '';
  return { ...bulks, planRows: bulks.plan, runRows: bulks.run, plan, run, csv };
}

const plannedOf = (bulk: Bulk): number[] => bulk.rows.filter(({ state }) => state === 'planned').map(({ row }) => row);
const statesOf = (bulk: Bulk): string[] => bulk.rows.map(({ state }) => state);

describe('the plan', () => {
  test('reads the list once and each machine once; trims blanks, finds duplicates and conflicts, gives reasons; sends no write', async () => {
    service.bind('20411', 'HELD-01');
    const bulk = await openBulks().plan(
      [
        'Licence,Change,From,To',
        '20411,register,,DT-0033',
        'WY-20411,register,,  DT-0034 ',
        '0020411,register,,DT-0034',
        '20411,unregister,HELD-01,',
        '20411,move,HELD-01,DT-0040',
        '20411,register,,HELD-01',
        '20412,register,,DT-0033',
        '20441,move,DT-0033,DT-0041',
        'NO-SUCH,register,,DT-0050',
        ',register,,DT-0051',
        '20411,bind,,DT-0052',
        '20411,move,KDL-0089,kdl-0089',
        '20412,unregister,DT-0034,',
      ].join('\r\n'),
    );
    expect(service.writes).toEqual([]);
    expect(bulk.reads).toBe(1 + new Set(['DT-0033', 'DT-0034', 'HELD-01', 'DT-0041']).size);
    expect(service.reads).toBe(bulk.reads);
    expect(bulk.rows.map(({ state, text }) => `${state}: ${text}`)).toEqual([
      'planned: 1 write, 2 reads',
      'planned: 1 write, 2 reads',
      'skipped: the same as row 2',
      // One read before, and two after, half a minute apart.
      'planned: 1 write, 3 reads',
      'skipped: conflicts with row 4, which changes the same licence there',
      'skipped: conflicts with row 4, which changes the same licence there',
      'planned: 1 write, 2 reads',
      'skipped: The service did not name WY-20441 for DT-0033.',
      'skipped: the account lists no such licence',
      'skipped: names no licence',
      'skipped: asks for “bind”, which is not a change',
      'skipped: the names differ only in capitals',
      'skipped: The service did not name WY-20412 for DT-0034.',
    ]);
  });

  test('a licence is not put twice on what may be one machine: names in another spelling conflict', async () => {
    const bulk = await openBulks().plan(
      ['Licence,To', '20411,DT-0033', '20411,dt-0033', '20411,DT\u20110033', '20411,dt-0034', '20412,dt-0033'].join(
        '\n',
      ),
    );
    expect(statesOf(bulk)).toEqual(['planned', 'skipped', 'skipped', 'planned', 'planned']);
    expect(bulk.rows[1]?.text).toBe(
      'conflicts with row 1, which changes the same licence under a similar machine name',
    );
  });

  test('a reference is its licence’s however often the list names that one; what is one’s number and another’s reference is neither', async () => {
    service.licences.push(
      makeLicence('020412', { ReferenceNo: 'WY-20412' }),
      makeLicence('7', { ReferenceNo: '20411' }),
    );
    const bulk = await openBulks().plan(['Licence,To', 'WY-20412,DT-0033', '20411,DT-0034', '7,DT-0035'].join('\n'));
    expect(bulk.rows.map(({ state, licenceNumber, text }) => `${state} ${licenceNumber}: ${text}`)).toEqual([
      'planned 20412: 1 write, 2 reads',
      'skipped 20411: names one licence by its number and another by its reference',
      'planned 7: 1 write, 2 reads',
    ]);
  });

  test('seats are counted down the rows; a row beyond them is not advised', async () => {
    const bulk = await openBulks().plan(
      ['Licence,To', ...['A', 'B', 'C'].map((name) => `20412,SEAT-${name}`)].join('\n'),
    );
    expect(bulk.rows.map(({ advised }) => advised)).toEqual([true, true, false]);
    expect(bulk.rows[2]?.text).toContain('no seat is left after the rows above');
    service.bind('20412', 'SEAT-X');
    const freed = await openBulks().plan(
      'Licence,Change,Machine\n20412,,SEAT-A\n20412,,SEAT-B\n20412,unregister,SEAT-X\n20412,,SEAT-C\n20412,,SEAT-D',
    );
    expect(freed.rows.map(({ advised }) => advised)).toEqual([true, true, true, true, false]);
    // A row that needs a tick of its own may not be run.
    service.licences.push(makeLicence('20413', { LicenseInUse: '1', Status: 'Suspended' }));
    service.bind('20413', 'SEAT-Y');
    const ticked = await openBulks().plan(
      'Licence,Change,Machine\n20413,unregister,SEAT-Y\n20413,,SEAT-A\n20413,,SEAT-B',
    );
    expect(ticked.rows.map(({ advised }) => advised)).toEqual([false, true, false]);
  });

  test('a machine that cannot be read fails only its row; a run needs its number of rows typed', async () => {
    service.unreadable.add('DARK-01');
    const bulks = openBulks();
    const bulk = await bulks.plan('Licence,To\n20411,DARK-01\n20411,LIGHT-01');
    expect(statesOf(bulk)).toEqual(['failed', 'planned']);
    expect(await bulks.run(bulk, [2]).then(statesOf)).toEqual(['failed', 'seen']);
    const again = await bulks.plan('Licence,To\n20411,LIGHT-02');
    const refused = await openBulks().plan('Licence,To\n20411,LIGHT-03');
    expect(again.id).not.toBe(refused.id);
    const wrong = createBulks({
      store: console.deps.store,
      inventory: openInventoryStore(console.database.sql),
      journal: console.deps.ctx.journal,
      inTransaction: (work) => work(),
      onProgress: () => {},
    });
    expect(await wrong.run(again.id, [1], '2', () => ok(console.deps))).toMatchObject({
      error: { code: 'not-confirmed' },
    });
  });
});

describe('the run', () => {
  test('pauses at the first row that is read and not as planned, resumes with the rest, and its CSV loaded again does only what is left', async () => {
    const bulks = openBulks();
    service.onWrite = () => {
      service.manner.register = service.writes.length === 3 ? 'says-yes-does-nothing' : 'honest';
    };
    const lines = Array.from({ length: 12 }, (_, index) => `20411,PC-${String(index + 1).padStart(3, '0')}`);
    const bulk = await bulks.plan(['Licence,To', ...lines].join('\n'));
    const paused = await bulks.run(bulk);
    expect(paused).toMatchObject({
      state: 'paused',
      pause: expect.stringMatching(/^Row \d+ was read and was not as planned\.$/),
    });
    expect(statesOf(paused).filter((state) => state === 'on-its-way')).toHaveLength(1);
    const left = plannedOf(paused).length;
    expect(left).toBeGreaterThan(4);
    expect(service.writes).toHaveLength(12 - left);

    const reloaded = await bulks.plan(bulks.csv(bulk));
    const seen = statesOf(paused).filter((state) => state === 'seen').length;
    expect(reloaded.rows.filter(({ text: why }) => why === 'seen in an earlier run')).toHaveLength(seen);
    // A write that may still take effect is not made again.
    expect(reloaded.rows[2]).toMatchObject({ state: 'skipped', text: expect.stringContaining('is not finished') });
    expect(plannedOf(reloaded)).toHaveLength(left);
    const done = await bulks.run(reloaded);
    expect(done.state).toBe('done');
    expect(statesOf(done).filter((state) => state === 'seen')).toHaveLength(left);
    for (let index = 1; index <= 12; index += 1)
      expect(service.holds(`PC-${String(index).padStart(3, '0')}`, '20411')).toBe(index !== 3);
    expect(unwrap(bulks.receipt(bulk.id))).toContain('on-its-way');

    // Saved again and loaded again, what was seen before either run stays left out, though it was taken off since.
    service.bound.get('PC-005')?.clear();
    const third = await bulks.plan(bulks.csv(done));
    expect(third.rows.filter(({ text: why }) => why === 'seen in an earlier run')).toHaveLength(11);
    expect(plannedOf(third)).toEqual([]);
  });

  test('which rows a run was confirmed for is stored with it, so that a later start leaves out the others too', async () => {
    const bulks = openBulks();
    service.manner.register = 'says-yes-does-nothing';
    const bulk = await bulks.plan(['Licence,To', ...['A', 'B', 'C', 'D'].map((pc) => `20412,PC-${pc}`)].join('\n'));
    expect(bulk.confirmed).toBeUndefined();
    const paused = await bulks.run(bulk, [2, 3]);
    expect(plannedOf(paused)).toEqual([1, 3, 4]);
    console.database.close();
    console = await openLicenceConsole(folder, callService(service));
    const later = openBulks();
    expect(unwrap(later.latest(connectionId))).toMatchObject({ state: 'paused', confirmed: [2, 3] });
    // A row of a table is left out of the next run by not being chosen, and in no other way.
    expect(later.leaveOut(bulk.id, 3, true)).toMatchObject({ error: { code: 'bad-input' } });
  });

  test.each(['1', '?'])(
    'rows of one licence with one seat, or %s, are written one after the other, the next once the one before was seen',
    async (seats) => {
      service.licences.push(makeLicence('20450', { LicenseInUse: seats, Available: '0' }));
      service.bind('20450', 'OLD-1');
      const bulks = openBulks();
      const bulk = await bulks.plan(
        'Licence,Change,From,To\n20450,unregister,OLD-1,\n20450,register,,NEW-1\n20411,register,,PC-1',
      );
      const before: string[][] = [];
      service.onWrite = () => void before.push(statesOf(unwrap(bulks.find(bulk.id)) as Bulk));
      expect(statesOf(await bulks.run(bulk))).toEqual(['seen', 'seen', 'seen']);
      const ofRegister = service.writes.findIndex(({ machine }) => machine === 'NEW-1');
      expect(before[ofRegister]?.[0]).toBe('seen');
    },
  );

  test('the latest is the one that was planned last, also after the clock was set back', async () => {
    const bulks = openBulks();
    const { ctx } = console.deps;
    const rightNow = ctx.now;
    ctx.now = () => rightNow() + 86_400_000;
    const first = await bulks.plan('Licence,To\n20411,PC-001');
    ctx.now = rightNow;
    for (const machine of ['PC-002', 'PC-003']) {
      const next = await bulks.plan(`Licence,To\n20411,${machine}`);
      expect(next.plannedAt < first.plannedAt).toBe(true);
      expect(unwrap(bulks.latest(connectionId))?.id).toBe(next.id);
      await bulks.run(next);
      expect(unwrap(bulks.latest(connectionId))).toMatchObject({ id: next.id, plannedAt: next.plannedAt });
    }
  });

  test('a plan of more than a day is not run, nor gone on with, and its rows stay planned whatever else was planned', async () => {
    const day = 24 * 60 * 60_000;
    const bulks = openBulks();
    const bulk = await bulks.plan('Licence,To\n20411,PC-001\n20412,PC-001');
    passTime(day - 60_000);
    // The day is over while the first row is under way.
    service.onWrite = () => passTime(120_000);
    const paused = await bulks.run(bulk);
    expect(statesOf(paused)).toEqual(['seen', 'planned']);
    expect(paused).toMatchObject({ state: 'paused', pause: 'This plan is more than a day old. Plan it again.' });
    const { calls, store, ctx } = console.deps;
    passTime(3 * day);
    unwrap(
      await planChange({ connectionId, kind: 'register', licenceNumber: '20412', machine: 'PC-9' }, calls, store, ctx),
    );
    expect(await bulks.runRows(bulk.id, [2], '1', () => ok(console.deps))).toMatchObject({
      error: { code: 'plan-outdated' },
    });
    expect(unwrap(bulks.find(bulk.id))).toMatchObject({ pause: paused.pause, rows: [{}, { state: 'planned' }] });
    expect(service.writes).toHaveLength(1);
  });

  test('none but the latest is run: its rows could not be looked at', async () => {
    const bulks = openBulks();
    const first = await bulks.plan('Licence,To\n20411,PC-001');
    const last = await bulks.plan('Licence,To\n20411,PC-002');
    expect(await bulks.runRows(first.id, [1], '1', () => ok(console.deps))).toMatchObject({
      error: { code: 'plan-outdated' },
    });
    expect(service.writes).toEqual([]);
    expect(statesOf(await bulks.run(last))).toEqual(['seen']);
  });

  test('no table is planned while one runs, nor kept that was being read as it began: its result would be out of reach', async () => {
    const bulks = openBulks();
    const rows = [{ row: 1, licence: '20411', change: '', machine: 'PC-009', from: '', state: '' }];
    const planOther = () => bulks.planRows({ connectionId, source: 'other.csv', kind: 'register', rows }, console.deps);
    service.bind('20411', 'HELD-01');
    const bulk = await bulks.plan('Licence,Change,From,To\n20411,unregister,HELD-01,');
    let during: ReturnType<typeof planOther> | undefined;
    let reads = 0;
    service.onWrite = () => {
      const before = service.reads;
      during = planOther();
      reads = service.reads - before;
    };
    const begun = planOther();
    // Between its reads the run waits until the other plan has been read.
    const { ctx } = console.deps;
    const { wait } = ctx;
    ctx.wait = async (ms, signal) => {
      await begun;
      await wait(ms, signal);
    };
    const done = await bulks.run(bulk);
    for (const refused of [await begun, await during])
      expect(refused).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    expect(reads).toBe(0);
    expect(unwrap(bulks.latest(connectionId))).toEqual(done);
    service.onWrite = () => {};
    expect(await planOther()).toMatchObject({ ok: true });
  });

  test('a receipt of one row says 1 row', async () => {
    const bulks = openBulks();
    const { id } = await bulks.run(await bulks.plan('Licence,To\n20411,PC-001'));
    expect(unwrap(bulks.receipt(id))).toContain('november.csv, 1 row\n');
  });

  test('a row whose licence has one seat is not sent while a write of it by another row was not seen', async () => {
    service.licences.push(makeLicence('20450', { LicenseInUse: '1', Available: '0' }));
    service.bind('20450', 'OLD-1');
    const bulks = openBulks();
    const bulk = await bulks.plan('Licence,Change,From,To\n20450,unregister,OLD-1,\n20450,register,,NEW-1');
    service.onWrite = () => void service.unreadable.add('OLD-1');
    const [first, second] = (await bulks.run(bulk)).rows;
    expect(first?.state).toBe('on-its-way');
    expect(second).toMatchObject({
      state: 'failed',
      text: expect.stringMatching(/^not sent: .* take WY-20450 off OLD-1\.$/),
    });
    expect(service.writes).toHaveLength(1);
  });

  test('a row that needs the seat that a row above gives back is not sent before that was seen', async () => {
    service.bind('20412', 'SEAT-X');
    service.manner.unregister = 'says-yes-does-nothing';
    const bulks = openBulks();
    const bulk = await bulks.plan(
      'Licence,Change,Machine\n20412,,SEAT-A\n20412,unregister,SEAT-X\n20412,,SEAT-B\n20412,,SEAT-C',
    );
    expect(bulk.rows.every(({ advised }) => advised)).toBe(true);
    expect(statesOf(await bulks.run(bulk))).toEqual(['seen', 'on-its-way', 'planned', 'planned']);
  });

  test('is done and not paused if only the last row is not as planned', async () => {
    const bulks = openBulks();
    service.onWrite = () => {
      service.manner.register = service.writes.length === 2 ? 'says-yes-does-nothing' : 'honest';
    };
    const done = await bulks.run(await bulks.plan('Licence,To\n20411,PC-001\n20411,PC-002'));
    expect(statesOf(done)).toEqual(['seen', 'on-its-way']);
    expect(done).toMatchObject({
      state: 'done',
      pause: 'Row 2 was read and was not as planned.',
    });
  });

  test('pauses at a row whose write could not be sent, and does not say that it was read', async () => {
    console.deps.calls.register = async () => fail(appError('connection-refused'));
    const bulks = openBulks();
    const end = await bulks.run(await bulks.plan('Licence,To\n20411,PC-001'));
    expect(statesOf(end)).toEqual(['failed']);
    expect(end.pause).toMatch(/^Row 1 was not sent: /);
    expect(end.pause).toContain(
      'No usable connection to the server could be made. No request to change it left this computer.',
    );
    expect(end.rows[0]?.text).toBe(
      'No usable connection to the server could be made. No request to change it left this computer.',
    );
  });

  test.each([
    ['the keychain is locked', 'keychain-locked'],
    ['nothing can be reached', 'name-not-found'],
    ['the service accepts the key no more', 'credentials-refused'],
    ['the service asks to wait', 'rate-limited'],
  ] as const)('pauses where %s, says what to do, and the rows not begun stay planned', async (_, code) => {
    const { calls } = console.deps;
    const refusing: LicenceCalls = { ...calls, details: async () => fail(appError(code)) };
    const bulks = openBulks();
    const bulk = await bulks.plan(
      ['Licence,To', ...Array.from({ length: 20 }, (__, index) => `20411,PC-${index + 1}`)].join('\n'),
    );
    service.onWrite = () => {
      if (service.writes.length === 5) console.deps.calls = refusing;
    };
    const paused = await bulks.run(bulk);
    const sent = service.writes.length;
    const { message, next } = appError(code);
    expect(paused).toMatchObject({ state: 'paused', pause: `${message} ${next}` });
    expect(statesOf(paused)).not.toContain('failed');
    expect(plannedOf(paused)).toHaveLength(20 - sent);
    service.onWrite = () => {};
    console.deps.calls = calls;
    expect(await bulks.run(paused)).toMatchObject({ state: 'done' });
    expect(new Set(service.writes.map(({ machine }) => machine)).size).toBe(service.writes.length);
    expect(service.writes).toHaveLength(20);
  });

  test('one row that cannot be written down ends the run as a failure, not as done, and nothing more is sent', async () => {
    const { sql } = console.database;
    const bulks = openBulks();
    const bulk = await bulks.plan(
      ['Licence,To', ...Array.from({ length: 12 }, (_, index) => `20411,PC-${index + 1}`)].join('\n'),
    );
    // Of this row alone: another program may have held the file for a moment. The others end as they would.
    sql.exec(`CREATE TRIGGER refused BEFORE INSERT ON licence_bulk_row
      WHEN NEW.row = 1 AND json_extract(NEW.body, '$.state') = 'seen' BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
    await expect(bulks.run(bulk)).rejects.toThrow('storage-failed');
    const sent = service.writes.length;
    expect(sent).toBeLessThan(12);
    sql.exec('DROP TRIGGER refused');
    const now = unwrap(bulks.find(bulk.id)) as Bulk;
    expect(now.state).toBe('planned');
    expect(plannedOf(now)).toHaveLength(12 - sent);
    expect(statesOf(now).filter((state) => state === 'seen')).toHaveLength(sent);
    expect(await bulks.run(now)).toMatchObject({ state: 'done' });
    expect(new Set(service.writes.map(({ machine }) => machine)).size).toBe(service.writes.length);
    expect(service.writes).toHaveLength(12);
  });

  test.each([0, 1, 2, 3])(
    'the disk is full, with room for %i pages: what was begun is offered for checking, the rest stays planned, nothing is sent twice',
    async (room) => {
      const { sql } = console.database;
      const { store } = console.deps;
      const bulks = openBulks();
      const { id } = await bulks.plan(
        ['Licence,To', ...Array.from({ length: 24 }, (_, index) => `20411,PC-${index + 1}`)].join('\n'),
      );
      const now = () => unwrap(bulks.find(id)) as Bulk;
      const written = () => service.writes.map(({ machine }) => machine);
      let refusals = 0;
      for (let round = 0; round < 3; round += 1) {
        const from = service.writes.length;
        service.onWrite = () => {
          if (service.writes.length !== from + 2) return;
          const { page_count: pages } = sql.prepare('PRAGMA page_count').get() as { page_count: number };
          sql.exec(`PRAGMA max_page_count = ${pages + room}`);
        };
        await bulks.run(now()).catch((cause) => {
          expect(String(cause)).toContain('storage-failed: The disk is full.');
          refusals += 1;
        });
        sql.exec('PRAGMA max_page_count = 1000000');
        const begun = findUnfinishedChanges(console.deps).map(({ machine }) => machine);
        for (const { state, to, changeId } of now().rows) {
          const isPlan = store.change(changeId ?? '')?.state === 'planned';
          expect(state === 'planned', `row of ${to}: ${state}`).toBe(isPlan);
          if (!isPlan)
            expect(begun.includes(to ?? '') || ['seen', 'failed'].includes(state), `row of ${to}`).toBe(true);
          if (written().includes(to ?? '')) expect(isPlan).toBe(false);
        }
      }
      expect(refusals).toBeGreaterThan(0);
      service.onWrite = () => {};
      await bulks.run(now());
      passTime(31_000);
      for (const change of findUnfinishedChanges(console.deps)) unwrap(await checkChange(change.id, console.deps));
      expect(new Set(written()).size).toBe(service.writes.length);
      expect(
        now()
          .rows.filter(({ state }) => state === 'seen')
          .map(({ to }) => to)
          .toSorted(),
      ).toEqual(written().toSorted());
    },
  );

  test('300 rows with 10 % faults of every kind: each row in exactly one state, none sent twice', async () => {
    const bulks = openBulks();
    const manners: Manner[] = [
      'says-yes-does-nothing',
      'says-no-does-it',
      'fault-does-it',
      'silent-does-it',
      'silent-does-nothing',
    ];
    service.onWrite = () => {
      const count = service.writes.length;
      service.manner.register = count % 10 === 0 ? (manners[(count / 10) % manners.length] ?? 'honest') : 'honest';
      // Some machines cannot be read after their write, so the outcome is unknown.
      const last = service.writes.at(-1)?.machine ?? '';
      if (count % 60 === 5) service.unreadable.add(last);
    };
    const lines = Array.from({ length: 300 }, (_, index) => `20411,PC-${String(index + 1).padStart(4, '0')}`);
    const planned = await bulks.plan(['Licence,To', ...lines].join('\n'));
    expect(planned.reads).toBe(301);
    let bulk = planned;
    for (let runs = 0; bulk.state !== 'done' && runs < 60; runs += 1) bulk = await bulks.run(bulk);

    expect(bulk.state).toBe('done');
    expect(bulk.rows).toHaveLength(300);
    for (const { state } of bulk.rows) expect(bulkRowStates).toContain(state);
    expect(bulk.rows.some(({ state }) => state === 'planned' || state === 'sent')).toBe(false);
    const sent = service.writes.map(({ machine }) => machine);
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(300);
    for (const row of bulk.rows) {
      const holds = service.holds(row.to ?? '', '20411');
      if (row.state === 'seen') expect(holds, `row ${row.row}`).toBe(true);
      expect(['seen', 'on-its-way']).toContain(row.state);
    }
    expect(bulk.rows.filter(({ text }) => text.includes('could not be read'))).toHaveLength(5);
    expect(statesOf(bulk).filter((state) => state === 'on-its-way').length).toBeGreaterThan(13);
    expect(verifyJournal(console.database.sql, console.anchorFile)).toMatchObject({ intact: true });
  });

  test('killed half-way: after the restart each row says what the journal knows, and the rest can be run', async () => {
    const calls = callService(service);
    let sent = 0;
    const never = new Promise<never>(() => {});
    const hanging: LicenceCalls = {
      ...calls,
      register: (licence, machine) => {
        sent += 1;
        return sent > 6 ? never : calls.register(licence, machine);
      },
    };
    console.deps.calls = hanging;
    const bulks = openBulks();
    const lines = Array.from({ length: 20 }, (_, index) => `20411,CUT-${index + 1}`);
    const bulk = await bulks.plan(['Licence,To', ...lines].join('\n'));
    void bulks.run(bulk).catch(() => {});
    await expect.poll(() => sent).toBe(10);
    console.database.close();

    console = await openLicenceConsole(folder, calls);
    const { findUnfinishedChanges } = await import('../../../electron/core/licences/change/change-states.ts');
    expect(findUnfinishedChanges(console.deps)).toHaveLength(4);
    const next = openBulks();
    const found = unwrap(next.latest(connectionId));
    expect(found && statesOf(found).filter((state) => state === 'seen')).toHaveLength(6);
    expect(found && statesOf(found).filter((state) => state === 'on-its-way')).toHaveLength(4);
    const done = await next.run(found as Bulk);
    expect(statesOf(done).filter((state) => state === 'seen')).toHaveLength(16);
    const machines = service.writes.map(({ machine }) => machine);
    expect(new Set(machines).size).toBe(machines.length);
  });

  test('killed while rows are read before their write: they are as they were planned', async () => {
    const { calls } = console.deps;
    const bulks = openBulks();
    const bulk = await bulks.plan('Licence,To\n20441,CUT-1\n20411,CUT-2');
    expect(bulk.rows.map(({ text }) => text)).toEqual([expect.stringContaining('expired'), expect.any(String)]);
    let asked = 0;
    console.deps.calls = {
      ...calls,
      details: () => {
        asked += 1;
        return new Promise<never>(() => {});
      },
    };
    void bulks.run(structuredClone(bulk), [1, 2]).catch(() => {});
    await expect.poll(() => asked).toBe(2);
    console.database.close();

    console = await openLicenceConsole(folder, calls);
    expect(unwrap(openBulks().latest(connectionId))?.rows).toEqual(bulk.rows);
  });
});

test('killed at any point of saving its list: the list is quoted for a file that exists, and for no other', async () => {
  service.manner.register = 'silent-does-nothing';
  const bulks = openBulks();
  const bulk = await bulks.run(await bulks.plan(`Licence,To\n20411,${here}\n`));
  const changeId = bulk.rows[0]?.changeId ?? '';
  console.database.sql.prepare('VACUUM INTO ?').run(join(folder, 'copy.sqlite'));
  service.manner.register = 'honest';
  service.bind('20411', here);
  const outcomes: string[] = [];
  for (let point = 0; point <= 4; point += 1) {
    const copied = join(folder, `killed-${point}`);
    const file = join(folder, `list-${point}.csv`);
    mkdirSync(copied);
    copyFileSync(join(folder, 'copy.sqlite'), join(copied, databaseName));
    copyFileSync(console.anchorFile, join(copied, basename(console.anchorFile)));
    const child = fork(await bundleChild('test/helpers/list-kill-child.ts'), [copied, bulk.id, file, String(point)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'exit');
    const then = await openLicenceConsole(copied, callService(service));
    const change = unwrap(await checkChange(changeId, then.deps));
    expect(change.verdict).toBe('seen');
    const said = change.claims.flatMap((one) => (one.kind === 'said-then' ? [one.outlet] : []));
    outcomes.push(`${existsSync(file) ? 'there' : 'not there'}: ${said.join(', ') || 'nothing'}`);
    then.database.close();
  }
  expect(outcomes).toEqual([
    'there: list',
    'not there: nothing',
    'not there: list-perhaps',
    'there: list-perhaps',
    'there: list',
  ]);
});

test('a saved list says what was known when it was made, however long the file dialog was open; one that was not written is not quoted', async () => {
  service.manner.register = 'silent-does-nothing';
  const bulks = openBulks();
  const bulk = await bulks.run(await bulks.plan(`Licence,To\n20411,${here}\n`));
  const changeId = bulk.rows[0]?.changeId ?? '';
  const at = () => new Date().toISOString();
  const [made, failed] = [unwrap(bulks.exportCsv(bulk.id, at)), unwrap(bulks.exportCsv(bulk.id, at))];
  const { store } = console.deps;
  const last = store.lastEntry();
  // The change is read again while the dialog is open.
  passTime(6000);
  unwrap(await checkChange(changeId, console.deps));
  expect(store.lastEntry()).toBeGreaterThan(last);
  unwrap(failed.begin());
  unwrap(failed.end(false));
  const change = store.change(changeId);
  if (!change) throw new Error('no change');
  expect(store.saidOf(change)).toEqual([]);
  unwrap(made.begin());
  unwrap(made.end(true));
  expect(store.saidOf(change)).toMatchObject([{ outlet: 'list', asOf: last, saved: true }]);
});
