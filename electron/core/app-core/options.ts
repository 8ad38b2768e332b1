import type { EventName, EventPayload } from '../../../shared/contract.ts';
import type { Clock, DemoLauncher, DetectedKeychain, Logger, Pauses } from '../../ports.ts';
import type { MachinePolicy } from '../policy/read-policy.ts';
import type { Settings } from '../settings/settings.ts';
import type { Database } from '../storage/database/database.ts';
import type { UpdateHost } from '../updates/program-updates.ts';

export interface CoreOptions {
  folder: string;
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
  logger: Logger;
  /** The system's answer about its proxy in PAC form ("PROXY host:port; DIRECT"); null: it has none. */
  proxyFor(url: URL): Promise<string | null>;
  /** What an administrator has set for this computer (platform/policy-file). */
  policy: MachinePolicy;
  machineName: string;
  userName: string;
  /** Somebody can see a window now. */
  isShown?(): boolean;
  /** Shows a system notice. True once the system says it was shown; false: it was not. */
  showNotice?(title: string, body: string): Promise<boolean>;
  /** The computer is not to fall asleep of itself: a batch runs, and does not wait for long. False: none does any more. */
  keepAwake?(isNeeded: boolean): void;
  /** The program and its place, for updates; left out: a run for development, which has none. */
  updates?: UpdateHost;
  /** Time, injected, so that days can pass in a test. */
  clock: Clock;
  /** How licence changes and batches wait; the system's timer by default. */
  pauses?: Pauses;
  /** Quiet time after a spend before its balance is read automatically (core/credits/balance-reader). */
  readDelayMs?: number;
  /** Where secrets are kept. */
  keychain: DetectedKeychain;
  /** The demo service, known here only as a program that answers over HTTP. */
  demo: DemoLauncher;
  /** Days of made-up history a demo connection begins with; the demo's own figure by default. */
  demoDays?: number | undefined;
  /** Entry file of the decoding worker; the build puts it beside main. */
  decodeWorker: string;
  /** Entry file of the thread that reads and writes workbooks; placed likewise. */
  workbookWorker: string;
  /** Entry file of the thread that reads long tables; the same. */
  tableWorker: string;
  /** Entry file of the thread that reads how large what is stored is; the same. */
  sizesWorker: string;
}

/** What every part of the console needs. */
export interface BaseParts {
  options: CoreOptions;
  db: Database;
  clock: Clock;
  /** As the policy lets them be. */
  settings: Settings;
  keychain: DetectedKeychain['keychain'];
}
