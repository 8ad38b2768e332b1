import type { DatabaseSync } from 'node:sqlite';
import type { Keychain, KeychainEntry } from '../../ports.ts';

export type KeychainJournal = ReturnType<typeof openKeychainJournal>;

/**
 * Names of keychain entries that are to be looked at again: those that are being written or moved, by a run with a keychain, and the
 * outdated ones, by a run without. What is in memory ends with its run, so of that nothing is noted. Throws where SQLite does.
 */
export function openKeychainJournal(sql: DatabaseSync, { kind }: Pick<Keychain, 'kind'>) {
  const add = sql.prepare(
    'INSERT INTO keychain_journal (service, account) VALUES (:service, :account) ON CONFLICT DO UPDATE SET outdated = 0',
  );
  const outdate = sql.prepare(
    'INSERT INTO keychain_journal (service, account, outdated) VALUES (:service, :account, 1) ON CONFLICT DO UPDATE SET outdated = 1',
  );
  const remove = sql.prepare('DELETE FROM keychain_journal WHERE service = :service AND account = :account');
  const find = sql.prepare(
    'SELECT 1 FROM keychain_journal WHERE service = :service AND account = :account AND outdated = 1',
  );
  const list = sql.prepare('SELECT service, account, outdated FROM keychain_journal');
  const hasKeychain = kind === 'keychain';
  return {
    /** It is about to be written, or removed. */
    add({ service, account }: KeychainEntry): void {
      if (hasKeychain) add.run({ service, account });
    },
    /** It is written and listed, or removed. */
    remove({ service, account }: KeychainEntry): void {
      if (hasKeychain) remove.run({ service, account });
    },
    /** What a keychain may have under this name, which this run cannot reach, was replaced or removed. */
    outdate({ service, account }: KeychainEntry): void {
      if (!hasKeychain) outdate.run({ service, account });
    },
    /** What the keychain has under this name was replaced or removed in a run without it: it counts as absent until it is removed. */
    isOutdated: ({ service, account }: KeychainEntry): boolean =>
      hasKeychain && find.get({ service, account }) !== undefined,
    list: (): (KeychainEntry & { outdated: boolean })[] =>
      list.all().map(({ service, account, outdated }) => ({
        service: String(service),
        account: String(account),
        outdated: outdated === 1,
      })),
  };
}
