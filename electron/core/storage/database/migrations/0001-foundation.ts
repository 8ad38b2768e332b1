import type { Migration } from './migration.ts';

/**
 * Connections and the handles of their secrets (never a value), settings, the activity log with its search index, cached
 * answers, balance readings, the ledger of spends, caps, and the service descriptions last seen.
 *
 * History (calls, ledger, readings) names its connection without a foreign key, because it is kept when the connection is removed. Times are
 * ISO 8601 in UTC, so that sorting them as text sorts them by time.
 */
export const foundation: Migration = {
  number: 1,
  name: 'foundation',
  tables: '2636dce5c4188a77',
  sql: `
    CREATE TABLE connections (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL COLLATE NOCASE UNIQUE,
      draft TEXT NOT NULL CHECK (json_valid(draft)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE secret_handles (
      id TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE RESTRICT,
      role TEXT NOT NULL,
      label TEXT NOT NULL,
      last_four TEXT NOT NULL CHECK (length(last_four) <= 4),
      preferred INTEGER NOT NULL CHECK (preferred IN (0, 1)),
      created_at TEXT NOT NULL,
      last_used_at TEXT,
      UNIQUE (connection_id, role, label)
    ) STRICT;
    CREATE UNIQUE INDEX one_preferred_secret ON secret_handles (connection_id, role) WHERE preferred = 1;

    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL CHECK (json_valid(value))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE calls (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      at TEXT NOT NULL,
      connection_id TEXT NOT NULL,
      connection_name TEXT NOT NULL,
      interface TEXT NOT NULL,
      operation TEXT NOT NULL,
      subject TEXT NOT NULL,
      paid_by TEXT NOT NULL,
      outcome TEXT NOT NULL,
      error_code TEXT,
      expected_credits REAL,
      observed_credits REAL,
      duration_ms REAL NOT NULL
    ) STRICT;
    CREATE INDEX calls_of_connection ON calls (connection_id, sequence);
    -- Holds no text of its own, only the index: the words come from the row of the same number.
    CREATE VIRTUAL TABLE call_words USING fts5 (
      words, content = '', contentless_delete = 1, tokenize = 'unicode61', prefix = '2 3', detail = 'full'
    );

    CREATE TABLE held_answers (
      key TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      operation TEXT NOT NULL,
      subject TEXT NOT NULL,
      value TEXT NOT NULL CHECK (json_valid(value)),
      bytes INTEGER NOT NULL,
      at TEXT NOT NULL,
      run TEXT NOT NULL
    ) STRICT;
    CREATE INDEX held_answers_by_time ON held_answers (at);
    CREATE INDEX held_answers_of_connection ON held_answers (connection_id, at);

    CREATE TABLE balance_readings (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      connection_id TEXT NOT NULL,
      source TEXT NOT NULL,
      label TEXT NOT NULL,
      key_last_four TEXT NOT NULL,
      credits REAL,
      used REAL,
      total REAL,
      expiry_date TEXT,
      text TEXT,
      at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX readings_of_source ON balance_readings (connection_id, source, label, key_last_four, sequence);
    CREATE INDEX readings_by_time ON balance_readings (connection_id, at);

    CREATE TABLE ledger (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      run TEXT NOT NULL,
      connection_id TEXT NOT NULL,
      at TEXT NOT NULL,
      call_id TEXT,
      interface TEXT,
      operation TEXT NOT NULL,
      subject TEXT NOT NULL,
      paid_by TEXT NOT NULL,
      expected REAL,
      observed REAL,
      balance_before REAL,
      balance_after REAL,
      -- 1: nothing else of this console was between the two readings, so the difference is this call's price.
      alone INTEGER NOT NULL DEFAULT 0 CHECK (alone IN (0, 1)),
      verdict TEXT NOT NULL
    ) STRICT;
    CREATE INDEX ledger_of_connection ON ledger (connection_id, sequence);
    CREATE INDEX ledger_by_time ON ledger (connection_id, at);
    CREATE INDEX ledger_of_run ON ledger (run, connection_id);
    CREATE INDEX ledger_measured ON ledger (connection_id, operation, sequence) WHERE alone = 1;
    CREATE INDEX ledger_unsettled ON ledger (connection_id, sequence) WHERE verdict = 'unsettled';

    CREATE TABLE spending_caps (
      connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
      per_run INTEGER,
      per_day INTEGER,
      floor INTEGER
    ) STRICT;

    CREATE TABLE service_descriptions (
      connection_id TEXT PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
      description TEXT NOT NULL CHECK (json_valid(description)),
      read_at TEXT NOT NULL
    ) STRICT;
  `,
};
