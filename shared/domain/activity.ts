import { z } from 'zod';
import { failsBeforeSending, somethingCame } from '../errors.ts';
import { protocols } from './connection.ts';

const callOutcomes = ['answered', 'nothing-found', 'held', 'refused', 'failed', 'unknown', 'cancelled'] as const;
/** unknown: sent, and no complete answer came. refused: the service said no. failed: not sent, or not understood. */
export type CallOutcome = (typeof callOutcomes)[number];

/** One row of the activity log. It contains no secret: the subject is what was asked for, and of the key there is only the label. */
export const callRecordSchema = z.object({
  id: z.string(),
  at: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  interface: z.enum(protocols),
  operation: z.string(),
  subject: z.string(),
  paidBy: z.string(),
  outcome: z.enum(callOutcomes),
  errorCode: z.string().nullable(),
  /** Credits by what is published; null: not published. Of a saved answer it is 0, whatever its operation costs: see `publishedPriceOf`. */
  expectedCredits: z.number().nullable(),
  /** 0 for a saved answer. What a call cost can follow only later, and is in the ledger. */
  observedCredits: z.number().nullable(),
  durationMs: z.number(),
  /** Who was signed in to this computer; empty: not recorded, by an earlier version. */
  person: z.string(),
  /** Where it was asked; empty: not recorded. */
  source: z.enum(['window', 'command line', '']),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

const outcomeMeanings: Record<CallOutcome, string> = {
  answered: 'The service answered.',
  'nothing-found': 'The service answered that it found nothing.',
  held: 'Answered from what is saved; nothing was sent.',
  refused: 'The service refused it.',
  failed: 'Not sent, or the answer was not understood.',
  unknown: 'Sent, and no complete answer came.',
  cancelled: 'Stopped before a request was sent.',
};

type Ended = Pick<CallRecord, 'outcome' | 'errorCode'>;

/** Certain that no request of it left this computer; false: it did, or that is not known. */
export const neverLeft = ({ outcome, errorCode }: Ended): boolean =>
  outcome === 'held' || (errorCode !== null && failsBeforeSending.has(errorCode));

/** The published price of the operation of a call, in credits; null: not published; undefined: the row of a saved answer does not have it. */
export const publishedPriceOf = ({
  outcome,
  expectedCredits,
}: Pick<CallRecord, 'outcome' | 'expectedCredits'>): number | null | undefined =>
  outcome === 'held' ? undefined : expectedCredits;

/** Whether no end of it is recorded: a call is entered as unknown before anything of it is sent. */
export const isEndUnknown = ({ outcome, errorCode }: Ended): boolean => outcome === 'unknown' && errorCode === null;

/** What became of a call, in a sentence. */
export function describeOutcome(call: Ended): string {
  if (isEndUnknown(call))
    return 'Its end is not recorded: it is under way, its end could not be written, or the program ended first. It may have been sent.';
  if (call.outcome !== 'failed') return outcomeMeanings[call.outcome];
  if (neverLeft(call)) return 'Not sent.';
  return call.errorCode !== null && somethingCame.has(call.errorCode)
    ? 'An answer came, and it could not be used.'
    : outcomeMeanings.failed;
}

/** Consecutive balance reads without another call between them, as one line of the list. */
export const callFoldSchema = z.object({
  /** Id of the newer call on the page under which it appears; null: it comes first. */
  under: z.string().nullable(),
  newestId: z.string(),
  oldestId: z.string(),
  count: z.number().int(),
  /** Reads of these that were not answered. */
  unanswered: z.number().int(),
  /** Times of the first and of the last one, ISO 8601 UTC. */
  from: z.string(),
  to: z.string(),
});
export type CallFold = z.infer<typeof callFoldSchema>;

/** The sums of the calls that match a filter. */
export const callSumsSchema = z.object({
  calls: z.number().int(),
  /** Balance reads among them. */
  reads: z.number().int(),
  /** Sum of the published prices, in credits, and calls without one; of the calls of which a request may have left this computer. */
  price: z.number(),
  unpriced: z.number().int(),
  /** No request of it left this computer, beside what was answered from what is saved. */
  unsent: z.number().int(),
  /** Sent, and no complete answer came. */
  unanswered: z.number().int(),
  refused: z.number().int(),
  /** Answered from what is saved. */
  saved: z.number().int(),
});
export type CallSums = z.infer<typeof callSumsSchema>;

/** A call under way, for the status bar. */
export const runningCallSchema = z.object({
  requestId: z.string(),
  operation: z.string(),
  subject: z.string(),
  startedAt: z.string(),
});
export type RunningCall = z.infer<typeof runningCallSchema>;
