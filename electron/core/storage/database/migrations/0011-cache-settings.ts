import type { Migration } from './migration.ts';

/** Renames the settings of cached answers to the names that the code uses now. */
export const cacheSettings: Migration = {
  number: 11,
  name: 'cache-settings',
  tables: '31b9bd85743741dd',
  sql: `
    UPDATE settings SET key = 'cachePolicy' WHERE key = 'heldPolicy';
    UPDATE settings SET key = 'cacheMegabytes' WHERE key = 'heldMegabytes';
  `,
};
