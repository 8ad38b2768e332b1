import type { AppError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { cancelCall, newRequestId } from '../calls/bridge.ts';
import { errorOf, isUnknownOutcome } from '../calls/errors.ts';
import { createKeyedStore } from './keyed-store.ts';

// Calls that may cost a credit or change a licence. They are no queries: a query has a function that anything may run again (an
// invalidation of a wider key does, unasked). They are no mutations of TanStack Query either: a second click must find the first under
// way wherever it is shown, and the answer and the failure must outlive the parts that show them, over changes of screen.

/** A call under way. */
export interface RunningCall<Request> {
  /** What `cancelCall` takes. */
  requestId: string;
  /** ISO time of the start. */
  since: string;
  request: Request;
  /** Whether a person has asked to stop it, for a call that is made in several parts. */
  stopping: boolean;
}

interface CallState<Request, Answer> {
  running: RunningCall<Request> | null;
  /** The last answer; stays while the same is asked again and when that fails. */
  answer: Answer | null;
  /** Why the last attempt ended without an answer; `at` is the ISO time of its start. */
  failure: { error: AppError; request: Request; at: string } | null;
}

interface CallStore<Request, Answer> {
  /**
   * Sends once. Only a click, Enter or a command calls it. While a call is under way under this key nothing is sent, and it returns null;
   * otherwise the answer, or the error in the words of the main process. `keyAtEnd`: the key by the time that it ends, which is another
   * one if what the call paid with was replaced meanwhile. The answer is not that key's; that a credit may have gone is shown under it.
   */
  start: (
    key: string,
    request: Request,
    send: (requestId: string) => Promise<Answer>,
    keyAtEnd?: () => string,
  ) => Promise<Result<Answer> | null>;
  read: (key: string) => CallState<Request, Answer>;
  /** The state under a key, drawn again when it changes. */
  use: (key: string) => CallState<Request, Answer>;
  /** Stops waiting. The call then ends with main's own statement of what that means for credits. */
  stop: (key: string) => void;
  /** Dismisses a failure; it stays in the activity log and the ledger. */
  dismiss: (key: string) => void;
  /** Sets an answer that came without a call, such as a stored one. */
  put: (key: string, answer: Answer) => void;
  /** Sets a failure that is not of the call itself: of a file, or of a request to stop. */
  fail: (key: string, request: Request, thrown: unknown) => void;
}

/**
 * Calls under way, their last answers and failures, by key. `most`: how many keys are remembered; none under way is forgotten. `onGone`
 * receives an answer that is no longer shown and the one that replaced it; null: it was forgotten.
 */
export function createCallStore<Request, Answer>(
  most = 400,
  onGone: (gone: Answer, now: Answer | null) => void = () => {},
): CallStore<Request, Answer> {
  const idle: CallState<Request, Answer> = { running: null, answer: null, failure: null };
  const store = createKeyedStore(idle, {
    most,
    mayForget: ({ running }) => running === null,
    onForget: ({ answer }) => answer !== null && onGone(answer, null),
  });
  const putAnswer = (key: string, patch: Partial<CallState<Request, Answer>> & { answer: Answer }) => {
    const { answer: before } = store.read(key);
    store.change(key, patch);
    if (before !== null) onGone(before, patch.answer);
  };
  return {
    read: store.read,
    use: store.use,
    stop: (key) => {
      const { running } = store.read(key);
      if (!running) return;
      store.change(key, { running: { ...running, stopping: true } });
      cancelCall(running.requestId);
    },
    dismiss: (key) => store.change(key, { failure: null }),
    put: (key, answer) => putAnswer(key, { answer, failure: null }),
    fail: (key, request, thrown) =>
      store.change(key, { failure: { error: errorOf(thrown), request, at: new Date().toISOString() } }),
    start: async (key, request, send, keyAtEnd = () => key) => {
      if (store.read(key).running) return null;
      const running = { requestId: newRequestId(), since: new Date().toISOString(), request, stopping: false };
      store.change(key, { running, failure: null });
      try {
        const answer = await send(running.requestId);
        putAnswer(key, { running: null, answer });
        return ok(answer);
      } catch (thrown) {
        const error = errorOf(thrown);
        const failure = { error, request, at: running.since };
        store.change(key, { running: null, failure });
        const now = keyAtEnd();
        if (now !== key && isUnknownOutcome(error)) store.change(now, { failure });
        return fail(error);
      }
    },
  };
}
