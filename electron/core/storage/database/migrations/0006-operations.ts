import type { Migration } from './migration.ts';

/**
 * The operations explorer: lookups that a person has saved, and the fields of each call made there, so that it can be made
 * again and its cached answer found. Neither has a secret: the main process fills in credentials at each call.
 */
export const operations: Migration = {
  number: 6,
  name: 'operations',
  tables: 'c55db14b24a2dbff',
  sql: `
    CREATE TABLE saved_lookups (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      folder TEXT NOT NULL,
      operation TEXT NOT NULL,
      dataset INTEGER NOT NULL CHECK (dataset IN (0, 1)),
      fields TEXT NOT NULL CHECK (json_valid(fields)),
      created_at TEXT NOT NULL,
      -- Not null: removed, and gone for good when the next one is removed a day later.
      removed_at TEXT
    ) STRICT;
    CREATE UNIQUE INDEX saved_lookup_names ON saved_lookups (folder COLLATE NOCASE, name COLLATE NOCASE)
      WHERE removed_at IS NULL;

    CREATE TABLE asked_operations (
      call_id TEXT PRIMARY KEY,
      answer_id TEXT NOT NULL,
      dataset INTEGER NOT NULL CHECK (dataset IN (0, 1)),
      fields TEXT NOT NULL CHECK (json_valid(fields))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX calls_of_operation ON calls (connection_id, operation, sequence);
  `,
};
