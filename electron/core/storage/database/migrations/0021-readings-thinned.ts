import { quiet, sameStream } from './0005-credit-history.ts';
import type { Migration } from './migration.ts';

/** The days of all readings, into the empty table; each counts as often as it stands for readings. */
export const fillReadingDays = `
    INSERT INTO reading_days
      SELECT connection_id, source, label, key_last_four, date(at, 'localtime'), min(at), max(at),
        0, sum(stands_for),
        sum(is_quiet * stands_for), sum((is_quiet AND credits = before_credits) * stands_for),
        sum(CASE WHEN is_quiet THEN unixepoch(at, 'subsec') - unixepoch(before_at, 'subsec') ELSE 0 END)
      FROM (SELECT *, ${quiet('timed', 'timed.before_at')} AS is_quiet FROM (
        SELECT *, lag(at) OVER stream AS before_at, lag(credits) OVER stream AS before_credits
        FROM balance_readings WHERE credits IS NOT NULL
        WINDOW stream AS (PARTITION BY connection_id, source, label, key_last_four ORDER BY at, sequence)) timed) r
      GROUP BY 1, 2, 3, 4, 5;
    UPDATE reading_days SET last_credits = (SELECT credits FROM balance_readings
      WHERE ${sameStream('reading_days')} AND at = reading_days.last_at ORDER BY sequence DESC LIMIT 1);`;

/**
 * Readings that say nothing which their neighbours do not say are removed after a time (core/upkeep/thin-readings.ts): how many a
 * reading stands for, itself and those that were removed just before it.
 */
export const readingsThinned: Migration = {
  number: 21,
  name: 'readings-thinned',
  tables: 'b87ae59b7171a10d',
  sql: `
    ALTER TABLE balance_readings ADD COLUMN stands_for INTEGER NOT NULL DEFAULT 1;
  `,
};
