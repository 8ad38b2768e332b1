import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeContext } from '../../../electron/core/licences/change/change-deps.ts';
import { findMoved } from '../../../electron/core/licences/change/change-errors.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import { type ConnectionDraft, serviceAt } from '../../../shared/domain/connection.ts';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { editConnection, type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** The connection leads to another server between the plan of a change and what is done with it. Both have the same licences. */

let one: DemoService;
let other: DemoService;
let program: Program;
let connectionId: string;

beforeEach(async () => {
  one = await startDemo('--seed', '42', '--premises', '2000');
  other = await startDemo('--seed', '42', '--premises', '2000');
  program = unwrap(await startProgram());
  const { soapUrl, soapNamespace, utilitiesNamespace, demo } = one;
  connectionId = await program.connect(
    { soapUrl, soapNamespace, utilitiesNamespace, accountName: demo.accountName },
    { 'account-guid': demo.guid, 'licence-id': demo.licenceId },
  );
});
afterEach(async () => {
  await program.close();
  await one.stop();
  await other.stop();
});

const edit = (change: Partial<ConnectionDraft>) => editConnection(program, connectionId, change);
const moveTo = ({ soapUrl }: Pick<DemoService, 'soapUrl'>) => edit({ soapUrl });

const licenceCalls = async (service: DemoService): Promise<string[]> =>
  Object.keys((await service.meter()).calls).filter((name) => name.includes('License'));

test('a plan made at one server is not carried out at another, nor a change read back or undone there', async () => {
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  const free = licences.find(({ seatsFree }) => (seatsFree ?? 0) > 0);
  const plan = async () =>
    unwrap(
      await program.call('licences.plan', {
        connectionId,
        kind: 'register',
        licenceNumber: free?.licenceNumber ?? '',
        machine: 'DESK-77',
      }),
    );
  const planned = await plan();
  await moveTo(other);
  const confirmed = { confirmedName: 'DESK-77', ticked: true };
  const run = await program.call('licences.run', { changeId: planned.id, ...confirmed });
  expect(run).toMatchObject({ ok: false, error: { code: 'wrong-origin', charge: 'not-charged' } });
  expect(await licenceCalls(other)).toEqual([]);

  // One host may serve live and test data at two paths.
  const before = (await one.meter()).calls;
  await moveTo({ soapUrl: `${one.soapUrl}/test` });
  expect(await program.call('licences.run', { changeId: planned.id, ...confirmed })).toMatchObject({
    error: { code: 'wrong-origin' },
  });
  expect((await one.meter()).calls).toEqual(before);

  await moveTo(one);
  await one.setFaults({ kind: 'cut', on: 'GetLicenseDetails', after: 1, times: 'always' });
  const begun = unwrap(await program.call('licences.run', { changeId: planned.id, ...confirmed }));
  expect(begun.state).toBe('interrupted');
  const unfinished = async () => unwrap(await program.call('licences.unfinished', {})).changes;
  expect(await unfinished()).toMatchObject([
    { nextRead: expect.any(String), conclusion: expect.stringContaining('next') },
  ]);
  await moveTo(other);
  expect(await unfinished()).toMatchObject([{ nextRead: null, conclusion: expect.not.stringContaining('next') }]);
  expect(unwrap(await program.call('licences.find-change', { changeId: begun.id }))).toMatchObject({ nextRead: null });
  const checked = await program.call('licences.resume', { changeId: begun.id, action: 'check' });
  expect(checked).toMatchObject({ ok: false, error: { code: 'wrong-origin' } });
  expect(await licenceCalls(other)).toEqual([]);

  // Back at its own server the reads go on where they were.
  await moveTo(one);
  expect(await unfinished()).toMatchObject([{ nextRead: expect.any(String) }]);
  await one.clearFaults();
  expect(unwrap(await program.call('licences.resume', { changeId: begun.id, action: 'check' })).verdict).toBe('seen');
});

test('what was answered at one server is not said of a machine of the connection that leads to another by then', async () => {
  await one.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'GetLicenseDetails' });
  const asked = program.call('licences.ask-machine', { connectionId, machine: one.demo.machines[0] ?? '' });
  await expect.poll(async () => (await one.meter()).calls.GetLicenseDetails?.hits).toBe(1);
  await moveTo(other);
  await one.clearFaults();
  expect(await asked).toMatchObject({
    error: {
      code: 'wrong-origin',
      charge: 'may-have-been-charged',
      message: expect.stringContaining('machine was read'),
    },
  });
});

