import type { ChannelInput, ChannelName } from '../../shared/contract.ts';
import { wholeJournal } from '../../shared/domain/licences/journal-filter.ts';
import type { Bulk } from '../../shared/domain/licences/licence-bulk.ts';
import type { LicenceChange } from '../../shared/domain/licences/licence-change.ts';
import { wholeTable } from '../../shared/domain/row-filter.ts';
import type { Result } from '../../shared/result.ts';
import { type Fault, type FaultyService, faults, type Target } from './faulty-service.ts';
import { loggedCalls } from './logged-calls.ts';
import type { Program } from './program.ts';
import { unwrap } from './temp-database.ts';

/** The surroundings of one pair of feature and fault: a program, a connection that only this pair uses, and its service. */
export interface Scene {
  program: Program;
  service: FaultyService;
  connectionId: string;
}
interface Act extends Scene {
  requestId: string;
  /** What `prepare` returned, such as the id of a planned change. */
  facts: Record<string, string>;
}

/** A feature of the program that makes calls, and which of these calls meets the fault. */
export interface Feature {
  name: string;
  channel: ChannelName;
  target: Target;
  /** The published price of the targeted call. */
  cost: 'credits' | 'not published' | 'nothing';
  /** The most requests of each name that the feature may make. */
  calls: Record<string, number>;
  prefers?: 'rest' | 'soap';
  soapVersion?: '1.1' | '1.2';
  without?: 'rest' | 'soap';
  /** False if the call may not be made at all, or is not in the activity log (a description). */
  logged?: false;
  prepare?(scene: Scene): Promise<Record<string, string>>;
  act(scene: Act): Promise<unknown>;
  /** Checks the result if it is not simply an answer or an error. Returns what is wrong. */
  check?(scene: Act, result: unknown, fault: Fault, arrived: number): string[];
}

const premiseId = '00000001';
const closedDoor = faults.find(({ name }) => name === 'closed door') as Fault;

const ask =
  <C extends ChannelName>(channel: C, input: (scene: Act) => Omit<ChannelInput<C>, 'connectionId'>) =>
  (scene: Act): Promise<unknown> =>
    scene.program.call(channel, { connectionId: scene.connectionId, ...input(scene) } as never, scene.requestId);

const run = (operation: string, fields: Record<string, string>, dataset = false) =>
  ask('operations.run', () => ({
    operation,
    dataset,
    fields: Object.entries(fields).map(([name, value]) => ({ name, values: [value] })),
  }));

const register = { kind: 'register', licenceNumber: '20419', machine: 'THERE' } as const;
async function planned({ program, connectionId }: Scene): Promise<Record<string, string>> {
  return { changeId: unwrap(await program.call('licences.plan', { connectionId, ...register })).id };
}

/** Makes a change whose write was sent and whose effect could not be read. */
async function interrupted(scene: Scene): Promise<Record<string, string>> {
  const facts = await planned(scene);
  await scene.service.arm(closedDoor, { name: 'GetLicenseDetails', nth: 2, onwards: true });
  unwrap(await scene.program.call('licences.run', { changeId: facts.changeId ?? '', confirmedName: 'THERE' }));
  await scene.service.mend();
  return facts;
}

const isChange = (result: unknown): result is { ok: true; value: LicenceChange } => (result as Result<unknown>).ok;

/** The machine is read after a write, whatever was answered, so the outcome is known if the service can still be reached. */
function writeIsSeen(_: Act, result: unknown, __: Fault, arrived: number): string[] {
  if (!isChange(result)) return [`an error in place of a verdict: ${JSON.stringify(result)}`];
  const { verdict, offers } = result.value;
  // A write that did not arrive either never left this computer or may still be on its way.
  const expected = arrived > 0 ? ['seen'] : ['not-seen', 'on-its-way'];
  if (!expected.includes(verdict ?? 'none')) return [`${verdict} in place of ${expected}`];
  return verdict === 'on-its-way' && !offers.includes('check') ? ['not offered for reading again'] : [];
}

