import type { ChannelInput, ChannelName, ChannelOutput, EventName, EventPayload } from '../../../shared/contract.ts';
import type { Result } from '../../../shared/result.ts';
import { brokenOff, CallError } from './errors.ts';
import { askAboutKey } from './key-question.ts';
import { asReported } from './other-windows.ts';

interface Api {
  call: { [C in ChannelName]: (requestId: string, input: ChannelInput<C>) => Promise<Result<ChannelOutput<C>>> };
  on: { [E in EventName]: (listener: (payload: EventPayload<E>) => void) => () => void };
  cancel: (requestId: string) => Promise<void>;
}

declare global {
  interface Window {
    readonly api: Api;
  }
}

let counter = 0;
/** An id for one call; pass it to `call` if the call must be cancelled by hand or found among the running calls. */
export const newRequestId = (): string => `w${++counter}-${crypto.randomUUID().slice(0, 8)}`;

/**
 * Calls a channel. Resolves with its value, rejects with a CallError and nothing else. A text that looks like a key is asked about first.
 * Aborting the signal asks main to cancel; the promise then settles with main's own statement of what that means for credits.
 */
export async function call<C extends ChannelName>(
  channel: C,
  input: ChannelInput<C>,
  options: { signal?: AbortSignal | undefined; requestId?: string } = {},
): Promise<ChannelOutput<C>> {
  const requestId = options.requestId ?? newRequestId();
  const cancel = () => void window.api.cancel(requestId);
  options.signal?.addEventListener('abort', cancel, { once: true });
  try {
    const hand = (given: ChannelInput<C>) =>
      window.api.call[channel](requestId, given).catch((thrown: unknown) => Promise.reject(brokenOff(channel, thrown)));
    let result = await hand(input);
    if (!result.ok && result.error.code === 'looks-like-key' && (await askAboutKey(result.error)))
      result = await hand({ ...input, sendAnyway: true });
    if (result.ok) return result.value;
    throw new CallError(result.error);
  } finally {
    options.signal?.removeEventListener('abort', cancel);
  }
}

/** Asks main to cancel a call by its id. */
export const cancelCall = (requestId: string): void => void window.api.cancel(requestId);

/** Subscribes to an event of main; returns a function that unsubscribes. */
export const listen = <E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): (() => void) =>
  window.api.on[event]((payload) => asReported(() => listener(payload)));

/** One function that ends several subscriptions. */
export const stopAll =
  (...stops: readonly (() => void)[]) =>
  (): void => {
    for (const stop of stops) stop();
  };
