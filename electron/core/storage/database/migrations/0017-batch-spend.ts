import type { Migration } from './migration.ts';

/**
 * A running sum of what a batch's calls count for: the limit is checked in the transaction that enters each call, which must not add up a
 * hundred thousand earlier ones. Also what another process requests of the one that runs a batch.
 */
export const batchSpend: Migration = {
  number: 17,
  name: 'batch-spend',
  tables: '8630eb1b719ce89a',
  sql: `
    CREATE TABLE batch_spend (batch TEXT PRIMARY KEY, credits REAL NOT NULL) STRICT;
    INSERT INTO batch_spend SELECT batch, sum(batch_counted) FROM ledger
      WHERE batch IS NOT NULL AND ending IS NOT 'unsent' GROUP BY batch;
    CREATE TRIGGER batch_call_sent AFTER INSERT ON ledger WHEN NEW.batch IS NOT NULL AND NEW.ending IS NOT 'unsent' BEGIN
      INSERT INTO batch_spend VALUES (NEW.batch, NEW.batch_counted)
        ON CONFLICT (batch) DO UPDATE SET credits = credits + excluded.credits;
    END;
    CREATE TRIGGER batch_call_not_sent AFTER UPDATE OF ending ON ledger
      WHEN NEW.batch IS NOT NULL AND NEW.ending = 'unsent' AND OLD.ending IS NOT 'unsent' BEGIN
      UPDATE batch_spend SET credits = credits - NEW.batch_counted WHERE batch = NEW.batch;
    END;
    -- pause or stop; null: nothing.
    ALTER TABLE batches ADD COLUMN request TEXT;
  `,
};
