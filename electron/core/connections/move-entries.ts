import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Keychain, KeychainEntry } from '../../ports.ts';
import { writeAndProve } from './keychain-entries.ts';

export interface EntryMove {
  from: KeychainEntry;
  to: KeychainEntry;
}

export interface MovedEntries {
  moved: number;
  /** Entries the keychain no longer had: their handles stay, and calls will report it. */
  absent: number;
  /** Moved, but the old entry could not be removed: the secret is under both names. */
  leftBehind: KeychainEntry[];
}

/**
 * Deletes one name of a secret and makes sure that the other still holds it: Windows treats names that differ only in case as the same
 * entry, so removing one would remove the secret.
 */
export async function deleteKeeping(keychain: Keychain, gone: KeychainEntry, kept: KeychainEntry, value: string) {
  const deleted = await keychain.delete(gone);
  if (!deleted.ok) return deleted;
  const read = await keychain.get(kept);
  return read.ok && read.value !== value ? writeAndProve(keychain, kept, value) : ok(undefined);
}

const notHere = () =>
  appError('keychain-unreadable', {
    message:
      'A key of this connection was entered in an earlier run and is not here, because this run has no keychain. If a keychain has it, it is there under the old name, so nothing was renamed.',
    next: 'Start a keychain, then the program again. Or first replace or remove the keys that were entered earlier.',
    charge: 'not-applicable',
  });

/**
 * Moves keychain entries so that a failure at any point loses none: write all new ones and read them back, `commit` the new name, and only
 * then remove the old ones. A failure before the commit removes what was written and leaves the old ones alone. Without a keychain it is
 * not known what the one of an earlier run has, and nothing could move it: `keychain-unreadable`.
 */
export async function moveEntries(
  keychain: Keychain,
  moves: readonly EntryMove[],
  commit: () => Result<void>,
): Promise<Result<MovedEntries>> {
  const written: (EntryMove & { value: string })[] = [];
  let absent = 0;
  const undo = async (result: Extract<Result<unknown>, { ok: false }>) => {
    for (const { from, to, value } of written) await deleteKeeping(keychain, to, from, value);
    return result;
  };
  for (const move of moves) {
    const value = await keychain.get(move.from);
    if (!value.ok) return undo(value);
    if (value.value === null) {
      if (keychain.kind === 'memory') return undo(fail(notHere()));
      absent += 1;
      continue;
    }
    // Listed before the attempt: a write that fails verification may have left something to remove.
    written.push({ ...move, value: value.value });
    const proved = await writeAndProve(keychain, move.to, value.value);
    if (!proved.ok) return undo(proved);
  }
  const committed = commit();
  if (!committed.ok) return undo(committed);
  const leftBehind: KeychainEntry[] = [];
  for (const { from, to, value } of written) {
    const deleted = await deleteKeeping(keychain, from, to, value);
    if (!deleted.ok) leftBehind.push(from);
  }
  return ok({ moved: written.length, absent, leftBehind });
}
