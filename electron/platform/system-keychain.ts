import { setTimeout as wait } from 'node:timers/promises';
import type { AsyncEntry, EntryOptions } from '@napi-rs/keyring';
import { type AppError, appError } from '../../shared/errors.ts';
import { fail, ok, type Result } from '../../shared/result.ts';
import type { DetectedKeychain, Keychain, KeychainEntry, KeychainState } from '../ports.ts';
import { createMemoryVault } from './memory-vault.ts';

type Library = typeof import('@napi-rs/keyring');

/** The library's Linux default would fall to the kernel's keyring, which is lost at reboot. Ignored on other systems. */
const options: EntryOptions = { linux: { store: 'secret-service' } };

/** Nothing is ever stored under this name: asking for it answers "none" and leaves no trace. */
const probeService = 'Address Console, is a keychain there?';

const systemNames: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'Secret Service keychain',
  darwin: 'macOS keychain',
  win32: 'Windows Credential Manager',
};

/** How each system says "locked": gnome-keyring's as observed, macOS's as Apple publishes them (errSec -25308, -128). */
const lockedPattern = /is ?locked|locked object|prompt was dismissed|interaction is not allowed|user canceled/i;

// gnome-keyring ends now and then while it opens a session, if the call comes in the wrong moment (seen with 42.1, reported up to 50 as
// GNOME/gnome-keyring 196). The desktop starts it again, and each request may be made twice: reading, or setting the same, is the same.
const ended = /disconnected from message bus/i;
const endedOrAbsent = /disconnected from message bus|not provided by any/i;

export interface SystemKeychainSettings {
  /** How long an answer may take before the keychain counts as waiting for its own prompt. Milliseconds; default 20 000. */
  answerMs?: number;
  /** How long a keychain that ended in the middle of a request may take to start again. Milliseconds; default 4000. */
  restartMs?: number;
}

function keychainError(cause: unknown, value?: string): AppError {
  const words = cause instanceof Error ? cause.message : String(cause);
  const detail = value ? words.replaceAll(value, '••••') : words;
  return appError(lockedPattern.test(detail) ? 'keychain-locked' : 'keychain-unreadable', { detail });
}

async function retryOverRestart<T>(work: () => Promise<T>, restartMs: number, signal: AbortSignal): Promise<T> {
  let until: number | undefined;
  for (let pauseMs = 300; ; pauseMs = Math.min(2 * pauseMs, 2000)) {
    try {
      return await work();
    } catch (cause) {
      const isRestarting = (until === undefined ? ended : endedOrAbsent).test(String(cause));
      until ??= performance.now() + restartMs;
      if (signal.aborted || !isRestarting || performance.now() > until) throw cause;
    }
    await wait(pauseMs, undefined, { signal });
  }
}

/**
 * One request at a time: each occupies a thread of Node's pool until the keychain answers, and four waiting for a prompt
 * would stop all file access of the program. A keychain that does not answer is showing its prompt: that is "locked".
 */
