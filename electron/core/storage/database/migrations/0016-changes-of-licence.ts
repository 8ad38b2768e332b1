import type { Migration } from './migration.ts';

/** Each row of a bulk change looks through the changes of its licence: in an index, since a row of the table has the whole change in it. */
export const changesOfLicence: Migration = {
  number: 16,
  name: 'changes-of-licence',
  tables: '20e1f0e2c5321fb2',
  sql: 'CREATE INDEX changes_of_licence ON licence_change (connection_id, licence_id, planned_at, state);',
};
