import type { Migration } from './migration.ts';

/**
 * What an administrator adds to licences and machines, the licences that machines had before, scans, bulk changes, and which process is
 * working on a change. A machine's history has a row for each time its licences changed.
 */
export const licenceInventory: Migration = {
  number: 3,
  name: 'licence-inventory',
  tables: 'b5584f680e51b5db',
  sql: `
    CREATE TABLE licence_label (
      connection_id TEXT NOT NULL,
      field TEXT NOT NULL,
      value TEXT NOT NULL,
      label TEXT NOT NULL,
      PRIMARY KEY (connection_id, field, value)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE licence_view (
      connection_id TEXT NOT NULL,
      name TEXT NOT NULL,
      filter TEXT NOT NULL CHECK (json_valid(filter)),
      PRIMARY KEY (connection_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE licence_own (
      connection_id TEXT NOT NULL,
      licence_id TEXT NOT NULL,
      note TEXT NOT NULL,
      lead_days INTEGER,
      noticed_for TEXT,
      PRIMARY KEY (connection_id, licence_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE machine_history (
      connection_id TEXT NOT NULL,
      machine TEXT NOT NULL,
      asked_at TEXT NOT NULL,
      licence_ids TEXT NOT NULL,
      PRIMARY KEY (connection_id, machine, asked_at)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO machine_history (connection_id, machine, asked_at, licence_ids)
      SELECT connection_id, machine, asked_at, licence_ids FROM machine_holding;

    CREATE TABLE machine_failure (
      connection_id TEXT NOT NULL,
      machine TEXT NOT NULL,
      asked_at TEXT NOT NULL,
      message TEXT NOT NULL,
      PRIMARY KEY (connection_id, machine)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE machine_scan (
      connection_id TEXT NOT NULL,
      started_at TEXT NOT NULL,
      finished_at TEXT NOT NULL,
      asked INTEGER NOT NULL,
      answered INTEGER NOT NULL,
      PRIMARY KEY (connection_id, started_at)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE licence_bulk (
      id TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL,
      planned_at TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX licence_bulk_latest ON licence_bulk (connection_id, planned_at);

    CREATE TABLE licence_bulk_row (
      bulk_id TEXT NOT NULL REFERENCES licence_bulk (id) ON DELETE CASCADE,
      row INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (bulk_id, row)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE licence_change_worker (
      change_id TEXT PRIMARY KEY,
      run TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
