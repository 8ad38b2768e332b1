import { mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { CacheMode } from '../../../shared/domain/call.ts';
import { type FaultyService, startFaultyService } from '../../helpers/faulty-service.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// The computer's clock is wrong for a while, ahead or behind, and is then corrected, while the program runs or between two runs.

const day = 24 * 60 * 60 * 1000;
const year = 365 * day;
const today = Date.parse('2026-03-02T10:00:00.000Z');
const premiseId = '00000001';

let clock: { time: number; now(): number; elapsed?(): number };
let folder: string;
let service: FaultyService;
let desk: Program;
let connectionId: string;

beforeEach(async () => {
  clock = { time: today, now: () => clock.time };
  folder = mkdtempSync(join(tmpdir(), 'address-console-clock-'));
  service = await startFaultyService();
  desk = unwrap(await startProgram({ folder, firstStart: true, clock }));
  connectionId = await desk.connect(
    { restBaseUrl: service.restBaseUrl, soapUrl: service.soapUrl, soapNamespace: 'urn:faulty', accountName: 'WYE' },
    { 'lookup-key': 'LK-7f3a91c2e8d04b56', 'licence-id': 'LID-1', 'account-guid': 'GUID-1' },
  );
});
afterEach(async () => {
  await desk.close();
  await service.close();
  removeFolder(folder);
});

/** Has the program count time as it passes too, which a change of the clock does not alter; returns how to let it pass. */
function runClock() {
  let running = today;
  clock.elapsed = () => running;
  return (ms: number): void => {
    running += ms;
    clock.time += ms;
  };
}

const open = (cache: CacheMode = 'default') =>
  desk.call('lookup.open', { connectionId, premiseId, interface: 'rest', cache });
const hits = (name: string): number => service.hits.get(name) ?? 0;
const overview = async () => unwrap(await desk.call('credits.overview', { connectionId }));
const readBalance = async () => {
  const { samples, failures } = unwrap(
    await desk.call('credits.read-balances', { connectionId, sources: ['rest-key'] }),
  );
  expect(failures).toEqual([]);
  return samples[0];
};

describe('saved answers', () => {
  test('one from the future is not used until that time comes; one from tomorrow is', async () => {
    clock.time = today + year;
    unwrap(await open());
    clock.time = today;
    expect(unwrap(await open()).provenance.cached).toBe(false);
    expect(hits('GetPremise')).toBe(2);
    // With the clock set back by a day, a paid answer is not paid for again.
    clock.time = today - day + 60_000;
    expect(unwrap(await open()).provenance.cached).toBe(true);
    // By then the answer has expired in any case.
    clock.time = today + 31 * day;
    expect(unwrap(await open()).provenance.cached).toBe(false);
    expect(hits('GetPremise')).toBe(3);
  });
});

describe('caps of a day', () => {
  test('setting the clock back does not reset the daily cap, and spending in a wrong year blocks no day', async () => {
    unwrap(await desk.call('credits.save-caps', { connectionId, caps: { perRun: null, perDay: 1, floor: null } }));
    unwrap(await open('reload'));
    expect(await open('reload')).toMatchObject({ error: { code: 'cap-reached' } });
    clock.time = today - day + 60_000;
    expect(await open('reload')).toMatchObject({ error: { code: 'cap-reached' } });
    clock.time = today + year;
    unwrap(await open('reload'));
    expect(await open('reload')).toMatchObject({ error: { code: 'cap-reached' } });
    clock.time = today + 3 * day;
    unwrap(await open('reload'));
    expect(hits('GetPremise')).toBe(3);
  });
});

describe('balances', () => {
  test('a reading dated in the future is not final, and the service is not polled endlessly', async () => {
    const early = await readBalance();
    clock.time = today + year;
    await readBalance();
    clock.time = today + 60_000;
    const { samples } = await overview();
    expect(samples.filter(({ source }) => source === 'rest-key').map(({ at }) => at)).toEqual([early?.at]);
    const before = hits('GetCredits');
    for (let second = 0; second < 60; second += 1) {
      clock.time += 1000;
      await desk.core.credits.poller.tick();
    }
    expect(hits('GetCredits') - before).toBeLessThanOrEqual(2);
  });

  test('after the clock was set back, what was read before it does not come back as the newest, and the service is asked', async () => {
    const pass = runClock();
    const shown = async () => (await overview()).samples.find(({ source }) => source === 'rest-key')?.credits;
    unwrap(desk.core.settings.write('selectedConnectionId', connectionId));
    await readBalance();
    for (let minute = 0; minute < 60; minute += 1) {
      pass(61_000);
      expect(await desk.core.credits.poller.tick()).toBe(true);
    }
    clock.time -= 60 * 60_000;
    const less = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 14\r\n\r\n{"credits":50}';
    await service.arm(
      { name: 'less', truth: 'fine', answer: (socket) => void socket.end(less) },
      { name: 'GetCredits', onwards: true },
    );
    await readBalance();
    expect(await shown()).toBe(50);
    pass(5 * 60_000);
    expect(await shown()).toBe(50);
    expect(await desk.core.credits.forecaster.read(connectionId)).toMatchObject({ value: { from: { credits: 50 } } });
    expect(await desk.core.credits.poller.tick()).toBe(true);
    expect(await desk.core.credits.poller.tick()).toBe(false);
    pass(61_000);
    expect(await desk.core.credits.poller.tick()).toBe(true);
  });

  test('a reading that somebody else made puts off the next one, and a back-off goes on in sleep, when the running clock stands still', async () => {
    const pass = runClock();
    const { poller } = desk.core.credits;
    unwrap(desk.core.settings.write('selectedConnectionId', connectionId));
    await readBalance();
    pass(61_000);
    expect(await poller.tick()).toBe(true);
    pass(50_000);
    await readBalance();
    expect(await poller.tick()).toBe(false);
    pass(50_000);
    expect(await poller.tick()).toBe(false);
    pass(11_000);
    const refused = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n';
    await service.arm(
      { name: 'refused', truth: 'fine', answer: (socket) => void socket.end(refused) },
      { name: 'GetCredits', onwards: true },
    );
    expect(await poller.tick()).toBe(true);
    pass(61_000);
    expect(await poller.tick()).toBe(false);
    clock.time += 60 * 60_000;
    expect(await poller.tick()).toBe(true);
    expect(await poller.tick()).toBe(false);
  });

  test('setting the clock back between two readings creates no unexplained movement', async () => {
    clock.time = today + day;
    await readBalance();
    clock.time = today;
    unwrap(await open('reload'));
    clock.time += 60_000;
    await readBalance();
    const { entries } = unwrap(await desk.call('credits.ledger', { connectionId, before: null, limit: 50 }));
    expect(entries.filter(({ kind }) => kind === 'movement')).toEqual([]);
  });
});

test('the ledger and the log keep the order in which things happened', async () => {
  const order: string[] = [];
  for (const time of [today, today + year, today - day, today + 60_000]) {
    clock.time = time;
    unwrap(await open('reload'));
    order.unshift(new Date(time).toISOString());
  }
  const { entries } = unwrap(await desk.call('credits.ledger', { connectionId, before: null, limit: 50 }));
  expect(entries.map(({ at }) => at)).toEqual(order);
  const { calls } = unwrap(await desk.call('activity.list', { search: 'GetPremise', before: null, limit: 50 }));
  expect(calls.map(({ at }) => at)).toEqual(order);
});

test('reminders shown because of a wrong clock are not shown again', async () => {
  unwrap(await desk.call('licences.read', { connectionId }));
  const own = { licenceNumber: '20419', note: '', leadDays: 30 };
  unwrap(await desk.call('licences.annotate', { connectionId, own }));
  const notices = async () => {
    const found = unwrap(await desk.core.licences.newNotices());
    // A notice is returned again until it has been shown.
    expect(unwrap(await desk.core.licences.newNotices())).toEqual(found);
    for (const notice of found) unwrap(desk.core.licences.markShown(notice));
    return found.length;
  };
  expect(await notices()).toBe(0);
  clock.time = Date.parse('2099-03-20T10:00:00.000Z');
  expect(await notices()).toBe(1);
  clock.time = today;
  expect(await notices()).toBe(0);
  clock.time = Date.parse('2099-03-21T10:00:00.000Z');
  expect(await notices()).toBe(0);
});

test('days are counted by this computer’s date, not by UTC', async () => {
  unwrap(await desk.call('licences.read', { connectionId }));
  const own = { licenceNumber: '20419', note: '', leadDays: 30 };
  unwrap(await desk.call('licences.annotate', { connectionId, own }));
  const daysLeft = async (zone: string) => {
    process.env.TZ = zone;
    return unwrap(await desk.call('licences.annotations', { connectionId })).due[0]?.daysLeft ?? Number.NaN;
  };
  const zone = process.env.TZ;
  try {
    clock.time = Date.parse('2099-03-20T12:30:00.000Z');
    // Half past twelve in UTC is tomorrow in Auckland and today in London; half past midnight is yesterday in New York.
    const london = await daysLeft('Europe/London');
    expect(await daysLeft('Pacific/Auckland')).toBe(london - 1);
    clock.time = Date.parse('2099-03-20T00:30:00.000Z');
    expect(await daysLeft('America/New_York')).toBe(london + 1);
  } finally {
    clock.time = today;
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('a licence change keeps its proof over a clock jump, and an old plan says that it is not current', async () => {
  const plan = async (licenceNumber: string) =>
    unwrap(await desk.call('licences.plan', { connectionId, kind: 'register', licenceNumber, machine: 'THERE' }));
  const first = await plan('20419');
  clock.time = today - day;
  const done = unwrap(await desk.call('licences.run', { changeId: first.id, confirmedName: 'THERE' }));
  expect(done.verdict).toBe('seen');
  const second = await plan('20420');
  clock.time = today + year;
  expect(await desk.call('licences.run', { changeId: second.id, confirmedName: 'THERE' })).toMatchObject({
    ok: false,
    error: { code: 'plan-outdated', message: 'This plan is more than a day old.', next: 'Plan it again.' },
  });
  expect(unwrap(await desk.call('journal.check', {})).intact).toBe(true);
});

test('a database copy made while the clock was ahead does not stop later copies, and is not the one restored', async () => {
  const keychain = {
    keychain: (await import('../../../electron/platform/memory-vault.ts')).createMemoryVault(),
    missing: null,
  };
  const again = async (time: number) => {
    await desk.close();
    clock.time = time;
    desk = unwrap(await startProgram({ folder, firstStart: true, clock, keychain }));
  };
  const copies = () => readdirSync(join(folder, 'backups')).map((name) => name.slice(0, 10));
  await again(today + year);
  expect(copies()).toEqual(['2027-03-02']);
  unwrap(
    await desk.call('operations.save', { name: 'kept', folder: '', operation: 'Search', dataset: false, fields: [] }),
  );
  await again(today + 60_000);
  expect(copies().sort()).toEqual(['2026-03-02', '2027-03-02']);
  await desk.close();
  truncateSync(join(folder, databaseName), 5000);
  desk = unwrap(await startProgram({ folder, firstStart: true, clock, keychain }));
  expect(unwrap(await desk.call('app.info', {})).startNotices.join(' ')).toContain('The copy of 2026-03-02');
  expect(unwrap(await desk.call('operations.saved', {})).saved.map(({ name }) => name)).toEqual(['kept']);
});
