import { z } from 'zod';

/** The licences that GetLicenseDetails named for one machine (a License record names no machine). */
export const machineHoldingsSchema = z.object({
  machine: z.string(),
  licenceNumbers: z.array(z.string()),
  askedAt: z.string(),
  thisMachine: z.boolean(),
  /** Why it may hold more than was named: the answer does not plainly say that it is complete. */
  doubt: z.string().optional(),
});
export type MachineHoldings = z.infer<typeof machineHoldingsSchema>;

/** A row of the machine inventory: the name exactly as it is sent, the rest the administrator's own words. */
export const inventoryMachineSchema = z.strictObject({
  name: z.string().min(1).max(255),
  nickname: z.string().max(200),
  owner: z.string().max(200),
  site: z.string().max(200),
  note: z.string().max(2000),
});
export type InventoryMachine = z.infer<typeof inventoryMachineSchema>;

const findingKinds = ['near-equal', 'double', 'orphan', 'ghost', 'expired', 'nothing', 'changed', 'no-answer'] as const;
export type FindingKind = (typeof findingKinds)[number];
const findingTone = z.enum(['danger', 'warn', 'plain']);

/** A machine of the inventory, or one known only because it was read, with the licences of its last answer. */
const machineViewSchema = inventoryMachineSchema.extend({
  /** False: known only because it was read; saving it adds it to the inventory. */
  kept: z.boolean(),
  thisMachine: z.boolean(),
  holds: z.array(
    z.object({
      licenceNumber: z.string(),
      name: z.string(),
      expired: z.boolean(),
      /** null: it is not in a list that may not be whole, or none was read. */
      listed: z.boolean().nullable(),
    }),
  ),
  /** When it last answered; null: never. */
  askedAt: z.string().nullable(),
  /** The last read, if it failed. */
  failure: z.object({ at: z.string(), message: z.string() }).nullable(),
  findings: z.array(z.object({ kind: z.enum(findingKinds), tone: findingTone, text: z.string() })),
});
export type MachineView = z.infer<typeof machineViewSchema>;

export const machinesOverviewSchema = z.object({
  machines: z.array(machineViewSchema),
  /** Remarks about more than one row, as sentences. */
  remarks: z.array(
    z.object({
      kind: z.enum(findingKinds),
      tone: findingTone,
      title: z.string(),
      text: z.string(),
      machines: z.array(z.string()),
      licenceNumber: z.string().nullable(),
    }),
  ),
  /** Licences of the account found on no machine that answered, by name; null: the account's list names none or was never read. */
  onNoMachine: z.array(z.string()).nullable(),
});
export type MachinesOverview = z.infer<typeof machinesOverviewSchema>;