function readingBackIsSaid(_: Act, result: unknown, fault: Fault): string[] {
  if (!isChange(result)) return [`an error in place of a verdict: ${JSON.stringify(result)}`];
  const { verdict, offers } = result.value;
  // A read that failed is made once more.
  const expected = fault.truth === 'fine' ? ['seen'] : ['seen', 'on-its-way'];
  if (!expected.includes(verdict ?? 'none')) return [`${verdict} in place of ${expected}`];
  return verdict === 'on-its-way' && !offers.includes('check') ? ['not offered for reading again'] : [];
}

/** Nothing was written, because the machine is read before. */
function nothingWritten({ service }: Act, result: unknown, fault: Fault): string[] {
  const { ok } = result as Result<unknown>;
  if (ok !== (fault.truth === 'fine' || (fault.truth === 'any' && ok))) return [`ok: ${ok}`];
  return !ok && service.hits.has('RegisterLicense') ? ['written though it could not be read'] : [];
}

const bulkRows = [{ row: 1, licence: '20419', change: '', machine: 'THERE', from: '', state: '' }];
const planBulk = ask('bulk.plan', () => ({ source: 'typed', kind: 'register' as const, rows: bulkRows }));

function rowsSay(states: (fault: Fault, arrived: number) => string): NonNullable<Feature['check']> {
  return (_, result, fault, arrived) => {
    const { ok } = result as Result<Bulk>;
    if (!ok) return [`an error in place of rows: ${JSON.stringify(result)}`];
    const got = (result as { value: Bulk }).value.rows.map(({ state }) => state).join();
    const expected = states(fault, arrived);
    return got === expected ? [] : [`rows are ${got}, not ${expected}`];
  };
}

/** What the next row would meet too: the run pauses, and the row stays planned. */
const refusesEveryRow = new Set(['nobody listens', 'cut as it connects', 'a sign-in page', '401', '403', '429']);

const well = (fault: Fault): boolean => fault.truth === 'fine';

