import type { AppError } from '../shared/errors.ts';
import type { Result } from '../shared/result.ts';

// What the rules ask of the computer. They own these shapes; `platform/` makes them real, and a test gives its own.

/** Time is injected, so that days can pass in a test. */
export interface Clock {
  /** Milliseconds since 1970, UTC: can be set, and jumps. */
  now(): number;
  /** Milliseconds of a clock that cannot be set and may stand still in sleep. Without one `now` is taken: a clock of a test. */
  elapsed?(): number;
  /** Names the run of the computer in which `elapsed` may be compared, also between processes. */
  readonly boot?: string;
}

/** Milliseconds that never go back, within `bootOf(clock)`. */
export const elapsedOf = (clock: Clock): number => clock.elapsed?.() ?? clock.now();
export const bootOf = (clock: Clock): string => clock.boot ?? 'one';

/** How the program waits, and the clock that says how long it did. */
export interface Pauses {
  /** Milliseconds since this computer started: a clock that nobody can set. It may stand still while the computer sleeps. */
  uptime(): number;
  /** Waits so long (ms), or until the signal. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** ISO 8601 in UTC, as stored everywhere. */
export const isoNow = (clock: Clock): string => new Date(clock.now()).toISOString();

/**
 * Where secret values are stored. Three failures are distinguished (promise 14) and none of them removes anything:
 * absent is a value (`null`, `false`), `keychain-locked` asks the user to unlock, `keychain-unreadable` is everything else.
 * No error carries a value.
 */
export interface Keychain {
  readonly kind: 'keychain' | 'memory';
  /** As the system calls it. */
  readonly name: string;
  /** Entries whose names differ in case alone are one. */
  readonly ignoresCase: boolean;
  get(entry: KeychainEntry): Promise<Result<string | null>>;
  set(entry: KeychainEntry, value: string): Promise<Result<void>>;
  /** False: there was no such entry. */
  delete(entry: KeychainEntry): Promise<Result<boolean>>;
  /** Accounts under one service, without their values. macOS may prompt for each, and leaves out what the user refuses. */
  list(service: string): Promise<Result<string[]>>;
  /**
   * Whether it can be used now; leaves nothing behind and asks the user nothing. Only a `service` that has entries can tell
   * a locked keychain from an unlocked one: for a service without any, the search succeeds on both. On macOS it is `not-read`.
   */
  state(service?: string): Promise<KeychainState>;
}

/** `not-read`: it cannot be read without asking the user. */
export type KeychainState = 'unlocked' | 'locked' | 'unreadable' | 'not-read';

export interface KeychainEntry {
  service: string;
  account: string;
}

export interface DetectedKeychain {
  keychain: Keychain;
  /** Why secrets are kept in memory, in the system's own words; null if there is a keychain. */
  missing: AppError | null;
}

export interface Logger {
  /** Records where something failed and what kind of error it was; null: `where` says all there is. */
  error(where: string, error: unknown): void;
}

/** What the demo service says of itself when it is ready: addresses and the credentials of its made-up account. */
export interface DemoReady {
  type: 'ready';
  restBaseUrl: string;
  soapUrl: string;
  soapNamespace: string;
  utilitiesNamespace: string;
  demo: {
    lookupKey: string;
    masterKey: string;
    accountName: string;
    guid: string;
    licenceId: string;
    licenceKey: string;
    yourReference: string;
    webMapKey: string;
  };
}

export interface DemoLauncher {
  /** Starts it once; a second call gets the one that runs. */
  start(): Promise<Result<DemoReady>>;
  running(): DemoReady | null;
  stop(): Promise<void>;
}
