import { z } from 'zod';
import { moneyClaimSchema } from '../claims/money-claims.ts';
import { accountingSchema } from '../domain/credits/accounting.ts';
import {
  balanceSampleSchema,
  capAuthorSchema,
  capChangesSchema,
  creditsOverviewSchema,
  ledgerEntrySchema,
  ledgerSumsSchema,
  spendingCapsSchema,
} from '../domain/credits/credits.ts';
import {
  alertNoticeSchema,
  alertSchema,
  alertStateSchema,
  creditHistorySchema,
  forecastSchema,
  madeUpSchema,
  measuredPriceSchema,
  reconciliationSchema,
  spendGroupings,
} from '../domain/credits/credits-history.ts';
import { filterChoicesSchema, rowFilterSchema, wholeTable } from '../domain/row-filter.ts';
import { mostInSetup } from '../domain/setup-file.ts';
import { appErrorSchema, byConnection, channel, id, savedFile, typedChannel } from './parts.ts';

/** What the console knows of a call (truth: facts in order of time, then what may be said). */
const evidenceSchema = z.object({
  callId: z.string(),
  /** When the call began. */
  at: z.string(),
  operation: z.string(),
  subject: z.string(),
  /** The published price, in credits; null: none. */
  expected: z.number().nullable(),
  rows: z.array(z.object({ at: z.string(), text: z.string(), credits: z.number().nullable() })),
  claims: z.array(moneyClaimSchema),
  /** A further reading of the balance may show more. */
  mayShowMore: z.boolean(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

const setPricesSchema = z.array(
  z.object({ operation: z.string(), credits: z.number(), setBy: capAuthorSchema.nullable() }),
);

/** ISO 8601 in UTC, to the millisecond, like everything stored. */
const moment = z.iso.datetime({ precision: 3 }).max(24);
/** The whole days of this computer's zone in between, both ends included. */
const range = { connectionId: id, from: moment, to: moment };

export const creditChannels = {
  'credits.overview': channel(byConnection, creditsOverviewSchema),
  /**
   * Asks the named sources. REST keys are asked by GetCredits, which is free by what is published; the SOAP calls behind the other two have
   * no published price, so they are asked only if the user names them.
   */
  'credits.read-balances': channel(
    z.strictObject({
      connectionId: id,
      sources: z
        .array(z.enum(['rest-key', 'soap-account', 'service-test']))
        .min(1)
        .max(3),
    }),
    z.object({
      samples: z.array(balanceSampleSchema),
      failures: z.array(z.object({ source: z.string(), error: appErrorSchema })),
    }),
  ),
  /** Returns all that apply then. */
  'credits.save-caps': channel(z.strictObject({ connectionId: id, caps: capChangesSchema }), spendingCapsSchema),
  /** Whether a person has said that the keys of a connection's address have separate balances. */
  'credits.separate': channel(byConnection, z.object({ separate: z.boolean() })),
  'credits.say-separate': channel(
    z.strictObject({ connectionId: id, separate: z.boolean() }),
    z.object({ separate: z.boolean() }),
  ),
  /** Figures for operations without a published price, by which caps count them. null removes one. */
  'credits.set-prices': channel(byConnection, z.object({ prices: setPricesSchema })),
  'credits.set-price': channel(
    z.strictObject({
      connectionId: id,
      operation: z.string().max(80),
      credits: z.number().min(0).max(10_000).nullable(),
    }),
    z.object({ prices: setPricesSchema }),
  ),
  /** Newest first. `before`: `next` of the page before; null: from the newest. `next` null: that was all. */
  'credits.ledger': channel(
    z.strictObject({
      connectionId: id,
      before: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
      filter: rowFilterSchema.default(wholeTable),
    }),
    z.object({ entries: z.array(ledgerEntrySchema), next: z.string().nullable() }),
  ),
  'credits.ledger-sums': channel(z.strictObject({ connectionId: id, filter: rowFilterSchema }), ledgerSumsSchema),
  /** Pounds per credit and cost centres, as given by a person. */
  'credits.accounting': channel(byConnection, accountingSchema),
  'credits.save-accounting': typedChannel(
    z.strictObject({ connectionId: id, accounting: accountingSchema }),
    accountingSchema,
    ['label'],
  ),
  /** The values to choose from in the ledger's filter. */
  'credits.ledger-choices': channel(byConnection, filterChoicesSchema),
  'credits.evidence': channel(z.strictObject({ callId: id }), evidenceSchema),
  /** Reads the balance once more, which over SOAP has no published price, and returns what is then known of the call. */
  'credits.read-evidence': channel(z.strictObject({ callId: id }), evidenceSchema),
  /** Balance and spend over a range, from what is stored. */
  'credits.history': channel(z.strictObject({ ...range, by: z.enum(spendGroupings) }), creditHistorySchema),
  'credits.forecast': channel(byConnection, forecastSchema),
  /** Expected against observed over a range, one for each balance that was read in it. */
  'credits.reconcile': channel(
    z.strictObject(range),
    z.object({ balances: z.array(reconciliationSchema), madeUp: madeUpSchema }),
  ),
  /** Stores a person's note on an unexplained movement. */
  'credits.annotate': typedChannel(
    z.strictObject({ connectionId: id, entryId: id, note: z.string().max(300) }),
    ledgerEntrySchema,
  ),
  'credits.prices': channel(
    byConnection,
    z.object({
      measured: z.array(measuredPriceSchema),
      /** Operations without a published price whose call changes nothing: candidates for measuring a price. */
      measurable: z.array(z.string()),
    }),
  ),
  /** Up to four calls, each of which may cost: the balance twice, the call once, the balance again. `credits` null: they do not show it. */
  'credits.measure': typedChannel(
    z.strictObject({
      connectionId: id,
      operation: z.string().max(80),
      fields: z.array(z.strictObject({ name: z.string().max(80), value: z.string().max(500) })).max(30),
    }),
    z.object({ operation: z.string(), samples: z.array(balanceSampleSchema), credits: z.number().nullable() }),
  ),
  'credits.alerts': channel(byConnection, z.object({ alerts: z.array(alertStateSchema) })),
  'credits.save-alerts': channel(
    z.strictObject({ connectionId: id, alerts: z.array(alertSchema).max(mostInSetup.alert) }),
    z.object({ alerts: z.array(alertStateSchema) }),
  ),
  /** Switches an alert off without forgetting it, or on again. */
  'credits.turn-alert': channel(
    z.strictObject({ connectionId: id, alert: alertSchema, isOn: z.boolean() }),
    z.object({ alerts: z.array(alertStateSchema) }),
  ),
  /** Sends one notice as an alert would. */
  'credits.try-alert': channel(byConnection, alertNoticeSchema.extend({ shownBySystem: z.boolean() })),
  /** Streams a range into a file chosen in the save dialog; the window learns its name, not its folder. */
  'credits.export': channel(
    z.strictObject({
      ...range,
      what: z.enum(['ledger', 'readings']),
      format: z.enum(['csv', 'json']),
      /** For the ledger: only what this key or licence paid for; null: everything. */
      paidBy: z.string().max(255).nullable().default(null),
      /** For the ledger: only the entries that match, within the range. */
      filter: rowFilterSchema.nullable().default(null),
    }),
    savedFile,
  ),
} as const;
