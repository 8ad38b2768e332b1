import { z } from 'zod';
import { channel, nothing } from './parts.ts';

/** What is in the program and was made by others. */
export const packageLicenceSchema = z.object({
  name: z.string(),
  /** '': it has none. */
  version: z.string(),
  /** SPDX where there is such an id. */
  licence: z.string(),
  /** The words, as they must be handed on. */
  text: z.string(),
});
export type PackageLicence = z.infer<typeof packageLicenceSchema>;

export const aboutChannels = {
  /** Written at build time from what is really in the bundles. */
  'about.licences': channel(nothing, z.object({ licences: z.array(packageLicenceSchema) })),
} as const;
