import { ok } from '../../../../shared/result.ts';
import { type Clock, isoNow } from '../../../ports.ts';
import type { BatchFile } from '../store/batch-file.ts';
import type { Questions, Stage } from './questions.ts';
import type { RunnerParts } from './runner-parts.ts';

/**
 * What a power cut took from a batch's file: the ledger, which is on disk before a search leaves, knows of a call for a question that waits
 * here. What was lost is the file's end in one piece, so its rows are as they were then.
 */
function findInLedger(file: BatchFile, questions: Questions, callsOf: RunnerParts['callsOf']): void {
  const calls = callsOf();
  for (const { ask, callId, at } of calls.ok ? calls.value : []) {
    const known = file.ask(ask);
    // A person has allowed a call whose end is written down to be asked once more.
    if (known?.state !== 'waiting' || known.ownCall === callId) continue;
    const [row] = file.openOfAsk(ask);
    if (row) file.markAsked(ask, row.row, at, questions.priceOf(known.stage as Stage), false);
  }
}

/** Questions of a run that was killed: what may have left is not asked again. Returns those that have ended, by their numbers. */
export async function recoverQuestions(
  file: BatchFile,
  questions: Questions,
  clock: Clock,
  {
    connectionId,
    callOf,
    callsOf,
    isLedgerOlder,
  }: Pick<RunnerParts, 'connectionId' | 'callOf' | 'callsOf' | 'isLedgerOlder'>,
): Promise<number[]> {
  const ended: number[] = [];
  findInLedger(file, questions, callsOf);
  for (const { id, stage: name, text, at: asked, ownCall } of file.asksUnderWay()) {
    const stage = name as Stage;
    const last = callOf(id);
    // One whose end is written down here is an earlier one, after which it was to be asked again.
    const call = last.ok && last.value?.callId != null && last.value.callId === ownCall ? ok(undefined) : last;
    const saved = await questions.find(connectionId, stage, text);
    const price = questions.priceOf(stage);
    // Free calls are not in the ledger, which would show whether one left; one that is older than the file shows nothing.
    const left = !call.ok || call.value !== undefined || price === 0 || isLedgerOlder;
    const callId = call.ok ? (call.value?.callId ?? null) : null;
    const at = asked ?? isoNow(clock);
    // What somebody else has asked since is no answer to this call.
    const isAnswered = price === 0 || (call.ok && call.value?.ending === 'answered');
    if (isAnswered && saved.ok && saved.value && saved.value.at >= at)
      file.endAsk(id, {
        state: 'answered',
        source: 'asked',
        at: saved.value.at,
        callId,
        least: left ? price : 0,
        most: left ? price : 0,
        content: JSON.stringify(saved.value.content),
      });
    else if (left) file.endAsk(id, { state: 'unknown', at, callId, least: 0, most: price, code: 'cut-off' });
    else file.endAsk(id, { state: 'waiting', at, least: 0, most: 0 });
    if (file.ask(id).state !== 'waiting') ended.push(id);
  }
  file.backToWaiting();
  return ended;
}
