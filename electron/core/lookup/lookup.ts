import type { CacheMode } from '../../../shared/domain/call.ts';
import type { Connection, Protocol } from '../../../shared/domain/connection.ts';
import type {
  PremiseView,
  SearchAnswer,
  SearchOf,
  SearchResult,
  SearchWay,
} from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache, AnswerRequest } from '../answers/answer-cache.ts';
import { hashCacheKey } from '../answers/cache-key.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { ShapeWatch } from '../answers/shape-watch.ts';
import { unexpectedAnswer } from '../answers/store-exchange.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Ledger } from '../spend/ledger.ts';
import { addressesOf, contentsOf, createCachedPremises, labelOf } from './cached-premises.ts';
import { createComparisons } from './compare.ts';
import { createMeasure } from './measure.ts';
import { viewPremise } from './premise-view.ts';
import { askPremise, askRest, askSearch, type PremiseQuestion, type SearchRequest } from './questions.ts';
import { createSearchView } from './search-view.ts';
import { listSearchWays } from './search-ways.ts';
import { sendPremise, sendSearch } from './send-question.ts';
import { createSuggest } from './suggest.ts';
import { planUprn, type UprnWay } from './uprn-plan.ts';

export interface LookupParts {
  connections: Connections;
  secrets: Pick<Secrets, 'list'>;
  clients: Clients;
  answers: AnswerCache;
  shapes: ShapeWatch;
  ledger: Ledger;
}

const notCached = () => appError('not-cached');

export type Lookup = ReturnType<typeof createLookup>;

