import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { type Alert, alertStateSchema } from '../../../shared/domain/credits/credits-history.ts';

const rowSchema = alertStateSchema.omit({ now: true });
export type AlertRow = z.infer<typeof rowSchema>;

/** Rows of alerts. Throws where SQLite does. */
export function openAlertsRepository(sql: DatabaseSync) {
  const list = sql.prepare(
    `SELECT kind, threshold, told_at AS toldAt, is_on AS isOn FROM credit_alerts WHERE connection_id = ?
     ORDER BY CASE kind WHEN 'below-credits' THEN 1 WHEN 'below-percent' THEN 2 WHEN 'days-left' THEN 3 ELSE 4 END, threshold DESC`,
  );
  const add = sql.prepare(
    'INSERT INTO credit_alerts (connection_id, kind, threshold) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const remove = sql.prepare('DELETE FROM credit_alerts WHERE connection_id = ? AND kind = ? AND threshold = ?');
  const turn = sql.prepare(
    'UPDATE credit_alerts SET is_on = ?, told_at = NULL WHERE connection_id = ? AND kind = ? AND threshold = ?',
  );
  const setNotified = sql.prepare(
    'UPDATE credit_alerts SET told_at = ? WHERE connection_id = ? AND kind = ? AND threshold = ? AND (told_at IS NULL) = ?',
  );
  return {
    list: (connectionId: string): AlertRow[] =>
      list.all(connectionId).map((row) => rowSchema.parse({ ...row, isOn: row.isOn === 1 })),
    add: (connectionId: string, { kind, threshold }: Alert): void => void add.run(connectionId, kind, threshold),
    remove: (connectionId: string, { kind, threshold }: Alert): void => void remove.run(connectionId, kind, threshold),
    /** Either way it begins anew: what was crossed while it was off is reported when it is on. */
    turn: (connectionId: string, { kind, threshold }: Alert, isOn: boolean): void =>
      void turn.run(isOn ? 1 : 0, connectionId, kind, threshold),
    /** True if this call is the one that reported it: two processes at once report one crossing once. */
    markTold: (connectionId: string, { kind, threshold }: Alert, at: string): boolean =>
      setNotified.run(at, connectionId, kind, threshold, 1).changes > 0,
    clearTold: (connectionId: string, { kind, threshold }: Alert): boolean =>
      setNotified.run(null, connectionId, kind, threshold, 0).changes > 0,
  };
}
