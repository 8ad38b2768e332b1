import { z } from 'zod';

const callOutcomes = ['answered', 'nothing-found', 'held', 'refused', 'failed', 'unknown', 'cancelled'] as const;
/** unknown: sent, and no complete answer came. refused: the service said no. failed: not sent, or not understood. */
export type CallOutcome = (typeof callOutcomes)[number];

/** One row of the activity log. Carries no secret: the subject is what was asked for, the key only its label. */
export const callRecordSchema = z.object({
  id: z.string(),
  at: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  interface: z.enum(['rest', 'soap']),
  operation: z.string(),
  subject: z.string(),
  paidBy: z.string(),
  outcome: z.enum(callOutcomes),
  errorCode: z.string().nullable(),
  /** Credits by what is published; null: not published. */
  expectedCredits: z.number().nullable(),
  observedCredits: z.number().nullable(),
  durationMs: z.number(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

/** A call under way, for the status bar. */
export const runningCallSchema = z.object({
  requestId: z.string(),
  operation: z.string(),
  subject: z.string(),
  startedAt: z.string(),
});
export type RunningCall = z.infer<typeof runningCallSchema>;
