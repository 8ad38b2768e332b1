import type { Migration } from './migration.ts';

/**
 * Calls whose cost no balance has shown are a few among all: each range of the credits screen sums their prices, and read every ledger
 * entry of the range for it, 0.2 s for a year of a million.
 */
export const undecidedFound: Migration = {
  number: 22,
  name: 'undecided-found',
  tables: 'b87ae59b7171a10d',
  sql: `
    CREATE INDEX ledger_undecided ON ledger (connection_id, interface, at, verdict, expected)
      WHERE verdict IN ('open', 'shared', 'between', 'rose', 'unclear');
  `,
};
