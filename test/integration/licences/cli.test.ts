import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openChangeLocks } from '../../../electron/core/licences/change/change-locks.ts';
import { openJournal } from '../../../electron/core/licences/journal/journal.ts';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { openConnectionsRepository } from '../../../electron/core/storage/connections-repository.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { systemClock } from '../../../electron/platform/clock.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  passTime,
  runCommandLine,
  runProgram,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { connectionDraft, unwrap } from '../../helpers/temp-database.ts';

/** Licence changes and the journal from the command line, with a separate process, service and data folder. */

const work = createWorkFolder();
const data = join(work.folder, 'data');
let demo: DemoService;
let connection: string;
let env: Record<string, string>;
/** Licences of the demo account that fit a purpose of a test. */
let licences: { LicenseID: string; LicenseTypeName: string; Status: string; Available: string }[];

beforeAll(async () => {
  demo = await startDemo('--premises', '4000');
  connection = work.write('wyebank.json', connectionSettings(demo));
  env = { ...secretVariables(demo.demo), ADDRESS_CONSOLE_DATA_FOLDER: data };
  const { json } = await run('licences', 'list', '--connection', connection, '--timeout', '300');
  licences = json.value.List;
});
afterAll(async () => {
  await demo.stop();
  work.remove();
});
beforeEach(async () => {
  await demo.clearFaults();
  await demo.resetMeter();
});

const run = (...args: string[]) => runCommandLine(args, { env });
const change = (what: string, ...args: string[]) => run('licences', what, ...args, '--connection', connection);
const hits = async (name: string) => (await demo.meter()).calls[name]?.hits ?? 0;
/** Waits until a request of that name has reached the service. */
const reached = async (name: string): Promise<void> => {
  while ((await hits(name)) === 0) await new Promise((done) => setTimeout(done, 50));
};
const held = async (machine: string): Promise<string[]> => {
  const { json } = await run('licences', 'details', '--machine', machine, '--connection', connection);
  return (json.value.List as { LicenseID: string }[]).map(({ LicenseID }) => LicenseID).filter(Boolean);
};
const seat = () => licences.find(({ LicenseTypeName }) => LicenseTypeName === 'Site')?.LicenseID ?? '';

