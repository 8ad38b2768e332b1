import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMachine } from '../../../electron/core/licences/change/read-machine.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { createMachines } from '../../../electron/core/licences/machines/machines.ts';
import type { ScanProgress } from '../../../electron/core/licences/machines/scan-machines.ts';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { openDatabase } from '../../../electron/core/storage/database/database.ts';
import { migrations } from '../../../electron/core/storage/database/migrations.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import { removeFolder } from '../../helpers/folders.ts';
import {
  connectionId,
  here,
  type LicenceConsole,
  openLicenceConsole,
  passTime,
} from '../../helpers/licence-console.ts';
import { callService, LicenceService } from '../../helpers/licence-service.ts';
import { unwrap } from '../../helpers/temp-database.ts';

let folder: string;
let service: LicenceService;
let console: LicenceConsole;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'address-console-machines-'));
  service = new LicenceService();
  console = await openLicenceConsole(folder, callService(service));
});
afterEach(() => {
  console.database.close();
  removeFolder(folder);
});

const open = (store = console.deps.store) =>
  createMachines({
    store,
    inventory: openInventoryStore(console.database.sql),
    thisMachine: here,
    now: () => Date.now(),
    inTransaction: (work) => inTransaction(console.database.sql, work),
  });

test('import: heads by many names, rows refused with their reason, a second import changes only what differs', async () => {
  const machines = open();
  const csv = 'Computer,Owner,Location\r\n PC-1 ,Ann,Hereford\r\nPC-2,,\r\n,Bee,\r\nPC-1,Cy,\r\n';
  expect(unwrap(await machines.importText(connectionId, csv, () => false))).toEqual({
    added: 2,
    changed: 0,
    same: 0,
    refused: [
      { row: 3, reason: 'names no machine' },
      { row: 4, reason: 'names the machine of row 1 again' },
    ],
  });
  expect(unwrap(await machines.importText(connectionId, 'PC-1\nPC-2,Nick\nPC-3', () => false))).toMatchObject({
    added: 1,
    changed: 1,
    same: 1,
  });
  const { machines: rows } = unwrap(machines.overview(connectionId));
  expect(rows.map(({ name, nickname, owner }) => [name, nickname, owner])).toEqual([
    [here, '', ''],
    ['PC-1', '', 'Ann'],
    ['PC-2', 'Nick', ''],
    ['PC-3', '', ''],
  ]);
});

test('renaming replaces a machine; a name in use is refused; a removed machine is forgotten', () => {
  const machines = open();
  const row = { name: 'PC-1', nickname: '', owner: '', site: '', note: '' };
  unwrap(machines.save(connectionId, row, null));
  expect(machines.save(connectionId, row, null)).toMatchObject({ error: { code: 'bad-input', field: 'name' } });
  const renamed = unwrap(machines.save(connectionId, { ...row, name: 'PC-9' }, 'PC-1'));
  expect(renamed.machines.filter(({ kept }) => kept).map(({ name }) => name)).toEqual(['PC-9']);
  expect(unwrap(machines.remove(connectionId, 'PC-9')).machines.map(({ name }) => name)).toEqual([here]);
});

test('a machine that cannot be stored under its new name keeps the old one, with what was written beside it', () => {
  const machines = open();
  const machine = { name: 'PC-1', nickname: 'Front desk', owner: 'Ann', site: '', note: 'since 2019' };
  unwrap(machines.save(connectionId, machine, null));
  console.database.sql.exec(
    "CREATE TRIGGER refused BEFORE INSERT ON machine_inventory BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
  );
  expect(machines.save(connectionId, { ...machine, name: 'PC-2' }, 'PC-1')).toMatchObject({ ok: false });
  expect(console.deps.store.inventory(connectionId)).toEqual([machine]);
});

test('a scan reads each machine once, four at a time at most, reports each, keeps failures, and shows what changed since the last', async () => {
  const machines = open();
  const names = Array.from({ length: 30 }, (_, index) => `PC-${index}`);
  let [now, most] = [0, 0];
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((done) => setImmediate(done));
    now -= 1;
    return details(machine, signal);
  };
  service.unreadable.add('PC-7');
  service.bind('20418', 'PC-3');
  const told: ScanProgress[] = [];
  const onProgress = (progress: ScanProgress) => void told.push(progress);
  expect(unwrap(await machines.scan(connectionId, names, console.deps, { onProgress }))).toEqual({
    asked: 30,
    answered: 29,
    failed: 1,
    stopped: false,
  });
  expect(most).toBe(4);
  expect(service.reads).toBe(30);
  expect(told.at(-1)).toMatchObject({ done: 30, total: 30, failed: 1, ended: true });
  const first = unwrap(machines.overview(connectionId)).machines;
  expect(first.find(({ name }) => name === 'PC-7')?.failure?.message).toMatch(/could not be reached/);
  expect(first.find(({ name }) => name === 'PC-3')?.holds).toMatchObject([{ licenceNumber: '20418' }]);

  service.unreadable.clear();
  service.bound.get('PC-3')?.clear();
  service.bind('20418', 'PC-4');
  unwrap(await machines.scan(connectionId, names, console.deps));
  const second = unwrap(machines.overview(connectionId)).machines;
  const changed = second
    .filter(({ findings }) => findings.some(({ kind }) => kind === 'changed'))
    .map(({ name }) => name);
  expect(changed).toEqual(['PC-3', 'PC-4']);
  expect(second.find(({ name }) => name === 'PC-7')?.failure).toBeNull();
});