/** Searching and opening premises over either interface: cached answers first, one call per question, provenance on everything. */
export function createLookup(parts: LookupParts) {
  const { connections, secrets, clients, answers, shapes, ledger } = parts;
  const measure = createMeasure({ connections, clients, answers, ledger });
  const cached = createCachedPremises({ answers, ledger });
  const { cachedPremises, premiseAnswers, provenance, listCached } = cached;
  const searchView = createSearchView(ledger, cached.freePremises);
  const suggest = createSuggest(answers);

  async function search(
    input: SearchRequest & { connectionId: string; cache: CacheMode },
    context: CallContext,
  ): Promise<Result<SearchAnswer>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, input);
    const result = await answers.ask(
      {
        connection: connection.value,
        questions: [asked.question],
        about: { subject: asked.subject, topic: 'search' },
        cache: input.cache,
        send: (calling) => sendSearch(clients, connection.value, asked, calling),
        labelOf: (answer) => labelOf(asked.subject, answer),
      },
      context,
    );
    if (!result.ok) return result;
    const { content } = result.value.answer;
    if (content.kind !== 'search') return fail(appError('internal', { detail: 'a cached search is no search' }));
    return ok(await searchView.view(connection.value, result.value, { ...content, text: asked.subject }));
  }

  /** A saved search by its id, whatever it was asked with. Free: nothing is sent. Errors: 'not-cached'. */
  async function openSearch(input: { connectionId: string; answerId: string }): Promise<Result<SearchAnswer>> {
    const found = await findSearch(input);
    if (!found.ok) return found;
    const { connection, known, content } = found.value;
    answers.recordFree(connection, known.answer, content.text);
    return ok(await searchView.view(connection, { ...known, cached: true }, content));
  }

  /** The results of an answered search, in their order. Makes no network call. Errors: 'not-cached'. */
  async function results(input: { connectionId: string; answerId: string }): Promise<Result<readonly SearchResult[]>> {
    const lately = searchView.lately(input.answerId);
    if (lately) return ok(lately);
    const found = await findSearch(input);
    if (!found.ok) return found;
    const { connection, content } = found.value;
    return ok(await searchView.order(connection, input.answerId, content.results));
  }

  async function findSearch({ connectionId, answerId }: { connectionId: string; answerId: string }) {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const known = answers.byId(answerId);
    if (!known.ok) return known;
    const content = await known.value?.content();
    if (content && !content.ok) return content;
    if (!known.value || content?.value?.kind !== 'search') return fail(notCached());
    return ok({ connection: connection.value, known: known.value, content: content.value });
  }

  /** The ways to search and what each would cost now, cheapest first. Makes no network call. */
  async function searchWays(input: {
    connectionId: string;
    text: string;
    maxResults: number | null;
    of: SearchOf;
  }): Promise<Result<SearchWay[]>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const handles = secrets.list(input.connectionId);
    if (!handles.ok) return handles;
    return listSearchWays(answers, connection.value, handles.value, input);
  }

  async function open(
    input: { connectionId: string; premiseId: string; interface: Protocol; cache: CacheMode },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId, premiseId, interface: protocol, cache } = input;
    const asked = askPremise(connectionId, premiseId, protocol);
    // An answer with the UPRN contains everything that one without it would.
    const fuller = protocol === 'rest' ? [askRest(connectionId, premiseId, 'GetPremise', true).question] : [];
    return openAsked(asked, [asked.question, ...fuller], premiseId, cache, context);
  }

  /**
   * Gets the UPRN the cheapest way there is. Errors besides those of the calls: 'not-configured' without a REST address; 'plan-outdated' if
   * that way is no longer the operation whose price was shown.
   */
  async function uprn(
    input: { connectionId: string; premiseId: string; operation: UprnWay['operation']; cache: CacheMode },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId, premiseId, cache } = input;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const way = uprnWay(connection.value);
    if (!way)
      return fail(
        appError('not-configured', { message: 'The UPRN is a REST answer, and the connection has no REST address.' }),
      );
    if (way.operation !== input.operation)
      return fail(
        appError('plan-outdated', {
          message: 'The way to the UPRN is another now than the one whose price was shown.',
          next: `Look at the price first: ${way.explanation}`,
        }),
      );
    const asked = askUprn(connectionId, premiseId, way);
    return openAsked(asked, [asked.question], premiseId, cache, context);
  }

  async function openAsked(
    asked: PremiseQuestion,
    questions: AnswerRequest['questions'],
    premiseId: string,
    cache: CacheMode,
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId } = asked.question;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const result = await answers.ask(
      {
        connection: connection.value,
        questions,
        about: { subject: premiseId, topic: 'premise' },
        cache,
        send: (calling) => sendPremise(parts, connection.value, asked, premiseId, calling),
        labelOf: (answer) => labelOf(premiseId, answer),
      },
      context,
    );
    if (!result.ok) return result;
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const others = await contentsOf(known.value.filter(({ answerId }) => answerId !== result.value.answerId));
    if (!others.ok) return others;
    const uprnPlan = planFor(connection.value, premiseId, asked);
    if (!uprnPlan.ok) return uprnPlan;
    const view = viewPremise({
      premiseId,
      // Geo data alone is no address: it completes the one opened before.
      addresses: addressesOf([result.value.answer.content, ...others.value]),
      provenance: provenanceOf(ledger, result.value),
      cachedAnswers: known.value.map(cached.describe),
      uprnPlan: uprnPlan.value,
    });
    return view ? ok(view) : fail(unexpectedAnswer(result.value.answer.callId));
  }

  /** The way to a premise's UPRN as it is now; null: none. Makes no network call. */
  function uprnPlan({ connectionId, premiseId }: { connectionId: string; premiseId: string }) {
    const connection = connections.find(connectionId);
    return connection.ok ? planFor(connection.value, premiseId) : connection;
  }

  /** `answered`: the question just answered. */
  function planFor(
    connection: Connection,
    premiseId: string,
    answered?: PremiseQuestion,
  ): Result<PremiseView['uprnPlan']> {
    const way = uprnWay(connection);
    if (!way) return ok(null);
    const { operation, credits, explanation } = way;
    const { question } = askUprn(connection.id, premiseId, way);
    // Asked for with uprn=true before another way became the cheaper one.
    const asked = askRest(connection.id, premiseId, 'GetPremise', true).question;
    const plan = (cameEmpty: boolean) => ok({ operation, credits, cameEmpty, explanation });
    if (answered && [question, asked].some((one) => hashCacheKey(one) === hashCacheKey(answered.question)))
      return plan(true);
    const known = answers.find(connection, question, asked);
    return known.ok ? plan(known.value !== undefined) : known;
  }

  const askUprn = (connectionId: string, premiseId: string, way: UprnWay): PremiseQuestion =>
    askRest(connectionId, premiseId, way.operation, way.uprn);

  const uprnWay = (connection: Connection): UprnWay | null =>
    planUprn(connection.restBaseUrl !== '', shapes.lastOfGeoData(connection));

  return {
    search,
    openSearch,
    results,
    uprnPlan,
    /** The window has all of a search's results: they are released, and read again if it asks again. */
    forgetResults: searchView.forget,
    searchWays,
    suggest,
    open,
    uprn,
    cachedPremises,
    premiseAnswers,
    provenance,
    listCached,
    compare: createComparisons({ answers, ledger }),
    distances: measure.measure,
    distancesPrice: measure.price,
    labelOf,
    shapes,
    answers,
  };
}
