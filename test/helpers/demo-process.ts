import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main } from '../../electron/cli/main.ts';
import type { Surroundings } from '../../electron/cli/surroundings.ts';
import { readCommandLine } from '../../electron/demo-service/command-line.ts';
import type { DemoCredentials } from '../../electron/demo-service/demo-credentials.ts';
import type { Fault } from '../../electron/demo-service/faults.ts';
import type { MeterState } from '../../electron/demo-service/meter.ts';
import type { DemoOptions } from '../../electron/demo-service/options.ts';
import { type RunningDemo, startDemoService } from '../../electron/demo-service/service.ts';
import { systemClock } from '../../electron/platform/clock.ts';
import { createMemoryVault } from '../../electron/platform/memory-vault.ts';
import { detectKeychain } from '../../electron/platform/system-keychain.ts';
import { elapsedOf, type Pauses } from '../../electron/ports.ts';
import { removeFolder } from './folders.ts';
import { putReadyDatabase } from './ready-database.ts';

const path = (relative: string): string => join(import.meta.dirname, '..', '..', ...relative.split('/'));

/** The cache file of made-up premises for one test run: building the usual 4,000 takes longer than most tests that ask for them. */
export const premisesCache = ({ seed, premises }: Pick<DemoOptions, 'seed' | 'premises'>): string =>
  join(tmpdir(), `premises-${seed ?? 'usual'}-${premises ?? 'usual'}.sqlite`);

/** The service's options as its command line takes them. Throws if there is no such option. */
export function readDemoOptions(options: readonly string[]): DemoOptions {
  const given = readCommandLine([...options]);
  if (given.kind !== 'run') throw new Error(`No options of the demo service: ${options.join(' ')}`);
  return given.options;
}

const usedPorts = new Set<number>();

/**
 * Starts a service in this process, without `/__demo/` unless it is asked for. A port that an earlier one had is not taken by chance:
 * what the program keeps of balances and answers belongs to an origin, so it would take the two for one service.
 */
export async function startTestService(options: DemoOptions): Promise<RunningDemo> {
  for (;;) {
    const service = await startDemoService({ cache: premisesCache(options), ...options });
    const port = Number(new URL(service.restBaseUrl).port);
    if (options.port === port || !usedPorts.has(port)) {
      usedPorts.add(port);
      return service;
    }
    await service.stop();
  }
}

