import type { Migration } from './migration.ts';

/** Names (never values) of keychain entries that are being written or moved, by which those that a kill left behind are found. */
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
