import type { z } from 'zod';
import { datasetSuffix } from '../../../shared/catalogue/soap-operations.ts';
import type { OperationAnswer, OperationForm, operationChannels } from '../../../shared/contract/operations.ts';
import type { Exchange } from '../../../shared/domain/call.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../ports.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { Accounts } from '../answers/accounts.ts';
import type { AnswerCache, KnownAnswer } from '../answers/answer-cache.ts';
import { inMemory } from '../answers/saved-answer.ts';
import type { StoredAnswer } from '../answers/stored-answer.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Connections } from '../connections/connections.ts';
import type { ProfileFor } from '../connections/profiles.ts';
import type { Secrets } from '../connections/secrets.ts';
import { measurePrices } from '../credits/measured.ts';
import type { Decoder } from '../decode/decoder.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { createAnswersAtHand } from './answers-at-hand.ts';
import { listForms, shownPrice } from './forms.ts';
import { createOperationHistory } from './history.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { PreparedQuestion } from './question.ts';
import { isCacheable, isWrite, refuseWrite } from './resolve.ts';
import { createSavedLookups } from './saved-lookups.ts';
import { sendPrepared } from './send.ts';
import { writeSnippet } from './snippets.ts';
import { createViewers } from './viewers.ts';

export interface OperationsParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  /** For the one key that no client fills in: the guide's ApiKey. */
  profileFor: ProfileFor;
  clients: Clients;
  descriptions: Pick<Descriptions, 'lastSeen'>;
  answers: AnswerCache;
  lookup: Pick<Lookup, 'labelOf' | 'shapes' | 'forgetResults'>;
  decoder: Decoder;
  ledger: Ledger;
  log: ActivityLog;
}

type Input<C extends keyof typeof operationChannels> = z.output<(typeof operationChannels)[C]['input']>;
type PriceRequest = Input<'operations.price'>;

/**
 * The operations explorer: every endpoint and operation as a form, called once at its price or answered from the cache, its answer by rows,
 * fields and raw lines. Licence writes are refused: they go through the journal. Errors: those of the calls; 'bad-input'.
 */
