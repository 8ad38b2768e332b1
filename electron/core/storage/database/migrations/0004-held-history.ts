import type { Migration } from './migration.ts';

/**
 * One row for each answer instead of one for each request: the request's key no longer identifies the row, so an older answer stays beside
 * the newer one. `topic` is what an answer is about (a premise, a search); `label` names it in lists, so that its value need not be read.
 */
export const heldHistory: Migration = {
  number: 4,
  name: 'held-history',
  tables: 'd3355a9882445b9f',
  sql: `
    CREATE TABLE held_askings (
      id TEXT PRIMARY KEY,
      key TEXT NOT NULL,
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      interface TEXT NOT NULL,
      operation TEXT NOT NULL,
      topic TEXT NOT NULL,
      subject TEXT NOT NULL,
      label TEXT NOT NULL,
      value TEXT NOT NULL CHECK (json_valid(value)),
      bytes INTEGER NOT NULL,
      at TEXT NOT NULL,
      run TEXT NOT NULL
    ) STRICT;
    INSERT INTO held_askings (id, key, connection_id, interface, operation, topic, subject, label, value, bytes, at, run)
      SELECT lower(hex(randomblob(16))), key, connection_id, coalesce(value ->> '$.interface', ''), operation,
        coalesce(value ->> '$.content.kind', ''), subject, subject, value, bytes, at, run FROM held_answers;
    DROP TABLE held_answers;
    ALTER TABLE held_askings RENAME TO held_answers;
    CREATE INDEX held_answers_by_key ON held_answers (key, at);
    CREATE INDEX held_answers_by_time ON held_answers (at);
    CREATE INDEX held_answers_of_connection ON held_answers (connection_id, at);
    CREATE INDEX held_answers_of_topic ON held_answers (connection_id, topic, subject, at);
  `,
};
