import type { Migration } from './migration.ts';

type Row = 'NEW' | 'OLD' | 'ledger';

/** How an entry counts on its day: as spend up to its expected price; what was taken beyond that is unexplained. */
const kind = (row: Row) =>
  `CASE WHEN ${row}.verdict != 'unexplained' THEN 'spend' WHEN coalesce(${row}.observed, 0) < 0 THEN 'added' ELSE 'unexplained' END`;
const credits = (row: Row) =>
  `CASE WHEN ${row}.observed IS NULL THEN coalesce(${row}.expected, 0)
   WHEN ${row}.verdict = 'unexplained' OR ${row}.expected IS NULL OR ${row}.observed <= ${row}.expected THEN ${row}.observed
   ELSE ${row}.expected END`;
const counts = (row: Row) => `${row}.verdict NOT IN ('held-free', 'not-charged')`;
const isMore = (row: Row) => `${counts(row)} AND ${row}.verdict != 'unexplained' AND ${row}.observed > ${row}.expected`;
const key = (row: Row) =>
  `${row}.connection_id, date(${row}.at, 'localtime'), coalesce(${row}.interface, ''), ${row}.paid_by, ${row}.operation`;
const unpriced = (row: Row) => `(${row}.observed IS NULL AND ${row}.expected IS NULL)`;

const columns = '(connection_id, day, interface, paid_by, operation, kind, credits, calls, unpriced)';
const merge = `ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, calls = calls + excluded.calls,
  unpriced = unpriced + excluded.unpriced`;
const change = (row: 'NEW' | 'OLD', sign: 1 | -1) => `
  INSERT INTO spend_days ${columns}
    SELECT ${key(row)}, ${kind(row)}, ${sign} * (${credits(row)}), ${sign}, ${sign} * ${unpriced(row)} WHERE ${counts(row)} ${merge};
  INSERT INTO spend_days ${columns}
    SELECT ${key(row)}, 'unexplained', ${sign} * (${row}.observed - ${row}.expected), ${sign}, 0 WHERE ${isMore(row)} ${merge};`;

const sameStream = (
  row: string,
) => `connection_id = ${row}.connection_id AND source = ${row}.source AND label = ${row}.label
  AND key_last_four = ${row}.key_last_four AND credits IS NOT NULL`;
const faceOf = (row: string) => `CASE ${row}.source WHEN 'rest-key' THEN 'rest' ELSE 'soap' END`;
/** Whether this program made no call between two times: a change of the balance between them was somebody else's. */
const quiet = (row: string, before: string) => `(${before} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger
  WHERE ledger.connection_id = ${row}.connection_id AND ledger.at > ${before} AND ledger.at <= ${row}.at
  AND ledger.interface = ${faceOf(row)} AND ledger.verdict NOT IN ('held-free', 'unexplained')))`;

/** SQL that fills the empty table with the days of all readings. `standsFor` is the SQL for how many readings a row counts as. */
const fillReadingDays = (standsFor: string): string => `
    INSERT INTO reading_days
      SELECT connection_id, source, label, key_last_four, date(at, 'localtime'), min(at), max(at),
        0, sum(${standsFor}),
        sum(is_quiet * ${standsFor}), sum((is_quiet AND credits = before_credits) * ${standsFor}),
        sum(CASE WHEN is_quiet THEN unixepoch(at, 'subsec') - unixepoch(before_at, 'subsec') ELSE 0 END)
      FROM (SELECT *, ${quiet('timed', 'timed.before_at')} AS is_quiet FROM (
        SELECT *, lag(at) OVER stream AS before_at, lag(credits) OVER stream AS before_credits
        FROM balance_readings WHERE credits IS NOT NULL
        WINDOW stream AS (PARTITION BY connection_id, source, label, key_last_four ORDER BY at, sequence)) timed) r
      GROUP BY 1, 2, 3, 4, 5;
    UPDATE reading_days SET last_credits = (SELECT credits FROM balance_readings
      WHERE ${sameStream('reading_days')} AND at = reading_days.last_at ORDER BY sequence DESC LIMIT 1);`;

/**
 * Days of spending and of readings, which triggers keep up to date, so that a chart of a year with a million entries reads a few thousand
 * rows. A day is in this computer's time zone at the time of writing. Ledger entries get the columns for a movement without a call.
 */
