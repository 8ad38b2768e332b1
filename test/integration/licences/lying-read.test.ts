import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { planBulk } from '../../../electron/core/licences/bulk/bulk-plan.ts';
import { dismissChange, runChange } from '../../../electron/core/licences/change/change-states.ts';
import { planChange, readList } from '../../../electron/core/licences/change/plan.ts';
import { planUndo } from '../../../electron/core/licences/change/undo.ts';
import { openInventoryStore } from '../../../electron/core/licences/machines/inventory-store.ts';
import { createMachines } from '../../../electron/core/licences/machines/machines.ts';
import { openLicenceStore } from '../../../electron/core/licences/records/licence-store.ts';
import { inTransaction } from '../../../electron/core/storage/in-transaction.ts';
import { createHttpTransport } from '../../../electron/core/transport/http/http-transport.ts';
import type { Fault } from '../../../electron/demo-service/faults.ts';
import type { RunningDemo } from '../../../electron/demo-service/service.ts';
import type { ChangeKind } from '../../../shared/domain/licences/licence-change.ts';
import { wrapBody, wrapResult } from '../../fixtures/soap/envelopes.ts';
import { startTestService } from '../../helpers/demo-process.ts';
import { connectionId, type LicenceConsole, openLicenceConsole, passTime } from '../../helpers/licence-console.ts';
import { licenceCallsTo } from '../../helpers/licence-http.ts';
import { startProgram } from '../../helpers/program.ts';
import { unwrap } from '../../helpers/temp-database.ts';

// A service that reports a write as done and ignores it, with each false answer to the reads that check it. Over real HTTP and SOAP.

const details = 'GetLicenseDetails';
let demo: RunningDemo;
let transport: ReturnType<typeof createHttpTransport>;
let folder: string;
let console: LicenceConsole;
let licenceNumber: string;
let from: string;

beforeAll(async () => {
  demo = await startTestService({ premises: 2000 });
  transport = createHttpTransport();
  const licence = demo.account.licences.find(
    ({ type, machines }) => type === 'Multi Machine 3' && machines.length === 2,
  );
  if (!licence?.machines[0]) throw new Error('the demo account has no such licence');
  licenceNumber = String(licence.number);
  from = licence.machines[0];
  folder = mkdtempSync(join(tmpdir(), 'address-console-lies-'));
  console = await openLicenceConsole(folder, licenceCallsTo(demo, transport.send));
});
afterAll(async () => {
  console.database.close();
  rmSync(folder, { recursive: true, force: true });
  await transport.close();
  await demo.stop();
});
beforeEach(() => demo.faults.clear());

const named = (content: string, namespace = demo.soapNamespace) => wrapResult(details, content, '1.1', namespace);
const empty = '<List><License><LicenseID/><Return_Code>0</Return_Code></License></List>';
const later = (content: string) => `<License>${content}<Return_Code>0</Return_Code></License>`;
const flag = (value: string) => `<IsError>${value}</IsError>`;
const lies: [string, () => string][] = [
  [
    'an error flag and an empty record of code 0',
    () => named(`${empty}${flag('true')}<ErrorMessage>Database is busy</ErrorMessage>`),
  ],
  ['an error message alone', () => named(`<List/>${flag('false')}<ErrorMessage>Database is busy</ErrorMessage>`)],
  ['an empty result', () => named('')],
  ['a response without a result', () => wrapBody(`<${details}Response xmlns="${demo.soapNamespace}"/>`)],
  ['the answer of another operation', () => wrapResult('ServiceTest', 'OK', '1.1', demo.soapNamespace)],
  [
    'the list of another operation',
    () => wrapResult('GetLicenseList', `<List/>${flag('false')}`, '1.1', demo.soapNamespace),
  ],
  ['a nil list', () => named(`<List xsi:nil="true"/>${flag('false')}`)],
  ['another namespace', () => named(`<List/>${flag('false')}`, 'http://elsewhere.example.org/')],
  ['a truncated empty list', () => named(`<List/>${flag('false')}<IsTruncated>true</IsTruncated>`)],
  [
    'a licence under names that are not known',
    () => named(`<List><License><LicenceNo>7</LicenceNo></License></List>${flag('false')}`),
  ],
  [
    'a licence after an empty record of code 0',
    () => named(`${empty.replace('</List>', `${later('<LicenseID>7</LicenseID>')}</List>`)}${flag('false')}`),
  ],
  [
    'a licence under a name that is not known after an empty record of code 0',
    () => named(`${empty.replace('</List>', `${later('<LicenceNo>7</LicenceNo>')}</List>`)}${flag('false')}`),
  ],
];

