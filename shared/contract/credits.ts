import { z } from 'zod';
import {
  balanceReadingSchema,
  creditsOverviewSchema,
  ledgerEntrySchema,
  spendingCapsSchema,
  spendVerdicts,
} from '../domain/credits.ts';
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
} as const;
