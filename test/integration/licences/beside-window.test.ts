import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../electron/platform/clock.ts';
import { elapsedOf } from '../../../electron/ports.ts';
import {
  connectionSettings,
  createWorkFolder,
  type DemoService,
  runCommandLine,
  secretVariables,
  startDemo,
} from '../../helpers/demo-process.ts';
import { editConnection, type Program, startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

/** What a command leaves on its way in the data folder of a window that is open. */

const work = createWorkFolder();
const folder = join(work.folder, 'data');
let demo: DemoService;
let window: Program;
let env: Record<string, string>;
let connection: string;
let seats: string[];
/** Milliseconds by which the window's clocks are ahead. */
let ahead = 0;
const clock = {
  now: () => Date.now() + ahead,
  elapsed: () => elapsedOf(systemClock) + ahead,
};

function jump(ms: number): void {
  ahead += ms;
}

beforeAll(async () => {
  demo = await startDemo('--premises', '4000');
  env = { ...secretVariables(demo.demo), ADDRESS_CONSOLE_DATA_FOLDER: folder };
  const settings = { name: 'Wyebank', ...connectionSettings(demo) };
  connection = work.write('wyebank.json', settings);
  const pauses = { uptime: clock.elapsed, wait: async (ms: number) => jump(ms) };
  window = unwrap(await startProgram({ folder, clock, pauses }));
  await window.connect(settings, { 'account-guid': demo.demo.guid });
  const { json } = await command('licences', 'list');
  seats = json.value.List.filter((one: Record<string, string>) => one.LicenseTypeName === 'Site').map(
    (one: Record<string, string>) => one.LicenseID,
  );
});
afterAll(async () => {
  await window.close();
  await demo.stop();
  work.remove();
});

const command = (...args: string[]) => runCommandLine([...args, '--connection', connection], { env });
const register = (licence: string, machine: string) =>
  ['licences', 'register', '--licence', licence, '--machine', machine, '--yes'] as const;
const bind = (licence: string, machine: string) =>
  fetch(new URL('/__demo/licence', demo.restBaseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number: Number(licence), bind: machine }),
  });
const found = (changeId: string) => unwrap(window.core.licences.findChange(changeId));

test('a window that has shown a change at which a command works is notified of its end', async () => {
  const [licence = ''] = seats;
  await demo.resetMeter();
  await demo.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'RegisterLicense' });
  const running = command(...register(licence, 'BESIDE-00'));
  await expect.poll(async () => (await demo.meter()).calls.RegisterLicense?.hits).toBe(1);
  const shown = unwrap(await window.call('licences.unfinished', {})).changes;
  expect(shown.filter(({ state }) => state === 'running')).toMatchObject([{ machine: 'BESIDE-00' }]);
  await demo.clearFaults();
  const { json } = await running;
  expect(json.verdict).toBe('seen');
  const ended = expect.objectContaining({ id: json.change.id, state: 'finished', verdict: 'seen' });
  await expect.poll(() => window.told).toContainEqual({ event: 'licences.change', payload: ended });
});

test('a change that a command leaves is read in time by the window, and its time is not said once that is closed', async () => {
  const [licence = ''] = seats;
  await demo.setFaults({ kind: 'status', status: 500, on: 'RegisterLicense', execute: false });
  const { json } = await command(...register(licence, 'BESIDE-01'));
  await demo.clearFaults();
  expect(json).toMatchObject({ verdict: 'on-its-way', nextRead: expect.stringMatching(/^\d{4}-/) });
  expect(json.conclusion).not.toContain('next start');
  await bind(licence, 'BESIDE-01');
  await demo.resetMeter();
  jump(Date.parse(json.nextRead) - clock.now());
  // Another process writes once more, so that the window looks at its clock before its timer ends.
  await command('licences', 'list');
  await expect.poll(() => found(json.change.id), { timeout: 20_000 }).toMatchObject({ verdict: 'seen' });
  expect((await demo.meter()).calls.GetLicenseDetails?.hits).toBe(1);

  await demo.setFaults({ kind: 'status', status: 500, on: 'RegisterLicense', execute: false });
  const left = await command(...register(licence, 'BESIDE-02'));
  await demo.clearFaults();
  expect(left.json.nextRead).toMatch(/^\d{4}-/);
  await window.close();
  const unfinished = await command('licences', 'unfinished');
  expect(unfinished.json.value).toMatchObject([{ nextRead: 'next-start' }]);
  const shown = await command('licences', 'finish', '--licence', licence);
  expect(shown.json.conclusion).toMatch(/, next at the next start\./);
  window = unwrap(await startProgram({ folder, clock }));
  // Whether it is due at a start of the tests below depends on the waits of the files before, which share this process.
  const changeId = left.json.change.id;
  const end = async () => {
    await window.call('licences.resume', { changeId, action: 'dismiss' });
    return found(changeId).state;
  };
  await expect.poll(end).toMatch(/dismissed|finished/);
});

