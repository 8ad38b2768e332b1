import type { ChannelInput } from '../../../shared/contract.ts';
import type { DistanceAnswer, PremiseView, SearchAnswer } from '../../../shared/domain/lookup.ts';
import type { AppError } from '../../../shared/errors.ts';
import { call, cancelCall, newRequestId } from '../../lib/calls/bridge.ts';
import { errorOf } from '../../lib/calls/errors.ts';
import { createKeyedStore } from './keyed-store.ts';

// Questions that may cost a credit are no queries: a query has a function that anything may run again (an invalidation of a wider key
// does, unasked). Here a question is sent by `ask` alone, which only a click or Enter calls, and never twice while it is under way.

export interface AskState<Request, Answer> {
  /** The call under way; `since` is ISO time. */
  running: { requestId: string; since: string; request: Request } | null;
  /** The last answer; stays while the same is asked again and when that fails. */
  answer: Answer | null;
  /** Why the last attempt ended without an answer. */
  failure: { error: AppError; request: Request; at: string } | null;
}

export interface Asks<Request, Answer> {
  /** Asks once; true when an answer came. While the same question is under way nothing is sent. */
  ask: (request: Request) => Promise<boolean>;
  read: (key: string) => AskState<Request, Answer>;
  use: (key: string) => AskState<Request, Answer>;
  /** Stops waiting. The call then ends with main's own word on what that means for credits. */
  stop: (key: string) => void;
  /** Puts a failure away; it stays in the activity log and the ledger. */
  dismiss: (key: string) => void;
}

/** Keeps paid questions and their answers by key, over changes of screen. */
export function createAsks<Request, Answer>(
  keyOf: (request: Request) => string,
  send: (request: Request, requestId: string) => Promise<Answer>,
): Asks<Request, Answer> {
  const idle: AskState<Request, Answer> = { running: null, answer: null, failure: null };
  const store = createKeyedStore(idle, 400, (state) => state.running === null);
  return {
    read: store.read,
    use: store.use,
    stop: (key) => {
      const { running } = store.read(key);
      if (running) cancelCall(running.requestId);
    },
    dismiss: (key) => store.change(key, { failure: null }),
    ask: async (request) => {
      const key = keyOf(request);
      if (store.read(key).running) return false;
      const running = { requestId: newRequestId(), since: new Date().toISOString(), request };
      store.change(key, { running, failure: null });
      try {
        store.change(key, { running: null, answer: await send(request, running.requestId) });
        return true;
      } catch (thrown) {
        store.change(key, { running: null, failure: { error: errorOf(thrown), request, at: running.since } });
        return false;
      }
    },
  };
}

export interface SearchRequest {
  connectionId: string;
  text: string;
  /** null: the service's default. */
  maxResults: number | null;
  askAgain: boolean;
}

/** One search, whatever it was asked with before: the same text with another limit is another question. */
export const searchKey = (request: Pick<SearchRequest, 'connectionId' | 'text' | 'maxResults'>): string =>
  JSON.stringify([request.connectionId, request.text, request.maxResults]);

export const searches = createAsks<SearchRequest, SearchAnswer>(searchKey, (request, requestId) =>
  call('lookup.search', request, { requestId }),
);

export type PremiseRequest =
  | ({ kind: 'open' } & Required<Omit<ChannelInput<'lookup.open'>, 'sendAnyway'>>)
  | ({ kind: 'uprn' } & ChannelInput<'lookup.uprn'>);

/** One premise: main answers with all it knows of it, so opening, asking again and its UPRN share one place. */
export const premiseKey = (request: { connectionId: string; premiseId: string }): string =>
  JSON.stringify([request.connectionId, request.premiseId]);

export const premises = createAsks<PremiseRequest, PremiseView>(premiseKey, (request, requestId) => {
  const { connectionId, premiseId } = request;
  if (request.kind === 'uprn') return call('lookup.uprn', { connectionId, premiseId }, { requestId });
  const { interface: over, askAgain } = request;
  return call('lookup.open', { connectionId, premiseId, interface: over, askAgain }, { requestId });
});

export type DistanceRequest = Required<Omit<ChannelInput<'lookup.distances'>, 'sendAnyway'>>;

/** One premise's postcode: its last distances stay beside its map. */
export const distancesKey = (request: { connectionId: string; from: string }): string =>
  JSON.stringify([request.connectionId, request.from]);

export const distances = createAsks<DistanceRequest, DistanceAnswer>(distancesKey, (request, requestId) =>
  call('lookup.distances', request, { requestId }),
);
