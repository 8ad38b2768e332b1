import { z } from 'zod';
import { callFoldSchema, callRecordSchema, callSumsSchema } from '../domain/activity.ts';
import { filterChoicesSchema, rowFilterSchema, wholeTable } from '../domain/row-filter.ts';
import { channel, id, line, nothing, savedFile } from './parts.ts';

export const activityChannels = {
  'activity.list': channel(
    z.strictObject({
      search: line.default(''),
      filter: rowFilterSchema.default(wholeTable),
      /** `next` of the page before; null: from the newest. */
      before: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
      /** Balance reads folded into one line for each stretch without another call. */
      fold: z.boolean().default(false),
    }),
    z.object({
      calls: z.array(callRecordSchema),
      folds: z.array(callFoldSchema),
      /** null: that was all. */
      next: z.string().nullable(),
    }),
  ),
  /** The balance reads of a folded line, newest first. */
  'activity.unfold': channel(
    z.strictObject({ newestId: id, oldestId: id }),
    z.object({ calls: z.array(callRecordSchema) }),
  ),
  /** `total`: calls of the whole log, whatever the filter, counted with them. */
  'activity.sums': channel(
    z.strictObject({ filter: rowFilterSchema }),
    callSumsSchema.extend({ total: z.number().int() }),
  ),
  /** The values to choose from in the filter. */
  'activity.choices': channel(nothing, filterChoicesSchema),
  /** Writes the calls that a filter lets through into a CSV file chosen by a person. */
  'activity.export': channel(z.strictObject({ filter: rowFilterSchema }), savedFile),
} as const;