export function createOperations(parts: OperationsParts) {
  const { db, connections, secrets, descriptions, answers, lookup } = parts;
  const sending = { clients: parts.clients, profileFor: parts.profileFor, shapes: lookup.shapes };
  const saved = createSavedLookups(db, parts.clock);
  const measured = measurePrices(db);
  const atHand = createAnswersAtHand(parts);
  const { noteFree, noteAsked, history, openStored } = createOperationHistory(db, answers, atHand);

  const measuredOf = (connectionId: string) => (operation: string) => {
    const found = measured.of(connectionId, operation);
    return found.ok && found.value ? { credits: found.value.credits, times: found.value.times } : undefined;
  };

  function list(
    connectionId: string,
  ): Result<{ operations: OperationForm[]; describedAt: string | null; listSeparator: string }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const handles = secrets.list(connectionId);
    if (!handles.ok) return handles;
    const description = descriptions.lastSeen(connection.value);
    const operations = listForms({
      connection: connection.value,
      handles: handles.value,
      description,
      measured: measuredOf(connectionId),
    });
    return ok({
      operations,
      describedAt: description?.readAt ?? null,
      listSeparator: connection.value.listSeparator,
    });
  }

  function price(input: PriceRequest): Result<{ price: ShownPrice; expiresAt: string | null }> {
    const { connectionId, operation, dataset, fields } = input;
    const values = Object.fromEntries(fields.map(({ name, values: [value] }) => [name, value]));
    const name = dataset ? operation + datasetSuffix : operation;
    const full = { price: shownPrice(name, values, measuredOf(connectionId)), expiresAt: null };
    const prepared = prepare(input, parts);
    // An incomplete form shows the price it will have; its faults are reported when it is sent.
    if (!prepared.ok || !isCacheable(prepared.value.callable)) return ok(full);
    const cached = answers.find(prepared.value.connection, ...prepared.value.asked.questions);
    if (!cached.ok) return cached;
    return ok(cached.value ? { price: { kind: 'cached' }, expiresAt: cached.value.expiresAt } : full);
  }

  async function run(input: Input<'operations.run'>, context: CallContext): Promise<Result<OperationAnswer>> {
    if (isWrite(input.operation)) return refuseWrite();
    const prepared = prepare(input, parts);
    if (!prepared.ok) return prepared;
    const { connection, callable, asked } = prepared.value;
    if (isCacheable(callable) && input.cache !== 'reload') {
      const cached = answers.find(connection, ...asked.questions);
      if (!cached.ok) return cached;
      if (cached.value) {
        noteFree(prepared.value, cached.value, input.dataset);
        return atHand.show(cached.value, true);
      }
    }
    if (input.cache === 'only-if-cached') return fail(appError('not-cached'));
    const { signal, ...rest } = context;
    const known = await answers.askSingleFlight(connection, asked.questions[0], signal, (stop, accounts) =>
      send(prepared.value, { ...rest, signal: stop }, input.dataset, accounts),
    );
    if (!known.ok) return known;
    const { answerId, answer } = known.value;
    return atHand.show(inMemory(answerId, known.value, answer), false);
  }

  /** Sends it, once; keeps its answer and, if it fails, what went over the wire. */
  async function send(
    prepared: Prepared,
    context: CallContext,
    dataset: boolean,
    accounts: Accounts,
  ): Promise<Result<KnownAnswer>> {
    const { callable, given, asked } = prepared;
    let exchange: Exchange | undefined;
    const observe = (seen: Exchange) => {
      exchange = seen;
    };
    const key = crypto.randomUUID();
    const sent = await sendPrepared(sending, prepared, { observe, key }, context);
    if (!sent.ok) {
      const { callId } = sent.error;
      if (callId !== undefined) {
        if (exchange) atHand.noteFailed(callId, exchange);
        noteAsked(callId, '', dataset, given);
      }
      return sent;
    }
    const { stored, fresh } = sent.value;
    const known: KnownAnswer = isCacheable(callable)
      ? await keep(asked, stored, accounts)
      : { answerId: crypto.randomUUID(), answer: stored, cachedFor: 'no', expiresAt: null };
    atHand.note(known, fresh, key);
    noteAsked(stored.callId, known.answerId, dataset, given);
    return ok(known);
  }

  /** Caches an answer where the lookup screen finds it too or, if that could not read it, under a question of its own. */
  async function keep(
    { questions, subject, shared }: PreparedQuestion,
    stored: StoredAnswer,
    accounts: Accounts,
  ): Promise<KnownAnswer> {
    const { content } = stored;
    if (content.kind === 'operation')
      return answers.store(
        questions.at(-1) ?? questions[0],
        { topic: 'operation', subject, label: content.title, accounts },
        stored,
      );
    const label = shared === null ? {} : { label: lookup.labelOf(subject, stored) };
    return answers.store(questions[0], { topic: content.kind, subject, accounts, ...label }, stored);
  }

  async function snippet({
    language,
    ...input
  }: Input<'operations.snippet'>): Promise<Result<{ text: string; placeholders: string[] }>> {
    if (isWrite(input.operation)) return refuseWrite();
    const prepared = prepare(input, parts);
    if (!prepared.ok) return prepared;
    const { connection, callable, given } = prepared.value;
    return writeSnippet(connection, callable, given, descriptions.lastSeen(connection), language);
  }

  const viewers = createViewers();
  /** No window shows these any more. */
  function release(answerIds: readonly string[]): void {
    atHand.release(answerIds);
    for (const answerId of answerIds) lookup.forgetResults(answerId);
  }
  const putAway = (window: number, answerIds: readonly string[]): void => release(viewers.putAway(window, answerIds));
  /** The window was closed or reloaded. */
  const closeWindow = (window: number): void => release(viewers.close(window));

  return {
    list,
    price,
    run,
    readRows: atHand.readRows,
    readCsv: atHand.readCsv,
    raw: atHand.raw,
    snippet,
    history,
    openStored,
    saved,
    /** A window shows this answer from now on, of an operation or of a search. */
    showIn: viewers.show,
    putAway,
    closeWindow,
  };
}
