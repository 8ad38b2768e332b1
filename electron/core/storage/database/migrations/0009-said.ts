import type { Migration } from './migration.ts';

/**
 * What left the program, as facts that are never changed, so that a claim whose wording changes later can quote what was said before. An
 * export of a million entries is one row: what it said follows from the facts from which it was made.
 */
export const said: Migration = {
  number: 9,
  name: 'said',
  tables: 'bf7108c0785c87fc',
  sql: `
    CREATE TABLE said (
      -- Its number among the facts.
      sequence INTEGER PRIMARY KEY,
      at TEXT NOT NULL,
      outlet TEXT NOT NULL CHECK (outlet IN ('export', 'alert', 'receipt', 'list')),
      connection_id TEXT NOT NULL,
      -- The last fact that it could know of: of the sequence of facts, or of a licence change the journal's entry.
      as_of INTEGER NOT NULL,
      -- The entry of the ledger, the licence change or the bulk change that it told of; empty: all of a range of time.
      about TEXT NOT NULL,
      range_from TEXT,
      range_to TEXT,
      -- The claims of an alert as JSON; those of an export and a receipt follow from the facts up to as_of.
      claims TEXT NOT NULL
    ) STRICT;
    CREATE INDEX said_of_exports ON said (connection_id, as_of) WHERE outlet = 'export';
    CREATE INDEX said_about ON said (about) WHERE about != '';
    CREATE TRIGGER said_stays_as_it_is BEFORE UPDATE ON said BEGIN SELECT raise(ABORT, 'what was said is not changed'); END;

    -- When a person last said whether the keys of an origin share a balance: what follows from the facts is another thing since.
    CREATE TABLE purse_statements (origin TEXT PRIMARY KEY, sequence INTEGER NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- The zone in which spend_days and reading_days have their days; null: of before it was kept.
    CREATE TABLE day_zone (one INTEGER PRIMARY KEY CHECK (one = 1), zone TEXT) STRICT;
    INSERT INTO day_zone VALUES (1, NULL);
  `,
};
