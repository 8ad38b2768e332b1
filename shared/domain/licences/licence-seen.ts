import { z } from 'zod';
import { plannedLicenceSchema } from './licence-change.ts';

/** One licence that a machine was seen with. */
const licenceSeenSchema = z.object({
  licenceNumber: z.string(),
  /** Its reference, or its number if the list has none. */
  name: z.string(),
  typeName: z.string(),
  /** What the account's list said of it; null: the list does not name it. */
  licence: plannedLicenceSchema.nullable(),
  expired: z.boolean(),
  /** Why the service may not give it back once it is taken off; null: nothing speaks against it. */
  mayStayOff: z.string().nullable(),
  /** Where it was seen, most recently first. `last`: in the machine's last answer; else in an earlier one. */
  seen: z.array(z.object({ machine: z.string(), at: z.string(), last: z.boolean() })),
});
export type LicenceSeen = z.infer<typeof licenceSeenSchema>;

export const machinesSeenSchema = z.object({
  licences: z.array(licenceSeenSchema),
  /** When each machine last answered (null: never), and how its last read failed. */
  machines: z.array(z.object({ machine: z.string(), askedAt: z.string().nullable(), failure: z.string().nullable() })),
  listReadAt: z.string().nullable(),
  /** False: the account may have licences that are not in it. */
  isListWhole: z.boolean(),
});
export type MachinesSeen = z.infer<typeof machinesSeenSchema>;
