import { type AppError, appError, type ErrorDetails } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Keychain, KeychainEntry } from '../../ports.ts';
import { attempt } from '../storage/database/errors.ts';
import type { KeychainJournal } from '../storage/keychain-journal.ts';
import { entryKey } from './secret-names.ts';

/**
 * Writes, then reads back: a keychain that reports success and stores nothing must not be believed (`keychain-unreadable`). After an error
 * the entry may have been written all the same.
 */
export async function writeAndProve(keychain: Keychain, entry: KeychainEntry, value: string): Promise<Result<void>> {
  const written = await keychain.set(entry, value);
  if (!written.ok) return written;
  const read = await keychain.get(entry);
  if (!read.ok) return read;
  if (read.value === value) return ok(undefined);
  return fail(
    appError('keychain-unreadable', { message: 'The keychain took the secret and did not give the same one back.' }),
  );
}

/** A keychain, and the names of its entries that are to be looked at again. */
export interface NotedKeychain {
  keychain: Keychain;
  journal: KeychainJournal;
}

/**
 * Writes a secret, or deletes its entry if it is null, and then `commit`s what refers to it; `before`: what the entry held, null: nothing.
 * If either fails, it holds that again. `isListed`: something refers to the entry already. Of an entry that nothing refers to and that holds
 * nothing, its name is noted first, for the next start to remove it after a kill; `commit` takes that out of the journal. What the entry
 * held before a person made by hand, and it is not ours to remove.
 */
export async function writeThen(
  { keychain, journal }: NotedKeychain,
  { entry, value, isListed }: { entry: KeychainEntry; value: string | null; isListed: boolean },
  commit: (before: string | null) => Result<void>,
): Promise<Result<void>> {
  const before = await keychain.get(entry);
  if (!before.ok) return before;
  const isNew = before.value === null && value !== null && !isListed;
  const noted = attempt(() => (isNew ? journal.add(entry) : undefined));
  if (!noted.ok) return noted;
  const isGone = value === null && before.value === null;
  const written =
    value !== null
      ? await writeAndProve(keychain, entry, value)
      : isGone
        ? ok(undefined)
        : await keychain.delete(entry);
  const done = written.ok ? commit(before.value) : written;
  if (done.ok) return done;
  if (before.value !== null) await keychain.set(entry, before.value);
  else {
    // A write that failed verification may have left something as well.
    const deleted = await keychain.delete(entry);
    if (isNew && deleted.ok) attempt(() => journal.remove(entry));
  }
  return done;
}

/**
 * The keychain without what a run without it replaced or removed, and it has not removed yet: that is not used again. Errors also
 * `storage-failed`.
 */
export function withoutOutdated(keychain: Keychain, journal: KeychainJournal): Keychain {
  return {
    ...keychain,
    async get(entry) {
      const outdated = attempt(() => journal.isOutdated(entry));
      if (!outdated.ok) return outdated;
      return outdated.value ? ok(null) : keychain.get(entry);
    },
    async list(service) {
      const listed = await keychain.list(service);
      if (!listed.ok) return listed;
      return attempt(() => listed.value.filter((account) => !journal.isOutdated({ service, account })));
    },
  };
}

/**
 * The keychain with the entries that it is known to have: macOS leaves out of a list what a person does not let the program read, as if it
 * were not there, and another key would be taken for the only one. One that is missing from the list is read: only if it is absent does it stay
 * out. A refusal is asked for once and is then the answer of `get` too, so that no further prompt follows. Errors of `list` also `findKnown`'s.
 */
export function withKnownEntries(keychain: Keychain, findKnown: () => Result<KeychainEntry[]>): Keychain {
  const refused = new Map<string, AppError>();
  return {
    ...keychain,
    async get(entry) {
      const error = refused.get(entryKey(entry));
      return error ? fail(error) : keychain.get(entry);
    },
    async list(service) {
      const listed = await keychain.list(service);
      if (!listed.ok) return listed;
      const known = findKnown();
      if (!known.ok) return known;
      const accounts = [...listed.value];
      for (const entry of known.value) {
        if (entry.service !== service || accounts.includes(entry.account)) continue;
        const read: Result<string | null> = refused.has(entryKey(entry)) ? ok('') : await keychain.get(entry);
        if (!read.ok) refused.set(entryKey(entry), read.error);
        if (!read.ok || read.value !== null) accounts.push(entry.account);
      }
      return ok(accounts.sort());
    },
  };
}

/** The secret of an entry that was written earlier. Errors: the keychain's; `keychain-absent` if it has none, saying that `what` is not there. */
export async function readWritten(
  keychain: Keychain,
  entry: KeychainEntry,
  what: string,
  details: Omit<ErrorDetails, 'message'>,
): Promise<Result<string>> {
  const read = await keychain.get(entry);
  if (!read.ok) return read;
  if (read.value !== null) return ok(read.value);
  const place = keychain.kind === 'memory' ? 'in memory: it was entered in an earlier run' : 'in the keychain';
  return fail(appError('keychain-absent', { ...details, message: `${what} is not ${place}.` }));
}
