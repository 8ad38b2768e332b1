import { z } from 'zod';
import { changeKinds, changeStates, changeVerdicts } from './licence-change.ts';
import { machineHoldingsSchema } from './licence-machines.ts';

/**
 * intent: confirmed, nothing sent. sending: written before the call leaves. answered: the service's words, or that none came.
 * read-back: what was read after a write. found: unfinished at a start of the program. guid: a licence's GUID was asked for, about no
 * change.
 */
const journalEvents = [
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
  'guid',
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
  kind: z.enum([...changeKinds, 'guid']),
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

const journalFaults = ['changed', 'missing', 'out-of-order', 'cut-short', 'replaced', 'unreadable'] as const;
export type JournalFault = (typeof journalFaults)[number];

export const journalCheckSchema = z.object({
  entries: z.number().int(),
  intact: z.boolean(),
  /** Sequence of the first entry that does not follow from the one before. */
  brokenAt: z.number().int().nullable(),
  /** What is wrong there; cut-short: entries the anchor counts are no longer there; replaced: another stands where the anchor counts. */
  fault: z.enum(journalFaults).nullable(),
  lastHash: z.string(),
});
export type JournalCheck = z.infer<typeof journalCheckSchema>;
