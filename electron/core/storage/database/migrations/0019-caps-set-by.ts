import type { Migration } from './migration.ts';

/**
 * Who set a cap or an operation's price, and when; and alerts that can be switched off without being deleted. For what an earlier version
 * set, the person is empty.
 */
export const capsSetBy: Migration = {
  number: 19,
  name: 'caps-set-by',
  tables: 'b6c1c3eb811889ce',
  sql: `
    CREATE TABLE cap_authors (
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      -- A cap by its name, or “price ” and an operation.
      what TEXT NOT NULL,
      person TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (connection_id, what)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE credit_alerts ADD COLUMN is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1));
  `,
};
