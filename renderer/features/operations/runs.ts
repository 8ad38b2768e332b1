import type { OperationAnswer } from '../../../shared/contract/operations.ts';
import type { ChannelInput } from '../../../shared/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call, cancelCall, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { createStore } from './store.ts';

// A call that may cost a credit is no query: a query has a function that anything may run again. Here it is sent by `run` alone, which
// only a click or Enter calls, and never twice while it is under way.

export type RunInput = ChannelInput<'operations.run'>;

export interface RunState {
  running: { requestId: string; since: string } | null;
  /** Stays while the same operation is called again and when that fails. */
  answer: OperationAnswer | null;
  failure: { error: AppError; input: RunInput } | null;
}

const runs = createStore<RunState>(
  { running: null, answer: null, failure: null },
  ({ running }) => running === null,
  60,
);

export const useRun = runs.use;

/** Calls an operation once; true when an answer came. While its last call is under way nothing is sent. */
export async function run(key: string, input: RunInput): Promise<boolean> {
  if (runs.read(key).running) return false;
  const running = { requestId: newRequestId(), since: new Date().toISOString() };
  runs.change(key, { running, failure: null });
  try {
    const answer = await call('operations.run', input, { requestId: running.requestId });
    runs.change(key, { running: null, answer });
    return true;
  } catch (thrown) {
    runs.change(key, { running: null, failure: { error: errorOf(thrown), input } });
    return false;
  }
}

/** Stops waiting: the call then ends with main's own word on what that means for credits. */
export function stop(key: string): void {
  const { running } = runs.read(key);
  if (running) cancelCall(running.requestId);
}

/** Puts a failure away; it stays in the activity log and the ledger. */
export const dismiss = (key: string): void => runs.change(key, { failure: null });

/** Shows the stored answer of an earlier call. Free. */
export async function openStored(key: string, callId: string): Promise<AppError | null> {
  try {
    const answer = await call('operations.open-stored', { callId });
    runs.change(key, { answer, failure: null });
    return null;
  } catch (thrown) {
    return errorOf(thrown);
  }
}
