import type { Migration } from './migration.ts';

/**
 * Licences last seen, machines, licence changes and their journal. Triggers make the journal append-only; its entries are
 * chained by hash (see core/licences/journal/journal.ts), and the anchor counts them, so that removing the last ones is noticed.
 */
export const licenceJournal: Migration = {
  number: 2,
  name: 'licence-journal',
  tables: 'd5a91c78ff75b4da',
  sql: `
    CREATE TABLE licence_reading (
      connection_id TEXT PRIMARY KEY,
      read_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE licence_seen (
      connection_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (connection_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE machine_holding (
      connection_id TEXT NOT NULL,
      machine TEXT NOT NULL,
      licence_ids TEXT NOT NULL,
      asked_at TEXT NOT NULL,
      PRIMARY KEY (connection_id, machine)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE machine_inventory (
      connection_id TEXT NOT NULL,
      name TEXT NOT NULL,
      nickname TEXT NOT NULL,
      owner TEXT NOT NULL,
      site TEXT NOT NULL,
      note TEXT NOT NULL,
      PRIMARY KEY (connection_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE licence_change (
      id TEXT PRIMARY KEY,
      connection_id TEXT NOT NULL,
      licence_id TEXT NOT NULL,
      state TEXT NOT NULL,
      planned_at TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX licence_change_state ON licence_change (state, planned_at);
    CREATE TRIGGER licence_change_begun_stays BEFORE DELETE ON licence_change WHEN OLD.state != 'planned'
    BEGIN SELECT RAISE(ABORT, 'a licence change that began is kept'); END;

    CREATE TABLE licence_journal (
      sequence INTEGER PRIMARY KEY,
      change_id TEXT NOT NULL,
      connection_id TEXT NOT NULL,
      licence_id TEXT NOT NULL,
      state TEXT NOT NULL,
      body TEXT NOT NULL,
      previous_hash TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE INDEX licence_journal_change ON licence_journal (change_id, sequence);

    CREATE TABLE licence_journal_anchor (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      entries INTEGER NOT NULL,
      last_hash TEXT NOT NULL
    ) STRICT;
    INSERT INTO licence_journal_anchor (id, entries, last_hash) VALUES (1, 0, '${'0'.repeat(64)}');

    CREATE TRIGGER licence_journal_no_update BEFORE UPDATE ON licence_journal
    BEGIN SELECT RAISE(ABORT, 'the licence journal is append-only'); END;
    CREATE TRIGGER licence_journal_no_delete BEFORE DELETE ON licence_journal
    BEGIN SELECT RAISE(ABORT, 'the licence journal is append-only'); END;
    CREATE TRIGGER licence_journal_in_order BEFORE INSERT ON licence_journal
    WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM licence_journal)
    BEGIN SELECT RAISE(ABORT, 'the licence journal is append-only'); END;
    CREATE TRIGGER licence_journal_anchor_grows BEFORE UPDATE ON licence_journal_anchor
    WHEN NEW.entries IS NOT OLD.entries + 1
    BEGIN SELECT RAISE(ABORT, 'the journal anchor only grows'); END;
    CREATE TRIGGER licence_journal_anchor_stays BEFORE DELETE ON licence_journal_anchor
    BEGIN SELECT RAISE(ABORT, 'the journal anchor only grows'); END;
  `,
};
