import type { Migration } from './migration.ts';

/**
 * What is found by server or licence, whatever the connection: a write that may not be repeated yet, and the newest balance reading of the
 * address that a connection leads to now. Without these every ended change was looked through for each row of a bulk change, and all readings
 * of an address that was edited for each figure shown.
 */
export const foundByServer: Migration = {
  number: 24,
  name: 'found-by-server',
  tables: '8056df276effd227',
  sql: `
    DROP INDEX changes_still_held;
    CREATE INDEX changes_held ON licence_change (licence_id, state, held_until);
    DROP INDEX readings_of_source;
    CREATE INDEX readings_of_server ON balance_readings (connection_id, source, label, key_last_four, origin, sequence);
  `,
};
