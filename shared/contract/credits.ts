import { z } from 'zod';
import {
  balanceReadingSchema,
  creditsOverviewSchema,
  ledgerEntrySchema,
  spendingCapsSchema,
  spendVerdicts,
} from '../domain/credits.ts';
import {
  alertNoticeSchema,
  alertSchema,
  alertStateSchema,
  creditHistorySchema,
  forecastSchema,
  measuredPriceSchema,
  reconciliationSchema,
  spendGroupings,
} from '../domain/credits-history.ts';
import { appErrorSchema, byConnection, channel, id } from './parts.ts';

/** What the console knows of a call whose outcome is unknown (safety.md 4). */
export const evidenceSchema = z.object({
  callId: z.string(),
  operation: z.string(),
  subject: z.string(),
  expected: z.number().nullable(),
  rows: z.array(z.object({ at: z.string(), text: z.string(), credits: z.number().nullable() })),
  verdict: z.enum(spendVerdicts),
  /** The verdict in words: what is proved and what is not. */
  conclusion: z.string(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** ISO 8601 in UTC, to the millisecond, as everything stored. */
const moment = z.iso.datetime({ precision: 3 }).max(24);
const range = { connectionId: id, from: moment, to: moment };

export const creditChannels = {
  'credits.overview': channel(byConnection, creditsOverviewSchema),
  /**
   * Asks the named sources. REST keys are asked by GetCredits, which is free by what is published; the SOAP calls behind the
   * other two have no published price, so they are asked only where the user names them.
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
      readings: z.array(balanceReadingSchema),
      failures: z.array(z.object({ source: z.string(), error: appErrorSchema })),
    }),
  ),
  'credits.save-caps': channel(z.strictObject({ connectionId: id, caps: spendingCapsSchema }), spendingCapsSchema),
  'credits.ledger': channel(
    z.strictObject({
      connectionId: id,
      before: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
    }),
    z.object({ entries: z.array(ledgerEntrySchema), next: z.string().nullable() }),
  ),
  'credits.evidence': channel(z.strictObject({ callId: id }), evidenceSchema),
  /** Reads the balance once more (free) and settles the call if that proves it. */
  'credits.settle': channel(z.strictObject({ callId: id }), evidenceSchema),
  /** Balance and spend over a range, from what is stored. */
  'credits.history': channel(z.strictObject({ ...range, by: z.enum(spendGroupings) }), creditHistorySchema),
  'credits.forecast': channel(byConnection, forecastSchema),
  /** Expected against observed over a range, one for each balance that was read in it. */
  'credits.reconcile': channel(z.strictObject(range), z.object({ balances: z.array(reconciliationSchema) })),
  /** Says what an unexplained movement was, in a person's own words. */
  'credits.annotate': channel(
    z.strictObject({ connectionId: id, entryId: id, note: z.string().max(300) }),
    ledgerEntrySchema,
  ),
  'credits.prices': channel(
    byConnection,
    z.object({
      measured: z.array(measuredPriceSchema),
      /** Operations whose price nobody publishes and whose call changes nothing: what an experiment may be made with. */
      measurable: z.array(z.string()),
    }),
  ),
  /** Up to four calls, each of which may cost: the balance twice, the call once, the balance again. */
  'credits.measure': channel(
    z.strictObject({
      connectionId: id,
      operation: z.string().max(80),
      fields: z.array(z.strictObject({ name: z.string().max(80), value: z.string().max(500) })).max(30),
    }),
    z.object({ operation: z.string(), readings: z.array(balanceReadingSchema), credits: z.number().nullable() }),
  ),
  'credits.alerts': channel(byConnection, z.object({ alerts: z.array(alertStateSchema) })),
  'credits.save-alerts': channel(
    z.strictObject({ connectionId: id, alerts: z.array(alertSchema).max(20) }),
    z.object({ alerts: z.array(alertStateSchema) }),
  ),
  /** Sends one notice as an alert would. */
  'credits.try-alert': channel(byConnection, alertNoticeSchema.extend({ shownBySystem: z.boolean() })),
  /** Streams a range into a file that a person chooses in the save dialog; the window learns its name, not its place. */
  'credits.export': channel(
    z.strictObject({ ...range, what: z.enum(['ledger', 'readings']), format: z.enum(['csv', 'json']) }),
    z.object({ saved: z.boolean(), fileName: z.string(), rows: z.number(), bytes: z.number() }),
  ),
} as const;
