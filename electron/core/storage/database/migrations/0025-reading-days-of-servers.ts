import type { Migration } from './migration.ts';

const sameServer = (
  row: string,
) => `connection_id = ${row}.connection_id AND source = ${row}.source AND label = ${row}.label
  AND key_last_four = ${row}.key_last_four AND origin = ${row}.origin AND credits IS NOT NULL`;
/** Whether this program made no call between two times: a change of the balance between them was somebody else's. */
const quiet = (row: string, before: string) => `(${before} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger
  WHERE ledger.connection_id = ${row}.connection_id AND ledger.at > ${before} AND ledger.at <= ${row}.at
  AND ledger.interface = CASE ${row}.source WHEN 'rest-key' THEN 'rest' ELSE 'soap' END
  AND ledger.verdict NOT IN ('held-free', 'unexplained')))`;

/** SQL that fills the empty table with the days of all readings. */
export const fillReadingDays = `
    INSERT INTO reading_days
      SELECT connection_id, source, label, key_last_four, origin, date(at, 'localtime'), min(at), max(at),
        0, sum(stands_for),
        sum(is_quiet * stands_for), sum((is_quiet AND credits = before_credits) * stands_for),
        sum(CASE WHEN is_quiet THEN unixepoch(at, 'subsec') - unixepoch(before_at, 'subsec') ELSE 0 END)
      FROM (SELECT *, ${quiet('timed', 'timed.before_at')} AS is_quiet FROM (
        SELECT *, lag(at) OVER stream AS before_at, lag(credits) OVER stream AS before_credits
        FROM balance_readings WHERE credits IS NOT NULL
        WINDOW stream AS (PARTITION BY connection_id, source, label, key_last_four, origin ORDER BY at, sequence)) timed) r
      GROUP BY 1, 2, 3, 4, 5, 6;
    UPDATE reading_days SET last_credits = (SELECT credits FROM balance_readings
      WHERE ${sameServer('reading_days')} AND at = reading_days.last_at ORDER BY sequence DESC LIMIT 1);`;

/**
 * Days of readings by server: a connection whose address was edited has the balances of two services, and a year was drawn as one line. What
 * the balance did between the last reading of the one and the first of the other was counted as a window in which it moved.
 */
export const readingDaysOfServers: Migration = {
  number: 25,
  name: 'reading-days-of-servers',
  tables: '6f08085bd519da23',
  sql: `
    DROP TRIGGER reading_day_added;
    DROP TABLE reading_days;
    CREATE INDEX readings_of_server_by_time ON balance_readings (connection_id, source, label, key_last_four, origin, at);
    CREATE TABLE reading_days (
      connection_id TEXT NOT NULL,
      source TEXT NOT NULL,
      label TEXT NOT NULL,
      key_last_four TEXT NOT NULL,
      -- Empty: read by a version that did not note it, or made up for the demo.
      origin TEXT NOT NULL,
      day TEXT NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      last_credits REAL NOT NULL,
      samples INTEGER NOT NULL,
      -- Between two readings without a call of this console: how many such windows, in how many the balance stood still.
      quiet INTEGER NOT NULL,
      still INTEGER NOT NULL,
      quiet_seconds REAL NOT NULL,
      PRIMARY KEY (connection_id, source, label, key_last_four, origin, day)
    ) STRICT, WITHOUT ROWID;
    ${fillReadingDays}
    CREATE TRIGGER reading_day_added AFTER INSERT ON balance_readings WHEN NEW.credits IS NOT NULL BEGIN
      INSERT INTO reading_days
        SELECT NEW.connection_id, NEW.source, NEW.label, NEW.key_last_four, NEW.origin, date(NEW.at, 'localtime'), NEW.at, NEW.at,
          NEW.credits, 1, is_quiet, is_quiet AND before.credits = NEW.credits,
          CASE WHEN is_quiet THEN unixepoch(NEW.at, 'subsec') - unixepoch(before.at, 'subsec') ELSE 0 END
        FROM (SELECT at, credits, ${quiet('NEW', 'last.at')} AS is_quiet FROM (
          SELECT at, credits FROM (
            SELECT at, credits FROM balance_readings
            WHERE ${sameServer('NEW')} AND at <= NEW.at AND sequence != NEW.sequence ORDER BY at DESC, sequence DESC LIMIT 1)
          UNION ALL SELECT NULL, NULL LIMIT 1) last) before
        WHERE true
      ON CONFLICT DO UPDATE SET
        first_at = min(first_at, excluded.first_at),
        last_credits = CASE WHEN excluded.last_at >= last_at THEN excluded.last_credits ELSE last_credits END,
        last_at = max(last_at, excluded.last_at),
        samples = samples + 1, quiet = quiet + excluded.quiet, still = still + excluded.still,
        quiet_seconds = quiet_seconds + excluded.quiet_seconds;
    END;
  `,
};
