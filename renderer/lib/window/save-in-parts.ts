import type { ChannelInput, ChannelOutput } from '../../../shared/contract.ts';
import { call, cancelCall, listen, newRequestId } from '../calls/bridge.ts';
import { hideTask, showTask } from './long-tasks.ts';

/** Has main write a long answer into a file. The status bar shows how much of it is written, and the way to stop. */
export async function saveInParts<C extends 'operations.export-rows' | 'operations.raw-save'>(
  channel: C,
  input: ChannelInput<C>,
  what: string,
): Promise<ChannelOutput<C>> {
  const requestId = newRequestId();
  const since = new Date().toISOString();
  const stopListening = listen('operations.saving', ({ requestId: of, done, total }) => {
    if (of !== requestId) return;
    const label = `Saving ${what}, ${Math.floor((done / total) * 100)} %`;
    showTask({ id: requestId, label, since, cancelLabel: 'Stop', stop: () => cancelCall(requestId) });
  });
  try {
    return await call(channel, input, { requestId });
  } finally {
    stopListening();
    hideTask(requestId);
  }
}