/** Answers that contain the licence under its number in another form, which a comparison of numbers would not find. */
for (const [what, write] of [
  ['with a fraction', (number: string) => `${number}.0`],
  [
    'in full-width digits',
    (number: string) => number.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ],
  ['grouped by commas', (number: string) => `${number.slice(0, -3)},${number.slice(-3)}`],
  ['in hexadecimal', (number: string) => `0x${Number(number).toString(16)}`],
] as const)
  lies.push([
    `its licence under its number ${what}`,
    () =>
      named(
        `<List><License><ReferenceNo>WY</ReferenceNo><LicenseID>${write(licenceNumber)}</LicenseID><Return_Code>1</Return_Code></License></List>${flag('false')}`,
      ),
  ]);

const lie = (body: string): Fault[] => [
  { kind: 'status', status: 200, type: 'text/xml; charset=utf-8', body, on: details, times: 'always' },
];
const ignored = (): Fault => ({
  kind: 'status',
  status: 200,
  type: 'text/xml; charset=utf-8',
  body: wrapResult('UnregisterLicense', 'Success', '1.1', demo.soapNamespace),
  on: 'UnregisterLicense',
  execute: false,
});

/** Names another licence and says that it is cut off. */
const cutOff = (operation: string) =>
  wrapResult(
    operation,
    `<List><License><ReferenceNo>WY</ReferenceNo><LicenseID>7</LicenseID><Return_Code>1</Return_Code></License></List>${flag('false')}<IsTruncated>true</IsTruncated>`,
    '1.1',
    demo.soapNamespace,
  );