export const features: readonly Feature[] = [
  // Lookup
  {
    name: 'a search',
    channel: 'lookup.search',
    target: { name: 'Search' },
    cost: 'credits',
    calls: { Search: 1 },
    act: ask('lookup.search', () => ({ text: 'AB1 2DF', interface: 'rest' as const })),
  },
  {
    name: 'a search over SOAP, by postcode',
    channel: 'lookup.search',
    target: { name: 'SearchPremise_ByPostcode' },
    cost: 'nothing',
    calls: { SearchPremise_ByPostcode: 1, description: 1 },
    prefers: 'soap',
    act: ask('lookup.search', () => ({ text: 'AB1 2DF', interface: 'soap' as const })),
  },
  {
    name: 'a search over SOAP, by words',
    channel: 'lookup.search',
    target: { name: 'SearchPremise_ByWordMatchOnAll' },
    cost: 'nothing',
    calls: { SearchPremise_ByWordMatchOnAll: 1, description: 1 },
    prefers: 'soap',
    act: ask('lookup.search', () => ({ text: 'High Street' })),
  },
  {
    name: 'a premise opened',
    channel: 'lookup.open',
    target: { name: 'GetPremise' },
    cost: 'credits',
    calls: { GetPremise: 1 },
    act: ask('lookup.open', () => ({ premiseId, interface: 'rest' as const })),
  },
  {
    name: 'a premise opened over SOAP',
    channel: 'lookup.open',
    target: { name: 'GetPremiseAddress' },
    cost: 'credits',
    calls: { GetPremiseAddress: 1, description: 1 },
    act: ask('lookup.open', () => ({ premiseId, interface: 'soap' as const })),
  },
  {
    name: 'a premise opened over SOAP 1.2',
    channel: 'lookup.open',
    target: { name: 'GetPremiseAddress' },
    cost: 'credits',
    calls: { GetPremiseAddress: 1, description: 1 },
    soapVersion: '1.2',
    act: ask('lookup.open', () => ({ premiseId, interface: 'soap' as const })),
  },
  {
    name: 'a UPRN',
    channel: 'lookup.uprn',
    target: { name: 'GetPremise' },
    cost: 'credits',
    calls: { GetPremise: 1, GetPremiseGeoData: 0 },
    act: ask('lookup.uprn', () => ({ premiseId, operation: 'GetPremise' as const })),
  },
  {
    name: 'a UPRN beside the address',
    channel: 'lookup.uprn',
    target: { name: 'GetPremiseGeoData' },
    cost: 'credits',
    calls: { GetPremiseGeoData: 1 },
    prepare: async ({ program, connectionId }) => {
      unwrap(await program.call('lookup.open', { connectionId, premiseId, interface: 'rest' as const }));
      return {};
    },
    act: ask('lookup.uprn', () => ({ premiseId, operation: 'GetPremiseGeoData' as const })),
  },
  {
    name: 'a distance',
    channel: 'lookup.distances',
    target: { name: 'DistanceBetween_Postcodes' },
    cost: 'not published',
    calls: { DistanceBetween_Postcodes: 1, description: 1 },
    act: ask('lookup.distances', () => ({ from: 'AB1 2DF', to: ['AB1 2CE'] })),
  },
  {
    name: 'distances',
    channel: 'lookup.distances',
    target: { name: 'NearestData_ForPostcode' },
    cost: 'not published',
    calls: { NearestData_ForPostcode: 1, description: 1 },
    act: ask('lookup.distances', () => ({ from: 'AB1 2DF', to: ['AB1 2CE', 'AB1 2CF'] })),
  },
  // Operations
  {
    name: 'the operation Search',
    channel: 'operations.run',
    target: { name: 'Search' },
    cost: 'credits',
    calls: { Search: 1 },
    act: run('Search', { query: 'AB1 2DF' }),
  },
  {
    name: 'the operation GetPremiseGeoData',
    channel: 'operations.run',
    target: { name: 'GetPremiseGeoData' },
    cost: 'credits',
    calls: { GetPremiseGeoData: 1 },
    act: run('GetPremiseGeoData', { id: premiseId }),
  },
  {
    name: 'the operation GetCredits',
    channel: 'operations.run',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    calls: { GetCredits: 1 },
    act: run('GetCredits', {}),
  },
  {
    name: 'the operation GeoData_ForPostcode',
    channel: 'operations.run',
    target: { name: 'GeoData_ForPostcode' },
    cost: 'not published',
    calls: { GeoData_ForPostcode: 1, description: 1 },
    act: run('GeoData_ForPostcode', { sPostcodes: 'AB1 2DF' }),
  },
  {
    name: 'the operation GeoData_ForPostcode as a data set',
    channel: 'operations.run',
    target: { name: 'GeoData_ForPostcode_Dataset' },
    cost: 'not published',
    calls: { GeoData_ForPostcode_Dataset: 1, description: 1 },
    act: run('GeoData_ForPostcode', { sPostcodes: 'AB1 2DF' }, true),
  },
  {
    name: 'the operation ServiceTest, over 1.2',
    channel: 'operations.run',
    target: { name: 'ServiceTest' },
    cost: 'not published',
    calls: { ServiceTest: 1, description: 1 },
    soapVersion: '1.2',
    act: run('ServiceTest', {}),
  },
  // Credits
  {
    name: 'the balance of a key',
    channel: 'credits.read-balances',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    calls: { GetCredits: 1 },
    act: ask('credits.read-balances', () => ({ sources: ['rest-key' as const] })),
  },
  {
    name: 'a key tried with the free call',
    channel: 'secrets.try',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    calls: { GetCredits: 1 },
    prepare: async ({ program, connectionId }) => {
      const { connections } = unwrap(await program.call('connections.list', {}));
      const view = connections.find(({ connection }) => connection.id === connectionId);
      return { secretId: view?.secrets.find(({ role }) => role === 'lookup-key')?.id ?? '' };
    },
    act: ask('secrets.try', ({ facts }) => ({ secretId: facts.secretId ?? '' })),
  },
  {
    name: 'the balance of the account',
    channel: 'credits.read-balances',
    target: { name: 'GetAvailableCredits' },
    cost: 'not published',
    calls: { GetAvailableCredits: 1, description: 1 },
    act: ask('credits.read-balances', () => ({ sources: ['soap-account' as const] })),
  },
  {
    name: 'the balance by the service test',
    channel: 'credits.read-balances',
    target: { name: 'ServiceTest' },
    cost: 'not published',
    calls: { ServiceTest: 1, description: 1 },
    act: ask('credits.read-balances', () => ({ sources: ['service-test' as const] })),
  },
  {
    name: 'settling a call by a reading',
    channel: 'credits.read-evidence',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    // The program may make a second one by itself: the balance is read after a spend.
    calls: { GetCredits: 2 },
    prepare: async ({ program, service, connectionId }) => {
      await service.arm(closedDoor, { name: 'GetPremise' });
      const opened = await program.call('lookup.open', { connectionId, premiseId, interface: 'rest' });
      await untilLogged(program, connectionId, 'GetCredits');
      await service.mend();
      return { callId: opened.ok ? '' : (opened.error.callId ?? '') };
    },
    act: ({ program, facts, requestId }) =>
      program.call('credits.read-evidence', { callId: facts.callId ?? '' }, requestId),
  },
  {
    name: 'a price experiment, at the balance',
    channel: 'credits.measure',
    target: { name: 'GetAvailableCredits' },
    cost: 'not published',
    calls: { GetAvailableCredits: 3, GeoData_ForPostcode: 1, description: 1 },
    act: ask('credits.measure', () => ({
      operation: 'GeoData_ForPostcode',
      fields: [{ name: 'sPostcodes', value: 'AB1 2DF' }],
    })),
  },
  {
    name: 'a price experiment, at the call',
    channel: 'credits.measure',
    target: { name: 'GeoData_ForPostcode', after: 'GetAvailableCredits' },
    cost: 'not published',
    calls: { GetAvailableCredits: 3, GeoData_ForPostcode: 1, description: 1 },
    // The service closes after the first reading of the balance, so the call may never be made.
    logged: false,
    act: ask('credits.measure', () => ({
      operation: 'GeoData_ForPostcode',
      fields: [{ name: 'sPostcodes', value: 'AB1 2DF' }],
    })),
  },
  // Connections
  {
    name: 'the connection test',
    channel: 'connections.test',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    calls: { GetCredits: 1, description: 1 },
    logged: false,
    act: ask('connections.test', () => ({})),
  },
  {
    name: 'the connection test, at the description',
    channel: 'connections.test',
    target: { name: 'description' },
    cost: 'nothing',
    calls: { description: 1 },
    without: 'rest',
    logged: false,
    act: ask('connections.test', () => ({})),
  },
  {
    name: 'the description',
    channel: 'connections.read-description',
    target: { name: 'description' },
    cost: 'nothing',
    calls: { description: 1 },
    logged: false,
    act: ask('connections.read-description', () => ({})),
  },
  {
    name: 'a call before the description was read',
    channel: 'lookup.open',
    target: { name: 'description' },
    cost: 'nothing',
    calls: { description: 1, GetPremiseAddress: 1 },
    logged: false,
    act: ask('lookup.open', () => ({ premiseId, interface: 'soap' as const })),
    // Without a description the published rules are used, so the call is still made if the server can be reached.
    check: (_, result, fault) =>
      (result as Result<unknown>).ok === (fault.before === undefined) ? [] : [JSON.stringify(result).slice(0, 300)],
  },
  {
    name: 'a connection chosen',
    channel: 'connections.select',
    target: { name: 'GetCredits' },
    cost: 'nothing',
    calls: { GetCredits: 1 },
    act: async (scene) => {
      const { program, connectionId, requestId } = scene;
      const chosen = await program.call('connections.select', { connectionId }, requestId);
      await untilLogged(program, connectionId, 'GetCredits');
      return chosen;
    },
    // The first reading is made in the background, and its failure is not reported.
    check: (_, result) => ((result as Result<unknown>).ok ? [] : [JSON.stringify(result)]),
  },
  // Licences
  {
    name: 'the licences',
    channel: 'licences.read',
    target: { name: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, description: 1 },
    act: ask('licences.read', () => ({})),
  },
  {
    name: 'the GUID of a licence',
    channel: 'licences.copy-guid',
    target: { name: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, description: 1 },
    act: ask('licences.copy-guid', () => ({ licenceNumber: '20418', reason: 'a new laptop' })),
  },
  {
    name: 'what a machine holds',
    channel: 'licences.ask-machine',
    target: { name: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 1, description: 1 },
    act: ask('licences.ask-machine', () => ({ machine: 'HERE' })),
  },
  {
    name: 'a plan, at the list',
    channel: 'licences.plan',
    target: { name: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, GetLicenseDetails: 1, RegisterLicense: 0, description: 1 },
    act: ask('licences.plan', () => register),
  },
  {
    name: 'a plan to move, at the second machine',
    channel: 'licences.plan',
    target: { name: 'GetLicenseDetails', nth: 2, after: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, GetLicenseDetails: 2, RegisterLicense: 0, UnregisterLicense: 0, description: 1 },
    act: ask('licences.plan', () => ({
      kind: 'move' as const,
      licenceNumber: '20418',
      machine: 'THERE',
      fromMachine: 'HERE',
    })),
  },
  {
    name: 'a change, at the reading before it',
    channel: 'licences.run',
    target: { name: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 3, RegisterLicense: 1 },
    prepare: planned,
    act: ({ program, facts, requestId }) =>
      program.call('licences.run', { changeId: facts.changeId ?? '', confirmedName: 'THERE' }, requestId),
    check: nothingWritten,
  },
  {
    name: 'a change, at the write',
    channel: 'licences.run',
    target: { name: 'RegisterLicense', after: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 3, RegisterLicense: 1 },
    prepare: planned,
    act: ({ program, facts, requestId }) =>
      program.call('licences.run', { changeId: facts.changeId ?? '', confirmedName: 'THERE' }, requestId),
    check: writeIsSeen,
  },
  {
    name: 'a change, at the reading back',
    channel: 'licences.run',
    target: { name: 'GetLicenseDetails', nth: 2, after: 'RegisterLicense' },
    cost: 'not published',
    calls: { GetLicenseDetails: 3, RegisterLicense: 1 },
    prepare: planned,
    act: ({ program, facts, requestId }) =>
      program.call('licences.run', { changeId: facts.changeId ?? '', confirmedName: 'THERE' }, requestId),
    check: readingBackIsSaid,
  },
  {
    name: 'checking an unfinished change',
    channel: 'licences.resume',
    target: { name: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 1, RegisterLicense: 0 },
    prepare: interrupted,
    act: ({ program, facts, requestId }) =>
      program.call('licences.resume', { changeId: facts.changeId ?? '', action: 'check' }, requestId),
  },
  {
    name: 'asking every machine',
    channel: 'machines.scan',
    target: { name: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 1, description: 1 },
    act: async ({ program, connectionId, requestId }) => {
      const scan = await program.call('machines.scan', { connectionId, machines: ['HERE'] }, requestId);
      return { ok: scan.ok, scan, overview: await program.call('machines.overview', { connectionId }) };
    },
    check: (_, result, fault) => {
      const { scan } = result as { scan: Result<{ failed: number; answered: number }> };
      if (!scan.ok) return [JSON.stringify(scan)];
      return fault.truth === 'any' || scan.value.answered === (well(fault) ? 1 : 0) ? [] : [JSON.stringify(scan)];
    },
  },
  {
    name: 'a bulk plan, at the list',
    channel: 'bulk.plan',
    target: { name: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, GetLicenseDetails: 1, RegisterLicense: 0, description: 1 },
    act: planBulk,
  },
  {
    name: 'a bulk plan, at a machine',
    channel: 'bulk.plan',
    target: { name: 'GetLicenseDetails', after: 'GetLicenseList' },
    cost: 'not published',
    calls: { GetLicenseList: 1, GetLicenseDetails: 1, RegisterLicense: 0, description: 1 },
    act: planBulk,
    check: rowsSay((fault) => (well(fault) ? 'planned' : 'failed')),
  },
  {
    name: 'a bulk change, at the reading before it',
    channel: 'bulk.run',
    target: { name: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 3, RegisterLicense: 1 },
    prepare: plannedBulk,
    act: runBulk,
    check: rowsSay((fault) => (well(fault) ? 'seen' : refusesEveryRow.has(fault.name) ? 'planned' : 'failed')),
  },
  {
    name: 'a bulk change, at the write',
    channel: 'bulk.run',
    target: { name: 'RegisterLicense', after: 'GetLicenseDetails' },
    cost: 'not published',
    calls: { GetLicenseDetails: 3, RegisterLicense: 1 },
    prepare: plannedBulk,
    act: runBulk,
    check: (act, result, fault, arrived) =>
      rowsSay(() => (arrived > 0 ? 'seen' : 'failed'))(act, result, fault, arrived).length === 0
        ? []
        : rowsSay(() => (arrived > 0 ? 'seen' : 'on-its-way'))(act, result, fault, arrived),
  },
];

