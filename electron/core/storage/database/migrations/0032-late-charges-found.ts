import type { Migration } from './migration.ts';

/**
 * A fall may be the late charge of a call for which no fall was seen, if that ended within a day before. Such calls are found by their ends:
 * by the readings that judged them, it was looked for the first reading since a time among all later ones, for each fall when everything was
 * computed anew, and a clock set back for that reading hid a call.
 */
export const lateChargesFound: Migration = {
  number: 32,
  name: 'late-charges-found',
  tables: '9948e12b7d69bb7f',
  sql: `
    CREATE INDEX ledger_no_fall ON ledger (ended_at, segment) WHERE version > 1 AND verdict = 'no-fall';
  `,
};