function createQueue(answerMs: number, restartMs = 4000) {
  let previous: Promise<unknown> = Promise.resolve();
  return async <T>(work: (signal: AbortSignal) => Promise<T>, value?: string): Promise<Result<T>> => {
    const stop = new AbortController();
    const answer = previous.then(async (): Promise<Result<T>> => {
      if (stop.signal.aborted) return fail(appError('keychain-locked'));
      try {
        return ok(await retryOverRestart(() => work(stop.signal), restartMs, stop.signal));
      } catch (cause) {
        return fail(keychainError(cause, value));
      }
    });
    previous = answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Result<T>>((resolve) => {
      timer = setTimeout(() => {
        resolve(
          fail(appError('keychain-locked', { detail: `The keychain gave no answer within ${answerMs / 1000} s.` })),
        );
        stop.abort();
      }, answerMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * The library's entries, each kept for the next use of its name: on Linux an entry has a connection to the bus until it is garbage
 * collected, and making one for each read reached the bus's limit, by default 256 for a user. None is dropped while the
 * program runs, since that would close no connection.
 */
function createEntries(library: Library) {
  const kept = new Map<string, AsyncEntry>();
  return async <T>({ service, account }: KeychainEntry, use: (entry: AsyncEntry) => Promise<T>): Promise<T> => {
    const name = `${service}\n${account}`;
    const askAnew = (): Promise<T> => {
      const entry = new library.AsyncEntry(service, account, options);
      kept.set(name, entry);
      return use(entry);
    };
    const known = kept.get(name);
    if (!known) return askAnew();
    try {
      return await use(known);
    } catch (cause) {
      // A kept entry may be of a keychain or a bus that has ended since. If it is locked, its prompt was shown; no second one is caused.
      if (keychainError(cause).code === 'keychain-locked' || ended.test(String(cause))) throw cause;
      return askAnew();
    }
  };
}

const stateOf = ({ code }: AppError): KeychainState => (code === 'keychain-locked' ? 'locked' : 'unreadable');

/** The operating system's keychain: macOS Keychain, Windows Credential Manager, or the Secret Service of a Linux session. */
export function openSystemKeychain(library: Library, settings: SystemKeychainSettings = {}): Keychain {
  const ask = createQueue(settings.answerMs ?? 20_000, settings.restartMs);
  const withEntry = createEntries(library);
  return {
    kind: 'keychain',
    name: systemNames[process.platform] ?? 'system keychain',
    ignoresCase: process.platform === 'win32',
    get: (name) => ask((signal) => withEntry(name, async (entry) => (await entry.getPassword(signal)) ?? null)),
    set: (name, value) =>
      ask(async (signal) => {
        await withEntry(name, (entry) => entry.setPassword(value, signal));
      }, value),
    delete: (name) => ask((signal) => withEntry(name, (entry) => entry.deleteCredential(signal))),
    list: (service) =>
      ask(async (signal) => {
        const found = await library.findCredentialsAsync(service, undefined, signal);
        return found.map(({ account }) => account).sort();
      }),
    async state(service = probeService): Promise<KeychainState> {
      // There a search reads every value that it finds, each of which may prompt, and leaves out what is refused. What an earlier request met
      // says nothing of now: the keychain locks by itself, and a person may refuse one key of an open one.
      if (process.platform === 'darwin') return 'not-read';
      const probed = await ask((signal) => library.findCredentialsAsync(service, undefined, signal));
      return probed.ok ? 'unlocked' : stateOf(probed.error);
    },
  };
}

/**
 * The system's keychain if there is one, else memory. A keychain that is there and does not answer (its prompt is
 * open) is kept, as locked: falling to memory would make stored keys look lost. `probeMs`: how long it is waited for; default 5000.
 */
export async function detectKeychain(
  settings: SystemKeychainSettings & { probeMs?: number } = {},
): Promise<DetectedKeychain> {
  const missing = (cause: unknown): DetectedKeychain => ({
    keychain: createMemoryVault(),
    missing: appError('keychain-unreadable', {
      message: 'This computer has no keychain that can be used.',
      next: 'Secrets are kept in memory until the program ends. Start a keychain, then the program again, to keep them.',
      detail: cause instanceof Error ? cause.message : String(cause),
    }),
  });
  let library: Library;
  try {
    // Its loader would run whatever file NAPI_RS_NATIVE_LIBRARY_PATH names in its place, past the archive's integrity check. Windows does not
    // tell names apart that differ only in case.
    for (const name of Object.keys(process.env)) if (/^NAPI_RS_/i.test(name)) delete process.env[name];
    // Loaded here and not above: its binary does not exist for every system, and memory does without it.
    library = await import('@napi-rs/keyring');
  } catch (cause) {
    return missing(cause);
  }
  const probe = createQueue(settings.probeMs ?? 5000, settings.restartMs);
  const probed = await probe((signal) => library.findCredentialsAsync(probeService, undefined, signal));
  if (!probed.ok && probed.error.code === 'keychain-unreadable') return missing(probed.error.detail);
  return { keychain: openSystemKeychain(library, settings), missing: null };
}