async function plannedBulk(scene: Scene): Promise<Record<string, string>> {
  const plan = (await planBulk({ ...scene, requestId: `plan-${scene.connectionId}`, facts: {} })) as Result<Bulk>;
  return { bulkId: unwrap(plan).id };
}

function runBulk({ program, facts, requestId }: Act): Promise<unknown> {
  return program.call('bulk.run', { bulkId: facts.bulkId ?? '', rows: [1], confirmed: '1' }, requestId);
}

/** Waits until a call in the background has ended. */
async function untilLogged({ core }: Program, connectionId: string, operation: string): Promise<void> {
  for (;;) {
    const rows = await loggedCalls(core.log, { connectionId });
    const row = rows.find((one) => one.operation === operation);
    if (row && row.durationMs > 0) return;
    await new Promise((go) => setTimeout(go, 20));
  }
}

/** Input of a channel, or a function that makes it; null if it is not called here because it opens a dialog or starts a program. */
type InputFor = ((connectionId: string) => unknown) | object | null;
const of = (connectionId: string) => ({ connectionId });
const filter = { text: '', types: [], statuses: [], quick: [] };
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const range = { from: inDays(-100), to: inDays(1) };
const noSuch = '00000000-0000-4000-8000-000000000000';
const batchTerms = { limit: 1, minimumBalance: null, rate: 1, keyLabel: null, goOnUntil: null };
const asked = { operation: 'Search', fields: [{ name: 'query', values: ['AB1 2DF'] }] };