describe('licence changes', () => {
  test('without --yes the plan is printed and no write is sent', async () => {
    const { status, json } = await change('register', '--licence', seat(), '--machine', 'PLAN-01');
    expect(status).toBe(0);
    expect(json).toMatchObject({ ok: true, plan: { change: { state: 'planned', machine: 'PLAN-01' } } });
    expect(json.plan.steps.map(({ operation }: { operation: string }) => operation)).toEqual([
      'GetLicenseDetails',
      'RegisterLicense',
      'GetLicenseDetails',
    ]);
    expect(json.plan.warnings.map(({ code }: { code: string }) => code)).toContain('not-this-machine');
    expect(await hits('RegisterLicense')).toBe(0);
    expect(await held('PLAN-01')).toEqual([]);
  });

  test('register, move and unregister with --yes: verdict, the service’s words, steps; sent once each', async () => {
    const licence = seat();
    const put = await change('register', '--licence', licence, '--machine', 'CLI-01', '--yes');
    expect(put.json).toMatchObject({ ok: true, verdict: 'seen' });
    expect(put.json.serviceText).toContain('Success');
    expect(put.json.steps).toHaveLength(3);
    expect(await held('CLI-01')).toEqual([licence]);

    const moved = await change('move', '--licence', licence, '--machine', 'CLI-01', '--to', 'CLI-02', '--yes');
    expect(moved).toMatchObject({ status: 0, json: { ok: true, verdict: 'seen' } });
    expect(moved.json.steps).toHaveLength(5);
    expect([await held('CLI-01'), await held('CLI-02')]).toEqual([[], [licence]]);

    const off = await change('unregister', '--licence', licence, '--machine', 'CLI-02', '--yes');
    expect(off.json).toMatchObject({ ok: true, verdict: 'seen', change: { kind: 'unregister' } });
    expect(await held('CLI-02')).toEqual([]);
    expect([await hits('RegisterLicense'), await hits('UnregisterLicense')]).toEqual([2, 2]);
  });

  test('a service that answers a fault and does it is seen by reading; one that never does it is on its way, and not written again', async () => {
    const licence = seat();
    await demo.setFaults({ kind: 'status', status: 500, on: 'RegisterLicense', execute: true });
    const did = await change('register', '--licence', licence, '--machine', 'LIES-01', '--yes');
    expect(did.json).toMatchObject({ ok: true, verdict: 'seen' });
    await demo.setFaults({ kind: 'status', status: 500, on: 'RegisterLicense', execute: false });
    const not = await change('register', '--licence', licence, '--machine', 'LIES-02', '--yes');
    // A command ends and reads nothing more, and no window has its connection.
    expect(not).toMatchObject({ status: 1, json: { ok: false, verdict: 'on-its-way', nextRead: null } });
    expect(not.json.conclusion).toMatch(/Not seen as planned after \d+ reads? until/);
    expect(not.json.error.message).toContain('licences check');
    expect(await hits('RegisterLicense')).toBe(2);
    expect(await held('LIES-02')).toEqual([]);
    const soon = await change('finish', '--licence', licence, '--seen', not.json.lastRead, '--yes');
    expect(soon.json).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    expect(soon.json.error.message).toMatch(/ Read it again with licences check, or wait until /);
    passTime(10 * 60_000);
    expect((await change('finish', '--licence', licence, '--yes')).json).toMatchObject({
      error: { code: 'plan-outdated' },
    });
    const read = await change('check', '--licence', licence);
    const shown = await change('finish', '--licence', licence, '--seen', read.json.lastRead);
    expect(shown).toMatchObject({
      status: 0,
      json: {
        ok: true,
        plan: { lastRead: read.json.lastRead },
        next: expect.stringMatching(/Nothing was sent.*--yes/),
      },
    });
    // Interrupted while it reads, it writes nothing.
    await demo.setFaults({ kind: 'hang', on: 'GetLicenseDetails' });
    const stopped = change('finish', '--licence', licence, '--seen', read.json.lastRead, '--yes');
    await demo.resetMeter();
    await reached('GetLicenseDetails');
    process.emit('SIGINT');
    expect((await stopped).json).toMatchObject({ ok: false, error: { code: 'cancelled-after-sending' } });
    expect(await hits('RegisterLicense')).toBe(0);
    await demo.clearFaults();
    const last = await change('check', '--licence', licence);
    await demo.resetMeter();
    const done = await change('finish', '--licence', licence, '--seen', last.json.lastRead, '--yes');
    expect(done.json).toMatchObject({ ok: true, verdict: 'seen' });
    expect(await hits('RegisterLicense')).toBe(1);
    expect(await held('LIES-02')).toEqual([licence]);
  });

  test('no answer and no read-back: on its way, listed as unfinished, closed by check once it is seen', async () => {
    const licence = seat();
    await demo.setFaults(
      { kind: 'hang', on: 'RegisterLicense', execute: true },
      { kind: 'reset', on: 'GetLicenseDetails', after: 2, times: 2 },
    );
    const lost = await change('register', ...['--licence', licence, '--machine', 'LOST-01', '--timeout', '4', '--yes']);
    expect(lost).toMatchObject({
      status: 1,
      json: {
        ok: false,
        verdict: 'on-its-way',
        change: { state: 'interrupted' },
        error: {
          charge: 'may-have-been-charged',
          message: expect.stringContaining('A write of this change may have cost credits.'),
        },
      },
    });
    const open = await change('unfinished', '--licence', licence);
    expect(open.json.value).toMatchObject([{ change: { machine: 'LOST-01', licence } }]);
    expect((await change('unfinished', '--licence', '1')).json.value).toEqual([]);
    const again = await change('register', '--licence', licence, '--machine', 'LOST-01', '--yes');
    expect(again.json).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
    expect(again.json.error.message).toContain('licences unfinished');
    const settled = await change('check', '--licence', licence);
    expect(settled.json).toMatchObject({ ok: true, verdict: 'seen' });
    expect(await held('LOST-01')).toEqual([licence]);
    expect(await hits('RegisterLicense')).toBe(1);
  });

  test('a change that another process runs is left alone, and marked as interrupted once that process is gone', async () => {
    const licence = seat();
    await demo.setFaults({ kind: 'delay', on: 'RegisterLicense', milliseconds: 60_000 });
    let seen = '';
    let meanwhile = '';
    const running = runProgram(
      ['licences', 'register', '--licence', licence, '--machine', 'SLOW-01', '--connection', connection, '--yes'],
      {
        env,
        during: async () => {
          await reached('RegisterLicense');
          seen = (await change('unfinished')).json.value[0].change.state;
          meanwhile = (await change('check', '--licence', licence)).json.error.message;
          await demo.clearFaults();
        },
      },
    );
    const { json } = await running;
    expect(seen).toBe('running');
    expect(meanwhile).toBe('This change is being worked on. Try again in a moment.');
    expect(json).toMatchObject({ ok: true, verdict: 'seen' });

    await demo.setFaults({ kind: 'delay', on: 'UnregisterLicense', milliseconds: 60_000 });
    await runProgram(
      ['licences', 'unregister', '--licence', licence, '--machine', 'SLOW-01', '--connection', connection, '--yes'],
      {
        env,
        during: async (child) => {
          await reached('UnregisterLicense');
          child.kill('SIGKILL');
          await demo.clearFaults();
        },
      },
    );
    const found = await change('unfinished');
    expect(found.json.value).toMatchObject([{ change: { state: 'interrupted', machine: 'SLOW-01' } }]);
    const once = await change('check', '--licence', licence);
    expect(once.json).toMatchObject({ ok: false, verdict: 'on-its-way' });
    passTime(31_000);
    const settled = await change('check', '--licence', licence);
    expect(settled.json).toMatchObject({ ok: true, verdict: 'seen' });
    expect(await held('SLOW-01')).toEqual([]);
  });

  test('a plan that cannot be run says what stops it, also without --yes', async () => {
    const licence = seat();
    expect((await change('register', '--licence', licence, '--machine', 'HERE-01', '--yes')).status).toBe(0);
    const { status, json } = await change('register', '--licence', licence, '--machine', 'HERE-01');
    expect({ status, blocks: json.plan.warnings.some(({ blocks }: { blocks: boolean }) => blocks) }).toEqual({
      status: 1,
      blocks: true,
    });
    expect(json.error.message).toMatch(/cannot be made: .*Nothing has been changed/);
    expect(json).not.toHaveProperty('next');
  });

  test('a licence that may stay off is not taken off without --tick, which the refusal names', async () => {
    const suspended = ['--licence', String(demo.demo.licences.suspended), '--machine', 'RETURNS-01'];
    const { status, json } = await change('unregister', ...suspended, '--yes');
    expect([status, json.error.code]).toEqual([1, 'not-confirmed']);
    expect(json.error.message).toMatch(
      /^Needs a tick of its own: The service might not give .* Add --tick to run it all the same\.$/,
    );
    expect(await hits('UnregisterLicense')).toBe(0);
  });

  test('another account’s file under the name of the window’s connection reads and writes nothing as that connection', async () => {
    const { soapUrl, restBaseUrl } = demo;
    const database = unwrap(openDatabase({ folder: data, clock: systemClock }));
    const draft = connectionDraft('Hereford', { soapUrl, restBaseUrl, accountName: demo.demo.accountName });
    openConnectionsRepository(database.sql).insert('of-the-window', draft, new Date().toISOString());
    const { accountName, guid, licence } = demo.demo.otherAccount;
    const other = work.write('other.json', connectionSettings(demo, { name: 'Hereford', accountName }));
    const args = ['--machine', 'OTHER-01', '--connection', other];
    const as = (...given: string[]) => runCommandLine(given, { env: { ...env, ADDRESS_CONSOLE_GUID: guid } });
    for (const done of [
      await as('licences', 'register', '--licence', String(licence), ...args, '--yes'),
      await as(
        'call',
        'RegisterLicense',
        '--set',
        `iLicenseID=${licence}`,
        '--set',
        'sMachineName=OTHER-01',
        ...args.slice(2),
      ),
    ])
      expect(done.json).toMatchObject({
        ok: false,
        error: { code: 'wrong-origin', charge: 'not-charged', message: expect.stringContaining(accountName) },
      });
    expect((await demo.meter()).calls).toEqual({});
    expect(openLicenceStore(database).lastSeen('of-the-window').licences).toEqual([]);
    database.close();
  });

  test('a change whose answer cannot be entered says that it may have been sent, and shows how far it came', async () => {
    const sql = new DatabaseSync(join(data, 'address-console.sqlite'));
    sql.exec(`CREATE TRIGGER full BEFORE INSERT ON licence_journal WHEN json_extract(NEW.body, '$.event') = 'answered'
      BEGIN SELECT RAISE(FAIL, 'disk full'); END`);
    const licence = seat();
    const { json } = await change('register', '--licence', licence, '--machine', 'FULL-01', '--yes');
    sql.exec('DROP TRIGGER full');
    sql.close();
    expect(await hits('RegisterLicense')).toBe(1);
    expect(json).toMatchObject({ ok: false, error: { code: 'storage-failed' }, change: { state: 'interrupted' } });
    expect(json.error.message).toContain('If anything was sent, the journal says so');
    expect(json).not.toHaveProperty('plan');
    expect((await change('check', '--licence', licence)).json).toMatchObject({ ok: true, verdict: 'seen' });
  });

  // `call` makes one call without a plan or reads, but a write is still entered in the journal.
  describe('called by its name alone', () => {
    const call = (operation: string, licence: string, machine: string) => [
      ...['call', operation, '--set', `iLicenseID=${licence}`, '--set', `sMachineName=${machine}`],
      ...['--connection', connection],
    ];
    const entries = (machine: string) => {
      const sql = new DatabaseSync(join(data, 'address-console.sqlite'), { readOnly: true });
      const rows = sql.prepare('SELECT body FROM licence_journal ORDER BY sequence').all();
      sql.close();
      return rows.map(({ body }) => JSON.parse(String(body))).filter((entry) => entry.machine === machine);
    };

    test('is journalled before it is sent, sent once, and ends unproved, whatever the service said', async () => {
      const licence = String(demo.demo.licences.free);
      const before: string[] = [];
      await demo.setFaults({ kind: 'delay', on: 'RegisterLicense', milliseconds: 60_000 });
      const put = await runProgram(call('RegisterLicense', licence, 'BARE-01'), {
        env,
        during: async () => {
          await reached('RegisterLicense');
          before.push(...entries('BARE-01').map(({ event }) => event));
          await demo.clearFaults();
        },
      });
      expect(put).toMatchObject({
        status: 0,
        json: { ok: true, value: expect.stringContaining('Success'), price: 'not published' },
      });
      expect(before).toEqual(['sending']);
      expect(entries('BARE-01')).toMatchObject([
        { event: 'sending', kind: 'register', state: 'running' },
        { event: 'answered', text: expect.stringContaining('“Success') },
        { event: 'finished', verdict: 'unknown', text: expect.stringContaining('not read back') },
      ]);
      // It was not seen yet: nothing is written again for ten minutes.
      const soon = await runProgram(call('UnregisterLicense', licence, 'BARE-01'), { env });
      expect(soon.json).toMatchObject({ ok: false, error: { code: 'unfinished-change', charge: 'not-applicable' } });
      // It is not on its way, so `licences check` has nothing to read; the machine itself can be.
      expect(soon.json.error.message).toMatch(
        /Read the machine with licences details, or wait until [^.]+:\d\d [A-Z+\d]+ at least\.$/,
      );
      expect(await hits('UnregisterLicense')).toBe(0);
      // This process's clock has passed more than that.
      passTime(10 * 60_000);
      const off = await run(...call('UnregisterLicense', licence, 'BARE-01'));
      expect(off.json).toMatchObject({ ok: true });
      expect([await hits('RegisterLicense'), await hits('UnregisterLicense')]).toEqual([1, 1]);
      expect(await hits('GetLicenseDetails')).toBe(0);
      expect((await run('journal', 'verify')).json).toMatchObject({ ok: true, intact: true });
    });

    test('killed while waiting, it is found unfinished and resolved by reading', async () => {
      const licence = seat();
      await demo.setFaults({ kind: 'hang', on: 'RegisterLicense', execute: true });
      await runProgram(call('RegisterLicense', licence, 'BARE-02'), {
        env,
        during: async (child) => {
          await reached('RegisterLicense');
          child.kill('SIGKILL');
        },
      });
      await demo.clearFaults();
      const found = await change('unfinished');
      expect(found.json.value).toMatchObject([{ change: { state: 'interrupted', machine: 'BARE-02' } }]);
      passTime(10 * 60_000);
      const again = await run(...call('RegisterLicense', licence, 'BARE-02'));
      expect(again.json).toMatchObject({ ok: false, error: { code: 'unfinished-change' } });
      expect(await hits('RegisterLicense')).toBe(1);
      expect((await change('check', '--licence', licence)).json).toMatchObject({ ok: true, verdict: 'seen' });
      expect(await held('BARE-02')).toEqual([licence]);
    });

    test('a write that was not sent is reported as not sent, and one that the client refuses is not journalled', async () => {
      const nowhere = work.write('nowhere.json', { ...connectionSettings(demo), soapUrl: 'http://127.0.0.1:9/soap' });
      const lost = await run(...call('RegisterLicense', seat(), 'BARE-03').slice(0, -1), nowhere);
      expect(lost.json).toMatchObject({ ok: false, error: { code: 'connection-refused' } });
      expect(entries('BARE-03').at(-1)).toMatchObject({
        event: 'finished',
        text: 'No request to change it left this computer.',
      });
      const wrong = await run(...call('RegisterLicense', 'six', 'BARE-04'));
      expect(wrong.json).toMatchObject({ ok: false, error: { code: 'bad-input' } });
      expect(entries('BARE-04')).toEqual([]);
    });
  });

  test('refused before anything is opened or sent', async () => {
    const bad = [
      ['register', '--machine', 'M'],
      ['register', '--licence', 'WY-1', '--machine', 'M'],
      ['register', '--licence', '1', '--machine', 'M', '--to', 'N'],
      ['move', '--licence', '1', '--machine', 'M'],
      ['remove', '--licence', '1', '--machine', 'M'],
      ['check'],
      ['check', '--licence', '1', '--machine', 'M'],
      ['dismiss', '--licence', '1', '--yes'],
      ['unfinished', '--tick'],
      ['register', '--licence', '1', '--machine', 'M', '--seen', 'now'],
      ['list', '--yes'],
    ];
    for (const args of bad)
      expect((await change(...(args as [string]))).json, args.join(' ')).toMatchObject({
        error: { code: 'bad-input' },
      });
    expect((await demo.meter()).calls).toEqual({});
  });
});

