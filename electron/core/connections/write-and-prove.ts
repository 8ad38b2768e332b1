import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Keychain, KeychainEntry } from '../../ports.ts';

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
