import { type Row, spendDaysBy } from './0007-spend-facts.ts';
import type { Migration } from './migration.ts';

/**
 * The balances that an entry counts against, each as `nameOfBalance` (core/storage/one-balance.ts) writes it: those whose falls show what the call
 * cost, else its own. Empty: made up, or stored by the first version, which noted neither server nor key.
 */
export const balancesOf = (row: Row): string =>
  `CASE WHEN ${row}.drawn_on != '' THEN ${row}.drawn_on WHEN ${row}.fingerprint = '' THEN ''
    ELSE ${row}.interface || ' ' || ${row}.origin || ' ' || ${row}.fingerprint || char(10) END`;

const days = spendDaysBy(balancesOf);

/** SQL that fills the empty table with the days of all entries. */
export const fillSpendDays = days.fill;

/**
 * Days of spending by balance: what was spent at another server, with another key of the same label, or over the other interface counted
 * against each balance of the connection alike.
 */
export const spendDaysOfBalances: Migration = {
  number: 28,
  name: 'spend-days-of-balances',
  tables: '7e5695787ed935de',
  sql: `
    -- The balances whose falls show what the call cost. Empty: none but its own.
    ALTER TABLE ledger ADD COLUMN drawn_on TEXT NOT NULL DEFAULT '';
    UPDATE ledger SET drawn_on = coalesce((SELECT iif(source = 'rest-key', 'rest ', 'soap ') || origin || ' ' || fingerprint || char(10)
        FROM balance_readings reading WHERE sequence = ledger.segment
        AND (origin != ledger.origin OR fingerprint != ledger.fingerprint)), '')
      WHERE segment IS NOT NULL AND sent_sequence IS NOT NULL;
    CREATE INDEX ledger_drawn_on ON ledger (connection_id, at) WHERE drawn_on != '';
    DROP TABLE spend_days;
    CREATE TABLE spend_days (
      connection_id TEXT NOT NULL,
      day TEXT NOT NULL,
      interface TEXT NOT NULL,
      paid_by TEXT NOT NULL,
      operation TEXT NOT NULL,
      balances TEXT NOT NULL,
      -- spend: calls of this console; unexplained: taken by no call of it; added: the balance rose (negative)
      kind TEXT NOT NULL CHECK (kind IN ('spend', 'unexplained', 'added')),
      credits REAL NOT NULL,
      calls INTEGER NOT NULL,
      unpriced INTEGER NOT NULL,
      PRIMARY KEY (connection_id, day, kind, interface, paid_by, operation, balances)
    ) STRICT, WITHOUT ROWID;
    ${days.fill}
    ${days.triggers}
  `,
};
