import { z } from 'zod';
import { callRecordSchema } from '../domain/activity.ts';
import { channel, line } from './parts.ts';

export const activityChannels = {
  'activity.list': channel(
    z.strictObject({ search: line, before: z.string().max(64).nullable(), limit: z.number().int().min(1).max(500) }),
    z.object({ calls: z.array(callRecordSchema), next: z.string().nullable(), total: z.number().int() }),
  ),
} as const;
