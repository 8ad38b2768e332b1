import { z } from 'zod';
import { appErrorSchema, channel, nothing } from './parts.ts';

/** What is done about newer versions, from the least to the most: nothing, notify, install. */
export const updateModes = ['off', 'notify', 'automatic'] as const;
export type UpdateMode = (typeof updateModes)[number];

export const updateStateSchema = z.object({
  /** What applies now: the lowest of the policy's, the user's and what this installation can do. */
  mode: z.enum(updateModes),
  /** Why, in a sentence or two. */
  why: z.string(),
  /** What the user chose, or the default until they do. */
  chosen: z.enum(updateModes),
  /** The most that can be chosen: less than automatic under a policy. */
  most: z.enum(updateModes),
  /** The folder of releases; empty: none. */
  address: z.string(),
  /** The address is the policy's. */
  addressLocked: z.boolean(),
  /** When a version that is ready is installed, in a sentence. */
  installs: z.string(),
  currentVersion: z.string(),
  /** What was found at the address when it was last read; null: never read. */
  latest: z
    .object({
      version: z.string(),
      /** As written in the list of versions. */
      date: z.string().nullable(),
      /** Plain text from outside, bounded; empty: none. Must never be interpreted as markup. */
      notes: z.string(),
      /** newer: than this one. too-new: newer, for a later system than this. not-newer: the same or older. */
      is: z.enum(['newer', 'too-new', 'not-newer']),
    })
    .nullable(),
  stage: z.enum(['resting', 'looking', 'downloading', 'ready']),
  /** Progress of a download; null if its length is not known. */
  percent: z.number().int().min(0).max(100).nullable(),
  lastLooked: z.string().nullable(),
  /** What went wrong last; null: nothing, or nothing was tried. */
  error: appErrorSchema.nullable(),
  /** The newer version that the window should announce above every screen; null: none, or it was dismissed. */
  notice: z.string().nullable(),
});
export type UpdateState = z.infer<typeof updateStateSchema>;

export const updateChannels = {
  'updates.state': channel(nothing, updateStateSchema),
  'updates.choose': channel(
    z.strictObject({ mode: z.enum(updateModes), address: z.string().max(2000) }),
    updateStateSchema,
  ),
  /** Reads the list of versions now. Failures go into the state. */
  'updates.look': channel(nothing, updateStateSchema),
  'updates.put-away': channel(z.strictObject({ version: z.string().max(64) }), updateStateSchema),
  /** Ends the program in the ordinary way, installs what is ready and starts it again. */
  'updates.install': channel(nothing, z.object({})),
} as const;
