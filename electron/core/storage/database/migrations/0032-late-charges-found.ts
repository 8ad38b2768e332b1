import type { Migration } from './migration.ts';

/**
 * A fall may be the late charge of a call that ended within the day before and of which no fall was seen. Such calls are found by when they
 * ended: finding them by the readings that judged them took the square of those where everything is computed anew, and a clock set back for
 * such a reading hid a call.
 */
export const lateChargesFound: Migration = {
  number: 32,
  name: 'late-charges-found',
  tables: '9948e12b7d69bb7f',
  sql: `
    CREATE INDEX ledger_no_fall ON ledger (ended_at, segment) WHERE version > 1 AND verdict = 'no-fall';
  `,
};
