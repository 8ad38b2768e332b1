import type { DatabaseSync } from 'node:sqlite';
import { type BalanceReading, type BalanceSource, balanceReadingSchema } from '../../../shared/domain/credits.ts';

const columns = `source, label, key_last_four AS keyLastFour, credits, used, total, expiry_date AS expiryDate, text, at`;
const readReading = (row: Record<string, unknown>): BalanceReading => balanceReadingSchema.parse(row);

/** Rows of balance readings. Throws where SQLite does. */
export function openReadingsRepository(sql: DatabaseSync) {
  const insert = sql.prepare(
    `INSERT INTO balance_readings (connection_id, source, label, key_last_four, credits, used, total, expiry_date, text, at)
     VALUES (:connectionId, :source, :label, :keyLastFour, :credits, :used, :total, :expiryDate, :text, :at)`,
  );
  const latest = sql.prepare(
    `SELECT ${columns} FROM balance_readings WHERE sequence IN (
       SELECT max(sequence) FROM balance_readings WHERE connection_id = ? GROUP BY source, label, key_last_four
     ) ORDER BY source, label, key_last_four`,
  );
  const lastFigure = sql.prepare(
    `SELECT ${columns} FROM balance_readings
     WHERE connection_id = :connectionId AND source = :source AND (:keyLastFour IS NULL OR key_last_four = :keyLastFour)
       AND credits IS NOT NULL ORDER BY sequence DESC LIMIT 1`,
  );
  const since = sql.prepare(
    `SELECT ${columns} FROM balance_readings WHERE connection_id = ? AND at >= ? ORDER BY at, sequence`,
  );
  return {
    insert: (connectionId: string, reading: BalanceReading): void => void insert.run({ connectionId, ...reading }),
    latest: (connectionId: string): BalanceReading[] => latest.all(connectionId).map(readReading),
    lastFigure(connectionId: string, source: BalanceSource, keyLastFour: string | null): BalanceReading | undefined {
      const row = lastFigure.get({ connectionId, source, keyLastFour });
      return row && readReading(row);
    },
    since: (connectionId: string, at: string): BalanceReading[] => since.all(connectionId, at).map(readReading),
  };
}
