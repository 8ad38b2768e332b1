import { priceOf, publishedCredits } from '../../../../shared/catalogue/price.ts';
import { describeReturnCode } from '../../../../shared/catalogue/return-codes.ts';
import { type Address, isGeoData, textOf } from '../../../../shared/domain/address/address.ts';
import type { Connection, Protocol } from '../../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { AnswerCache, AnswerRequest } from '../../answers/answer-cache.ts';
import type { ShapeWatch } from '../../answers/shape-watch.ts';
import type { ReadAnswer, StoredAnswer } from '../../answers/stored-answer.ts';
import type { CallContext } from '../../calls/caller.ts';
import type { Clients } from '../../calls/clients.ts';
import type { Connections } from '../../connections/connections.ts';
import { labelOf } from '../../lookup/cached-premises.ts';
import { askPremise, askRest, askSearch, type PremiseQuestion } from '../../lookup/questions.ts';
import { sendPremise, sendSearch } from '../../lookup/send-question.ts';
import { type SearchCall, type SearchStep, type Server, searchKeyOf } from '../plan/plan.ts';
import {
  operationOf,
  type PremiseCall,
  type PremiseField,
  type PremisePrices,
  premiseCalls,
  protocolOf,
} from '../plan/premise-steps.ts';

/**
 * What is read from an answer, as the file of a batch has it. `returnCode`: of one that holds something under a code whose meaning is not
 * published.
 */
export type Content =
  /**
   * `cut`: there are more than these: the service truncated its list, something it named is no premise, or the list is too long to be
   * looked through. `mayBeCut`: something beside the list says that it may not be whole.
   */
  | {
      kind: 'search';
      results: { premiseId: string; line: string }[];
      cut: boolean;
      mayBeCut?: true;
      namesFlats: boolean;
      returnCode?: string;
    }
  | { kind: 'premise'; address: Address; returnCode?: string }
  /** `status`: by a status (404, 410) by which the server may also mean that it has no such page. */
  | { kind: 'nothing'; status?: string };

export interface Known {
  content: Content;
  /** When its call began, ISO 8601 UTC. */
  at: string;
}

interface SavedAddress {
  address: Address;
  at: string;
  returnCode?: string;
}

export type Stage = SearchCall | PremiseCall;

export interface QuestionParts {
  connections: Pick<Connections, 'find'>;
  clients: Clients;
  answers: AnswerCache;
  shapes: ShapeWatch;
  /** Whether the connection can call over a protocol: address, credentials and policy. */
  can(connection: Connection, protocol: Protocol, operation: string): boolean;
}

/** Premises of one search that rows are compared with. A postcode has a hundred at most. */
const mostResults = 2000;

const searchOperations = ['Search', 'SearchPremise_ByPostcode', 'SearchPremise_ByWordMatchOnAll'] as const;

export type Questions = ReturnType<typeof createQuestions>;

const creditsOf = (operation: string, fields: Readonly<Record<string, unknown>> = {}): number | undefined =>
  publishedCredits(priceOf(operation), fields);

/** What each search is. The rows of a batch keep the one that they were planned with, whatever its connection can make by now. */
export const searchOf: Readonly<Record<SearchCall, SearchStep>> = {
  search: { call: 'search', operation: 'Search', credits: creditsOf('Search') ?? 1, namesFlats: false },
  'search-free': {
    call: 'search-free',
    operation: 'SearchPremise_ByPostcode',
    credits: creditsOf('SearchPremise_ByPostcode') ?? 1,
    namesFlats: true,
  },
};

