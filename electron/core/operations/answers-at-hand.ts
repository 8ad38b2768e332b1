import type { OperationAnswer } from '../../../shared/contract/operations.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { Provenance } from '../../../shared/domain/lookup/lookup.ts';
import type { ServiceDescription } from '../../../shared/domain/service-description.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AnswerCache, KnownAnswer } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import { inMemory, type SavedAnswer } from '../answers/saved-answer.ts';
import type { AnswerHead, StoredAnswer } from '../answers/stored-answer.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Connections } from '../connections/connections.ts';
import type { Question, Source } from '../decode/browse/browse.ts';
import { createLruCache } from '../decode/browse/lru-cache.ts';
import type { RowView } from '../decode/browse/row-view.ts';
import type { ApartSummary, RowPage, SavedColumn, SavedPiece, SoapValueOf } from '../decode/browse/take-apart.ts';
import type { Decoder } from '../decode/decoder.ts';
import { bytesOf } from '../decode/shared-text.ts';
import { describedOf, resolveOperation } from '../soap/operation.ts';
import type { Ledger } from '../spend/ledger.ts';
import { createBrowser } from './browser.ts';
import { createRawTexts } from './raw-texts.ts';

export interface AnswersAtHandParts {
  answers: Pick<AnswerCache, 'byId' | 'forget'>;
  connections: Pick<Connections, 'find'>;
  descriptions: Pick<Descriptions, 'lastSeen'>;
  decoder: Decoder;
  ledger: Ledger;
  log: ActivityLog;
}

interface RowsOf {
  answerId: string;
  /** By its place among the answer's tables. */
  table: number;
  from: number;
  count: number;
  view: RowView;
}

interface CsvOf extends Omit<RowsOf, 'count'> {
  columns: readonly SavedColumn[];
}

/** How many stay in memory; an older one is read from the cache. */
const atHand = 12;
/** Characters of the raw texts of those that are not cached, altogether. */
const mostAtHand = 256_000_000;
/** Characters. A shorter one that is not cached stays at hand after the last window has put it away: it was paid for. */
const longText = 1_000_000;

export type AnswersAtHand = ReturnType<typeof createAnswersAtHand>;

/** A cached SOAP answer has nothing but its masked raw text, which is decoded again. Errors: 'unknown-operation'. */
function jobOfStored({ operation, raw }: StoredAnswer, description: ServiceDescription | undefined): Result<Source> {
  const callable = resolveOperation(operation, description);
  if (!callable.ok) return callable;
  return ok({
    kind: 'soap',
    job: {
      body: bytesOf(raw.text),
      status: raw.status,
      // The text is cached decoded, so the charset declared for its bytes does not apply.
      contentType: 'text/xml; charset=utf-8',
      operation: callable.value.name,
      namespace: null,
      result: callable.value.result,
      described: describedOf(callable.value, description),
      secrets: [],
    },
  });
}

