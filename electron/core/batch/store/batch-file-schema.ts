import type { DatabaseSync } from 'node:sqlite';
import { rowProgresses, rowResults } from '../../../../shared/domain/batch.ts';

const tables = `
  CREATE TABLE asks (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    stage TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'asked', 'answered', 'unknown', 'refused')),
    row INTEGER,
    source TEXT,
    at TEXT,
    call_id TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    least REAL NOT NULL DEFAULT 0,
    most REAL NOT NULL DEFAULT 0,
    code TEXT NOT NULL DEFAULT '',
    words TEXT NOT NULL DEFAULT '',
    content TEXT
  ) STRICT;
  CREATE TABLE rows (
    row INTEGER PRIMARY KEY,
    ask INTEGER,
    -- Of what it says; null: it is malformed.
    key TEXT,
    same_as INTEGER,
    flat INTEGER NOT NULL DEFAULT 0,
    given TEXT NOT NULL,
    understood TEXT NOT NULL,
    progress TEXT NOT NULL,
    result TEXT NOT NULL DEFAULT 'not-asked',
    reason TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    not_used TEXT NOT NULL DEFAULT '[]',
    source TEXT,
    at TEXT,
    least REAL NOT NULL DEFAULT 0,
    most REAL NOT NULL DEFAULT 0,
    premise_id TEXT NOT NULL DEFAULT '',
    candidates TEXT,
    fields TEXT,
    chosen_by TEXT NOT NULL DEFAULT '',
    call_id TEXT
  ) STRICT;
  CREATE UNIQUE INDEX rows_first ON rows (key) WHERE same_as IS NULL AND key IS NOT NULL;
  CREATE INDEX rows_same ON rows (same_as) WHERE same_as IS NOT NULL;
  CREATE INDEX rows_of_ask ON rows (ask, row) WHERE same_as IS NULL;
  CREATE INDEX rows_by_progress ON rows (progress, row);
  CREATE INDEX rows_by_result ON rows (result, row);
  CREATE TABLE tally (name TEXT PRIMARY KEY, rows INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Questions that ended other than by an answer, or may have left: few, so they are indexed to be found without reading all. */
export const isOdd = `state NOT IN ('waiting', 'answered')`;
const isOpen = (progress: string): string => `${progress} IN ('waiting', 'at-work', 'stopped')`;
const isSearch = `IN ('search', 'search-free')`;
/** What kind of question a row has: none of its own, one that may name a flat, another. */
const kindOf = (row: string): string =>
  `CASE WHEN ${row}ask IS NULL THEN 'open bare' WHEN ${row}flat = 1 THEN 'open flat' ELSE 'open plain' END`;

// Totals are maintained rather than recomputed: a running batch reports on a million rows five times a second.
const sums = `
  DROP INDEX IF EXISTS asks_by_state;
  CREATE INDEX asks_odd ON asks (state) WHERE ${isOdd};
  CREATE INDEX asks_again ON asks (tries) WHERE tries > 0;
  DROP TRIGGER IF EXISTS row_changed;
  CREATE TRIGGER row_changed AFTER UPDATE OF progress, result ON rows BEGIN
    UPDATE tally SET rows = rows - 1 WHERE name IN (OLD.progress, 'result ' || OLD.result);
    UPDATE tally SET rows = rows + 1 WHERE name IN (NEW.progress, 'result ' || NEW.result);
    UPDATE tally SET rows = rows + (${isOpen('NEW.progress')}) - (${isOpen('OLD.progress')})
      WHERE NEW.same_as IS NULL AND name = ${kindOf('NEW.')};
  END;
  CREATE TRIGGER ask_changed AFTER UPDATE OF state ON asks WHEN NEW.stage ${isSearch} BEGIN
    UPDATE tally SET rows = rows + (NEW.state = 'waiting') - (OLD.state = 'waiting') WHERE name = 'searches waiting';
  END;
  INSERT INTO tally VALUES ('open bare', 0), ('open flat', 0), ('open plain', 0), ('searches waiting', 0);
  UPDATE tally SET rows = (SELECT count(*) FROM asks WHERE state = 'waiting' AND stage ${isSearch}) WHERE name = 'searches waiting';
  UPDATE tally SET rows = (SELECT count(*) FROM rows WHERE same_as IS NULL AND ${isOpen('progress')} AND name = ${kindOf('rows.')})
    WHERE name IN ('open bare', 'open flat', 'open plain');
