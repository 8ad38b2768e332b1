import { z } from 'zod';
import { storedSizesSchema, tidiedSchema } from '../domain/stored-data.ts';
import { channel, nothing } from './parts.ts';

export const storedChannels = {
  /** How large each part of what is stored is. */
  'stored.sizes': channel(nothing, storedSizesSchema.extend({ keptReadingDays: z.number().int() })),
  /** Applies the rules for stored data now, and makes the database as small as possible; cancelling stops it. */
  'stored.tidy': channel(nothing, tidiedSchema),
} as const;
