import { z } from 'zod';
import { licenceClaimSchema } from '../../claims/licence-claims.ts';
import { shownPriceSchema } from '../credits/credits.ts';
import { dateOrders, nameOf } from './licence.ts';
import { machineHoldingsSchema } from './licence-machines.ts';

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

const changeWarnings = [
  'already-bound',
  'not-bound',
  'bound-elsewhere',
  'none-free',
  'seats-unknown',
  'expired',
  'near-equal-name',
  'hidden-character',
  'not-this-machine',
  'licence-not-listed',
  'expiry-unread',
  'may-not-come-back',
] as const;
export type ChangeWarning = (typeof changeWarnings)[number];
/** A warning that a machine's name may not be the one that is meant. */
export const isNameWarning = (code: ChangeWarning): boolean =>
  code === 'near-equal-name' || code === 'hidden-character';

const stepStates = ['planned', 'running', 'done', 'failed', 'unknown', 'skipped'] as const;

const changeStepSchema = z.object({
  number: z.number().int(),
  operation: z.string(),
  effect: z.enum(['reads', 'writes']),
  /** What the step does, with the names of licence and machine. */
  text: z.string(),
  price: shownPriceSchema,
  state: z.enum(stepStates),
  startedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  /** The result; for a write the service's own words in quotes, which prove nothing. */
  result: z.string().nullable(),
});
export type ChangeStep = z.infer<typeof changeStepSchema>;

/**
 * seen: as planned, by reading. not-seen: read to the end of the schedule and not as planned, or nothing left this computer.
 * half-done: a move seen on both machines or on neither. on-its-way: a write left and was not seen yet. unknown: never read back.
 * confirmed and contradicted are what earlier versions said.
 */
export const changeVerdicts = [
  'seen',
  'not-seen',
  'half-done',
  'on-its-way',
  'unknown',
  'confirmed',
  'contradicted',
] as const;
export type ChangeVerdict = (typeof changeVerdicts)[number];

/**
 * planned → running → finished; interrupted: stopped half way, not readable afterwards, or found unfinished at the start; dismissed: the
 * user left it as it is.
 */
export const changeStates = ['planned', 'running', 'finished', 'interrupted', 'dismissed'] as const;

/** What may be done with a change that is not yet proved, or even if it is. `undo` plans the inverse from what is read then. */
const changeOffers = ['check', 'finish', 'undo', 'dismiss'] as const;
export type ChangeOffer = (typeof changeOffers)[number];

/** A write of a change: a fact, written before it leaves and again when its answer came or was given up. */
const changeWriteSchema = z.object({
  step: z.number().int(),
  write: z.enum(['register', 'unregister']),
  machine: z.string(),
  sentAt: z.string(),
  /** null while it is not known that it ended. */
  endedAt: z.string().nullable(),
  /** False: nothing left this computer. */
  left: z.boolean(),
  /** Milliseconds since this computer started, at its end: the clock by which `holdMs` is measured. */
  uptime: z.number().nullable(),
  /** Nothing is written again for this long after its end, unless its effect was seen. */
  holdMs: z.number(),
});
export type ChangeWrite = z.infer<typeof changeWriteSchema>;

/** One read of one machine for a change: what the answer named. */
const changeReadSchema = z.object({
  machine: z.string(),
  at: z.string(),
  /** As that of a write, when the answer came. */
  uptime: z.number().nullable(),
  /** By the same clock, when it was asked; absent: by an earlier version. */
  asked: z.number().optional(),
  /** none: a well-formed answer that names no licence. others: one that names others only. */
  found: z.enum(['named', 'none', 'others', 'unread']),
  /** How many licences it named. */
  of: z.number().int(),
  /**
   * Whether it may be believed when it does not name the licence: it named it before the write, or a licence was named for another machine
   * then.
   */
  controlled: z.boolean(),
  /** Why it could not be read. */
  why: z.string().nullable(),
  /** False: nothing left this computer, so it is not counted as a read. Absent: by an earlier version. */
  left: z.boolean().optional(),
  /** Writes of the change that had been sent by then. */
  writes: z.number().int(),
});
export type ChangeRead = z.infer<typeof changeReadSchema>;

