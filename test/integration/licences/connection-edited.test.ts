import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConnectionDraft } from '../../../shared/domain/connection.ts';
import { type DemoService, startDemo } from '../../helpers/demo-process.ts';
import { type Program, startProgram } from '../../helpers/program.ts';
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

async function moveTo({ soapUrl }: DemoService): Promise<void> {
  const { connections } = unwrap(await program.call('connections.list', {}));
  const found = connections.find(({ connection }) => connection.id === connectionId);
  const { id = '', ...draft } = found?.connection ?? {};
  unwrap(await program.call('connections.save', { id, draft: { ...draft, soapUrl } as ConnectionDraft }));
}

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

  await moveTo(one);
  await one.setFaults({ kind: 'cut', on: 'GetLicenseDetails', after: 1, times: 'always' });
  const begun = unwrap(await program.call('licences.run', { changeId: planned.id, ...confirmed }));
  expect(begun.state).toBe('interrupted');
  await moveTo(other);
  const checked = await program.call('licences.resume', { changeId: begun.id, action: 'check' });
  expect(checked).toMatchObject({ ok: false, error: { code: 'wrong-origin' } });
  expect(await licenceCalls(other)).toEqual([]);

  // Back at its own server the reads go on where they were.
  await moveTo(one);
  await one.clearFaults();
  expect(unwrap(await program.call('licences.resume', { changeId: begun.id, action: 'check' })).verdict).toBe('seen');
});
