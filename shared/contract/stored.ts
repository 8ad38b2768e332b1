import { z } from 'zod';
import { storedSizesSchema, tidiedSchema } from '../domain/stored-data.ts';
import { channel, nothing } from './parts.ts';

export const storedChannels = {
  /** How large each part of what is stored is. */
  'stored.sizes': channel(nothing, storedSizesSchema.extend({ keptReadingDays: z.number().int() })),
  /** Applies the rules of what is kept now, and makes the database as small as it can be; cancelling stops it. */
  'stored.tidy': channel(nothing, tidiedSchema),
} as const;
