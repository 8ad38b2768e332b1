import type { Migration } from './migration.ts';

/**
 * A machine's answers in the order in which they came. Their times do not say it: after the clock was set back an answer is dated before the
 * one that it follows. A scan notes the last one that was there when it began.
 */
export const machineAnswersInOrder: Migration = {
  number: 23,
  name: 'machine-answers-in-order',
  tables: '8056df276effd227',
  sql: `
    ALTER TABLE machine_history ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE machine_history SET sequence = placed.sequence FROM (
      SELECT connection_id, machine, asked_at,
        row_number() OVER (PARTITION BY connection_id ORDER BY asked_at, machine) AS sequence
      FROM machine_history) placed
    WHERE machine_history.connection_id = placed.connection_id AND machine_history.machine = placed.machine
      AND machine_history.asked_at = placed.asked_at;
    CREATE INDEX machine_history_in_order ON machine_history (connection_id, sequence);
    ALTER TABLE machine_scan ADD COLUMN history_before INTEGER NOT NULL DEFAULT 0;
    UPDATE machine_scan SET history_before = (SELECT count(*) FROM machine_history
      WHERE machine_history.connection_id = machine_scan.connection_id AND asked_at < started_at);
  `,
};