test('a stopped scan leaves the rest unread and keeps what was read', async () => {
  const machines = open();
  const stop = new AbortController();
  const names = Array.from({ length: 40 }, (_, index) => `PC-${index}`);
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    if (machine === 'PC-9') stop.abort();
    return details(machine, signal);
  };
  const result = unwrap(await machines.scan(connectionId, names, console.deps, { signal: stop.signal }));
  expect(result.stopped).toBe(true);
  expect(result.asked).toBeLessThan(16);
  expect(service.reads).toBe(result.asked);
  expect(unwrap(machines.overview(connectionId)).machines.filter(({ askedAt }) => askedAt !== null)).toHaveLength(
    result.answered,
  );
});

test('what a scan changed is said by the order of the answers, also after the clock was set back', async () => {
  const machines = open();
  let now = Date.UTC(2026, 2, 2, 10);
  console.deps.ctx.now = () => now;
  const scan = async (minutes: number) => {
    now += minutes * 60_000;
    unwrap(await machines.scan(connectionId, ['PC-1', 'PC-2'], console.deps));
    const overview = unwrap(machines.overview(connectionId));
    return overview.machines.map(({ name, findings }) => [
      name,
      findings.filter(({ kind }) => kind === 'changed').map(({ text }) => text),
    ]);
  };
  const unchanged = [here, 'PC-1', 'PC-2'].map((name) => [name, []]);
  service.bind('20418', 'PC-1');
  expect(await scan(0)).toEqual(unchanged);
  service.bind('20441', 'PC-1');
  service.bind('20433', 'PC-2');
  const since = 'since the scan before, ';
  expect(await scan(1)).toEqual([
    [here, []],
    ['PC-1', [`${since}new: 20441`]],
    ['PC-2', [`${since}new: 20433`]],
  ]);
  service.bound.get('PC-1')?.delete('20441');
  expect(await scan(-60)).toEqual([
    [here, []],
    ['PC-1', [`${since}no longer named: 20441`]],
    ['PC-2', []],
  ]);
  // The answers of before the clock was set are in the future, come up to now, and lie behind.
  for (let times = 0; times < 4; times += 1) expect(await scan(20)).toEqual(unchanged);
  service.bind('20441', 'PC-1');
  expect(await scan(1)).toEqual([
    [here, []],
    ['PC-1', [`${since}new: 20441`]],
    ['PC-2', []],
  ]);
});

test('what was read after a scan is new since then, also where the machine with the newest answer was removed meanwhile', async () => {
  const machines = open();
  for (let times = 0; times < 2; times += 1) unwrap(await machines.scan(connectionId, ['PC-1', 'PC-2'], console.deps));
  const [newest] = openInventoryStore(console.database.sql)
    .history(connectionId)
    .toSorted((one, other) => other.sequence - one.sequence);
  const other = newest?.machine === 'PC-1' ? 'PC-2' : 'PC-1';
  unwrap(machines.remove(connectionId, newest?.machine ?? ''));
  service.bind('20418', other);
  // Of two answers of one millisecond the second is no later one.
  passTime(1000);
  unwrap(await readMachine(other, connectionId, console.deps));
  const { findings } = unwrap(machines.overview(connectionId)).machines.find(({ name }) => name === other) ?? {};
  expect(findings?.filter(({ kind }) => kind === 'changed').map(({ text }) => text)).toEqual([
    'since the scan before, new: 20418',
  ]);
});

test('an answer that comes after one to a later read of its machine takes nothing of that back', async () => {
  const machines = open();
  const scan = async () => unwrap(await machines.scan(connectionId, ['PC-1'], console.deps));
  const rowOf = () => unwrap(machines.overview(connectionId)).machines.find(({ name }) => name === 'PC-1');
  await scan();
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    console.deps.calls.details = details;
    const early = await details(machine, signal);
    passTime(1000);
    service.bind('20418', machine);
    unwrap(await readMachine(machine, connectionId, console.deps));
    return early;
  };
  await scan();
  expect(rowOf()?.holds).toMatchObject([{ licenceNumber: '20418' }]);
  expect(
    rowOf()
      ?.findings.filter(({ kind }) => kind === 'changed')
      .map(({ text }) => text),
  ).toEqual(['since the scan before, new: 20418']);
});

