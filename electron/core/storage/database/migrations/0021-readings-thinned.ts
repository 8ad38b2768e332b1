import type { Migration } from './migration.ts';

/**
 * Balance readings that add nothing to their neighbours are removed after a time (core/upkeep/thin-readings.ts). The new column is the number
 * of readings that a row stands for: itself and those that were removed just before it.
 */
export const readingsThinned: Migration = {
  number: 21,
  name: 'readings-thinned',
  tables: 'b87ae59b7171a10d',
  sql: `
    ALTER TABLE balance_readings ADD COLUMN stands_for INTEGER NOT NULL DEFAULT 1;
  `,
};
