import type { ChannelInput, ChannelOutput } from '../../../shared/contract.ts';
import { call, cancelCall, listen, newRequestId } from '../calls/bridge.ts';
import { hideTask, showTask } from './long-tasks.ts';

/**
 * Has main write a long answer, the calls of the log, or the result of a batch into a file. The status bar shows how much of it is written,
 * and the way to stop; so can who asked: `onPart` is called with the percentage and with what stops it.
 */
export async function saveInParts<
  C extends 'activity.export' | 'operations.export-rows' | 'operations.raw-save' | 'batch.save',
>(
  channel: C,
  input: ChannelInput<C>,
  what: string,
  onPart?: (percent: number, stop: () => void) => void,
): Promise<ChannelOutput<C>> {
  const requestId = newRequestId();
  const since = new Date().toISOString();
  const stop = () => cancelCall(requestId);
  const stopListening = listen('app.saving', ({ requestId: of, done, total }) => {
    if (of !== requestId) return;
    const percent = Math.floor((done / total) * 100);
    showTask({ id: requestId, label: `Saving ${what}, ${percent} %`, since, cancelLabel: 'Stop', stop });
    onPart?.(percent, stop);
  });
  try {
    return await call(channel, input, { requestId });
  } finally {
    stopListening();
    hideTask(requestId);
  }
}