describe('journal verify', () => {
  test('finds an entry changed, removed or moved; a whole one passes', async () => {
    const whole = await run('journal', 'verify');
    expect(whole).toMatchObject({ status: 0, json: { ok: true, intact: true } });
    expect(whole.json.entries).toBeGreaterThan(10);
    const edits: [string, string][] = [
      ['changed', "UPDATE licence_journal SET body = replace(body, 'CLI-01', 'CLI-09') WHERE sequence = 3"],
      ['missing', 'DELETE FROM licence_journal WHERE sequence = 4'],
      [
        'moved',
        'UPDATE licence_journal SET sequence = -1 WHERE sequence = 5; UPDATE licence_journal SET sequence = 5 WHERE sequence = 6; UPDATE licence_journal SET sequence = 6 WHERE sequence = -1',
      ],
    ];
    for (const [what, sql] of edits) {
      const folder = join(work.folder, what);
      unwrap(openDatabase({ folder, clock: { now: () => Date.now() } })).close();
      const source = new DatabaseSync(join(data, 'address-console.sqlite'));
      rmSync(join(folder, 'address-console.sqlite'));
      source.prepare('VACUUM INTO ?').run(join(folder, 'address-console.sqlite'));
      source.close();
      copyFileSync(join(data, 'licence-journal.anchor'), join(folder, 'licence-journal.anchor'));
      const copy = new DatabaseSync(join(folder, 'address-console.sqlite'));
      copy.exec('DROP TRIGGER licence_journal_no_update; DROP TRIGGER licence_journal_no_delete');
      copy.exec(sql);
      copy.close();
      const { status, json } = await runCommandLine(['journal', 'verify'], {
        env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: folder },
      });
      expect(status, what).toBe(1);
      expect(json, what).toMatchObject({ ok: false, intact: false, error: { code: 'journal-broken' } });
      expect(json.brokenAt, what).toBeGreaterThanOrEqual(3);
      expect(json.brokenAt, what).toBeLessThanOrEqual(5);
    }
  });

  test('an export that was cut at its end passes, and the result says that this does not show', async () => {
    const database = unwrap(openDatabase({ folder: data, clock: { now: () => Date.now() } }));
    const lines = [...openJournal(database.sql).exportLines()];
    database.close();
    const cut = work.write('cut.jsonl', lines.slice(0, 3).join('\n'));
    const { json } = await run('journal', 'verify', cut);
    expect(json).toMatchObject({ ok: true, entries: 3, note: expect.stringMatching(/cut off at the end/) });
    const { stdout } = await runCommandLine(['journal', 'verify', cut], { env, terminalWidth: 400 });
    expect(stdout).toMatch(/cut off at the end/);
  });

  test('creates no database if there is none', async () => {
    const folder = join(work.folder, 'empty');
    const { json } = await runCommandLine(['journal', 'verify'], {
      env: { ...env, ADDRESS_CONSOLE_DATA_FOLDER: folder },
    });
    expect(json).toMatchObject({ ok: true, entries: 0 });
    expect(existsSync(folder)).toBe(false);
  });
});

test('a lock belongs to one process, is seen by the other, and ends with its holder', () => {
  const folder = join(work.folder, 'locks');
  const open = () => unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
  const [first, second] = [open(), open()];
  const [ours, theirs] = [openChangeLocks(first.sql, folder), openChangeLocks(second.sql, folder)];
  expect(ours.take('change-1')).toBe(true);
  expect([ours.isRunElsewhere('change-1'), theirs.isRunElsewhere('change-1'), theirs.take('change-1')]).toEqual([
    false,
    true,
    false,
  ]);
  expect(theirs.take('change-2')).toBe(true);
  ours.close();
  expect(theirs.take('change-1')).toBe(true);
  expect(theirs.isWindowOpen()).toBe(false);
  const window = openChangeLocks(first.sql, folder, 'window');
  window.show();
  expect([theirs.isWindowOpen(), theirs.isWindowOpen()]).toEqual([true, true]);
  window.close();
  expect(theirs.isWindowOpen()).toBe(false);
  theirs.close();
  first.close();
  second.close();
  expect(readFileSync(join(folder, 'address-console.sqlite')).length).toBeGreaterThan(0);
});
