import { z } from 'zod';
import { shownPriceSchema } from './credits.ts';

/** A licence as the service sent it: thirteen fields, text as it came, the GUID reduced to its last four characters. */
export const licenceSchema = z.object({
  referenceNo: z.string(),
  accountName: z.string(),
  guidLastFour: z.string(),
  licenceNumber: z.string(),
  typeName: z.string(),
  typeDescription: z.string(),
  expiryDate: z.string(),
  creditsAvailable: z.string(),
  allowedIpAddress: z.string(),
  inUse: z.string(),
  available: z.string(),
  status: z.string(),
  returnCode: z.string(),
  /** Fields the record does not define, kept as they came. */
  unknownFields: z.record(z.string(), z.string()),
  /** YYYY-MM-DD where the text could be read as a date; null where not (the format is not published). */
  expiresOn: z.string().nullable(),
  credits: z.number().nullable(),
  /** Counts of seats where the texts are whole numbers; null is unknown and never counted as free. */
  seatsUsed: z.number().nullable(),
  seatsFree: z.number().nullable(),
});
export type Licence = z.infer<typeof licenceSchema>;

export const licenceListSchema = z.object({
  licences: z.array(licenceSchema),
  /** When the service was asked; null: never. */
  readAt: z.string().nullable(),
});
export type LicenceList = z.infer<typeof licenceListSchema>;

/** What one machine holds, found by asking GetLicenseDetails for it (a License record names no machine). */
export const machineHoldingsSchema = z.object({
  machine: z.string(),
  licenceNumbers: z.array(z.string()),
  askedAt: z.string(),
  thisMachine: z.boolean(),
});
export type MachineHoldings = z.infer<typeof machineHoldingsSchema>;

export const changeKinds = ['register', 'unregister', 'move'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What a user asks for. `machine` holds the licence at the end of register and move, at the start of unregister. */
export const changeRequestSchema = z.strictObject({
  connectionId: z.string().min(1).max(64),
  kind: z.enum(changeKinds),
  licenceNumber: z.string().regex(/^\d{1,10}$/),
  machine: z.string().trim().min(1).max(255),
  /** Move only: the machine that holds it now. */
  fromMachine: z.string().trim().min(1).max(255).optional(),
});
export type ChangeRequest = z.infer<typeof changeRequestSchema>;

export const changeWarnings = [
  'already-bound',
  'not-bound',
  'bound-elsewhere',
  'none-free',
  'seats-unknown',
  'expired',
  'near-equal-name',
  'not-this-machine',
  'licence-not-listed',
] as const;
export type ChangeWarning = (typeof changeWarnings)[number];

export const stepStates = ['planned', 'running', 'done', 'failed', 'unknown', 'skipped'] as const;

export const changeStepSchema = z.object({
  number: z.number().int(),
  operation: z.string(),
  effect: z.enum(['reads', 'writes']),
  /** What the step does, naming licence and machine. */
  text: z.string(),
  price: shownPriceSchema,
  state: z.enum(stepStates),
  startedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  /** What came of it; for a write the service's own words in quotes, which prove nothing. */
  result: z.string().nullable(),
});
export type ChangeStep = z.infer<typeof changeStepSchema>;

export const changeVerdicts = ['confirmed', 'contradicted', 'unknown'] as const;
export type ChangeVerdict = (typeof changeVerdicts)[number];

/**
 * planned → running → finished; interrupted: stopped half way, not readable afterwards, or found unfinished at start;
 * dismissed: the user let it be.
 */
export const changeStates = ['planned', 'running', 'finished', 'interrupted', 'dismissed'] as const;

export type ChangeState = (typeof changeStates)[number];

/** What may be done with a change that is not, or not only, proved. `undo` plans the inverse from what is read then. */
export const changeOffers = ['check', 'finish', 'undo', 'dismiss'] as const;
export type ChangeOffer = (typeof changeOffers)[number];

/** A licence change from plan to receipt: one object whose steps are the plan, then the progress, then the proof. */
export const licenceChangeSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  kind: z.enum(changeKinds),
  licenceNumber: z.string(),
  licenceReference: z.string(),
  licenceType: z.string(),
  machine: z.string(),
  fromMachine: z.string().nullable(),
  thisMachine: z.string(),
  warnings: z.array(z.object({ code: z.enum(changeWarnings), text: z.string(), blocks: z.boolean() })),
  steps: z.array(changeStepSchema),
  state: z.enum(changeStates),
  verdict: z.enum(changeVerdicts).nullable(),
  /** One sentence of what is proved now. */
  conclusion: z.string(),
  serviceText: z.array(z.string()),
  /** Holdings before (read for the plan) and after (read back); null where not read. */
  before: z.array(machineHoldingsSchema),
  after: z.array(machineHoldingsSchema),
  plannedAt: z.string(),
  finishedAt: z.string().nullable(),
  by: z.string(),
  /** The change this one undoes. */
  undoOf: z.string().nullable(),
  offers: z.array(z.enum(changeOffers)),
  journal: z.object({ first: z.number().int(), last: z.number().int(), hash: z.string() }).nullable(),
});
export type LicenceChange = z.infer<typeof licenceChangeSchema>;

