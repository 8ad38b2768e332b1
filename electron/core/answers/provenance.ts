import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { SavedAnswer } from './saved-answer.ts';

/** Where an answer came from and what it cost, with what the ledger has learned since; nothing of that if it cannot be read. */
export function provenanceOf(
  ledger: Ledger,
  {
    answerId,
    answer,
    cached,
    cachedFor,
    expiresAt,
  }: Pick<SavedAnswer, 'answerId' | 'answer' | 'cachedFor' | 'expiresAt'> & { cached: boolean },
): Provenance {
  const entry = ledger.findOfCall(answer.callId);
  const spend = entry.ok ? entry.value : undefined;
  return {
    answerId,
    callId: answer.callId,
    interface: answer.interface,
    operation: answer.operation,
    shape: answer.shape,
    at: answer.at,
    durationMs: answer.durationMs,
    keyLastFour: answer.keyLastFour,
    paidBy: answer.paidBy,
    expectedCredits: answer.expectedCredits,
    observedCredits: spend?.observed ?? null,
    claims: spend?.claims ?? [],
    cached,
    cachedFor,
    expiresAt,
    ...(answer.returnCode === undefined ? {} : { returnCode: answer.returnCode }),
    ...(answer.doubt === undefined ? {} : { doubt: answer.doubt }),
  };
}
