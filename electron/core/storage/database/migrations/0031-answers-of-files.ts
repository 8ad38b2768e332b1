import type { Migration } from './migration.ts';

/**
 * A command saves the answers of a connection that is in its file alone, so an answer may belong to no stored connection. SQLite cannot take
 * a foreign key from a table, so the table is made anew. What a stored connection has saved still goes with it.
 */
export const answersOfFiles: Migration = {
  number: 31,
  name: 'answers-of-files',
  tables: '9948e12b7d69bb7f',
  sql: `
    CREATE TABLE saved_answers (
      id TEXT PRIMARY KEY,
      key TEXT NOT NULL,
      -- Of a connection, or of a command's file.
      connection_id TEXT NOT NULL,
      interface TEXT NOT NULL,
      operation TEXT NOT NULL,
      topic TEXT NOT NULL,
      subject TEXT NOT NULL,
      label TEXT NOT NULL,
      value TEXT NOT NULL CHECK (json_valid(value)),
      bytes INTEGER NOT NULL,
      at TEXT NOT NULL,
      run TEXT NOT NULL,
      account TEXT NOT NULL DEFAULT '',
      pieces INTEGER NOT NULL DEFAULT 0,
      empty INTEGER NOT NULL DEFAULT 0,
      identifiers TEXT NOT NULL DEFAULT ''
    ) STRICT;
    INSERT INTO saved_answers SELECT id, key, connection_id, interface, operation, topic, subject, label, value, bytes, at, run, account,
      pieces, empty, identifiers FROM held_answers ORDER BY rowid;
    DROP TABLE held_answers;
    -- Otherwise SQLite refuses where somebody else has added a view of the table, which names one that is not there now.
    PRAGMA legacy_alter_table = ON;
    ALTER TABLE saved_answers RENAME TO held_answers;
    PRAGMA legacy_alter_table = OFF;
    CREATE INDEX held_answers_by_key ON held_answers (key, at);
    CREATE INDEX held_answers_by_time ON held_answers (at);
    CREATE INDEX held_answers_of_connection ON held_answers (connection_id, at);
    CREATE INDEX held_answers_of_topic ON held_answers
      (connection_id, topic, subject, at, operation, interface, label, run, account, empty, identifiers);
    CREATE TRIGGER held_pieces_go_with_their_answer AFTER DELETE ON held_answers WHEN old.pieces > 0
      BEGIN DELETE FROM held_pieces WHERE answer_id = old.id; END;
    CREATE TRIGGER answers_go_with_their_connection AFTER DELETE ON connections
      BEGIN DELETE FROM held_answers WHERE connection_id = old.id; END;
  `,
};
