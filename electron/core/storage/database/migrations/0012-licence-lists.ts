import type { Migration } from './migration.ts';

/**
 * A list of licences has a name of its own and is written row by row, in several transactions; the reading of its connection names
 * it once all of it is there. So a list that was half written is never seen, and a long one does not hold main up.
 */
export const licenceLists: Migration = {
  number: 12,
  name: 'licence-lists',
  tables: 'dfe14776cbd40938',
  sql: `
    ALTER TABLE licence_seen RENAME COLUMN connection_id TO list;
    -- Of the program that wrote it: only a dead one leaves rows of a list that no reading names.
    ALTER TABLE licence_seen ADD COLUMN run TEXT NOT NULL DEFAULT '';
    -- The list of the reading; the lists of earlier versions are named as their connection.
    ALTER TABLE licence_reading ADD COLUMN list TEXT NOT NULL DEFAULT '';
    UPDATE licence_reading SET list = connection_id;
  `,
};
