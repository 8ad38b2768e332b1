import type { ChannelInput } from '../../../shared/contract.ts';
import type { CacheMode } from '../../../shared/domain/call.ts';
import type { DistanceAnswer, PremiseView, SearchAnswer } from '../../../shared/domain/lookup/lookup.ts';
import { type Account, paidKey } from '../../lib/calls/account-key.ts';
import { call } from '../../lib/calls/bridge.ts';
import { brokenOff, errorOf } from '../../lib/calls/errors.ts';
import { createCallStore } from '../../lib/session/call-store.ts';
import { type LookupState, type Question, readLookupState } from './lookup-state.ts';

// The calls of this screen that may cost a credit, each with the key under which its answer is stored.

interface SearchRequest extends Question {
  connectionId: string;
  cache: CacheMode;
}

/** The key of a search. The same text with another limit or over the other interface is another search. */
export const searchKey = (account: Account, { text, maxResults, interface: protocol, of }: Question): string =>
  paidKey(account, text, maxResults, protocol, of);

/** A long answer that is not saved is kept in main as long as a window shows it. */
function putAway({ provenance: { answerId } }: SearchAnswer, now: SearchAnswer | null): void {
  if (answerId !== now?.provenance.answerId)
    void call('operations.put-away', { answerIds: [answerId] }).catch(() => {});
}

/** Fewer answers are remembered than of premises, since they may be long. */
export const searches = createCallStore<SearchRequest, SearchAnswer>(60, putAway);

export function askSearch(account: Account, question: Question, cache: CacheMode) {
  const request = { connectionId: account.id, ...question, cache };
  const key = () => searchKey(account, question);
  return searches.start(key(), request, (requestId) => readSearch(request, requestId), key);
}

async function readSearch(request: SearchRequest, requestId: string): Promise<SearchAnswer> {
  return readAllParts(request.connectionId, await call('lookup.search', request, { requestId }));
}

/** By connection, what was shown when a saved search was last chosen. */
const shownBefore = new Map<string, LookupState>();

/**
 * Reads a saved search, by its id, and returns its question; null: something else was chosen while a long one was read, which it must not
 * replace. Free: nothing is sent. Throws if it is no longer saved.
 */
export async function openSavedSearch(account: Account, answerId: string): Promise<Question | null> {
  const connectionId = account.id;
  const before = { ...readLookupState(connectionId) };
  shownBefore.set(connectionId, before);
  const answer = await readAllParts(connectionId, await call('lookup.open-search', { connectionId, answerId }));
  const { text, maxResults, of, provenance } = answer;
  const question = { text, maxResults, of, interface: provenance.interface };
  searches.put(searchKey(account, question), answer);
  const now = readLookupState(connectionId);
  const isNewest = shownBefore.get(connectionId) === before;
  return isNewest && now.question === before.question && now.premise === before.premise ? question : null;
}

/** Reads all parts of an answer, since the whole of it is counted, filtered and drawn. */
async function readAllParts(connectionId: string, first: SearchAnswer & { count: number }): Promise<SearchAnswer> {
  const { count, ...answer } = first;
  const { answerId } = answer.provenance;
  try {
    while (answer.results.length < count) {
      const more = await call('lookup.more-results', { connectionId, answerId, from: answer.results.length });
      for (const result of more.results) answer.results.push(result);
    }
  } catch (thrown) {
    // The search itself was answered: a lost part says nothing about what it cost.
    throw brokenOff('lookup.search', thrown);
  }
  return answer;
}

export type PremiseRequest =
  | ({ kind: 'open' } & Required<Omit<ChannelInput<'lookup.open'>, 'sendAnyway'>>)
  | ({ kind: 'uprn' } & Required<Omit<ChannelInput<'lookup.uprn'>, 'sendAnyway'>>);

/** The key of a premise. Main answers with all it knows of it, so opening, asking again and getting its UPRN share one key. */
export const premiseKey = (account: Account, premiseId: string): string => paidKey(account, premiseId);

export const premises = createCallStore<PremiseRequest, PremiseView>();

export function askPremise(account: Account, request: PremiseRequest) {
  const keyNow = () => premiseKey(account, request.premiseId);
  const key = keyNow();
  const send = (requestId: string) => {
    if (request.kind === 'uprn') return getUprn(key, request, requestId);
    const { connectionId, premiseId, interface: protocol, cache } = request;
    return call('lookup.open', { connectionId, premiseId, interface: protocol, cache }, { requestId });
  };
  return premises.start(key, request, send, keyNow);
}

async function getUprn(
  key: string,
  request: PremiseRequest & { kind: 'uprn' },
  requestId: string,
): Promise<PremiseView> {
  const { kind: _, ...input } = request;
  try {
    return await call('lookup.uprn', input, { requestId });
  } catch (thrown) {
    const { answer } = premises.read(key);
    // Asking again then names the new way and its price.
    if (errorOf(thrown).code === 'plan-outdated' && answer) {
      const { connectionId, premiseId } = request;
      await call('lookup.uprn-plan', { connectionId, premiseId }).then(
        ({ plan }) => premises.put(key, { ...answer, uprnPlan: plan }),
        () => {},
      );
    }
    throw thrown;
  }
}

type DistanceRequest = Required<Omit<ChannelInput<'lookup.distances'>, 'sendAnyway'>>;

/** The key of the distances from a postcode; the last ones stay beside its map. */
export const distancesKey = (account: Account, from: string): string => paidKey(account, from);

export const distances = createCallStore<DistanceRequest, DistanceAnswer>();

export function askDistances(account: Account, request: DistanceRequest) {
  const key = () => distancesKey(account, request.from);
  return distances.start(key(), request, (requestId) => call('lookup.distances', request, { requestId }), key);
}