/** A running demo service, which the program reaches over HTTP only. */
export interface DemoService {
  restBaseUrl: string;
  soapUrl: string;
  soapNamespace: string;
  utilitiesNamespace: string;
  demo: DemoCredentials;
  meter(): Promise<MeterState>;
  resetMeter(): Promise<void>;
  setFaults(...faults: Fault[]): Promise<void>;
  clearFaults(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a demo service in this process. Its modules are loaded once, so this takes a fifth of the time of a separate process. */
export async function startDemo(...options: string[]): Promise<DemoService> {
  const { meter, faults, ...running } = await startTestService(readDemoOptions(['--admin', ...options]));
  return {
    ...running,
    meter: async () => meter.read(),
    resetMeter: async () => meter.reset(),
    setFaults: async (...some) => faults.set(...some),
    clearFaults: async () => faults.clear(),
  };
}

/** Starts a demo service as a separate process, so that its memory can be measured separately. */
export async function startDemoProcess(...options: string[]): Promise<DemoService> {
  const given = readCommandLine(options);
  const cache = given.kind === 'run' ? ['--cache', premisesCache(given.options)] : [];
  const child = spawn(
    process.execPath,
    [path('electron/demo-service/standalone.ts'), '--admin', ...cache, ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const started = JSON.parse(line) as Pick<
    DemoService,
    'restBaseUrl' | 'soapUrl' | 'soapNamespace' | 'utilitiesNamespace' | 'demo'
  >;
  const admin = async (method: string, name: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(new URL(`/__demo/${name}`, started.soapUrl), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${name}: ${await response.text()}`);
    return response.json();
  };
  return {
    ...started,
    meter: async () => (await admin('GET', 'meter')) as MeterState,
    resetMeter: async () => void (await admin('DELETE', 'meter')),
    setFaults: async (...faults) => void (await admin('POST', 'faults', faults)),
    clearFaults: async () => void (await admin('DELETE', 'faults')),
    stop: () => endProcess(child),
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** The environment variables from which the command line takes secrets, with those of the demo account. */
export function secretVariables(demo: DemoCredentials): Record<string, string> {
  return {
    ADDRESS_CONSOLE_API_KEY: demo.lookupKey,
    ADDRESS_CONSOLE_MASTER_KEY: demo.masterKey,
    ADDRESS_CONSOLE_GUID: demo.guid,
    ADDRESS_CONSOLE_LICENCE_ID: demo.licenceId,
    ADDRESS_CONSOLE_LICENCE_KEY: demo.licenceKey,
    ADDRESS_CONSOLE_WEB_MAP_KEY: demo.webMapKey,
  };
}

/** A bus address at which nothing listens, so that the command line finds no keychain and does not use a person's real one. */
export const noKeychain: Readonly<Record<string, string>> =
  process.platform === 'linux' ? { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } : {};

export interface CommandLineRun {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Standard output parsed as JSON. Throws if it is not exactly one document. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into documents of several shapes.
  json: any;
}

let ownData: string | undefined;

/** The data folder of this test file's command lines, so that none writes into the user's. */
function ownDataFolder(): string {
  if (ownData === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'address-console-data-'));
    putReadyDatabase(made);
    process.on('exit', () => removeFolder(made));
    ownData = made;
  }
  return ownData;
}

const run = (status: number | null, texts: { stdout: string; stderr: string }): CommandLineRun => ({
  status,
  ...texts,
  get json() {
    return JSON.parse(texts.stdout);
  },
});

interface RunOptions {
  env?: Record<string, string>;
  /** Width in characters of the terminal in which it runs; without it, it runs in no terminal. */
  terminalWidth?: number;
  /** Uses the system's keychain, which the test must have replaced before (secret-service.ts). */
  withKeychain?: boolean;
  /** What else is not as usual. */
  surroundings?: Partial<Surroundings>;
}

let jumped = 0;
/** Moves the time of this process's command lines forward, as waiting would. */
export const passTime = (ms: number): void => {
  jumped += ms;
};
const pauses: Pauses = {
  uptime: () => elapsedOf(systemClock) + jumped,
  wait: async (ms) => passTime(ms),
};

// Each command listens for an interruption until it ends. A process of the program has one of them; a test runs a dozen at once.
process.setMaxListeners(50);

/** The surroundings of a command line in this process; what it prints is lost. */
export const surroundingsOf = ({
  env = {},
  terminalWidth,
  withKeychain = false,
  surroundings,
}: RunOptions): Surroundings => ({
  env: { ADDRESS_CONSOLE_DATA_FOLDER: ownDataFolder(), ...env },
  program: 'address-console-cli',
  folderName: 'Address Console',
  terminalWidth: terminalWidth ?? null,
  print() {},
  warn() {},
  findKeychain: async () => (withKeychain ? detectKeychain() : { keychain: createMemoryVault(), missing: null }),
  pauses,
  ...surroundings,
});

/** Runs the command line in this process, with only the secrets in `env` and no keychain. */
export async function runCommandLine(args: readonly string[], options: RunOptions = {}): Promise<CommandLineRun> {
  const texts = { stdout: '', stderr: '' };
  const print = (text: string): void => {
    texts.stdout += text;
  };
  const warn = (line: string): void => {
    texts.stderr += `${line}\n`;
  };
  const surroundings = { print, warn, ...options.surroundings };
  const status = await main([...args], surroundingsOf({ ...options, surroundings }));
  return run(status, texts);
}

/**
 * Runs the command line as a separate process, for tests of what belongs to a process: signals, locks and keychains. It has only the
 * secrets and the keychain in `env`. `during` is called once the process runs.
 */
export async function runProgram(
  args: readonly string[],
  options: RunOptions & { during?: (child: ChildProcess) => Promise<void> } = {},
): Promise<CommandLineRun> {
  const kept = ['PATH', 'HOME', 'SystemRoot', 'TEMP', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // Loaded when it is needed: the bundler takes 25 MB, which the bench of memory would count.
  const { bundleChild } = await import('./bundled-child.ts');
  const child = spawn(process.execPath, [await bundleChild('electron/cli.ts'), ...args], {
    env: {
      ...Object.fromEntries(kept),
      ...noKeychain,
      ADDRESS_CONSOLE_DATA_FOLDER: ownDataFolder(),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const closed = once(child, 'close') as Promise<[number | null]>;
  await options.during?.(child);
  const [status] = await closed;
  return run(status, texts);
}

/** A new folder for connection files and similar files, which `remove` deletes. */
export function createWorkFolder(): {
  folder: string;
  write(name: string, content: unknown): string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-cli-'));
  return {
    folder,
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
    remove: () => removeFolder(folder),
  };
}

/** The content of a connection file for the demo service. */
export function connectionSettings(
  {
    restBaseUrl,
    soapUrl,
    soapNamespace,
    utilitiesNamespace,
    demo,
  }: Pick<DemoService, 'restBaseUrl' | 'soapUrl' | 'soapNamespace' | 'utilitiesNamespace' | 'demo'>,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    restBaseUrl,
    soapUrl,
    soapNamespace,
    utilitiesNamespace,
    accountName: demo.accountName,
    yourReference: demo.yourReference,
    ...changes,
  };
}

type Question = Record<string, string | string[]>;

/** For each of the 34 operations, fields to which the demo account gets an answer. */
export function soapQuestions({ sample, machines, licences }: DemoCredentials): Record<string, Question> {
  const near: Question = {
    sPostcodeDatum: sample.postcode,
    sPostcodeList: sample.nearPostcodes,
    sPostcodeDescriptions: sample.nearPostcodes.map((_, index) => `Place ${index}`),
    sNumberToReturn: '2',
  };
  const machine = machines[0] ?? '';
  const licence: Question = { iLicenseID: String(licences.free ?? 0), sMachineName: 'CLI-TEST-01' };
  const postcode: Question = { sPostcode: sample.postcode };
  const udp: Question = { sUDP: sample.leadingZeroId };
  const delivery: Question = { sUniqueDeliveryPointID: sample.leadingZeroId };
  return {
    ServiceTest: {},
    GeoData_ForPostcode: { sPostcodes: [sample.postcode, ...sample.nearPostcodes] },
    NearestData_ForPostcode: near,
    DistanceBetween_Postcodes: { sPostcodeDatum: sample.postcode, sPostcodeCheck: sample.nearPostcodes[0] ?? '' },
    SearchPremise_ByPostcode: postcode,
    ReturnPremise_ByPostcode: postcode,
    SearchPremise_ByPostcodeFlatOrNumber: {
      sFlatOrBuildingName: '',
      sPremisesNumber: sample.number,
      sPostcode: sample.postcode,
    },
    SearchPremise_ByWordMatchOnPremise: { sSearch: sample.organisation.name },
    SearchPremise_ByWordMatchOnStreet: { sSearch: sample.street },
    SearchPremise_ByWordMatchOnLocality: { sSearch: sample.locality },
    SearchPremise_ByWordMatchOnAll: { sSearch: sample.words },
    SearchPremise_ByPOBox: { sPOBox: sample.poBox.number, sTown: sample.poBox.town },
    SearchPremise_ByOrganisation: { sOrganisation: sample.organisation.name, sTown: sample.organisation.town },
    SearchPremise_ByStreet: { sStreet: sample.street, sNumber: sample.number, sTown: sample.town },
    SearchThoroughfare_ByPostcodeDistrict: { sPostcode: sample.district },
    SearchThoroughfare_ByStreet: { sStreet: sample.street, sNumber: '', sTown: sample.town },
    SearchPremise_ByThouroughfareID: { sThouroughfareID: sample.thoroughfareId },
    GetPremiseAddress: delivery,
    GetPremiseAddressFromUDP: delivery,
    GetAddressesForPostcode: { Postcode: sample.postcode },
    GetAddressesForPostcodeAndHouseNumber: { Postcode: sample.postcode, HouseNumber: sample.number },
    LightSearchPremise_BySearchExpression: { sField: sample.field.name, sValue: sample.field.value },
    SearchMultiByMultiKeywords: { sPostcode: sample.postcode, sStreet: sample.street, sOperator: 'AND' },
    AdvancedSearch: { sSearchExpression: sample.expression },
    GetAddress: udp,
    GetLicenseDetails: { sMachineName: machine },
    GetLicenseList: { sMachineName: '' },
    RegisterLicense: licence,
    UnregisterLicense: licence,
    GetAvailableCredits: {},
    GeoData_ForUDP: udp,
    CoordinateData_ForPostcode: postcode,
    CoordinateData_ForUDP: udp,
    FindNearestDataForPostcodeWebMap: near,
  };
}