/** Beginnings of the names of channels that contact other servers than the connection's. Other tests have their faults. */
export const testedElsewhere: Readonly<Record<string, string>> = {
  'updates.': 'the update feed',
  'network.': 'the network check, which sends no request to the service',
};

/** Channels that open no network connection, each with an input. */
export const makesNoCall: Record<string, InputFor> = {
  'about.licences': {},
  'app.info': {},
  'app.copy-text': { text: 'x' },
  'app.export-table': { name: 'x', text: 'y' },
  'app.may-print': {},
  'app.save-session': { name: 'x', text: 'y' },
  'app.read-session': {},
  'app.new-window': {},
  'app.arrivals': {},
  'app.running-calls': {},
  'settings.read': {},
  'settings.save': {
    colourScheme: 'auto',
    cachePolicy: { mode: 'days', amount: 30 },
    cacheMegabytes: 64,
    batchDays: 30,
    timeoutSeconds: 30,
  },
  'connections.list': {},
  'connections.save': null,
  'connections.remove': { connectionId: noSuch },
  'connections.start-demo': null,
  'connections.last-description': of,
  'secrets.put': null,
  'secrets.replace': { secretId: noSuch, value: 'new-key-1234' },
  'secrets.remove': { secretId: noSuch },
  'secrets.prefer': { secretId: noSuch },
  'lookup.search-ways': (connectionId: string) => ({ connectionId, text: 'AB1 2DF', maxResults: null }),
  'lookup.suggest': (connectionId: string) => ({ connectionId, text: 'AB1 2DF' }),
  'lookup.open-search': (connectionId: string) => ({ connectionId, answerId: noSuch }),
  'lookup.cached': of,
  'lookup.recent': of,
  'lookup.provenance': { answerIds: [] },
  'lookup.uprn-plan': (connectionId: string) => ({ connectionId, premiseId }),
  'lookup.shape': of,
  'lookup.dismiss-shape-change': of,
  'lookup.convert-place': { text: '51.5, -0.1' },
  'lookup.distances-price': (connectionId: string) => ({ connectionId, from: 'AB1 2DF', to: ['AB1 2CE'] }),
  'lookup.outside-map': { latitude: 51, longitude: 0 },
  'lookup.cached-answers': (connectionId: string) => ({ connectionId, search: '', limit: 10 }),
  'lookup.premise-answers': (connectionId: string) => ({ connectionId, premiseId }),
  'lookup.compare': { leftId: noSuch, rightId: noSuch, from: 0 },
  'lookup.more-results': (connectionId: string) => ({ connectionId, answerId: noSuch, from: 0 }),
  'lookup.store': {},
  'stored.sizes': {},
  'stored.tidy': {},
  'lookup.purge': { what: 'outdated' },
  'support.prepare': { callId: noSuch, masks: [] },
  'support.save': { supportId: noSuch, without: [] },
  'setup.prepare': {},
  'setup.save': { exportId: noSuch, without: [] },
  'setup.open': {},
  'setup.look': { importId: noSuch },
  'setup.import': { importId: noSuch, rows: [] },
  'setup.last': {},
  'setup.undo': {},
  'operations.list': of,
  'operations.price': (connectionId: string) => ({ connectionId, ...asked }),
  'operations.rows': { answerId: noSuch, table: 0, from: 0, count: 1 },
  'operations.put-away': { answerIds: [noSuch] },
  'operations.raw-close': { answerId: noSuch },
  'operations.raw-lines': { answerId: noSuch, side: 'answer', indented: false, from: 0, count: 1 },
  'operations.raw-find': { answerId: noSuch, side: 'answer', indented: false, text: 'x' },
  'operations.raw-copy': { answerId: noSuch, side: 'answer', indented: false },
  'operations.export-rows': {
    answerId: noSuch,
    name: 'x',
    table: 0,
    view: { column: null, descending: false, filter: '' },
    columns: [{ at: 0, head: 'A' }],
  },
  'operations.raw-save': { answerId: noSuch, side: 'answer', indented: false },
  'operations.snippet': (connectionId: string) => ({ connectionId, ...asked, language: 'curl' }),
  'operations.history': (connectionId: string) => ({
    connectionId,
    operation: 'Search',
    search: '',
    before: null,
    limit: 10,
  }),
  'operations.open-stored': { callId: noSuch },
  'operations.saved': {},
  'operations.save': { name: 'x', folder: '', dataset: false, ...asked },
  'operations.rename': { savedId: noSuch, name: 'x', folder: '' },
  'operations.remove': { savedId: noSuch },
  'operations.restore': { savedId: noSuch },
  'credits.overview': of,
  'credits.separate': (connectionId: string) => ({ connectionId }),
  'credits.say-separate': (connectionId: string) => ({ connectionId, separate: false }),
  'credits.set-prices': (connectionId: string) => ({ connectionId }),
  'credits.set-price': (connectionId: string) => ({ connectionId, operation: 'GeoData_ForPostcode', credits: null }),
  'credits.save-caps': (connectionId: string) => ({ connectionId, caps: { perRun: null, perDay: null, floor: null } }),
  'credits.ledger': (connectionId: string) => ({ connectionId, before: null, limit: 10 }),
  'credits.ledger-sums': (connectionId: string) => ({ connectionId, filter: wholeTable }),
  'credits.ledger-choices': of,
  'credits.accounting': of,
  'credits.save-accounting': (connectionId: string) => ({
    connectionId,
    accounting: { poundsPerCredit: 0.04, centres: [] },
  }),
  'credits.evidence': { callId: noSuch },
  'credits.history': (connectionId: string) => ({ connectionId, ...range, by: 'operation' }),
  'credits.forecast': of,
  'credits.reconcile': (connectionId: string) => ({ connectionId, ...range }),
  'credits.annotate': (connectionId: string) => ({ connectionId, entryId: noSuch, note: '' }),
  'credits.prices': of,
  'credits.alerts': of,
  'credits.save-alerts': (connectionId: string) => ({ connectionId, alerts: [] }),
  'credits.try-alert': of,
  'credits.turn-alert': (connectionId: string) => ({
    connectionId,
    alert: { kind: 'below-credits', threshold: 500 },
    isOn: false,
  }),
  'credits.export': (connectionId: string) => ({ connectionId, ...range, what: 'ledger', format: 'csv' }),
  'licences.last-seen': of,
  'licences.more': (connectionId: string) => ({ connectionId, readAt: '2027-01-01T00:00:00.000Z', from: 0 }),
  'licences.stop-after-step': { changeId: noSuch },
  'licences.unfinished': {},
  'licences.find-change': { changeId: noSuch },
  'licences.receipt': { changeId: noSuch },
  'journal.list': { filter: { ...wholeJournal, search: 'x' }, before: null, limit: 10 },
  'journal.choices': {},
  'journal.check': {},
  'journal.export': {},
  'licences.annotations': of,
  'licences.save-rule': (connectionId: string) => ({ connectionId, rule: { leadDays: 30, except: [] } }),
  'licences.save-label': (connectionId: string) => ({
    connectionId,
    label: { field: 'status', value: 'A', label: 'Active' },
  }),
  'licences.save-view': (connectionId: string) => ({ connectionId, name: 'x', filter }),
  'licences.remove-view': (connectionId: string) => ({ connectionId, name: 'x' }),
  'licences.annotate': (connectionId: string) => ({
    connectionId,
    own: { licenceNumber: '1', note: '', leadDays: null },
  }),
  'licences.export': (connectionId: string) => ({ connectionId, filter }),
  'licences.export-calendar': of,
  'machines.overview': of,
  'machines.seen': (connectionId: string) => ({ connectionId, machines: ['HERE'] }),
  'machines.save': null,
  'machines.remove': (connectionId: string) => ({ connectionId, name: 'HERE' }),
  'machines.import': of,
  'machines.export': of,
  'bulk.open': {},
  'bulk.read-text': { text: '20418,PC-1' },
  'bulk.stop': { bulkId: noSuch },
  'bulk.leave-out': { bulkId: noSuch, row: 1, out: true },
  'bulk.latest': of,
  'bulk.export': { bulkId: noSuch },
  'bulk.receipt': { bulkId: noSuch },
  'batch.list': of,
  'batch.open': of,
  'batch.open-sample': of,
  'batch.paste': (connectionId: string) => ({ connectionId, text: 'Postcode\nAB1 2DF' }),
  'batch.drop': (connectionId: string) => ({
    connectionId,
    transfer: noSuch,
    name: 'x.csv',
    bytes: 1,
    from: 0,
    part: 'eA==',
  }),
  'batch.get': { batchId: noSuch },
  'batch.pause': { batchId: noSuch },
  'batch.stop': { batchId: noSuch },
  'batch.forget': { batchId: noSuch },
  'batch.discard': { batchId: noSuch },
  'batch.read-as': { tableId: noSuch },
  'batch.close-table': { tableId: noSuch },
  'batch.plan': { tableId: noSuch, wants: ['exists'] },
  'batch.run': { batchId: noSuch, ...batchTerms },
  'batch.not-done': { batchId: noSuch, unknown: [], failed: { all: true, but: [] } },
  'batch.run-not-done': { batchId: noSuch, unknown: [], failed: { all: true, but: [] }, ...batchTerms },
  'batch.rows': { batchId: noSuch, filter: {}, from: 0, limit: 10 },
  'batch.several': { batchId: noSuch, row: 1 },
  'batch.choose': { batchId: noSuch, row: 1, choice: null },
  'batch.result-sample': { batchId: noSuch, row: null },
  'batch.save': {
    batchId: noSuch,
    filter: {},
    format: 'csv',
    encoding: 'utf-8-bom',
    columns: [],
    acknowledgement: '',
  },
  'batch.sample': {},
  'activity.list': { search: '', before: null, limit: 10 },
  'activity.unfold': { newestId: noSuch, oldestId: noSuch },
  'activity.sums': { filter: wholeTable },
  'activity.choices': {},
  'activity.export': { filter: wholeTable },
};
