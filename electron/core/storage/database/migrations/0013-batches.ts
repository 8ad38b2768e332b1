import type { Migration } from './migration.ts';

/**
 * Batches. Their rows lie in a file of each batch (core/batch/store/batch-file.ts): a million of them would make every copy of this
 * database long. Here stands what a list of them says, who runs one, and which calls of the ledger are whose, so that a limit is
 * counted in the transaction that lets a call out.
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