/** A licence with seats for several machines. */
async function site(): Promise<string> {
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  return licences.find(({ seatsFree }) => (seatsFree ?? 0) >= 8)?.licenceNumber ?? '';
}

test('a plan made with one account is not carried out with another, nor a change read back there', async () => {
  const request = { connectionId, kind: 'register', licenceNumber: await site(), machine: 'DESK-77' } as const;
  const planned = unwrap(await program.call('licences.plan', request));
  const before = (await one.meter()).calls;
  await edit({ accountName: 'ELSEWHERE01' });
  const confirmed = { changeId: planned.id, confirmedName: 'DESK-77', ticked: true };
  expect(await program.call('licences.run', confirmed)).toMatchObject({
    error: { code: 'wrong-origin', charge: 'not-charged', message: expect.stringContaining('ELSEWHERE01') },
  });
  expect((await one.meter()).calls).toEqual(before);

  await edit({ accountName: one.demo.accountName });
  await one.setFaults({ kind: 'cut', on: 'GetLicenseDetails', after: 1, times: 'always' });
  const begun = unwrap(await program.call('licences.run', confirmed));
  expect(begun.state).toBe('interrupted');
  await edit({ accountName: 'ELSEWHERE01' });
  await one.clearFaults();
  const check = { changeId: begun.id, action: 'check' } as const;
  expect(await program.call('licences.resume', check)).toMatchObject({ error: { code: 'wrong-origin' } });
  await edit({ accountName: one.demo.accountName });
  expect(unwrap(await program.call('licences.resume', check)).verdict).toBe('seen');
});

test('what is on its way over one connection is not written again over another to the same server, nor under a similar name', async () => {
  const licenceNumber = await site();
  const { soapUrl, soapNamespace, utilitiesNamespace, demo } = one;
  const another = await program.connect(
    { soapUrl: `${soapUrl}?wsdl`, soapNamespace, utilitiesNamespace, accountName: demo.accountName },
    { 'account-guid': demo.guid, 'licence-id': demo.licenceId },
  );
  const request = { connectionId, kind: 'register', licenceNumber, machine: 'DESK-77' } as const;
  const twins = [
    { ...request, connectionId: another },
    { ...request, machine: 'desk-77' },
    { ...request, machine: 'DESK\u201177' },
  ];
  const planned = unwrap(await program.call('licences.plan', request));
  const before = await Promise.all(twins.map(async (twin) => unwrap(await program.call('licences.plan', twin))));

  await one.setFaults({ kind: 'close', on: 'RegisterLicense', times: 'always' });
  const confirmed = { confirmedName: 'DESK-77', ticked: true };
  const begun = unwrap(await program.call('licences.run', { changeId: planned.id, ...confirmed }));
  expect(begun).toMatchObject({ state: 'interrupted', verdict: 'on-its-way' });
  await one.clearFaults();

  for (const twin of twins)
    expect(await program.call('licences.plan', twin)).toMatchObject({ error: { code: 'unfinished-change' } });
  const run = ({ id, machine }: (typeof before)[number]) =>
    program.call('licences.run', { changeId: id, confirmedName: machine, ticked: true });
  for (const twin of before) expect(await run(twin)).toMatchObject({ error: { code: 'unfinished-change' } });
  // Nor for its ten minutes once a person has closed it.
  unwrap(await program.call('licences.resume', { changeId: begun.id, action: 'dismiss' }));
  for (const twin of before) expect(await run(twin)).toMatchObject({ error: { code: 'unfinished-change' } });
  expect(await writes(one)).toBe(1);

  // The machine's licences on the other server are others.
  const elsewhere = await program.connect(
    { soapUrl: other.soapUrl, soapNamespace, utilitiesNamespace, accountName: other.demo.accountName },
    { 'account-guid': other.demo.guid, 'licence-id': other.demo.licenceId },
  );
  const free = unwrap(await program.call('licences.plan', { ...request, connectionId: elsewhere }));
  expect(unwrap(await program.call('licences.run', { changeId: free.id, ...confirmed })).verdict).toBe('seen');
});

