import { z } from 'zod';
import { moneyClaimSchema } from '../../claims/money-claims.ts';
import type { CacheMode } from '../call.ts';
import type { Protocol } from '../connection.ts';

/** Where a figure comes from. Licence figures come from licence records, the others from one call each, of which only the key's is free. */
export const balanceSources = ['rest-key', 'soap-account', 'service-test', 'licence'] as const;
export type BalanceSource = (typeof balanceSources)[number];
/** The interface that a source is read over. */
export const protocolOfSource = (source: BalanceSource): Protocol => (source === 'rest-key' ? 'rest' : 'soap');

/** One reading of one source. Nothing is averaged: sources that disagree are shown side by side. */
export const balanceSampleSchema = z.object({
  source: z.enum(balanceSources),
  /** The key's label, the account name, or the licence's reference. */
  label: z.string(),
  /** Last four characters of the key used; empty: none was. */
  keyLastFour: z.string(),
  /** null: the service sent no number. */
  credits: z.number().nullable(),
  used: z.number().nullable(),
  total: z.number().nullable(),
  /** As it came. */
  expiryDate: z.string().nullable(),
  /** The whole text of ServiceTest, shown as it came; its wording is not published. */
  text: z.string().nullable(),
  at: z.string(),
});
export type BalanceSample = z.infer<typeof balanceSampleSchema>;

/** "main ••9f3a"; without a key, only the label. */
export const formatKey = ({ label, keyLastFour }: Pick<BalanceSample, 'label' | 'keyLastFour'>): string =>
  keyLastFour === '' ? label : `${label} ••${keyLastFour}`;

/** The most that a cap, a batch’s limit or a minimum balance may be. */
export const mostCredits = 10_000_000;
export const creditLimitSchema = z.number().int().min(0).max(mostCredits);

/** Checked in the main process before a socket opens (promise 5). null: no cap. */
export const spendingCapsSchema = z.strictObject({
  /** Credits of one run of the program; `perDay`: of one local day. */
  perRun: creditLimitSchema.nullable(),
  perDay: creditLimitSchema.nullable(),
  /** Calls that would take the last known balance below this are refused. */
  floor: creditLimitSchema.nullable(),
});
export type SpendingCaps = z.infer<typeof spendingCapsSchema>;

/** Only those that change: the others may have been changed in another window. */
export const capChangesSchema = spendingCapsSchema.partial();
export type CapChanges = z.infer<typeof capChangesSchema>;

export const capNames = ['perDay', 'perRun', 'floor'] as const satisfies readonly (keyof SpendingCaps)[];

/** One row of the ledger: a paid call of this console, or a movement of the balance that no call explains. */
export const ledgerEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['call', 'movement']),
  callId: z.string().nullable(),
  operation: z.string(),
  subject: z.string(),
  paidBy: z.string(),
  /** The published price, in credits; null: not published. */
  expected: z.number().nullable(),
  /** Credits that follow for this row from what the balance did, by its claims; negative: it rose. null: nothing follows. */
  observed: z.number().nullable(),
  balanceAfter: z.number().nullable(),
  balanceBefore: z.number().nullable(),
  /** Of a movement: the reading before it; it happened between then and `at`. null: the entry is a call. */
  since: z.string().nullable(),
  /** A person's note; empty: none. It changes no claim. */
  note: z.string(),
  /** Made up for the demo connection's history. */
  madeUp: z.boolean(),
  /** Who was signed in to this computer when it was asked; empty: not recorded, or no call. */
  person: z.string(),
  /** The claims about it, in reading order (shared/claims). Empty: made up. */
  claims: z.array(moneyClaimSchema),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The credits of the licences last seen, together. */
const licenceCreditsSchema = z.object({
  licences: z.number(),
  /** How many of them gave a number, and only one. */
  figures: z.number(),
  /** How many of the others gave a number in one record and not the same in another. */
  differing: z.number(),
  /** The sum of those with one. */
  credits: z.number(),
  readAt: z.string(),
});
export type LicenceCredits = z.infer<typeof licenceCreditsSchema>;

