import type { AppError } from '../../shared/errors.ts';
import type { Result } from '../../shared/result.ts';

/**
 * Where secret values live. Three failures are told apart (safety.md 14) and none of them removes anything:
 * absent is a value (`null`, `false`), `keychain-locked` asks the user to unlock, `keychain-unreadable` is everything else.
 * No error carries a value.
 */
export interface Keychain {
  readonly kind: 'keychain' | 'memory';
  /** As the system calls it. */
  readonly name: string;
  get(entry: KeychainEntry): Promise<Result<string | null>>;
  set(entry: KeychainEntry, value: string): Promise<Result<void>>;
  /** False: there was no such entry. */
  delete(entry: KeychainEntry): Promise<Result<boolean>>;
  /** Accounts under one service, without their values. */
  list(service: string): Promise<Result<string[]>>;
  /**
   * Whether it can be used now; leaves nothing behind and asks the user nothing. Only a `service` that has entries can tell
   * a locked keychain from an unlocked one: for a service without any, the search succeeds on both.
   */
  state(service?: string): Promise<KeychainState>;
}

export type KeychainState = 'unlocked' | 'locked' | 'unreadable';

export interface KeychainEntry {
  service: string;
  account: string;
}

export interface DetectedKeychain {
  keychain: Keychain;
  /** Why secrets are kept in memory, in the system's own words; null where there is a keychain. */
  missing: AppError | null;
}