/** A bulk change of eight rows whose first writes are held up at the service while `act` is done. */
async function duringBulk(act: () => Promise<unknown>) {
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  const site = licences.find(({ seatsFree }) => (seatsFree ?? 0) >= 8);
  const bulk = unwrap(
    await program.call('bulk.plan', {
      connectionId,
      source: 'november.csv',
      kind: 'register',
      rows: Array.from({ length: 8 }, (_, index) => ({
        row: index + 1,
        licence: site?.licenceNumber ?? '',
        change: '',
        from: '',
        machine: `DESK-${index + 101}`,
        state: '',
      })),
    }),
  );
  expect(bulk.rows.map(({ state }) => state)).toEqual(Array(8).fill('planned'));
  await one.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'RegisterLicense', times: 'always' });
  const rows = bulk.rows.map(({ row }) => row);
  const running = program.call('bulk.run', { bulkId: bulk.id, rows, confirmed: '8' });
  await expect.poll(() => writes(one)).toBe(4);
  await act();
  await one.clearFaults();
  return unwrap(await running);
}

const writes = async (service: DemoService): Promise<number> =>
  (await service.meter()).calls.RegisterLicense?.hits ?? 0;

test('a connection is not removed while licences are changed over it, and is afterwards', async () => {
  const remove = () => program.call('connections.remove', { connectionId });
  const end = await duringBulk(async () => {
    const message = 'A licence change of this connection is running.';
    expect(await remove()).toMatchObject({ ok: false, error: { code: 'bad-input', message } });
  });
  expect(end.rows.map(({ state }) => state)).toEqual(Array(8).fill('seen'));
  expect(unwrap(await remove())).toEqual({ removedSecrets: 2 });
});

test('nor while one is that began as its batches were ended', async () => {
  const { licenceId, accountName, guid } = one.demo;
  const { soapUrl, soapNamespace, utilitiesNamespace } = one;
  const both = await program.connect(
    { restBaseUrl: other.restBaseUrl, soapUrl, soapNamespace, utilitiesNamespace, accountName },
    { 'lookup-key': other.demo.lookupKey, 'account-guid': guid, 'licence-id': licenceId },
  );
  const request = { connectionId: both, kind: 'register', licenceNumber: await site(), machine: 'DESK-77' } as const;
  const planned = unwrap(await program.call('licences.plan', request));
  const text = 'Postcode\nAB10 1AA\n';
  const { table } = unwrap(await program.call('batch.paste', { connectionId: both, text }));
  const batch = unwrap(await program.call('batch.plan', { tableId: table?.tableId ?? '', wants: ['exists'] }));
  await other.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'GetCredits', times: 'always' });
  const readings = async () => (await other.meter()).calls.GetCredits?.hits ?? 0;
  const before = await readings();
  await one.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'RegisterLicense', times: 'always' });
  const terms = { limit: 100, minimumBalance: null, rate: 4, keyLabel: null, goOnUntil: null };
  unwrap(await program.call('batch.run', { batchId: batch.id, ...terms }));
  // The batch reads the balance before its first search.
  await expect.poll(readings).toBeGreaterThan(before);

  const removing = program.call('connections.remove', { connectionId: both });
  const changing = program.call('licences.run', { changeId: planned.id, confirmedName: 'DESK-77', ticked: true });
  await expect.poll(() => writes(one)).toBe(1);
  await other.clearFaults();
  expect(await removing).toMatchObject({ error: { message: 'A licence change of this connection is running.' } });
  await one.clearFaults();
  expect(unwrap(await changing).verdict).toBe('seen');
});

test('a connection goes together with what was read of its licences, or stays with it', async () => {
  unwrap(await program.call('licences.read', { connectionId }));
  const sql = new DatabaseSync(join(program.folder, databaseName));
  sql.exec("CREATE TRIGGER fault BEFORE DELETE ON licence_reading BEGIN SELECT RAISE(ABORT, 'fault'); END");
  const remove = () => program.call('connections.remove', { connectionId });
  expect(await remove()).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  const { connections } = unwrap(await program.call('connections.list', {}));
  expect(connections.map(({ connection }) => connection.id)).toContain(connectionId);
  sql.exec('DROP TRIGGER fault');
  unwrap(await remove());
  expect(sql.prepare('SELECT * FROM licence_reading').all()).toEqual([]);
  sql.close();
});

