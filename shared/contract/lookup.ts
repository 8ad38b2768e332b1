import { z } from 'zod';
import { lookupInterfaces } from '../domain/connection.ts';
import { shownPriceSchema } from '../domain/credits.ts';
import { heldPremiseSchema, premiseViewSchema, searchAnswerSchema } from '../domain/lookup.ts';
import { byConnection, channel, id, line } from './parts.ts';

const premise = z.strictObject({
  connectionId: id,
  premiseId: z.string().trim().min(1).max(100),
  interface: z.enum(lookupInterfaces),
  /** Spend even though an answer is held. */
  askAgain: z.boolean().default(false),
});

export const lookupChannels = {
  'lookup.search': channel(
    z.strictObject({
      connectionId: id,
      text: z.string().trim().min(1).max(500),
      /** null: the service's default of 100. */
      maxResults: z.number().int().min(1).max(100_000).nullable().default(null),
      askAgain: z.boolean().default(false),
    }),
    searchAnswerSchema,
  ),
  /** What a search would cost now: held and free, or its price. Asks nobody. */
  'lookup.search-price': channel(
    z.strictObject({ connectionId: id, text: line }),
    z.object({ price: shownPriceSchema, heldUntil: z.string().nullable() }),
  ),
  'lookup.open': channel(premise, premiseViewSchema),
  'lookup.uprn': channel(
    z.strictObject({ connectionId: id, premiseId: z.string().min(1).max(100) }),
    premiseViewSchema,
  ),
  'lookup.held': channel(byConnection, z.object({ premises: z.array(heldPremiseSchema) })),
  /** The answer as it came, secrets masked. Free. */
  'lookup.raw': channel(
    z.strictObject({ answerId: id }),
    z.object({
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string().optional(),
      }),
      answer: z.object({
        status: z.number(),
        headers: z.record(z.string(), z.string()),
        text: z.string(),
        bytes: z.number(),
      }),
    }),
  ),
} as const;