describe('an answer that says it is cut off', () => {
  test('of a machine: there is not “nothing to undo”, nor is what it leaves out gone', async () => {
    const { deps, database } = console;
    const request = { connectionId, kind: 'register', licenceNumber, machine: 'NEW-9' } as const;
    const plan = unwrap(await planChange(request, deps.calls, deps.store, deps.ctx));
    const change = unwrap(await runChange(plan.id, { name: 'NEW-9' }, deps));
    expect(change.verdict).toBe('seen');
    demo.faults.set(...lie(cutOff(details)));
    expect(await planUndo(change.id, deps)).toMatchObject({
      error: { code: 'unreadable-answer', message: expect.stringMatching(/^NEW-9 could not be read: its IsTruncated/) },
    });

    const machines = createMachines({
      store: deps.store,
      inventory: openInventoryStore(database.sql),
      thisMachine: 'HERE',
      now: deps.ctx.now,
      inTransaction: (work) => inTransaction(database.sql, work),
    });
    const changed = () =>
      unwrap(machines.overview(connectionId)).machines.flatMap(({ name, findings }) =>
        name === 'NEW-9' ? findings.filter(({ kind }) => kind === 'changed').map(({ text }) => text) : [],
      );
    const scan = async () => unwrap(await machines.scan(connectionId, ['NEW-9'], deps));
    await scan();
    expect(changed()).toEqual([]);
    // A whole answer is compared with the last whole one.
    demo.faults.clear();
    await scan();
    expect(changed()).toEqual([]);
    // An empty answer alone is no proof that it is not there.
    demo.faults.set(...lie(named(`<List/>${flag('false')}`)));
    expect(await planUndo(change.id, deps)).toMatchObject({
      error: { code: 'plan-outdated', message: expect.stringMatching(/^By what was read there is nothing to undo: /) },
    });
    demo.faults.clear();
    unwrap(await runChange(unwrap(await planUndo(change.id, deps)).id, { name: 'NEW-9' }, deps));
    passTime(10 * 60_000);
  });

  const cutOffList = (): Fault => ({ ...lie(cutOff('GetLicenseList'))[0], on: 'GetLicenseList' }) as Fault;

  test('of the account is not taken for its licences: those read before stay', async () => {
    const { calls, store, ctx } = console.deps;
    const before = unwrap(await readList(connectionId, calls, store, ctx)).licences.length;
    demo.faults.set(cutOffList());
    expect(unwrap(await readList(connectionId, calls, store, ctx))).toMatchObject({ isKept: false });
    expect(store.lastSeen(connectionId).licences).toHaveLength(before);
    expect(store.lastSeen(connectionId).doubt).toBeUndefined();
  });

  test('of the account, where no whole one was ever read, is shown and planned from, and of what it leaves out nothing is said', async () => {
    const own = mkdtempSync(join(tmpdir(), 'address-console-cut-'));
    const { deps, database } = await openLicenceConsole(own, licenceCallsTo(demo, transport.send));
    try {
      const { calls, store, ctx } = deps;
      demo.faults.set(cutOffList());
      unwrap(await readList(connectionId, calls, store, ctx));
      const list = store.lastSeen(connectionId);
      expect(list).toMatchObject({ licences: [{ licenceNumber: '7' }], doubt: 'its IsTruncated is set' });
      // The same from the disk, as a next start reads it.
      expect(openLicenceStore(database).lastSeen(connectionId)).toEqual(list);
      const plan = async (kind: ChangeKind, number: string, machine: string) =>
        unwrap(await planChange({ connectionId, kind, licenceNumber: number, machine }, calls, store, ctx)).warnings;
      expect((await plan('register', '7', 'NEW-7')).filter(({ blocks, tick }) => blocks || tick)).toEqual([]);
      const unknown = 'Whether the account has it is not known.';
      expect(await plan('register', licenceNumber, 'NEW-7')).toContainEqual(
        expect.objectContaining({ code: 'licence-not-listed', blocks: true, text: expect.stringContaining(unknown) }),
      );
      const [notListed, mayStayOff] = await plan('unregister', licenceNumber, from);
      expect(notListed).toMatchObject({ blocks: false, text: expect.stringContaining(unknown) });
      expect(mayStayOff?.tick).toBe('Take it off even though its Status is not known');
      const inventory = openInventoryStore(database.sql);
      const machines = createMachines({
        store,
        inventory,
        thisMachine: 'HERE',
        now: ctx.now,
        inTransaction: (work) => inTransaction(database.sql, work),
      });
      const row = unwrap(machines.overview(connectionId)).machines.find(({ name }) => name === from);
      expect(row?.findings.filter(({ kind }) => kind === 'ghost')).toEqual([]);
      expect(row?.holds).toContainEqual(expect.objectContaining({ licenceNumber, listed: null }));
      const rows = [{ row: 1, licence: licenceNumber, change: '', machine: 'NEW-7', from: '', state: '' }];
      const { bulk } = unwrap(await planBulk({ connectionId, source: 'a table', kind: 'register', rows }, deps));
      expect(bulk.rows.map(({ state, text }) => `${state}: ${text}`)).toEqual([
        'skipped: the list that came, which may not be whole, names no such licence',
      ]);
      // A whole one takes its place.
      demo.faults.clear();
      unwrap(await readList(connectionId, calls, store, ctx));
      expect(store.lastSeen(connectionId).doubt).toBeUndefined();
    } finally {
      database.close();
      rmSync(own, { recursive: true, force: true });
    }
  });

  test('crosses to the window with what is doubtful about it, and takes no whole list’s place', async () => {
    const program = unwrap(await startProgram());
    try {
      const own = await program.connect(
        { soapUrl: demo.soapUrl, soapNamespace: demo.soapNamespace, accountName: demo.demo.accountName },
        { 'account-guid': demo.demo.guid },
      );
      const ask = (channel: 'licences.read' | 'licences.last-seen') => program.call(channel, { connectionId: own });
      demo.faults.set(cutOffList());
      expect(unwrap(await ask('licences.read'))).toMatchObject({ total: 1, doubt: 'its IsTruncated is set' });
      expect(unwrap(await ask('licences.last-seen'))).toMatchObject({ list: { doubt: 'its IsTruncated is set' } });
      const guid = '6f9619ff-8b86-d011-b42d-00c04fc9a93c';
      const body = cutOff('GetLicenseList').replace(
        flag('false'),
        `${flag('false')}<ErrorMessage>Not all, says ${guid}</ErrorMessage>`,
      );
      demo.faults.clear();
      demo.faults.set({ ...lie(body)[0], on: 'GetLicenseList' } as Fault);
      expect(unwrap(await ask('licences.read'))).toMatchObject({
        doubt: 'its ErrorMessage is “Not all, says ••••a93c”',
      });
      // The same of a machine, whose holdings go into the journal.
      const seven = '<List><License><LicenseID>7</LicenseID><Return_Code>1</Return_Code></License></List>';
      demo.faults.set(...lie(named(`${seven}${flag('false')}<ErrorMessage>Not all, says ${guid}</ErrorMessage>`)));
      expect(unwrap(await program.call('licences.ask-machine', { connectionId: own, machine: 'NEW-9' }))).toMatchObject(
        {
          doubt: 'its ErrorMessage is “Not all, says ••••a93c”',
        },
      );
      demo.faults.clear();
      expect(unwrap(await ask('licences.read'))).not.toHaveProperty('doubt');
      demo.faults.set(cutOffList());
      expect(await ask('licences.read')).toMatchObject({
        error: {
          code: 'unreadable-answer',
          message: expect.stringContaining('cut off'),
          charge: 'may-have-been-charged',
        },
      });
      expect(unwrap(await ask('licences.last-seen'))).not.toHaveProperty('list.doubt');
    } finally {
      await program.close();
    }
  });
});