`;

// What the program's database knew when the file was last written to; the credits of all calls, each at its highest price, and of those that
// the database has lost: it may be replaced by an older copy, and this file stays.
const ledgerSeen = `
  CREATE TABLE ledger_seen (id INTEGER PRIMARY KEY CHECK (id = 1), run TEXT, call TEXT, most REAL NOT NULL,
    lost REAL NOT NULL DEFAULT 0) STRICT;
  INSERT INTO ledger_seen (id, most) SELECT 1, coalesce(sum(most), 0) FROM asks;
  CREATE TRIGGER ask_counted AFTER UPDATE OF most ON asks WHEN NEW.most != OLD.most BEGIN
    UPDATE ledger_seen SET most = most + NEW.most - OLD.most;
  END;
`;

// Credits of the calls of a question that had no complete answer: it may be asked again after one, or after 429.
const unknownCalls = `
  ALTER TABLE asks ADD COLUMN unknown REAL NOT NULL DEFAULT 0;
  UPDATE asks SET unknown = most - least WHERE state = 'unknown' AND ${isOdd};
  CREATE INDEX asks_unknown ON asks (unknown) WHERE unknown > 0;
`;

// Credits of a row are those of the calls that it asked, from before each leaves, beside what an earlier result file says of it. `under_way`:
// the part of `most` for the call that has no end yet. `own_call`: an answered question is not asked again, so nothing compares it.
const creditsOfRows = `
  ALTER TABLE asks ADD COLUMN under_way REAL NOT NULL DEFAULT 0;
  ALTER TABLE asks ADD COLUMN own_call TEXT;
  UPDATE asks SET own_call = call_id WHERE state != 'answered';
  CREATE TRIGGER row_counted AFTER UPDATE OF least, most ON asks WHEN NEW.least != OLD.least OR NEW.most != OLD.most BEGIN
    UPDATE rows SET least = least + NEW.least - OLD.least, most = most + NEW.most - OLD.most WHERE row = NEW.row;
  END;
  UPDATE rows SET least = calls.least + iif(source = 'earlier-file', rows.least, 0),
    most = calls.most + iif(source = 'earlier-file', rows.most, 0)
    FROM (SELECT row, sum(least) AS least, sum(most) AS most FROM asks WHERE row IS NOT NULL GROUP BY row) calls
    WHERE rows.row = calls.row AND ${isOpen('rows.progress')};
`;

const latest = 5;

/** Creates the tables of a new file; an older file gets what it lacks. Throws where SQLite does. */
export function prepareBatchFile(sql: DatabaseSync): void {
  const version = () => Number(sql.prepare('PRAGMA user_version').get()?.user_version);
  if (version() >= latest) return;
  sql.exec('BEGIN IMMEDIATE');
  // Another process may have done it meanwhile.
  const before = version();
  if (before === 0) {
    sql.exec(tables);
    const name = sql.prepare('INSERT INTO tally VALUES (?, 0)');
    for (const one of [...rowProgresses, ...rowResults.map((result) => `result ${result}`)]) name.run(one);
  }
  if (before < 2) sql.exec(sums);
  if (before < 3) sql.exec(ledgerSeen);
  if (before < 4) sql.exec(unknownCalls);
  if (before < latest) sql.exec(`${creditsOfRows} PRAGMA user_version = ${latest}`);
  sql.exec('COMMIT');
}