/** The questions of a batch, sent the way the lookup screen sends its own, and saved for it. */
export function createQuestions({ connections, clients, answers, shapes, can }: QuestionParts) {
  /** What can be asked of a connection's service, and for how much. Errors: 'no-connection'. */
  function server(connectionId: string): Result<Server> {
    const found = connections.find(connectionId);
    if (!found.ok) return found;
    const connection = found.value;
    const free = searchOf['search-free'];
    const search =
      free.credits === 0 && can(connection, 'soap', free.operation)
        ? free
        : can(connection, 'rest', searchOf.search.operation)
          ? searchOf.search
          : null;
    const premise: PremisePrices = {};
    for (const call of premiseCalls) {
      const operation = operationOf[call];
      const credits = creditsOf(operation, call === 'premise-uprn' ? { uprn: true } : {});
      if (credits !== undefined && can(connection, protocolOf(call), operation)) premise[call] = credits;
    }
    const [ofPremise, ofGeo] = [shapes.last(connection), shapes.lastOfGeoData(connection)];
    return ok({ search, premise, shapes: ofPremise && ofGeo && { premise: ofPremise, geo: ofGeo } });
  }

  const searchOver = (connection: Connection, protocol: Protocol, text: string) =>
    askSearch(connection, { text, maxResults: null, interface: protocol });

  function premiseQuestion(connectionId: string, stage: PremiseCall, premiseId: string): PremiseQuestion {
    if (stage === 'address') return askPremise(connectionId, premiseId, 'soap');
    return askRest(
      connectionId,
      premiseId,
      stage === 'geo' ? 'GetPremiseGeoData' : 'GetPremise',
      stage === 'premise-uprn',
    );
  }

  /** The question, and those whose answers hold all that its own would. */
  function questionsOf(connection: Connection, stage: Stage, text: string): AnswerRequest['questions'] {
    if (stage === 'search' || stage === 'search-free') {
      const [first, second] = stage === 'search' ? (['rest', 'soap'] as const) : (['soap', 'rest'] as const);
      return [searchOver(connection, first, text).question, searchOver(connection, second, text).question];
    }
    const own = premiseQuestion(connection.id, stage, text).question;
    return stage === 'premise' ? [own, premiseQuestion(connection.id, 'premise-uprn', text).question] : [own];
  }

  /** What is saved for a question, whoever asked it; undefined: nothing. Free. */
  async function find(connectionId: string, stage: Stage, text: string): Promise<Result<Known | undefined>> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const found = answers.find(connection.value, ...questionsOf(connection.value, stage, text));
    if (!found.ok) return found;
    if (!found.value) return ok(undefined);
    const { answer } = found.value;
    const content = await found.value.content();
    if (!content.ok) return content;
    return ok(content.value && { content: contentOf({ ...answer, content: content.value }), at: answer.at });
  }

  /** Every saved address of a premise, the newest first. Free. */
  async function premise(connectionId: string, premiseId: string): Promise<Result<SavedAddress[]>> {
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const addresses: SavedAddress[] = [];
    for (const { answer, content } of known.value) {
      const read = await content();
      if (read.ok && read.value?.kind === 'premise')
        addresses.push({ address: read.value.address, at: answer.at, ...unpublishedCode(answer) });
    }
    return ok(addresses);
  }

  /**
   * Sends one call, even if an answer is saved; whoever asks the same elsewhere shares it. `sent` false: the call was the other one's, or
   * there was none. Errors: those of `AnswerCache.ask`.
   */
  async function ask(
    connectionId: string,
    stage: Stage,
    text: string,
    context: CallContext,
  ): Promise<{ sent: boolean; answered: Result<Known & { callId: string }> }> {
    const found = connections.find(connectionId);
    if (!found.ok) return { sent: false, answered: found };
    const connection = found.value;
    const questions = questionsOf(connection, stage, text);
    let sent = false;
    const isSearch = stage === 'search' || stage === 'search-free';
    const result = await answers.ask(
      {
        connection,
        questions,
        about: { subject: text, topic: isSearch ? 'search' : 'premise' },
        cache: 'reload',
        send: (calling) => {
          sent = true;
          return isSearch
            ? sendSearch(
                clients,
                connection,
                searchOver(connection, stage === 'search' ? 'rest' : 'soap', text),
                calling,
              )
            : sendPremise({ clients, shapes }, connection, premiseQuestion(connectionId, stage, text), text, calling);
        },
        ...(isSearch ? {} : { labelOf: (answer: StoredAnswer) => labelOf(text, answer) }),
      },
      context,
    );
    if (!result.ok) return { sent, answered: result };
    const { answer } = result.value;
    return { sent, answered: ok({ content: contentOf(answer), at: answer.at, callId: answer.callId }) };
  }

  /** The published price of a stage's call, in credits; that of a call about a premise is 0 also if none is published. */
  const price = (stage: Stage): number =>
    stage === 'search' || stage === 'search-free'
      ? searchOf[stage].credits
      : (creditsOf(operationOf[stage], stage === 'premise-uprn' ? { uprn: true } : {}) ?? 0);

  /** The published prices of the calls about one premise, whether or not the connection can make them. */
  const published: PremisePrices = Object.fromEntries(premiseCalls.map((call) => [call, price(call)]));

  /** Texts of the searches with a saved answer, by `searchKeyOf`. Free. */
  function savedSearches(connectionId: string): Result<ReadonlyMap<string, string>> {
    const saved = answers.subjectsOf(connectionId, 'search', searchOperations);
    return saved.ok ? ok(new Map(saved.value.map(({ subject }) => [searchKeyOf(subject), subject]))) : saved;
  }

  /** Identifiers of the premises of which something is saved. Free. */
  function savedPremises(connectionId: string): Result<ReadonlySet<string>> {
    const saved = answers.subjectsOf(connectionId, 'premise', Object.values(operationOf));
    return saved.ok ? ok(new Set(saved.value.map(({ subject }) => subject))) : saved;
  }

  return { server, find, premise, ask, priceOf: price, published, savedSearches, savedPremises };
}

/** A code whose meaning is published is that of the first record alone, and says nothing of the others. */
const unpublishedCode = ({ returnCode }: Pick<StoredAnswer, 'returnCode'>): { returnCode?: string } =>
  returnCode === undefined || describeReturnCode(returnCode) !== undefined ? {} : { returnCode };

function contentOf(answer: ReadAnswer): Content {
  const { content, interface: protocol } = answer;
  const code = unpublishedCode(answer);
  if (content.kind === 'premise') return { kind: 'premise', address: content.address, ...code };
  if (content.kind !== 'search') return { kind: 'nothing' };
  const results: { premiseId: string; line: string }[] = [];
  /** A service may name one premise more than once: it is one. */
  const known = new Set<string>();
  let read = 0;
  for (const { premiseId, line, kind } of content.results) {
    if (results.length === mostResults) break;
    if (kind !== 'premise' || premiseId === '') continue;
    read += 1;
    const row = `${premiseId} ${line}`;
    if (!known.has(row)) results.push({ premiseId, line });
    known.add(row);
  }
  const named = Math.max(content.total ?? 0, content.results.length);
  return {
    kind: 'search',
    results,
    cut: named > read,
    ...(answer.doubt === undefined ? {} : { mayBeCut: true }),
    namesFlats: protocol === 'soap',
    ...code,
  };
}

/** What of a premise its addresses hold. */
export function fieldsIn(addresses: readonly Address[]): PremiseField[] {
  const has = (...names: Parameters<typeof textOf>[1][]) =>
    addresses.some((address) => names.every((name) => textOf(address, name) !== ''));
  const fields: PremiseField[] = [];
  if (!addresses.every(isGeoData)) fields.push('full');
  if (has('latitude', 'longitude')) fields.push('coordinates');
  if (has('uprn')) fields.push('uprn');
  if (has('udprn')) fields.push('udprn');
  return fields;
}
