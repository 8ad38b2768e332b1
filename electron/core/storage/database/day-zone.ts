import type { DatabaseSync } from 'node:sqlite';
import { fillReadingDays } from './migrations/0025-reading-days-of-servers.ts';
import { fillSpendDays } from './migrations/0028-spend-days-of-balances.ts';

/**
 * Recomputes the daily totals if they were made in another time zone than this computer's current one: a total is a day's only if the days
 * of all its rows are in one zone, and charts and forecasts ask for today's zone. Does nothing within a transaction. Throws where SQLite does.
 */
export function keepDaysInZone(sql: DatabaseSync): void {
  const hasDays = sql.prepare(`SELECT 1 FROM pragma_table_info('spend_days') WHERE name = 'balances'`).get();
  if (hasDays === undefined || sql.isTransaction) return;
  // Of a TZ such as “:/etc/localtime” or one that is mistyped there is none.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? process.env.TZ ?? '';
  if (sql.prepare('SELECT zone FROM day_zone').get()?.zone === zone) return;
  sql.exec('BEGIN IMMEDIATE');
  try {
    sql.exec(`DELETE FROM spend_days; ${fillSpendDays} DELETE FROM reading_days; ${fillReadingDays}`);
    sql.prepare('UPDATE day_zone SET zone = ?').run(zone);
    sql.exec('COMMIT');
  } catch (cause) {
    if (sql.isTransaction) sql.exec('ROLLBACK');
    throw cause;
  }
}
