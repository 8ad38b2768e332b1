import type { Migration } from './migration.ts';

/** An index of changes by licence: each row of a bulk change searches them, and the table's rows are long because each has the whole change. */
export const changesOfLicence: Migration = {
  number: 16,
  name: 'changes-of-licence',
  tables: '20e1f0e2c5321fb2',
  sql: 'CREATE INDEX changes_of_licence ON licence_change (connection_id, licence_id, planned_at, state);',
};
