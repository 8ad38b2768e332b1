import type { z } from 'zod';
import { datasetSuffix } from '../../../shared/catalogue/soap-operations.ts';
import type { HistoryRow, OperationAnswer, operationChannels } from '../../../shared/contract/operations.ts';
import type { Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { SavedAnswer } from '../answers/saved-answer.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { openOperationsRepository } from '../storage/operations-repository.ts';
import type { AnswersAtHand } from './answers-at-hand.ts';
import type { Given } from './given.ts';
import type { Prepared } from './prepare.ts';

type HistoryRequest = z.output<(typeof operationChannels)['operations.history']['input']>;

/** Which calls of the log were made from here, with what input, and their answers that are still cached. */
export function createOperationHistory(db: Database, answers: Pick<AnswerCache, 'recordFree'>, atHand: AnswersAtHand) {
  const rows = openOperationsRepository(db.sql);

  /** The log and the history say that it was answered for nothing. */
  function noteFree({ connection, given }: Prepared, { answer, answerId }: SavedAnswer, dataset: boolean): void {
    const recorded = answers.recordFree(connection, answer, given.subject || answer.operation);
    if (recorded.ok) noteAsked(recorded.value.id, answerId, dataset, given);
  }

  /** The answer has been paid for: it is shown even if the history cannot be written. */
  function noteAsked(callId: string, answerId: string, dataset: boolean, { asked }: Given): void {
    attempt(() => rows.insertAsked({ callId, answerId, dataset, fields: asked }));
  }

  function storedAs(answerId: string): HistoryRow['stored'] {
    const found = answerId === '' ? undefined : atHand.find(answerId);
    if (!found?.ok) return null;
    return found.value.cachedFor === 'no' ? 'at hand' : 'saved';
  }

  function history(input: HistoryRequest): Result<{ rows: HistoryRow[]; next: string | null }> {
    return attempt(() => {
      const found = rows.history({ ...input, twin: input.operation + datasetSuffix });
      return {
        rows: found.map(({ call, asked }) => ({
          call,
          asked: asked && { dataset: asked.dataset, fields: asked.fields },
          stored: storedAs(asked?.answerId ?? ''),
        })),
        next: found.length === input.limit ? (found.at(-1)?.call.id ?? null) : null,
      };
    });
  }

  /** The answer of a call of the log, from what is cached. */
  async function openStored(callId: string): Promise<Result<OperationAnswer>> {
    const asked = attempt(() => rows.findAsked(callId));
    if (!asked.ok) return asked;
    const known = atHand.find(asked.value?.answerId ?? '');
    return known.ok ? atHand.show(known.value, true) : known;
  }

  return { noteFree, noteAsked, history, openStored };
}
