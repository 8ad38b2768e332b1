import { z } from 'zod';
import { channel, nothing } from './parts.ts';

/** A third-party part of the program. */
export const packageLicenceSchema = z.object({
  name: z.string(),
  /** '': it has none. */
  version: z.string(),
  /** The SPDX id if there is one. */
  licence: z.string(),
  /** The licence's text, which must be passed on with the program. */
  text: z.string(),
});
export type PackageLicence = z.infer<typeof packageLicenceSchema>;

export const aboutChannels = {
  /** Written at build time from the actual contents of the bundles. */
  'about.licences': channel(nothing, z.object({ licences: z.array(packageLicenceSchema) })),
} as const;
