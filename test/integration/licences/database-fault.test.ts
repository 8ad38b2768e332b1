import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { databaseName } from '../../../electron/core/storage/database/database.ts';
import type { ChangeRequest } from '../../../shared/domain/licences/licence-change.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { openTempLicences } from '../../helpers/licence-console.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** The database fails while a change is on its way: its table has another name for a while. */

let demo: DemoService;
let program: Program;
let sql: DatabaseSync;
let request: ChangeRequest;
let changeId: string;

beforeEach(async () => {
  demo = await startDemo('--seed', '42', '--premises', '2000');
  program = unwrap(await startProgram());
  const { soapUrl, soapNamespace, utilitiesNamespace } = demo;
  const connectionId = await program.connect(
    { soapUrl, soapNamespace, utilitiesNamespace, accountName: demo.demo.accountName },
    { 'account-guid': demo.demo.guid, 'licence-id': demo.demo.licenceId },
  );
  const { licences } = unwrap(await program.call('licences.read', { connectionId }));
  const licenceNumber = licences.find(({ seatsFree }) => (seatsFree ?? 0) > 0)?.licenceNumber ?? '';
  request = { connectionId, kind: 'register', licenceNumber, machine: 'DESK-77' };
  changeId = unwrap(await program.call('licences.plan', request)).id;
  // Written, and then not one read of the machine has an answer.
  await demo.setFaults({ kind: 'cut', on: 'GetLicenseDetails', after: 1, times: 'always' });
  const begun = await program.call('licences.run', { changeId, confirmedName: 'DESK-77', ticked: true });
  expect(unwrap(begun).state).toBe('interrupted');
  await demo.clearFaults();
  sql = new DatabaseSync(join(program.folder, databaseName));
});
afterEach(async () => {
  sql.close();
  await program.close();
  await demo.stop();
});

const breakTable = () => sql.exec('ALTER TABLE licence_change RENAME TO licence_change_elsewhere');
const mendTable = () => sql.exec('ALTER TABLE licence_change_elsewhere RENAME TO licence_change');

test('a change on its way is read again after a read at which the database failed', async () => {
  const { licences } = program.core;
  const hits = async () => (await demo.meter()).calls.GetLicenseDetails?.hits ?? 0;
  const before = await hits();
  // The changes to read have been listed when this returns; each is looked up by itself after it.
  const reading = licences.readAtStart();
  breakTable();
  await reading;
  expect(await hits()).toBe(before);
  mendTable();
  await licences.readAtStart();
  expect(await hits()).toBeGreaterThan(before);
  expect(program.told.findLast(({ event }) => event === 'licences.change')?.payload).toMatchObject({
    id: changeId,
    verdict: 'seen',
  });
});

test('whatever is done with a change while the database fails ends in an error that says so', async () => {
  const { licences } = program.core;
  const failed = { ok: false, error: { code: 'storage-failed' } };
  breakTable();
  for (const action of ['check', 'finish', 'undo', 'dismiss'] as const)
    expect(await licences.resume(changeId, { action }, {})).toMatchObject(failed);
  expect(await licences.run(changeId, { name: 'DESK-77' }, {})).toMatchObject(failed);
  expect(await licences.plan(request, {})).toMatchObject(failed);
});

test('so does the plan of what undoes it, if the database fails as it begins', async () => {
  const { console, remove } = await openTempLicences();
  console.database.sql.exec('DROP TABLE licence_change');
  expect(await planUndo('any', console.deps)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
  remove();
});

test('what a read found is said although the database does not take that the read is over', async () => {
  sql.exec("CREATE TRIGGER fault BEFORE DELETE ON licence_change_worker BEGIN SELECT RAISE(ABORT, 'fault'); END");
  const { licences } = program.core;
  expect(await licences.resume(changeId, { action: 'check' }, {})).toMatchObject({ value: { verdict: 'seen' } });
});

test('a write that the ledger could not enter was not sent, and can be made at once', async () => {
  const { licences } = unwrap(await program.call('licences.read', { connectionId: request.connectionId }));
  const licenceNumber =
    licences.find((one) => (one.seatsFree ?? 0) > 0 && one.licenceNumber !== request.licenceNumber)?.licenceNumber ??
    '';
  const register = async () => {
    const { id } = unwrap(await program.call('licences.plan', { ...request, licenceNumber, machine: 'DESK-78' }));
    return unwrap(await program.call('licences.run', { changeId: id, confirmedName: 'DESK-78', ticked: true }));
  };
  const hits = async () => (await demo.meter()).calls.RegisterLicense?.hits ?? 0;
  const before = await hits();
  sql.exec(`CREATE TRIGGER fault BEFORE INSERT ON ledger WHEN NEW.operation = 'RegisterLicense'
    BEGIN SELECT RAISE(ABORT, 'fault'); END`);
  const change = await register();
  expect(await hits()).toBe(before);
  expect(change).toMatchObject({ state: 'finished', verdict: 'not-seen', writes: [{ left: false }], writeAfter: null });
  expect(change.claims.map(({ kind }) => kind)).toEqual(['nothing-left']);
  sql.exec('DROP TRIGGER fault');
  expect((await register()).verdict).toBe('seen');
});