test('a machine that is removed during a scan is not read any more, and no answer or failure brings it back', async () => {
  const machines = open();
  const names = Array.from({ length: 12 }, (_, index) => `PC-${index}`);
  for (const name of names)
    unwrap(machines.save(connectionId, { name, nickname: '', owner: '', site: '', note: '' }, null));
  const asked: string[] = [];
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    asked.push(machine);
    if (machine === 'PC-0' || machine === 'PC-1') {
      unwrap(machines.remove(connectionId, machine));
      unwrap(machines.remove(connectionId, 'PC-11'));
    }
    return machine === 'PC-1' ? fail(appError('connect-timeout')) : details(machine, signal);
  };
  const result = unwrap(await machines.scan(connectionId, names, console.deps));
  expect(asked).toEqual(names.slice(0, 11));
  expect(result).toMatchObject({ asked: 11, stopped: false });
  expect(unwrap(machines.overview(connectionId)).machines.map(({ name }) => name)).toEqual([
    here,
    ...names.slice(2, 11),
  ]);
});

test('one that is removed while it is read is not brought back by the answer', async () => {
  const machines = open();
  unwrap(machines.save(connectionId, { name: 'PC-1', nickname: '', owner: '', site: '', note: '' }, null));
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    unwrap(machines.remove(connectionId, 'PC-1'));
    return details(machine, signal);
  };
  const { holdings } = unwrap(await readMachine('PC-1', connectionId, console.deps));
  expect(holdings).toMatchObject({ machine: 'PC-1' });
  expect(unwrap(machines.overview(connectionId)).machines.map(({ name }) => name)).not.toContain('PC-1');
  // A person may read it again.
  console.deps.calls.details = details;
  unwrap(await readMachine('PC-1', connectionId, console.deps));
  expect(unwrap(machines.overview(connectionId)).machines.map(({ name }) => name)).toContain('PC-1');
});

test('nor is one that another process takes out of the inventory meanwhile', async () => {
  const [machines, elsewhere] = [open(), open(openLicenceStore(console.database))];
  const names = Array.from({ length: 6 }, (_, index) => `PC-${index}`);
  for (const name of names)
    unwrap(machines.save(connectionId, { name, nickname: '', owner: '', site: '', note: '' }, null));
  const asked: string[] = [];
  const { details } = console.deps.calls;
  console.deps.calls.details = async (machine, signal) => {
    asked.push(machine);
    if (machine === 'PC-0') unwrap(elsewhere.remove(connectionId, 'PC-5'));
    return details(machine, signal);
  };
  // One that was never in it is read like any other.
  expect(unwrap(await machines.scan(connectionId, [...names, 'OTHER'], console.deps))).toMatchObject({ asked: 6 });
  expect(asked).toEqual([...names.slice(0, 5), 'OTHER']);
  expect(unwrap(machines.overview(connectionId)).machines.map(({ name }) => name)).not.toContain('PC-5');
});

test('the answers and scans of an earlier version keep the order of their times', () => {
  const earlier = mkdtempSync(join(tmpdir(), 'address-console-machines-'));
  const at = (minute: number) => `2026-03-02T10:0${minute}:00.000Z`;
  const before = unwrap(
    openDatabase({ folder: earlier, clock: { now: Date.now }, migrations: migrations.slice(0, 22) }),
  );
  const answer = before.sql.prepare('INSERT INTO machine_history VALUES (?, ?, ?, ?)');
  answer.run(connectionId, 'PC-1', at(3), '["20418"]');
  answer.run(connectionId, 'PC-1', at(1), '[]');
  answer.run(connectionId, 'PC-2', at(1), '["20433"]');
  answer.run(connectionId, 'PC-2', at(0), '[]');
  for (const minute of [2, 0])
    before.sql.prepare('INSERT INTO machine_scan VALUES (?, ?, ?, 2, 2)').run(connectionId, at(minute), at(4));
  before.close();
  const now = unwrap(openDatabase({ folder: earlier, clock: { now: Date.now } }));
  const inventory = openInventoryStore(now.sql);
  expect(inventory.history(connectionId).map(({ machine, askedAt, sequence }) => [machine, askedAt, sequence])).toEqual(
    [
      ['PC-1', at(3), 4],
      ['PC-1', at(1), 2],
      ['PC-2', at(1), 3],
      ['PC-2', at(0), 1],
    ],
  );
  expect(inventory.lastScan(connectionId)).toMatchObject({ startedAt: at(2), historyBefore: 3 });
  now.close();
  removeFolder(earlier);
});