/** The sums of the entries that match a filter; in credits, except the counts. */
export const ledgerSumsSchema = z.object({
  entries: z.number().int(),
  /** Entries of the whole ledger. */
  of: z.number().int(),
  /** Calls that left this computer. */
  calls: z.number().int(),
  /** Sum of their published prices; `unpriced`: how many have none, and are in no sum. */
  price: z.number(),
  unpriced: z.number().int(),
  /** Falls that followed for one call each, and those that followed by the published prices of several. */
  alone: z.number(),
  byPrice: z.number(),
  /** Falls shared by several calls, each once, and how many of the entries share them. */
  shared: z.number(),
  sharedBy: z.number().int(),
  /** Calls under way, or whose cost no reading has shown. */
  open: z.number().int(),
  notExplained: z.number(),
  added: z.number(),
  /** Balances in which these two overlap in time and which may be one: the same credits may be in them so many times. 0: none. */
  balances: z.number().int(),
  /** Made up for the demo connection: in none of the figures above but `entries`. */
  madeUp: z.number().int(),
});
export type LedgerSums = z.infer<typeof ledgerSumsSchema>;

/** Who set a cap or a figure, and when: the person signed in to this computer. */
export const capAuthorSchema = z.object({ person: z.string(), at: z.string() });
export type CapAuthor = z.infer<typeof capAuthorSchema>;

/** Where a cap comes from: a policy of this computer, or this program; `author` null: set by a version that did not record it. */
const capSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('policy') }),
  z.object({ kind: z.literal('here'), author: capAuthorSchema.nullable() }),
]);
export type CapSource = z.infer<typeof capSourceSchema>;

/** What counts towards one cap now, by the sums that admit a call. If several apply, the one with the least room. */
const capCountSchema = z.object({
  /** null: no cap. */
  cap: z.number().nullable(),
  counted: z.number(),
  /** The part for which a charge may still come, or whose cost no reading has shown. */
  open: z.number(),
  /** A policy's cap counts every connection. null: no cap. */
  source: capSourceSchema.nullable(),
});
export type CapCount = z.infer<typeof capCountSchema>;

export const creditsOverviewSchema = z.object({
  /** Of the key, the account and the service's test. */
  samples: z.array(balanceSampleSchema),
  /**
   * The last figure of what pays where no key is chosen, whichever connection read it: a minimum balance is compared to it, less what was
   * sent since. null: there is none.
   */
  compared: z.object({ credits: z.number(), at: z.string() }).nullable(),
  /** null: never read. */
  licences: licenceCreditsSchema.nullable(),
  caps: spendingCapsSchema,
  counts: z.object({ perDay: capCountSchema, perRun: capCountSchema }),
  /** Where the minimum balance comes from; null: none is set. */
  floorSource: capSourceSchema.nullable(),
  /** Caps of other connections that also apply to a key of this one, for those that have any. */
  sharedCaps: z.array(
    z.object({
      name: z.string(),
      /** Labels of the keys, as this connection has them. */
      keys: z.array(z.string()),
      counts: z.object({ perDay: capCountSchema, perRun: capCountSchema }),
      floor: z.number().nullable(),
    }),
  ),
  spentToday: z.number(),
  /** Calls sent today whose price is not published: they are in no sum. */
  unpricedToday: z.number(),
  /** Calls sent today for which a charge may still come, or whose cost no reading has shown. */
  openToday: z.number(),
});
export type CreditsOverview = z.infer<typeof creditsOverviewSchema>;

/** The price as shown on a button: published, measured on this account, or not published. */
export const shownPriceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('credits'), credits: z.number() }),
  z.object({ kind: z.literal('measured'), credits: z.number(), times: z.number() }),
  z.object({ kind: z.literal('cached') }),
  z.object({ kind: z.literal('not-published') }),
]);
export type ShownPrice = z.infer<typeof shownPriceSchema>;

/** How to ask at a price that was shown: what is called saved and free never sends, though the answer may be gone by then. */
export const cacheModeAt = ({ kind }: ShownPrice): CacheMode => (kind === 'cached' ? 'only-if-cached' : 'default');
