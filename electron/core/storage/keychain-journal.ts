import type { DatabaseSync } from 'node:sqlite';
import type { KeychainEntry } from '../../ports.ts';

/** Names of keychain entries that are being written or moved. Throws where SQLite does. */
export function openKeychainJournal(sql: DatabaseSync) {
  const add = sql.prepare('INSERT OR IGNORE INTO keychain_journal (service, account) VALUES (:service, :account)');
  const remove = sql.prepare('DELETE FROM keychain_journal WHERE service = :service AND account = :account');
  const list = sql.prepare('SELECT service, account FROM keychain_journal');
  return {
    add: ({ service, account }: KeychainEntry): void => void add.run({ service, account }),
    remove: ({ service, account }: KeychainEntry): void => void remove.run({ service, account }),
    list: (): KeychainEntry[] =>
      list.all().map(({ service, account }) => ({ service: String(service), account: String(account) })),
  };
}
