import { z } from 'zod';
import { moneyClaimSchema } from '../claims/money-claims.ts';
import { channel, id, savedFile } from './parts.ts';

/** What is masked besides keys, GUIDs and passwords, which always are. */
export const supportMasks = ['addresses', 'names', 'hosts', 'balances'] as const;
export type SupportMask = (typeof supportMasks)[number];
export const usualMasks: readonly SupportMask[] = ['addresses', 'names', 'hosts'];

const supportPartSchema = z.object({
  name: z.string(),
  /** As it would be saved. */
  text: z.string(),
  bytes: z.number().int(),
  /** Places in it that are masked. */
  masked: z.number().int(),
});
export type SupportPart = z.infer<typeof supportPartSchema>;

const supportFileSchema = z.object({
  supportId: z.string(),
  callId: z.string(),
  operation: z.string(),
  parts: z.array(supportPartSchema),
  /** The claims about its charge, as in the ledger. */
  claims: z.array(moneyClaimSchema),
  /** Other calls shortly before and after it that are in the file; `aroundOf`: how many there were. */
  around: z.number().int(),
  aroundOf: z.number().int(),
  describedAt: z.string().nullable(),
  /** How many saved keys all of it was searched for, and how many the keychain did not return. */
  searched: z.number().int(),
  unread: z.number().int(),
});
export type SupportFile = z.infer<typeof supportFileSchema>;

export const supportChannels = {
  /** Everything that would be in the support file of a call. Writes and sends nothing. */
  'support.prepare': channel(
    z.strictObject({ callId: id, masks: z.array(z.enum(supportMasks)).max(supportMasks.length) }),
    supportFileSchema,
  ),
  /** Writes the parts that were shown, except those named, into one file chosen by a person. */
  'support.save': channel(z.strictObject({ supportId: id, without: z.array(z.string().max(40)).max(20) }), savedFile),
} as const;