/** What the account's list said of the licence when the change was planned. */
export const plannedLicenceSchema = z.object({
  status: z.string(),
  inUse: z.string(),
  available: z.string(),
  seatsUsed: z.number().nullable(),
  seatsFree: z.number().nullable(),
  expiryDate: z.string(),
  expiresOn: z.string().nullable(),
  dateOrder: z.enum(dateOrders),
  credits: z.number().nullable(),
  /** As it came; missing in plans of earlier versions. */
  creditsAvailable: z.string().optional(),
  readAt: z.string(),
});
export type PlannedLicence = z.infer<typeof plannedLicenceSchema>;

/** A licence change from plan to receipt: one object whose steps are the plan, then the progress, then the proof. */
export const licenceChangeSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  /** Origin and path that it was planned at; earlier versions stored the origin alone, or nothing. */
  server: z.string(),
  /** The account that it was planned with; empty in changes of earlier versions. */
  accountName: z.string(),
  kind: z.enum(changeKinds),
  licenceNumber: z.string(),
  licenceReference: z.string(),
  licenceType: z.string(),
  machine: z.string(),
  fromMachine: z.string().nullable(),
  thisMachine: z.string(),
  warnings: z.array(
    z.object({
      code: z.enum(changeWarnings),
      text: z.string(),
      blocks: z.boolean(),
      /** If set, the change is run only with a tick of its own, under these words. */
      tick: z.string().optional(),
    }),
  ),
  licence: plannedLicenceSchema.nullable(),
  steps: z.array(changeStepSchema),
  state: z.enum(changeStates),
  verdict: z.enum(changeVerdicts).nullable(),
  /** What was seen, in sentences with their dates; `claims` as text. */
  conclusion: z.string(),
  claims: z.array(licenceClaimSchema),
  writes: z.array(changeWriteSchema),
  reads: z.array(changeReadSchema),
  /** When it is next read automatically; next-start: when the program next starts; null: no more, or only when somebody asks. */
  nextRead: z.string().nullable(),
  /** Nothing is written again before this time, and only when it is over by a clock that cannot be set. */
  writeAfter: z.string().nullable(),
  serviceText: z.array(z.string()),
  /** Holdings before (read for the plan) and after (read back); empty if none were read. */
  before: z.array(machineHoldingsSchema),
  after: z.array(machineHoldingsSchema),
  plannedAt: z.string(),
  finishedAt: z.string().nullable(),
  by: z.string(),
  /** The change this one undoes. */
  undoOf: z.string().nullable(),
  /** The change that was seen to undo this one: what was seen before is not the case any more. */
  undoneBy: z.string().optional(),
  offers: z.array(z.enum(changeOffers)),
  journal: z.object({ first: z.number().int(), last: z.number().int(), hash: z.string() }).nullable(),
});
export type LicenceChange = z.infer<typeof licenceChangeSchema>;

/** What the licence of a change is called. */
export const nameLicence = (change: Pick<LicenceChange, 'licenceNumber' | 'licenceReference'>): string =>
  nameOf({ licenceNumber: change.licenceNumber, referenceNo: change.licenceReference });

/** Whether a write may have left: its step was begun. */
export const mayHaveSent = (change: LicenceChange): boolean =>
  change.steps.some((step) => step.effect === 'writes' && step.startedAt !== null);

/** The reads of a machine since the last write to it that left; all of them where none did. */
export const readsSinceWrite = ({ reads, writes }: LicenceChange, machine: string): ChangeRead[] => {
  const sent = writes.findLastIndex((write) => write.machine === machine && write.left) + 1;
  return reads.filter((read) => read.machine === machine && read.writes >= sent);
};

/** Whether no read of a machine has been answered since it was written to: a person has nothing to go on from. */
export const isWriteUnread = (change: LicenceChange): boolean =>
  change.writes.some(
    ({ left, machine }) => left && readsSinceWrite(change, machine).every(({ found }) => found === 'unread'),
  );

/** The machines that a change is about, in the order in which they are read. */
export const machinesOf = ({ machine, fromMachine }: Pick<LicenceChange, 'machine' | 'fromMachine'>): string[] =>
  fromMachine === null ? [machine] : [fromMachine, machine];

/** The operation that makes each of the two writes of a change. */
export const writeOperations = { register: 'RegisterLicense', unregister: 'UnregisterLicense' } as const;
