import type { Migration } from './migration.ts';

export type Row = 'NEW' | 'OLD' | 'ledger';

const counts = (row: Row) => `${row}.verdict NOT IN ('held-free', 'not-charged', 'nothing-left', 'no-fall')`;
const kind = (row: Row) =>
  `CASE WHEN ${row}.verdict != 'unexplained' THEN 'spend' WHEN coalesce(${row}.observed, 0) < 0 THEN 'added' ELSE 'unexplained' END`;
const credits = (row: Row) =>
  `CASE WHEN ${row}.observed IS NULL THEN coalesce(${row}.expected, 0)
   WHEN ${row}.verdict = 'unexplained' OR ${row}.expected IS NULL OR ${row}.observed <= ${row}.expected THEN ${row}.observed
   ELSE ${row}.expected END`;
const isMore = (row: Row) => `${counts(row)} AND ${row}.verdict != 'unexplained' AND ${row}.observed > ${row}.expected`;
const unpriced = (row: Row) => `(${row}.observed IS NULL AND ${row}.expected IS NULL)`;
const merge = `ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, calls = calls + excluded.calls,
  unpriced = unpriced + excluded.unpriced`;

/**
 * SQL of the days of spending: `fill` fills the empty table from all entries, `triggers` keep it. `balancesOf`: what an entry counts
 * against, by which its days are kept apart since migration 28.
 */
export function spendDaysBy(balancesOf?: (row: Row) => string) {
  const columns = `(connection_id, day, interface, paid_by, operation, ${balancesOf ? 'balances, ' : ''}kind, credits, calls, unpriced)`;
  const key = (row: Row) =>
    `${row}.connection_id, date(${row}.at, 'localtime'), coalesce(${row}.interface, ''), ${row}.paid_by, ${row}.operation${balancesOf ? `, ${balancesOf(row)}` : ''}`;
  const numbers = balancesOf ? '1, 2, 3, 4, 5, 6' : '1, 2, 3, 4, 5';
  const change = (row: 'NEW' | 'OLD', sign: 1 | -1) => `
  INSERT INTO spend_days ${columns}
    SELECT ${key(row)}, ${kind(row)}, ${sign} * (${credits(row)}), ${sign}, ${sign} * ${unpriced(row)} WHERE ${counts(row)} ${merge};
  INSERT INTO spend_days ${columns}
    SELECT ${key(row)}, 'unexplained', ${sign} * (${row}.observed - ${row}.expected), ${sign}, 0 WHERE ${isMore(row)} ${merge};`;
  return {
    fill: `
  INSERT INTO spend_days ${columns}
    SELECT ${key('ledger')}, ${kind('ledger')}, sum(${credits('ledger')}), count(*), sum(${unpriced('ledger')})
    FROM ledger WHERE ${counts('ledger')} GROUP BY ${numbers}, ${kind('ledger')};
  INSERT INTO spend_days ${columns}
    SELECT ${key('ledger')}, 'unexplained', sum(ledger.observed - ledger.expected), count(*), 0
    FROM ledger WHERE ${isMore('ledger')} GROUP BY ${numbers} ${merge};`,
    triggers: `
    DROP TRIGGER ledger_day_added;
    DROP TRIGGER ledger_day_changed;
    DROP TRIGGER ledger_day_removed;
    CREATE TRIGGER ledger_day_added AFTER INSERT ON ledger BEGIN ${change('NEW', 1)} END;
    CREATE TRIGGER ledger_day_changed AFTER UPDATE OF observed, expected, verdict${balancesOf ? ', drawn_on' : ''} ON ledger
    BEGIN ${change('OLD', -1)} ${change('NEW', 1)} END;
    CREATE TRIGGER ledger_day_removed AFTER DELETE ON ledger BEGIN ${change('OLD', -1)} END;`,
  };
}

/**
 * Facts of money (core/spend/facts.ts): calls with their charge windows, and balance samples as intervals, numbered by one
 * sequence. `version` 1 marks what earlier programs wrote: their verdicts are shown as theirs, and nothing is computed from them. What is
 * computed from facts is in `verdict`, `observed`, `balance_before`, `balance_after`, `segment` and `counted` of the ledger and in
 * `segments`. These are a cache, which `rebuildSegments` computes again.
 */
