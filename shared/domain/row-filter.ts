import { z } from 'zod';

/**
 * A person's filter of the activity log or of the ledger: words, a range of days, and for each chip the values that pass. Empty: all. One
 * set for both tables, so that the same can be asked of either.
 */

/**
 * What followed for a call or a movement from the readings of its balance, in groups. The rows themselves carry whole claims
 * (shared/claims); a group claims no more than each of its rows.
 */
export const claimGroups = [
  'alone',
  'by-price',
  'shared',
  'no-fall',
  'not-known',
  'not-read',
  'not-explained',
  'added',
  'nothing-sent',
  'earlier',
] as const;
export type ClaimGroup = (typeof claimGroups)[number];

/** How a paid call ended. */
const endings = ['answered', 'refused', 'no-answer', 'not-sent', 'under-way'] as const;
export type EndingGroup = (typeof endings)[number];

const values = z.array(z.string().max(255)).max(50);
/** One end of a range, ISO 8601 UTC with milliseconds; null: no end. */
export const filterMoment = z.iso.datetime({ precision: 3 }).max(24).nullable();

export const rowFilterSchema = z.strictObject({
  /** Words or prefixes, all of which a row or its saved address must contain. */
  search: z.string().max(500),
  /** ISO 8601 UTC, both ends included; null: no end. */
  from: filterMoment,
  to: filterMoment,
  /** Labels of keys and licences. */
  keys: values,
  operations: values,
  people: values,
  /** How the calls ended: a `CallOutcome` for the log, an `EndingGroup` for the ledger. */
  outcomes: values,
  claims: z.array(z.enum(claimGroups)).max(claimGroups.length),
});
export type RowFilter = z.infer<typeof rowFilterSchema>;

export const wholeTable: RowFilter = {
  search: '',
  from: null,
  to: null,
  keys: [],
  operations: [],
  people: [],
  outcomes: [],
  claims: [],
};

/** Values to choose from, as the rows have them. */
export const filterChoicesSchema = z.object({
  keys: z.array(z.string()),
  operations: z.array(z.string()),
  people: z.array(z.string()),
});
export type FilterChoices = z.infer<typeof filterChoicesSchema>;