/** Answers as they are shown: whole, by rows and by raw lines; from memory while they are there, then from the cache. */
export function createAnswersAtHand({ answers, connections, descriptions, decoder, ledger, log }: AnswersAtHandParts) {
  const browser = createBrowser(decoder);
  /** Answers that may not be cached, and exchanges that ended in an error: shown as long as they are in memory. */
  const uncached = createLruCache<SavedAnswer>(atHand, { of: ({ rawLength }) => rawLength, most: mostAtHand });
  const failed = createLruCache<Exchange>(atHand, { of: ({ raw }) => raw?.text.length ?? 0, most: mostAtHand });
  const freshValues = createLruCache<SoapValueOf>(atHand);
  /** The names under which long ones stayed with the decoder. */
  const keys = createLruCache<string>(atHand);

  /**
   * An answer that just came; `fresh`, its decoded value, saves decoding it again, and so does `key`, the name under which the decoder kept
   * it.
   */
  function note(known: KnownAnswer, fresh: SoapValueOf | undefined, key: string): void {
    keys.set(known.answerId, key);
    if (known.cachedFor === 'no') uncached.set(known.answerId, inMemory(known.answerId, known, known.answer));
    if (fresh) freshValues.set(known.answerId, fresh);
  }

  /** Releases answers that no window shows any more. Cached ones are opened again on request. */
  function release(answerIds: readonly string[]): void {
    if (answerIds.length === 0) return;
    browser.release(answerIds.flatMap((answerId) => [answerId, keys.get(answerId) ?? answerId]));
    for (const answerId of answerIds) {
      freshValues.remove(answerId);
      keys.remove(answerId);
      const unsaved = uncached.get(answerId);
      if (unsaved && unsaved.rawLength > longText) uncached.remove(answerId);
      answers.forget(answerId, longText);
    }
  }

  const noteFailed = (callId: string, exchange: Exchange): void => failed.set(callId, exchange);

  /** Errors: 'bad-input' if it is no longer cached. */
  function find(answerId: string): Result<SavedAnswer> {
    const atHand = uncached.get(answerId);
    if (atHand) return ok(atHand);
    const found = answers.byId(answerId);
    if (!found.ok) return found;
    return found.value ? ok(found.value) : noLongerSaved();
  }

  async function read(known: SavedAnswer): Promise<Result<StoredAnswer>> {
    const whole = await known.whole();
    if (!whole.ok) return whole;
    return whole.value ? ok(whole.value) : noLongerSaved();
  }

  /** What an answer is taken apart from. A fresh one is not decoded twice, unless its value would have to go to the worker. */
  async function sourceOf(known: SavedAnswer): Promise<Result<Source>> {
    const { answerId, rawLength } = known;
    const { operation } = known.answer;
    const value = decoder.isFar(rawLength) ? undefined : freshValues.get(answerId);
    if (value) return ok({ kind: 'value', value, operation, length: rawLength });
    const answer = await read(known);
    if (!answer.ok) return answer;
    if (answer.value.interface === 'rest') return ok({ kind: 'json', text: answer.value.raw.text, operation });
    const call = log.findCall(answer.value.callId);
    const connection = call.ok ? connections.find(call.value.connectionId) : undefined;
    return jobOfStored(answer.value, connection?.ok ? descriptions.lastSeen(connection.value) : undefined);
  }

  const askAbout = <Q extends 'summary' | 'rows' | 'csv'>(known: SavedAnswer, question: Question<Q>) =>
    browser.ask<Q>(keys.get(known.answerId) ?? known.answerId, question, known.rawLength, () => sourceOf(known));

  /** As the window shows it. */
  async function show(known: SavedAnswer, cached: boolean): Promise<Result<OperationAnswer>> {
    const apart = await askAbout<'summary'>(known, { ask: 'summary' });
    return apart.ok ? ok(summarise(known.answer, apart.value, provenanceOf(ledger, { ...known, cached }))) : apart;
  }

  async function readRows({ answerId, ...page }: RowsOf): Promise<Result<RowPage>> {
    const known = find(answerId);
    if (!known.ok) return known;
    return askAbout<'rows'>(known.value, { ask: 'rows', ...page });
  }

  /** Rows for a file, from one on. */
  async function readCsv({ answerId, ...piece }: CsvOf): Promise<Result<SavedPiece>> {
    const known = find(answerId);
    if (!known.ok) return known;
    return askAbout<'csv'>(known.value, { ask: 'csv', ...piece });
  }

  const raw = createRawTexts((id) => {
    const lengthOf = ({ body }: Exchange['request']) => body?.length ?? 0;
    const exchange = failed.get(id);
    if (exchange) {
      const { request, raw } = exchange;
      const read = () => Promise.resolve(ok(exchange));
      return ok({ requestLength: lengthOf(request), answerLength: raw?.text.length ?? 0, read });
    }
    const known = find(id);
    if (!known.ok) return known;
    const { answer, rawLength } = known.value;
    return ok({
      requestLength: lengthOf(answer.request),
      answerLength: rawLength,
      read: () => read(known.value),
    });
  }, browser);

  return { note, noteFailed, find, show, readRows, readCsv, raw, release };
}

const noLongerSaved = () => fail(appError('not-cached', { charge: 'not-applicable' }));

/** What crosses to the window: everything but the bulk. */
function summarise(
  stored: AnswerHead,
  { outcome, tables, listed }: ApartSummary,
  provenance: Provenance,
): OperationAnswer {
  return {
    answerId: provenance.answerId,
    provenance,
    status: stored.raw.status,
    bytes: stored.raw.bytes,
    found: outcome.found,
    returnCode: outcome.returnCode ?? null,
    returnMeaning: outcome.returnMeaning ?? null,
    errorMessage: outcome.errorMessage ?? null,
    truncated: outcome.truncated ?? false,
    tables,
    fields: listed.fields,
    fieldCount: listed.count,
    timings: stored.timings ?? null,
  };
}