export const creditHistory: Migration = {
  number: 5,
  name: 'credit-history',
  tables: 'e4f81624bb5e5e1e',
  sql: `
    ALTER TABLE ledger ADD COLUMN since TEXT;
    ALTER TABLE ledger ADD COLUMN explained REAL;
    ALTER TABLE ledger ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE ledger ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0 CHECK (made_up IN (0, 1));
    ALTER TABLE balance_readings ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0 CHECK (made_up IN (0, 1));
    CREATE INDEX ledger_unexplained ON ledger (connection_id, at) WHERE verdict = 'unexplained';
    CREATE INDEX readings_made_up ON balance_readings (connection_id, at) WHERE made_up = 1;
    CREATE INDEX ledger_under_way ON ledger (connection_id, run) WHERE verdict = 'unsettled';
    CREATE INDEX readings_of_source_by_time ON balance_readings (connection_id, source, at);
    CREATE INDEX readings_of_stream_by_time ON balance_readings (connection_id, source, label, key_last_four, at);

    CREATE TABLE spend_days (
      connection_id TEXT NOT NULL,
      day TEXT NOT NULL,
      interface TEXT NOT NULL,
      paid_by TEXT NOT NULL,
      operation TEXT NOT NULL,
      -- spend: calls of this console; unexplained: taken by no call of it; added: the balance rose (negative)
      kind TEXT NOT NULL CHECK (kind IN ('spend', 'unexplained', 'added')),
      credits REAL NOT NULL,
      calls INTEGER NOT NULL,
      unpriced INTEGER NOT NULL,
      PRIMARY KEY (connection_id, day, kind, interface, paid_by, operation)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO spend_days ${columns}
      SELECT ${key('ledger')}, ${kind('ledger')}, sum(${credits('ledger')}), count(*), sum(${unpriced('ledger')})
      FROM ledger WHERE ${counts('ledger')} GROUP BY 1, 2, 3, 4, 5, 6;
    INSERT INTO spend_days ${columns}
      SELECT ${key('ledger')}, 'unexplained', sum(ledger.observed - ledger.expected), count(*), 0
      FROM ledger WHERE ${isMore('ledger')} GROUP BY 1, 2, 3, 4, 5 ${merge};
    CREATE TRIGGER ledger_day_added AFTER INSERT ON ledger BEGIN ${change('NEW', 1)} END;
    CREATE TRIGGER ledger_day_changed AFTER UPDATE OF observed, expected, verdict ON ledger
    BEGIN ${change('OLD', -1)} ${change('NEW', 1)} END;
    CREATE TRIGGER ledger_day_removed AFTER DELETE ON ledger BEGIN ${change('OLD', -1)} END;

    CREATE TABLE reading_days (
      connection_id TEXT NOT NULL,
      source TEXT NOT NULL,
      label TEXT NOT NULL,
      key_last_four TEXT NOT NULL,
      day TEXT NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      last_credits REAL NOT NULL,
      samples INTEGER NOT NULL,
      -- Between two readings without a call of this console: how many such windows, in how many the balance stood still.
      quiet INTEGER NOT NULL,
      still INTEGER NOT NULL,
      quiet_seconds REAL NOT NULL,
      PRIMARY KEY (connection_id, source, label, key_last_four, day)
    ) STRICT, WITHOUT ROWID;
    ${fillReadingDays('1')}
    CREATE TRIGGER reading_day_added AFTER INSERT ON balance_readings WHEN NEW.credits IS NOT NULL BEGIN
      INSERT INTO reading_days
        SELECT NEW.connection_id, NEW.source, NEW.label, NEW.key_last_four, date(NEW.at, 'localtime'), NEW.at, NEW.at, NEW.credits,
          1, is_quiet, is_quiet AND before.credits = NEW.credits,
          CASE WHEN is_quiet THEN unixepoch(NEW.at, 'subsec') - unixepoch(before.at, 'subsec') ELSE 0 END
        FROM (SELECT at, credits, ${quiet('NEW', 'held.at')} AS is_quiet FROM (
          SELECT at, credits FROM (
            SELECT at, credits FROM balance_readings
            WHERE ${sameStream('NEW')} AND at <= NEW.at AND sequence != NEW.sequence ORDER BY at DESC LIMIT 1)
          UNION ALL SELECT NULL, NULL LIMIT 1) held) before
        WHERE true
      ON CONFLICT DO UPDATE SET
        first_at = min(first_at, excluded.first_at),
        last_credits = CASE WHEN excluded.last_at >= last_at THEN excluded.last_credits ELSE last_credits END,
        last_at = max(last_at, excluded.last_at),
        samples = samples + 1, quiet = quiet + excluded.quiet, still = still + excluded.still,
        quiet_seconds = quiet_seconds + excluded.quiet_seconds;
    END;

    CREATE TABLE credit_alerts (
      connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      threshold REAL NOT NULL,
      -- ISO 8601 UTC: told at this crossing and not again until it is crossed back; null: not reached.
      told_at TEXT,
      PRIMARY KEY (connection_id, kind, threshold)
    ) STRICT, WITHOUT ROWID;
  `,
};
