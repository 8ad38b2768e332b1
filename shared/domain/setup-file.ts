import { z } from 'zod';
import { connectionDraftSchema, secretRoles } from './connection.ts';
import { accountingSchema, mostCostCentres } from './credits/accounting.ts';
import { spendingCapsSchema } from './credits/credits.ts';
import { alertSchema } from './credits/credits-history.ts';
import { licenceAnnotationsSchema, licenceLabelSchema, reminderRuleSchema } from './licences/licence.ts';
import { licenceFilterSchema } from './licences/licence-filter.ts';
import { inventoryMachineSchema } from './licences/licence-machines.ts';

/** The first two lines of a set-up file. A file of a higher version is from a newer program, and no guesses are made about it. */
export const setupFormat = 'address-console-set-up';
export const setupVersion = 1;

/** The most of each kind that a file holds, of one connection where it is a connection’s. An import leaves no more than that here. */
export const mostInSetup = {
  connection: 200,
  'set-price': 500,
  alert: 200,
  'cost-centre': mostCostCentres,
  machine: 20_000,
  label: 2000,
  view: 500,
  licence: 50_000,
  lookup: 5000,
} as const;

/**
 * Settings of a connection that are the same on every computer. What this computer sends about itself (machine name, IP address) stays
 * here, and each program makes its own demo connection.
 */
const connectionSettingsSchema = connectionDraftSchema
  .omit({ name: true, machineId: true, ipAddress: true })
  .extend({ kind: z.enum(['production', 'test']) });
export type ConnectionSettings = z.infer<typeof connectionSettingsSchema>;

/** A key as a set-up knows it: never its value. */
const setupKeySchema = z.strictObject({
  role: z.enum(secretRoles),
  label: z.string().trim().min(1).max(80),
  lastFour: z.string().max(4),
});

const setPriceSchema = z.strictObject({
  operation: z.string().min(1).max(80),
  credits: z.number().min(0).max(10_000),
});

const viewSchema = z.strictObject({ name: z.string().trim().min(1).max(80), filter: licenceFilterSchema });

const lookupSchema = z.strictObject({
  folder: z.string().trim().max(80),
  name: z.string().trim().min(1).max(80),
  operation: z.string().min(1).max(200),
  dataset: z.boolean(),
  fields: z
    .array(z.strictObject({ name: z.string().min(1).max(200), values: z.array(z.string().max(20_000)).max(2000) }))
    .max(100),
});
export type SetupLookup = z.infer<typeof lookupSchema>;

const setupReminderRuleSchema = reminderRuleSchema.pick({ leadDays: true, except: true });
export type SetupReminderRule = z.infer<typeof setupReminderRuleSchema>;

const setupConnectionSchema = z.strictObject({
  name: connectionDraftSchema.shape.name,
  settings: connectionSettingsSchema,
  keys: z.array(setupKeySchema).max(100),
  caps: spendingCapsSchema,
  setPrices: z.array(setPriceSchema).max(mostInSetup['set-price']),
  alerts: z.array(alertSchema).max(mostInSetup.alert),
  poundsPerCredit: accountingSchema.shape.poundsPerCredit,
  costCentres: accountingSchema.shape.centres,
  machines: z.array(inventoryMachineSchema).max(mostInSetup.machine),
  labels: z.array(licenceLabelSchema).max(mostInSetup.label),
  views: z.array(viewSchema).max(mostInSetup.view),
  licences: z.array(licenceAnnotationsSchema).max(mostInSetup.licence),
  /** For all licences; it applies from the day of the import. */
  reminderRule: setupReminderRuleSchema.nullable(),
});
export type SetupConnection = z.infer<typeof setupConnectionSchema>;

/**
 * A set-up as one file: what a person has set up, without a secret, a path or the name of the computer it was saved on (the machine
 * inventory names machines because they were entered there).
 */
export const setupFileSchema = z.strictObject({
  format: z.literal(setupFormat),
  version: z.literal(setupVersion),
  savedAt: z.iso.datetime().max(40),
  connections: z.array(setupConnectionSchema).max(mostInSetup.connection),
  savedLookups: z.array(lookupSchema).max(mostInSetup.lookup),
});
export type SetupFile = z.infer<typeof setupFileSchema>;

export const setupGroups = ['connections', 'caps', 'machines', 'licences', 'lookups'] as const;
export type SetupGroup = (typeof setupGroups)[number];

/** One line of a preview: one item, or several of one kind of a connection. */
export const setupRowSchema = z.object({
  id: z.string(),
  group: z.enum(setupGroups),
  /** Name of its connection; empty: of none. */
  connection: z.string(),
  what: z.string(),
  /** How many items the line is for. */
  count: z.number().int(),
  state: z.enum(['new', 'differs', 'same', 'only-here', 'refused']),
  /** What is in the file and what is here, in words; empty: nothing. */
  file: z.string(),
  here: z.string(),
  /** differs: the parts that do. */
  differences: z.array(z.object({ label: z.string(), file: z.string(), here: z.string() })),
  /** Which of the two is suggested. */
  take: z.enum(['file', 'here']),
  /** Whether a person may choose the other. */
  open: z.boolean(),
  /** Why it is refused, or what importing the line would do. */
  note: z.string(),
});
export type SetupRow = z.infer<typeof setupRowSchema>;

/** A key that the file's connections had. */
export const wantedKeySchema = z.object({
  connection: z.string(),
  /** Where it will be sent, as the connection is or will be: its servers. */
  servers: z.array(z.string()),
  /** null: the connection is not here. */
  connectionId: z.string().nullable(),
  role: z.enum(secretRoles),
  label: z.string(),
  lastFour: z.string(),
  /** Tried with the free call GetCredits once it is saved: a lookup key, where there is a REST address. */
  isTried: z.boolean(),
  /** here: one with the same ending is saved here. other: one with this label has another ending. wanted: there is none. */
  state: z.enum(['here', 'other', 'wanted']),
  /** other, here: the key of this label here. */
  secretId: z.string().nullable(),
  hereLastFour: z.string(),
});
export type WantedKey = z.infer<typeof wantedKeySchema>;