test('a bulk change under way when another process removes its connection writes no further row', async () => {
  const end = await duringBulk(async () => unwrap(await program.core.connections.remove(connectionId, () => {})));
  expect(end).toMatchObject({ state: 'paused', pause: expect.not.stringContaining('was read') });
  expect(end.rows.map(({ state }) => state)).toEqual([...Array(4).fill('seen'), ...Array(4).fill('planned')]);
  expect(await writes(one)).toBe(4);
});

test('a bulk change under way when its connection leads elsewhere writes no further row, and goes on when it is set back', async () => {
  const end = await duringBulk(() => moveTo(other));
  expect(end).toMatchObject({ state: 'paused', pause: expect.stringContaining('address has changed') });
  expect(end.rows.map(({ state }) => state)).toEqual([...Array(4).fill('seen'), ...Array(4).fill('planned')]);
  const rest = { bulkId: end.id, rows: [5, 6, 7, 8], confirmed: '4' };
  expect(unwrap(await program.call('bulk.run', rest))).toMatchObject({ state: 'paused', pause: end.pause });
  expect([await writes(one), await writes(other)]).toEqual([4, 0]);

  await moveTo(one);
  const both = await Promise.all([program.call('bulk.run', rest), program.call('bulk.run', rest)]);
  expect(both.map(({ ok }) => ok)).toEqual([true, false]);
  expect(await writes(one)).toBe(8);
});

test('a GUID entered for a new address is not sent to the old one by a change under way', async () => {
  const request = { connectionId, kind: 'register', licenceNumber: await site(), machine: 'DESK-77' } as const;
  const planned = unwrap(await program.call('licences.plan', request));
  await one.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'GetLicenseDetails' });
  const reads = async () => (await one.meter()).calls.GetLicenseDetails?.hits ?? 0;
  const before = await reads();
  const running = program.call('licences.run', { changeId: planned.id, confirmedName: 'DESK-77', ticked: true });
  await expect.poll(reads).toBe(before + 1);
  await moveTo(other);
  const { connections } = unwrap(await program.call('connections.list', {}));
  const keys = connections.find(({ connection }) => connection.id === connectionId)?.secrets ?? [];
  const secretId = keys.find(({ role }) => role === 'account-guid')?.id ?? '';
  unwrap(await program.call('secrets.replace', { secretId, value: '0b5f3c1e-1111-4a2b-9c3d-aaaabbbbcccc' }));
  await one.clearFaults();

  const end = unwrap(await running);
  expect([await writes(one), await writes(other)]).toEqual([0, 0]);
  expect(end).toMatchObject({ state: 'finished', verdict: 'not-seen', writes: [{ left: false }] });
  expect(end.steps[1]).toMatchObject({
    state: 'failed',
    result: expect.stringContaining(`${one.soapUrl}, and the connection now has ${other.soapUrl}`),
  });
});

test('a bulk change that was never planned is what is missing, not a connection', async () => {
  const run = await program.call('bulk.run', { bulkId: 'never planned', rows: [1], confirmed: '1' });
  expect(run).toMatchObject({ error: { code: 'bad-input', message: 'No such bulk change was planned.' } });
});

test('a change of an earlier version, which knows the origin alone, or its path as a request has it, is no other server’s for that', () => {
  const at = (server: string) => ({ ctx: { server, accountName: 'WYEBANKUT01' } as ChangeContext });
  const change = { server: 'https://service.example', accountName: '' } as LicenceChange;
  expect(findMoved(change, at('https://service.example/live'))).toBeNull();
  expect(findMoved(change, at('https://other.example/live'))).not.toBeNull();
  const typed = 'https://SERVICE.example:443/old/../Prüfung/Lookup.asmx/?WSDL';
  const asked = { ...change, server: 'https://service.example/Pr%C3%BCfung/Lookup.asmx' };
  expect(findMoved(asked, at(serviceAt(typed)))).toBeNull();
  // The query was not stored.
  expect(findMoved(asked, at(`${asked.server}?tenant=a`))).toBeNull();
});