describe.each(['unregister', 'move'] as const)('a %s that the service ignores', (kind) => {
  test.each(lies)('read back as %s ends unread', async (_what, body) => {
    const { deps } = console;
    const wish = {
      connectionId,
      kind: kind as ChangeKind,
      licenceNumber,
      machine: kind === 'move' ? 'NEW-3' : from,
      ...(kind === 'move' ? { fromMachine: from } : {}),
    };
    const plan = unwrap(await planChange(wish, deps.calls, deps.store, deps.ctx));
    const before = demo.meter.hits('UnregisterLicense');
    const registered = demo.meter.hits('RegisterLicense');
    // Reads before the write are true; from the write on they are false.
    const { unregister } = deps.calls;
    const lying = {
      ...deps,
      calls: {
        ...deps.calls,
        unregister: (licence: string, machine: string) => {
          demo.faults.set(ignored(), ...lie(body()));
          return unregister(licence, machine);
        },
      },
    };
    const change = unwrap(await runChange(plan.id, { name: plan.machine }, lying));
    expect(change).toMatchObject({ state: 'interrupted', verdict: 'on-its-way', serviceText: ['Success'] });
    expect(change.conclusion).toContain(`${from} could not be read`);
    expect(change.after).toEqual([]);
    expect(change.conclusion).not.toMatch(/confirmed|no longer/);
    expect(demo.meter.hits('UnregisterLicense') - before).toBe(1);
    expect(demo.meter.hits('RegisterLicense')).toBe(registered);
    demo.faults.clear();
    unwrap(await dismissChange(change.id, deps));
    passTime(10 * 60_000);
  });
});
