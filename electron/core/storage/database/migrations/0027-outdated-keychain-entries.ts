import type { Migration } from './migration.ts';

/** 1: a run without a keychain replaced or removed what the keychain has under this name, so the next run that has one removes it. */
export const outdatedKeychainEntries: Migration = {
  number: 27,
  name: 'outdated keychain entries',
  tables: '152956fb6e8e14f2',
  sql: 'ALTER TABLE keychain_journal ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;',
};
