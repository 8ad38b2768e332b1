import type { Migration } from './migration.ts';

/**
 * Who requested a call and where, and the indexes for filtering the activity log and the ledger and for listing their values. In entries
 * of earlier versions the person is empty.
 */
export const workbench: Migration = {
  number: 15,
  name: 'workbench',
  tables: '20e1f0e2c5321fb2',
  sql: `
    ALTER TABLE calls ADD COLUMN person TEXT NOT NULL DEFAULT '';
    ALTER TABLE calls ADD COLUMN source TEXT NOT NULL DEFAULT '';
    CREATE INDEX calls_by_time ON calls (at);
    CREATE INDEX calls_by_operation ON calls (operation);
    CREATE INDEX calls_paid_by ON calls (paid_by);
    CREATE INDEX calls_of_person ON calls (person);
    CREATE INDEX calls_of_outcome ON calls (outcome);
    CREATE INDEX ledger_of_call ON ledger (call_id) WHERE call_id IS NOT NULL;
    CREATE INDEX ledger_paid_by ON ledger (connection_id, paid_by);
    CREATE INDEX ledger_of_operation ON ledger (connection_id, operation);
  `,
};
