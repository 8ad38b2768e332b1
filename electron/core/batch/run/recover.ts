import { type Clock, isoNow } from '../../../ports.ts';
import type { BatchFile } from '../store/batch-file.ts';
import type { Questions, Stage } from './questions.ts';
import type { RunnerParts } from './runner-parts.ts';

/** Questions of a run that was killed: what may have left is not asked again. */
export function recoverQuestions(
  file: BatchFile,
  questions: Questions,
  clock: Clock,
  { connectionId, callOf }: Pick<RunnerParts, 'connectionId' | 'callOf'>,
): void {
  for (const { id, stage: name, text, at: asked } of file.asksUnderWay()) {
    const stage = name as Stage;
    const call = callOf(id);
    const saved = questions.find(connectionId, stage, text);
    const price = questions.priceOf(stage);
    // Free calls are not in the ledger, which would show whether one left.
    const left = !call.ok || call.value !== undefined || price === 0;
    const callId = call.ok ? (call.value?.callId ?? null) : null;
    const at = asked ?? isoNow(clock);
    if (saved.ok && saved.value && saved.value.at >= at)
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
  }
  file.backToWaiting();
}
