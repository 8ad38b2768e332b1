import type { Migration } from './migration.ts';

/** A zone may differ from UTC by half or a quarter of an hour: its days begin with a quarter of an hour, and not always with an hour. */
const quarterOf = (row: string): string =>
  `substr(${row}.at, 1, 14) || printf('%02d', substr(${row}.at, 15, 2) / 15 * 15) || ':00.000Z'`;

const add = (row: string, credits: string): string =>
  `INSERT INTO counted_quarters
     SELECT ${quarterOf(row)}, ${row}.run, ${row}.connection_id, ${row}.fingerprint, ${credits} WHERE true
     ON CONFLICT DO UPDATE SET credits = credits + excluded.credits`;

/**
 * Running sums of what caps count: they are checked in the transaction that enters each call, which added up all calls of the day and of
 * the run. A call counts until it is given back, and may count again.
 */
export const countedByQuarters: Migration = {
  number: 33,
  name: 'counted-by-quarters',
  tables: 'd8225cc844c22d47',
  sql: `
    CREATE TABLE counted_quarters (
      -- When the quarter of an hour began in which the calls were sent, ISO 8601 UTC.
      quarter TEXT NOT NULL,
      run TEXT NOT NULL,
      connection_id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      credits REAL NOT NULL,
      PRIMARY KEY (quarter, run, connection_id, fingerprint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX counted_quarters_of_run ON counted_quarters (run);
    INSERT INTO counted_quarters
      SELECT ${quarterOf('ledger')}, run, connection_id, fingerprint, sum(counted) FROM ledger
      WHERE version > 1 AND counted > 0 GROUP BY 1, 2, 3, 4;
    CREATE TRIGGER counted_call_sent AFTER INSERT ON ledger WHEN NEW.counted > 0 BEGIN
      ${add('NEW', 'NEW.counted')};
    END;
    CREATE TRIGGER counted_call_changed AFTER UPDATE OF counted ON ledger WHEN NEW.counted != OLD.counted BEGIN
      ${add('NEW', 'NEW.counted - OLD.counted')};
    END;
  `,
};
