import type { Migration } from './migration.ts';

/**
 * A list of licences has an id and is written in several transactions; its connection refers to it only after the last of them. So a
 * partly written list is never read, and a long one does not block the main process.
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
