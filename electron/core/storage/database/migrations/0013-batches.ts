import type { Migration } from './migration.ts';

/**
 * Batches. Each has a separate file for its rows (core/batch/store/batch-file.ts), because a million rows would make every copy of this
 * database slow. This database has what the list of batches shows, which process runs one, and which calls of the ledger belong to which, so
 * that a batch's limit is checked in the transaction that enters a call before it is sent.
 */
export const batches: Migration = {
  number: 13,
  name: 'batches',
  tables: '3ae5ed64a968d40a',
  sql: `
    CREATE TABLE batches (
      id TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      state TEXT NOT NULL,
      -- The run of the program that runs it; null: none does.
      runner TEXT,
      -- Terms, plan and counts (JSON).
      facts TEXT NOT NULL
    ) STRICT;
    CREATE INDEX batches_of_connection ON batches (connection_id, created_at);
    ALTER TABLE ledger ADD COLUMN batch TEXT;
    -- Which question of the batch.
    ALTER TABLE ledger ADD COLUMN batch_ask INTEGER;
    -- Credits that the batch's limit counts for it: its highest price, never given back.
    ALTER TABLE ledger ADD COLUMN batch_counted REAL NOT NULL DEFAULT 0;
    CREATE INDEX ledger_of_batch ON ledger (batch, batch_ask) WHERE batch IS NOT NULL;
  `,
};