/**
 * intent: confirmed, nothing sent. sending: written before the call leaves. answered: the service's words, or that none came.
 * read-back: what was read after a write. found: unfinished at a start of the program.
 */
export const journalEvents = [
  'intent',
  'sending',
  'answered',
  'read-back',
  'stopped',
  'found',
  'checked',
  'resumed',
  'undone',
  'finished',
  'dismissed',
] as const;
export type JournalEvent = (typeof journalEvents)[number];

/** One entry. `hash` is SHA-256 over the canonical JSON of every other member, `previousHash` included. */
export const journalEntrySchema = z.object({
  sequence: z.number().int(),
  at: z.string(),
  /** OS user and the machine the console ran on. */
  by: z.string(),
  changeId: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  kind: z.enum(changeKinds),
  licenceNumber: z.string(),
  machine: z.string(),
  fromMachine: z.string().nullable(),
  event: z.enum(journalEvents),
  /** Number of the step the entry is about. */
  step: z.number().int().nullable(),
  text: z.string(),
  before: z.array(machineHoldingsSchema),
  after: z.array(machineHoldingsSchema),
  /** State and verdict of the change after this entry. */
  state: z.enum(changeStates),
  verdict: z.enum(changeVerdicts).nullable(),
  hash: z.string(),
  previousHash: z.string(),
});
export type JournalEntry = z.infer<typeof journalEntrySchema>;

export const journalFaults = ['changed', 'missing', 'out-of-order', 'cut-short', 'unreadable'] as const;
export type JournalFault = (typeof journalFaults)[number];

export const journalCheckSchema = z.object({
  entries: z.number().int(),
  intact: z.boolean(),
  /** Sequence of the first entry that does not follow from the one before. */
  brokenAt: z.number().int().nullable(),
  /** What is wrong there; cut-short: entries the anchor counts are no longer there. */
  fault: z.enum(journalFaults).nullable(),
  lastHash: z.string(),
});
export type JournalCheck = z.infer<typeof journalCheckSchema>;

/** A row of the machine inventory: the name exactly as it is sent, the rest the administrator's own words. */
export const inventoryMachineSchema = z.strictObject({
  name: z.string().min(1).max(255),
  nickname: z.string().max(200),
  owner: z.string().max(200),
  site: z.string().max(200),
  note: z.string().max(2000),
});
export type InventoryMachine = z.infer<typeof inventoryMachineSchema>;

/** Fields whose values the service does not document: an administrator may give each value a label of their own. */
export const labelFields = ['typeName', 'status', 'inUse', 'available', 'returnCode'] as const;
export type LabelField = (typeof labelFields)[number];

export const licenceLabelSchema = z.strictObject({
  field: z.enum(labelFields),
  value: z.string().max(500),
  label: z.string().trim().max(80),
});
export type LicenceLabel = z.infer<typeof licenceLabelSchema>;

/** What the administrator keeps about a licence: a note, and how many days before its expiry to be reminded. */
export const licenceOwnSchema = z.strictObject({
  licenceNumber: z.string().max(40),
  note: z.string().max(1000),
  leadDays: z.number().int().min(0).max(365).nullable(),
});
export type LicenceOwn = z.infer<typeof licenceOwnSchema>;

/** A licence within its lead time. */
export const dueReminderSchema = z.object({
  licenceNumber: z.string(),
  name: z.string(),
  expiresOn: z.string(),
  /** Below zero: expired. */
  daysLeft: z.number().int(),
  leadDays: z.number().int(),
  credits: z.number().nullable(),
});
export type DueReminder = z.infer<typeof dueReminderSchema>;

export const findingKinds = [
  'near-equal',
  'double',
  'orphan',
  'ghost',
  'expired',
  'nothing',
  'changed',
  'no-answer',
] as const;
export type FindingKind = (typeof findingKinds)[number];
const findingTone = z.enum(['danger', 'warn', 'plain']);

/** One machine of the inventory, or known only because it was asked, with what it was found to hold. */
export const machineViewSchema = inventoryMachineSchema.extend({
  /** False: known only because it was asked; saving it adds it to the inventory. */
  kept: z.boolean(),
  thisMachine: z.boolean(),
  holds: z.array(z.object({ licenceNumber: z.string(), name: z.string(), expired: z.boolean(), listed: z.boolean() })),
  /** When it last answered; null: never. */
  askedAt: z.string().nullable(),
  /** The last asking, where it failed. */
  failure: z.object({ at: z.string(), message: z.string() }).nullable(),
  findings: z.array(z.object({ kind: z.enum(findingKinds), tone: findingTone, text: z.string() })),
});
export type MachineView = z.infer<typeof machineViewSchema>;

export const machinesOverviewSchema = z.object({
  machines: z.array(machineViewSchema),
  /** What stands out over more than one row, in sentences. */
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
  /** Licences of the account found on no machine that answered, by name. */
  onNoMachine: z.array(z.string()),
  lastScan: z
    .object({ startedAt: z.string(), finishedAt: z.string(), asked: z.number().int(), answered: z.number().int() })
    .nullable(),
});
export type MachinesOverview = z.infer<typeof machinesOverviewSchema>;
