import { z } from 'zod';

/** Where a figure comes from. Licence figures come from licence records; the others from one free call each. */
export const balanceSources = ['rest-key', 'soap-account', 'service-test', 'licence'] as const;
export type BalanceSource = (typeof balanceSources)[number];

/** One reading of one source. Nothing is averaged: sources that disagree stand beside each other. */
export const balanceReadingSchema = z.object({
  source: z.enum(balanceSources),
  /** The key's label, the account name, or the licence's reference. */
  label: z.string(),
  /** Last four characters of the key used; empty where none is. */
  keyLastFour: z.string(),
  /** null: the service gave no number. */
  credits: z.number().nullable(),
  used: z.number().nullable(),
  total: z.number().nullable(),
  /** YYYY-MM-DD as sent. */
  expiryDate: z.string().nullable(),
  /** The whole text of ServiceTest, shown as it came; its wording is not published. */
  text: z.string().nullable(),
  at: z.string(),
});
export type BalanceReading = z.infer<typeof balanceReadingSchema>;

/** Checked in the main process before a socket opens (safety.md 5). null: no cap. */
export const spendingCapsSchema = z.strictObject({
  perRun: z.number().int().min(0).max(10_000_000).nullable(),
  perDay: z.number().int().min(0).max(10_000_000).nullable(),
  /** Calls that would take the last known balance under this are refused. */
  floor: z.number().int().min(0).max(10_000_000).nullable(),
});
export type SpendingCaps = z.infer<typeof spendingCapsSchema>;

/** matches, more, less: observed against expected. charged-answer-lost: proved by the balance. unsettled: still unknown. */
export const spendVerdicts = [
  'matches',
  'more',
  'less',
  'not-read',
  'measured',
  'held-free',
  'not-charged',
  'charged-answer-lost',
  'unsettled',
  'unexplained',
] as const;
export type SpendVerdict = (typeof spendVerdicts)[number];

/** One row of the ledger: a spend of this console, or a movement no call of it explains. */
export const ledgerEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  callId: z.string().nullable(),
  operation: z.string(),
  subject: z.string(),
  paidBy: z.string(),
  /** null: not published. */
  expected: z.number().nullable(),
  observed: z.number().nullable(),
  balanceAfter: z.number().nullable(),
  verdict: z.enum(spendVerdicts),
  balanceBefore: z.number().nullable().default(null),
  /** Of a movement no call explains: the reading before it; it happened between then and `at`. null: the entry is a call. */
  since: z.string().nullable().default(null),
  /** Of such a movement: credits that calls of this console explain of the same fall. 0: this console was quiet. */
  explained: z.number().nullable().default(null),
  /** What a person wrote about it; empty: nothing. */
  note: z.string().default(''),
  /** Made up for the demo connection's history. */
  madeUp: z.boolean().default(false),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const creditsOverviewSchema = z.object({
  readings: z.array(balanceReadingSchema),
  caps: spendingCapsSchema,
  spentThisRun: z.number(),
  spentToday: z.number(),
  /** Calls sent today whose price is not published: they are in no sum. */
  unpricedToday: z.number(),
  unsettledToday: z.number(),
});
export type CreditsOverview = z.infer<typeof creditsOverviewSchema>;

/** The price as shown on a button: published, measured on this account, or not published. */
export const shownPriceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('credits'), credits: z.number() }),
  z.object({ kind: z.literal('measured'), credits: z.number(), times: z.number() }),
  z.object({ kind: z.literal('held') }),
  z.object({ kind: z.literal('not-published') }),
]);
export type ShownPrice = z.infer<typeof shownPriceSchema>;
