import type { Migration } from './migration.ts';

/**
 * The figure at which a call was let through stays with it, for caps as for the limit of a batch: what it counts for was computed anew by
 * the figure set at that time. Earlier calls keep what they count for; one that was given back would count again at the figure set now.
 */
export const figureOfEachCall: Migration = {
  number: 29,
  name: 'figure-of-each-call',
  tables: '9948e12b7d69bb7f',
  sql: `
    -- Credits that caps and the limit of its batch count for a call from before it is sent: its highest price, or the figure set then.
    ALTER TABLE ledger RENAME COLUMN batch_counted TO admitted;
    UPDATE ledger SET admitted = coalesce(expected, nullif(counted, 0), (SELECT credits FROM set_prices
        WHERE set_prices.connection_id = ledger.connection_id AND set_prices.operation = ledger.operation), 0)
      WHERE sent_sequence IS NOT NULL AND batch IS NULL;
  `,
};