test('what a command reads where the window’s connection led when it began is not stored once that leads elsewhere', async () => {
  const settings = { ...connectionSettings(demo), name: 'Edited meanwhile' };
  const id = await window.connect(settings, { 'account-guid': demo.demo.guid });
  const file = work.write('edited.json', settings);
  const [licence = ''] = seats;
  const machines = async () => unwrap(await window.call('licences.last-seen', { connectionId: id })).machines;
  const run = async (machine: string, during = async () => {}) => {
    await bind(licence, machine);
    await demo.resetMeter();
    // Between its reads; the window itself may read as well, and would take a fault of that.
    await demo.setFaults({ kind: 'delay', milliseconds: 25_000, on: 'UnregisterLicense' });
    const words = ['licences', 'unregister', '--licence', licence, '--machine', machine, '--yes', '--connection', file];
    const running = runCommandLine(words, { env });
    await expect.poll(async () => (await demo.meter()).calls.UnregisterLicense?.hits).toBe(1);
    await during();
    await demo.clearFaults();
    expect((await running).json).toMatchObject({ verdict: 'seen' });
  };
  await run('EDITED-01');
  expect((await machines()).map(({ machine }) => machine)).toEqual(['EDITED-01']);
  await run('EDITED-02', () => editConnection(window, id, { soapUrl: `${demo.soapUrl}/test` }));
  expect(await machines()).toEqual([]);
});

test.each([
  ['does not have', undefined, false],
  ['has without the account', { accountName: '' }, true],
  ['has without the GUID', {}, false],
] as const)(
  'over a connection that the window %s no next read is said, and none is made',
  async (kind, known, hasGuid) => {
    const settings = { ...connectionSettings(demo), name: `One that it ${kind}` };
    if (known) await window.connect({ ...settings, ...known }, hasGuid ? { 'account-guid': demo.demo.guid } : {});
    const file = work.write('odd.json', settings);
    const at = (...args: string[]) => runCommandLine([...args, '--connection', file], { env });
    const [licence = ''] = seats;
    const machine = `ODD-${kind.length}`;
    await demo.setFaults({ kind: 'status', status: 500, on: 'RegisterLicense', execute: false });
    const { json } = await at(...register(licence, machine));
    await demo.clearFaults();
    expect(json).toMatchObject({ verdict: 'on-its-way', nextRead: null });
    expect(json.conclusion).toMatch(/Not seen as planned after \d+ reads? until/);
    expect(json.conclusion).not.toContain('next');
    expect((await at('licences', 'unfinished')).json.value).toMatchObject([{ nextRead: null }]);
    await demo.resetMeter();
    await window.close();
    window = unwrap(await startProgram({ folder, clock }));
    await window.core.licences.readAtStart();
    expect((await demo.meter()).calls.GetLicenseDetails).toBeUndefined();
    expect(found(json.change.id)).toMatchObject({ state: 'interrupted', nextRead: null });
    // Read by a person it ends as it is seen.
    await bind(licence, machine);
    expect((await at('licences', 'check', '--licence', licence)).json).toMatchObject({ ok: true, verdict: 'seen' });

    // Called by its operation’s name, of which no answer came.
    await demo.setFaults({ kind: 'reset', on: 'RegisterLicense' });
    const fields = ['--set', `iLicenseID=${licence}`, '--set', `sMachineName=${machine}-B`];
    expect((await at('call', 'RegisterLicense', ...fields)).json.error).toMatchObject({ code: 'sent-no-answer' });
    await demo.clearFaults();
    expect((await at('licences', 'unfinished')).json.value).toMatchObject([{ nextRead: null }]);
    await bind(licence, `${machine}-B`);
    expect((await at('licences', 'check', '--licence', licence)).status).toBe(0);
  },
);
