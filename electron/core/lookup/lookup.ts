import type { Connection, LookupInterface } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import type { PremiseView, SearchAnswer, SearchResult } from '../../../shared/domain/lookup.ts';
import { compareAlongStreet, sharedEnd, withKey } from '../../../shared/domain/order-results.ts';
import { publishedPrice } from '../../../shared/domain/published-price.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache, AnswerRequest } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import type { ShapeWatch } from '../answers/shape-watch.ts';
import { unexpectedAnswer } from '../answers/store-exchange.ts';
import type { FoundPremise } from '../answers/stored-answer.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import { sortInTurns } from '../concurrency/sort-in-turns.ts';
import type { Connections } from '../connections/connections.ts';
import { createRecent } from '../decode/browse/recent.ts';
import type { Ledger } from '../spend/ledger.ts';
import { addressesOf, createCachedPremises, labelOf } from './cached-premises.ts';
import { compareAnswers } from './compare.ts';
import { restOfLine } from './found-premises.ts';
import { createMeasure } from './measure.ts';
import { viewPremise } from './premise-view.ts';
import { askPremise, askRest, askSearch, type PremiseQuestion } from './questions.ts';
import { sendPremise, sendSearch } from './send-question.ts';
import { planUprn, type UprnWay } from './uprn-plan.ts';

export interface LookupParts {
  connections: Connections;
  clients: Clients;
  answers: AnswerCache;
  shapes: ShapeWatch;
  ledger: Ledger;
}

/** Searches whose ordered results stay at hand while the window asks for one part after the other. */
const orderedAtHand = 4;

const notCached = () =>
  appError('bad-input', { message: 'This answer is no longer saved.', next: 'Search again to see it.' });

export type Lookup = ReturnType<typeof createLookup>;

/** Searching and opening premises over either interface: cached answers first, one call for one question, provenance on everything. */
export function createLookup(parts: LookupParts) {
  const { connections, clients, answers, shapes, ledger } = parts;
  const measure = createMeasure({ connections, clients, answers, ledger });
  const cached = createCachedPremises({ answers, ledger });
  const { cachedPremises, premiseAnswers, provenance, listCached, raw } = cached;
  const orderedLately = createRecent<SearchResult[]>(orderedAtHand);

  async function search(
    input: { connectionId: string; text: string; maxResults: number | null; askAgain: boolean },
    context: CallContext,
  ): Promise<Result<SearchAnswer>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, input.text, input.maxResults);
    const result = await answers.ask(
      {
        connection: connection.value,
        questions: [asked.question],
        about: { subject: asked.subject, topic: 'search' },
        fresh: input.askAgain,
        send: (calling) => sendSearch(clients, connection.value, asked, calling),
      },
      context,
    );
    if (!result.ok) return result;
    const { content } = result.value.answer;
    if (content.kind !== 'search') return fail(appError('internal', { detail: 'a cached search is no search' }));
    const results = await orderResults(connection.value, content.results);
    orderedLately.set(result.value.answerId, results);
    return ok({
      text: asked.subject,
      results,
      sharedEnd: sharedEnd(results),
      total: content.total,
      maxResults: content.maxResults,
      cutOff: content.total !== null && content.total > content.results.length,
      provenance: provenanceOf(ledger, result.value),
    });
  }

  /** Ordered here, in turns: it is the long part of a search, and the window draws a list of any length at once. */
  async function orderResults(connection: Connection, found: readonly FoundPremise[]): Promise<SearchResult[]> {
    const free = cached.freePremises(connection);
    const keyed = await mapInTurns(found, (row) =>
      withKey({
        premiseId: row.premiseId,
        kind: row.kind,
        organisation: row.organisation ?? '',
        line: restOfLine(row),
        cached: free.has(row.premiseId),
      }),
    );
    const sorted = await sortInTurns(keyed, compareAlongStreet);
    return sorted.map(({ result }) => result);
  }

  /** The results of a search that was answered, in their order. Makes no network call. Errors: 'bad-input' where it is cached no longer. */
  async function results(input: { connectionId: string; answerId: string }): Promise<Result<readonly SearchResult[]>> {
    const { connectionId, answerId } = input;
    const lately = orderedLately.get(answerId);
    if (lately) return ok(lately);
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const known = answers.byId(answerId);
    if (!known.ok) return known;
    const content = known.value?.answer.content;
    if (content?.kind !== 'search') return fail(notCached());
    const ordered = await orderResults(connection.value, content.results);
    orderedLately.set(answerId, ordered);
    return ok(ordered);
  }

  /** What a search would cost now. Makes no network call. */
  function searchPrice(
    connectionId: string,
    text: string,
    maxResults: number | null,
  ): Result<{ price: ShownPrice; expiresAt: string | null }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, text, maxResults);
    const known = answers.find(asked.question);
    if (!known.ok) return known;
    if (known.value) return ok({ price: { kind: 'cached' }, expiresAt: known.value.expiresAt });
    return ok({ price: publishedPrice(asked.operation), expiresAt: null });
  }

  async function open(
    input: { connectionId: string; premiseId: string; interface: LookupInterface; askAgain: boolean },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId, premiseId, interface: protocol, askAgain } = input;
    const asked = askPremise(connectionId, premiseId, protocol);
    // An answer with the UPRN holds everything that one without it would.
    const fuller = protocol === 'rest' ? [askRest(connectionId, premiseId, 'GetPremise', true).question] : [];
    return openAsked(asked, [asked.question, ...fuller], premiseId, askAgain, context);
  }

  /** Gets the UPRN the cheapest way there is. */
  async function uprn(
    input: { connectionId: string; premiseId: string },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId, premiseId } = input;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const way = uprnWay(connection.value);
    if (!way)
      return fail(
        appError('not-configured', { message: 'The UPRN is a REST answer, and the connection has no REST address.' }),
      );
    const asked = askRest(connectionId, premiseId, way.operation, way.uprn);
    return openAsked(asked, [asked.question], premiseId, false, context);
  }

  async function openAsked(
    asked: PremiseQuestion,
    questions: AnswerRequest['questions'],
    premiseId: string,
    fresh: boolean,
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
        fresh,
        send: (calling) => sendPremise(parts, connection.value, asked, premiseId, calling),
        labelOf: (answer) => labelOf(premiseId, answer),
      },
      context,
    );
    if (!result.ok) return result;
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const others = known.value.filter(({ answerId }) => answerId !== result.value.answerId);
    const view = viewPremise({
      premiseId,
      // Geo data alone is no address: it completes the one opened before.
      addresses: addressesOf([result.value, ...others]),
      provenance: provenanceOf(ledger, result.value),
      cachedAnswers: known.value.map(cached.describe),
      uprnWay: uprnWay(connection.value),
    });
    return view ? ok(view) : fail(unexpectedAnswer(result.value.answer.callId));
  }

  const uprnWay = (connection: Connection): UprnWay | null =>
    planUprn(connection.restBaseUrl !== '', shapes.last(connection.id));

  return {
    search,
    results,
    searchPrice,
    open,
    uprn,
    cachedPremises,
    premiseAnswers,
    provenance,
    listCached,
    raw,
    compare: (leftId: string, rightId: string) => compareAnswers({ answers, ledger }, leftId, rightId),
    distances: measure.measure,
    distancesPrice: measure.price,
    lastShape: shapes.last,
    labelOf,
    shapes,
    answers,
  };
}
