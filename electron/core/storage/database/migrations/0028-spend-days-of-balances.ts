import { type Row, spendDaysBy } from './0007-spend-facts.ts';
import type { Migration } from './migration.ts';

/**
 * The balances that an entry counts against, each as `nameOfBalance` (core/storage/one-balance.ts) writes it: its own, and those whose falls show
 * what the call cost. Empty: made up, or stored by the first version, which noted neither server nor key.
 */
export const balancesOf = (row: Row): string =>
  `CASE WHEN ${row}.drawn_on != '' THEN ${row}.drawn_on WHEN ${row}.fingerprint = '' THEN ''
    ELSE ${row}.interface || ' ' || ${row}.origin || ' ' || ${row}.fingerprint || char(10) END`;

const days = spendDaysBy(balancesOf);

/** SQL that fills the empty table with the days of all entries. */
export const fillSpendDays = days.fill;

/** In a condition on `call` of the ledger: it is one of those of the segment `stretch` between the readings `opening` and `closing`. */
export const isCallOfSegment = `call.sequence IN (
          SELECT sequence FROM ledger WHERE sent_sequence > opening.answered_sequence AND sent_sequence <= closing.asked_sequence
          UNION ALL SELECT sequence FROM ledger WHERE id IN (opening.own_call, closing.own_call))
          AND call.ending IS NOT 'unsent' AND stretch.origin IN (call.origin, call.other_origin)
          AND (call.interface = 'soap' OR call.fingerprint = stretch.fingerprint
            OR stretch.origin NOT IN (SELECT origin FROM separate_purses))`;

/**
 * As `concludeCalls` (core/spend/conclusions.ts): each balance, other than the call's own, that fell by at least the prices of all its calls, or
 * by what this one cost that was alone. The call’s own comes first: it may be another, which no reading has shown yet.
 */
export const fillDrawnOn = `
    UPDATE ledger SET drawn_on = ${balancesOf('ledger')} || found.others
    FROM (
      SELECT call, group_concat(balance, '' ORDER BY first) AS others FROM (
        SELECT call.sequence AS call, min(to_reading) AS first,
          iif(closing.source = 'rest-key', 'rest ', 'soap ') || stretch.origin || ' ' || stretch.fingerprint || char(10) AS balance
        FROM segments stretch
        JOIN balance_readings opening ON opening.sequence = from_reading
        JOIN balance_readings closing ON closing.sequence = to_reading
        JOIN ledger call ON ${isCallOfSegment}
        WHERE kind = 'fell' AND expiry IS NULL AND (stretch.credits >= prices
            OR (calls = 1 AND (call.observed = stretch.credits OR call.segment = to_reading)))
          AND call.segment IS NOT NULL
          AND NOT (call.origin = stretch.origin AND (call.fingerprint = stretch.fingerprint
            OR (call.balance_before IS NOT NULL AND (call.interface = 'rest') = (closing.source = 'rest-key'))))
        GROUP BY call.sequence, balance)
      GROUP BY call) AS found
    WHERE ledger.sequence = found.call;`;

/**
 * Days of spending by balance: what was spent at another server, with another key of the same label, or over the other interface counted
 * against each balance of the connection alike.
 */
export const spendDaysOfBalances: Migration = {
  number: 28,
  name: 'spend-days-of-balances',
  tables: '7e5695787ed935de',
  sql: `
    -- Its own balance and those whose falls show what the call cost. Empty: its own alone.
    ALTER TABLE ledger ADD COLUMN drawn_on TEXT NOT NULL DEFAULT '';
    ${fillDrawnOn}
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
