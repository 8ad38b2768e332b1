import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LicenceChange } from '../../../shared/domain/licences/licence-change.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** A person stops waiting for the reads of a change, before and after its writes. */

let service: DemoService;
let program: Program;
let connectionId: string;

beforeEach(async () => {
  service = await startDemo('--seed', '42', '--premises', '2000');
  program = unwrap(await startProgram());
  const { soapUrl, soapNamespace, utilitiesNamespace, demo } = service;
  connectionId = await program.connect(
    { soapUrl, soapNamespace, utilitiesNamespace, accountName: demo.accountName },
    { 'account-guid': demo.guid, 'licence-id': demo.licenceId },
  );
});
afterEach(async () => {
  await program.close();
  await service.stop();
});

const hits = async (name: string): Promise<number> => (await service.meter()).calls[name]?.hits ?? 0;

async function planRegister() {
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  const free = licences.find(({ seatsFree }) => (seatsFree ?? 0) > 0);
  const request = {
    connectionId,
    kind: 'register' as const,
    licenceNumber: free?.licenceNumber ?? '',
    machine: 'DESK-77',
  };
  return unwrap(await program.call('licences.plan', request));
}

/** Holds the next reads of a machine up, begins a call, and stops waiting for it once its read is at the service. */
async function stopDuringRead(requestId: string, call: () => ReturnType<typeof program.call>) {
  await service.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'GetLicenseDetails', times: 'always' });
  const before = await hits('GetLicenseDetails');
  const ended = call();
  await expect.poll(() => hits('GetLicenseDetails')).toBe(before + 1);
  program.cancel(requestId);
  const result = await ended;
  await service.clearFaults();
  expect(await hits('GetLicenseDetails')).toBe(before + 1);
  return result;
}

const stopped = { ok: false, error: { code: 'cancelled-after-sending' } };
const confirmed = { confirmedName: 'DESK-77', ticked: true };

test('while the plan is compared once more, nothing is written, and the plan stays', async () => {
  const { id: changeId } = await planRegister();
  const run = () => program.call('licences.run', { changeId, ...confirmed }, 'run');
  expect(await stopDuringRead('run', run)).toMatchObject(stopped);
  expect(await hits('RegisterLicense')).toBe(0);
  expect(unwrap(await run()).verdict).toBe('seen');
  expect(await hits('RegisterLicense')).toBe(1);
});

test('while a change left open is checked, or one is to be undone, no further read is sent and nothing is written', async () => {
  const { id: changeId } = await planRegister();
  await service.setFaults({ kind: 'cut', on: 'GetLicenseDetails', after: 1, times: 'always' });
  expect(unwrap(await program.call('licences.run', { changeId, ...confirmed })).state).toBe('interrupted');
  await service.clearFaults();
  const check = () => program.call('licences.resume', { changeId, action: 'check' }, 'check');
  expect(await stopDuringRead('check', check)).toMatchObject(stopped);
  const { changes } = unwrap(await program.call('licences.unfinished', {}));
  expect(changes).toMatchObject([{ id: changeId, state: 'interrupted' }]);
  expect(unwrap(await check()).verdict).toBe('seen');

  const undo = () => program.call('licences.resume', { changeId, action: 'undo' }, 'undo');
  expect(await stopDuringRead('undo', undo)).toMatchObject(stopped);
  expect([await hits('RegisterLicense'), await hits('UnregisterLicense')]).toEqual([1, 0]);
  expect(unwrap(await undo())).toMatchObject({ state: 'planned', kind: 'unregister' });
});

test('a change that this program does not run is not said to stop, and how it stands is reported', async () => {
  const stop = (changeId: string) => program.call('licences.stop-after-step', { changeId });
  const refused = { ok: false, error: { code: 'bad-input' } };
  expect(await stop(crypto.randomUUID())).toMatchObject(refused);
  const { id: changeId } = await planRegister();
  unwrap(await program.call('licences.run', { changeId, ...confirmed }));
  const before = program.told.length;
  expect(await stop(changeId)).toMatchObject(refused);
  expect(program.told.slice(before)).toMatchObject([
    { event: 'licences.change', payload: { id: changeId, state: 'finished', verdict: 'seen' } },
  ]);
});

test('the change of a row of a bulk change is reported like any other, at each of its steps', async () => {
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  const free = licences.find(({ seatsFree }) => (seatsFree ?? 0) > 0);
  const rows = [{ row: 1, licence: free?.licenceNumber ?? '', change: '', machine: 'DESK-77', from: '', state: '' }];
  const asked = { connectionId, source: 'one.csv', kind: 'register' as const, rows };
  const { id: bulkId } = unwrap(await program.call('bulk.plan', asked));
  const { rows: ran } = unwrap(await program.call('bulk.run', { bulkId, rows: [1], confirmed: '1' }));
  const reported = program.told
    .filter(({ event }) => event === 'licences.change')
    .map(({ payload }) => payload as LicenceChange);
  expect(reported.every(({ id }) => id === ran[0]?.changeId)).toBe(true);
  expect(reported.map(({ state }) => state)).toEqual([
    ...Array.from({ length: reported.length - 1 }, () => 'running'),
    'finished',
  ]);
  expect(reported.length).toBeGreaterThan(2);
});
