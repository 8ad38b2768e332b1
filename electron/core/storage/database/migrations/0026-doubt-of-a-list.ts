import type { Migration } from './migration.ts';

/** Why a list of licences may leave some out; null: its answer says plainly that it is whole, or it is of an earlier version. */
export const doubtOfAList: Migration = {
  number: 26,
  name: 'doubt-of-a-list',
  tables: '40dd6742c8574a37',
  sql: 'ALTER TABLE licence_reading ADD COLUMN doubt TEXT;',
};
