import type { Migration } from './migration.ts';

/** Names of keychain entries that are being written or moved, never a value: what a kill leaves behind is found by them again. */
export const keychainJournal: Migration = {
  number: 8,
  name: 'keychain journal',
  tables: 'b60184744caf2b64',
  sql: `
    CREATE TABLE keychain_journal (
      service TEXT NOT NULL,
      account TEXT NOT NULL,
      PRIMARY KEY (service, account)
    ) STRICT, WITHOUT ROWID;
  `,
};