export const spendFacts: Migration = {
  number: 7,
  name: 'spend-facts',
  tables: '2eb98aa8eac8a9bc',
  sql: `
    CREATE TABLE fact_sequence (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL) STRICT;
    INSERT INTO fact_sequence VALUES (1, 0);
    -- Fingerprints of keys are keyed with this, so that nothing of a key can be read from one.
    CREATE TABLE fingerprint_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT;
    INSERT INTO fingerprint_key VALUES (1, randomblob(32));
    -- Null: stored by an earlier version, and not read from the keychain since.
    ALTER TABLE secret_handles ADD COLUMN fingerprint TEXT;
    CREATE INDEX secret_handles_by_fingerprint ON secret_handles (fingerprint) WHERE fingerprint IS NOT NULL;

    ALTER TABLE ledger ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE ledger ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
    ALTER TABLE ledger ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    ALTER TABLE ledger ADD COLUMN other_origin TEXT NOT NULL DEFAULT '';
    -- Credits that caps count for it: its highest price, 0 once it is given back.
    ALTER TABLE ledger ADD COLUMN counted REAL NOT NULL DEFAULT 0;
    ALTER TABLE ledger ADD COLUMN sent_sequence INTEGER;
    ALTER TABLE ledger ADD COLUMN sent_boot TEXT;
    ALTER TABLE ledger ADD COLUMN sent_elapsed REAL;
    ALTER TABLE ledger ADD COLUMN ending TEXT CHECK (ending IN ('answered', 'refused', 'lost', 'dead', 'unsent'));
    ALTER TABLE ledger ADD COLUMN ending_code TEXT;
    ALTER TABLE ledger ADD COLUMN ended_sequence INTEGER;
    ALTER TABLE ledger ADD COLUMN ended_at TEXT;
    ALTER TABLE ledger ADD COLUMN ended_boot TEXT;
    ALTER TABLE ledger ADD COLUMN ended_elapsed REAL;
    ALTER TABLE ledger ADD COLUMN horizon_ms REAL;
    ALTER TABLE ledger ADD COLUMN segment INTEGER;
    CREATE INDEX ledger_sent ON ledger (sent_sequence) WHERE sent_sequence IS NOT NULL;
    CREATE INDEX ledger_ended ON ledger (ended_sequence) WHERE ended_sequence IS NOT NULL;
    CREATE INDEX ledger_by_segment ON ledger (segment) WHERE segment IS NOT NULL;
    CREATE INDEX ledger_of_fingerprint ON ledger (fingerprint, at) WHERE version > 1;
    CREATE INDEX ledger_counted ON ledger (at) WHERE version > 1 AND counted > 0;
    -- Calls whose charge windows may be open: without an end, or without a complete answer.
    CREATE INDEX ledger_open ON ledger (sent_sequence) WHERE sent_sequence IS NOT NULL
      AND (ending IS NULL OR ending IN ('lost', 'dead')) AND segment IS NULL;

    -- Whose answer it is: origin and key's fingerprint. Empty: stored by an earlier version, which knew only the connection.
    ALTER TABLE held_answers ADD COLUMN account TEXT NOT NULL DEFAULT '';

    ALTER TABLE balance_readings ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE balance_readings ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
    ALTER TABLE balance_readings ADD COLUMN origin TEXT NOT NULL DEFAULT '';
    ALTER TABLE balance_readings ADD COLUMN own_call TEXT;
    ALTER TABLE balance_readings ADD COLUMN asked_sequence INTEGER;
    ALTER TABLE balance_readings ADD COLUMN asked_at TEXT;
    ALTER TABLE balance_readings ADD COLUMN asked_elapsed REAL;
    ALTER TABLE balance_readings ADD COLUMN answered_sequence INTEGER;
    ALTER TABLE balance_readings ADD COLUMN answered_elapsed REAL;
    ALTER TABLE balance_readings ADD COLUMN boot TEXT;
    ALTER TABLE balance_readings ADD COLUMN process_start REAL;
    ALTER TABLE balance_readings ADD COLUMN process_start_sequence INTEGER;
    CREATE INDEX readings_of_boot ON balance_readings (boot, asked_sequence) WHERE version > 1;
    -- No charge window met it: a clean cut.
    ALTER TABLE balance_readings ADD COLUMN cut INTEGER NOT NULL DEFAULT 0 CHECK (cut IN (0, 1));
    CREATE INDEX readings_of_purse ON balance_readings (origin, fingerprint, answered_sequence) WHERE version > 1;

    CREATE TABLE segments (
      -- Sequence of the reading that closes it, and of the one that opens it.
      to_reading INTEGER PRIMARY KEY,
      from_reading INTEGER NOT NULL,
      origin TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      from_at TEXT NOT NULL,
      to_at TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('still', 'fell', 'rose', 'unclear')),
      credits REAL NOT NULL,
      added REAL NOT NULL,
      calls INTEGER NOT NULL,
      prices REAL,
      expiry TEXT
    ) STRICT;
    CREATE INDEX segments_of_purse ON segments (origin, fingerprint, to_reading);
    CREATE INDEX segments_that_fell ON segments (origin, to_at) WHERE kind = 'fell';

    -- Keys with which calls of a connection were sent, also of a connection that only a file describes.
    CREATE TABLE key_uses (
      connection_id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      PRIMARY KEY (connection_id, fingerprint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX key_uses_by_fingerprint ON key_uses (fingerprint);
    -- A person has said that the keys of this origin have balances of their own.
    CREATE TABLE separate_purses (origin TEXT PRIMARY KEY, said_at TEXT NOT NULL) STRICT, WITHOUT ROWID;
    -- What a person lets an operation without a published price count for, in credits.
    CREATE TABLE set_prices (
      connection_id TEXT NOT NULL,
      operation TEXT NOT NULL,
      credits REAL NOT NULL CHECK (credits >= 0),
      PRIMARY KEY (connection_id, operation)
    ) STRICT, WITHOUT ROWID;

    ${spendDaysBy().triggers}
  `,
};
