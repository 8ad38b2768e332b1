import { z } from 'zod';
import { shownPriceSchema } from './credits.ts';
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
