import type { z } from 'zod';
import type {
  HistoryRow,
  OperationAnswer,
  OperationForm,
  operationChannels,
} from '../../../shared/contract/operations.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients, Exchange } from '../calls/clients.ts';
import type { Descriptions } from '../calls/descriptions.ts';
import type { Connections } from '../connections/connections.ts';
import type { ProfileFor } from '../connections/profiles.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Ledger } from '../credits/ledger.ts';
import { measurePrices } from '../credits/measured.ts';
import type { Answers, KnownAnswer } from '../lookup/answers.ts';
import type { AskOnce } from '../lookup/ask-once.ts';
import { storeRest, storeSoap } from '../lookup/exchange.ts';
import type { Lookup } from '../lookup/lookup.ts';
import { provenanceOf } from '../lookup/provenance.ts';
import type { StoredAnswer } from '../lookup/stored-answer.ts';
import type { Decoder } from '../soap/decoder.ts';
import type { Database } from '../storage/database.ts';
import { attempt } from '../storage/errors.ts';
import { heldKey } from '../storage/held-answers.ts';
import { openOperationsRepository } from '../storage/operations-repository.ts';
import { contentOfRest, contentOfSoap } from './content.ts';
import { listForms, shownPrice } from './forms.ts';
import { type Given, readGiven } from './given.ts';
import { type Presented, present, type SoapValueOf, summarise } from './present.ts';
import { type AskedQuestion, questionOf } from './question.ts';
import { createRawTexts } from './raw-texts.ts';
import { createRecent } from './recent.ts';
import { type Callable, isWrite, mayBeHeld, refuseWrite, resolveCallable } from './resolve.ts';
import { createSavedLookups } from './saved-lookups.ts';
import { guideKeys, writeSnippet } from './snippets.ts';

export interface OperationsParts {
  db: Database;
  clock: Clock;
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  /** For the one key that no client fills in: the guide's ApiKey. */
  profileFor: ProfileFor;
  clients: Clients;
  descriptions: Pick<Descriptions, 'lastSeen'>;
  answers: Pick<Answers, 'find' | 'keep' | 'byId'>;
  /** Questions under way, of the lookup screen as well. */
  once: AskOnce<KnownAnswer>;
  lookup: Pick<Lookup, 'labelOf' | 'shapes'>;
  decoder: Decoder;
  ledger: Ledger;
  log: ActivityLog;
}

type Input<C extends keyof typeof operationChannels> = z.output<(typeof operationChannels)[C]['input']>;
type Asked = Input<'operations.price'>;

interface Prepared {
  connection: Connection;
  callable: Callable;
  given: Given;
  asked: AskedQuestion;
}

export type Operations = ReturnType<typeof createOperations>;

/** Answers taken apart and failed exchanges that stay at hand; an older one is read from what is held. */
const atHand = 12;

/**
 * The operations explorer: every endpoint and operation as a form, called once at its price or answered from what is held, its answer by
 * rows, fields and raw lines. Licence writes are refused: they go through the journal. Errors: those of the calls; 'bad-input'.
 */
export function createOperations(parts: OperationsParts) {
  const { db, connections, secrets, clients, descriptions, answers, once, lookup, decoder, ledger, log } = parts;
  const rows = openOperationsRepository(db.sql);
  const saved = createSavedLookups(db, parts.clock);
  const measured = measurePrices(db);
  const presented = createRecent<Presented>(atHand);
  /** Answers that may not be held, and exchanges that ended in an error: shown as long as they are at hand. */
  const unheld = createRecent<KnownAnswer>(atHand);
  const failed = createRecent<Exchange>(atHand);
  const freshValues = createRecent<SoapValueOf>(atHand);

  const measuredOf = (connectionId: string) => (operation: string) => {
    const found = measured(connectionId, operation);
    return found.ok && found.value ? { credits: found.value.credits, times: found.value.times } : undefined;
  };

  function list(
    connectionId: string,
  ): Result<{ operations: OperationForm[]; describedAt: string | null; listSeparator: string }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const handles = secrets.list(connectionId);
    if (!handles.ok) return handles;
    const description = descriptions.lastSeen(connectionId);
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

  function prepare({ connectionId, operation, dataset, fields }: Asked): Result<Prepared> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const callable = resolveCallable(connection.value, operation, dataset, descriptions.lastSeen(connectionId));
    if (!callable.ok) return callable;
    const given = readGiven(callable.value, fields);
    if (!given.ok) return given;
    return ok({
      connection: connection.value,
      callable: callable.value,
      given: given.value,
      asked: questionOf(connection.value, callable.value, given.value),
    });
  }

  function price(input: Asked): Result<{ price: ShownPrice; heldUntil: string | null }> {
    const { connectionId, operation, dataset, fields } = input;
    const values = Object.fromEntries(
      fields.map(({ name, values: [value] }) => [name, value === 'true' ? true : value]),
    );
    const name = dataset ? `${operation}_Dataset` : operation;
    const full = { price: shownPrice(name, values, measuredOf(connectionId)), heldUntil: null };
    const prepared = prepare(input);
    // A form that is not complete has the price it will have; what is wrong with it is said when it is sent.
    if (!prepared.ok || !mayBeHeld(prepared.value.callable)) return ok(full);
    const held = findHeld(prepared.value.asked);
    if (!held.ok) return held;
    return ok(held.value ? { price: { kind: 'held' }, heldUntil: held.value.heldUntil } : full);
  }

  function findHeld({ questions }: AskedQuestion): Result<KnownAnswer | undefined> {
    for (const question of questions) {
      const held = answers.find(question);
      if (!held.ok || held.value) return held;
    }
    return ok(undefined);
  }

  async function run(input: Input<'operations.run'>, context: CallContext): Promise<Result<OperationAnswer>> {
    if (isWrite(input.operation)) return refuseWrite();
    const prepared = prepare(input);
    if (!prepared.ok) return prepared;
    const { callable, asked, connection, given } = prepared.value;
    const holdable = mayBeHeld(callable);
    const key = heldKey(asked.questions[0]);
    if (holdable && !input.askAgain) {
      const held = findHeld(asked);
      if (!held.ok) return held;
      if (held.value) {
        noteHeld(connection, held.value.answer, given, input.dataset, held.value.answerId);
        return show(held.value, true);
      }
    }
    const { signal, ...rest } = context;
    const known = await once.ask(key, signal, (stop) => send(prepared.value, { ...rest, signal: stop }, input.dataset));
    return known.ok ? show(known.value, false) : known;
  }

  /** Sends it, once; keeps its answer, and where it fails what went over the wire. */
  async function send(prepared: Prepared, context: CallContext, dataset: boolean): Promise<Result<KnownAnswer>> {
    const { connection, callable, given, asked } = prepared;
    let exchange: Exchange | undefined;
    const call = {
      connectionId: connection.id,
      operation: callable.name,
      subject: given.subject || callable.name,
      observe: (seen: Exchange) => {
        exchange = seen;
      },
    };
    const made =
      callable.interface === 'rest' ? await sendRest(call, prepared, context) : await sendSoap(call, prepared, context);
    if (!made.ok) {
      const { callId } = made.error;
      if (callId !== undefined) {
        if (exchange) failed.set(callId, exchange);
        noteAsked(callId, '', dataset, given);
      }
      return made;
    }
    const { stored, fresh } = made.value;
    const known: KnownAnswer = mayBeHeld(callable)
      ? keep(asked, stored)
      : { answerId: crypto.randomUUID(), answer: stored, heldFor: 'no', heldUntil: null };
    if (known.heldFor === 'no') unheld.set(known.answerId, known);
    if (fresh) freshValues.set(known.answerId, fresh);
    noteAsked(stored.callId, known.answerId, dataset, given);
    return ok(known);
  }

  /** Holds an answer where the lookup screen finds it too, or, where that could not read it, under a question of its own. */
  function keep({ questions, subject, shared }: AskedQuestion, stored: StoredAnswer): KnownAnswer {
    const { content } = stored;
    if (content.kind === 'operation')
      return answers.keep(
        questions.at(-1) ?? questions[0],
        { topic: 'operation', subject, label: content.title },
        stored,
      );
    const label = shared === 'premise' ? { label: lookup.labelOf(subject, stored) } : {};
    return answers.keep(questions[0], { topic: content.kind, subject, ...label }, stored);
  }

  type Call = Parameters<Clients['rest']>[0] extends infer R ? Omit<R, 'fields'> : never;
  type Made = Promise<Result<{ stored: StoredAnswer; fresh?: SoapValueOf }>>;

  async function sendRest(call: Call, { given, asked }: Prepared, context: CallContext): Made {
    const done = await clients.rest({ ...call, fields: given.fields as Record<string, string> }, context);
    if (!done.ok) return done;
    const most = Number(given.input.maxresults ?? '');
    const content = contentOfRest(asked, titleOf(call), done.value.value, most > 0 ? most : null);
    const { shape, address } = done.value.value;
    if (address) lookup.shapes.note(call.connectionId, shape);
    return ok({ stored: storeRest(done.value, content) });
  }

  async function sendSoap(call: Call, { callable, given, asked, connection }: Prepared, context: CallContext): Made {
    const guide = await readGuideKey(connection.id, callable);
    if (!guide.ok) return guide;
    const done = await clients.soap({ ...call, fields: { ...given.fields, ...guide.value } }, context);
    if (!done.ok) return done;
    const { value, unknown, raw: _raw, request: _request, timings: _timings, ...outcome } = done.value.value;
    const content = contentOfSoap(asked, titleOf(call), done.value.value);
    const shown =
      unknown.length > 0 && typeof value === 'object' && value !== null ? withUnknown(value, unknown) : value;
    return ok({
      stored: storeSoap(done.value, callable.name, content),
      fresh: { value: shown, outcome },
    });
  }

  async function readGuideKey(connectionId: string, callable: Callable): Promise<Result<Record<string, string>>> {
    if (Object.keys(guideKeys(callable, '')).length === 0) return ok({});
    const profile = await parts.profileFor(connectionId, ['lookup-key']);
    if (!profile.ok) return profile;
    const { lookupKey } = profile.value.secrets;
    return lookupKey === undefined
      ? fail(appError('no-credential', { message: 'The connection has no lookup key, which this request takes.' }))
      : ok(guideKeys(callable, lookupKey));
  }

  /** The log and the history say it was answered for nothing. */
  function noteHeld(
    connection: Connection,
    answer: StoredAnswer,
    given: Given,
    dataset: boolean,
    answerId: string,
  ): void {
    const recorded = log.recordHeld({
      connectionId: connection.id,
      connectionName: connection.name,
      interface: answer.interface,
      operation: answer.operation,
      subject: given.subject || answer.operation,
      paidBy: answer.paidBy,
      expectedCredits: 0,
    });
    if (recorded.ok) noteAsked(recorded.value.id, answerId, dataset, given);
  }

  /** The answer has been paid for: it is shown even where the history cannot be written. */
  function noteAsked(callId: string, answerId: string, dataset: boolean, { asked }: Given): void {
    attempt(() => rows.insertAsked({ callId, answerId, dataset, fields: asked }));
  }

  function findAnswer(answerId: string): Result<KnownAnswer> {
    const inMemory = unheld.get(answerId);
    if (inMemory) return ok(inMemory);
    const found = answers.byId(answerId);
    if (!found.ok) return found;
    return found.value
      ? ok(found.value)
      : fail(
          appError('bad-input', {
            message: 'This answer is no longer held.',
            next: 'Ask again to see it.',
            charge: 'not-applicable',
          }),
        );
  }

  async function takeApart(known: KnownAnswer): Promise<Result<Presented>> {
    const ready = presented.get(known.answerId);
    if (ready) return ok(ready);
    const made = await present(known.answer, freshValues.get(known.answerId), decoder, () => {
      const call = log.findCall(known.answer.callId);
      return call.ok && call.value ? descriptions.lastSeen(call.value.connectionId) : undefined;
    });
    if (made.ok) presented.set(known.answerId, made.value);
    return made;
  }

  async function show(known: KnownAnswer, held: boolean): Promise<Result<OperationAnswer>> {
    const apart = await takeApart(known);
    return apart.ok ? ok(summarise(apart.value, provenanceOf(ledger, { ...known, held }))) : apart;
  }

  async function readRows({
    answerId,
    table,
    from,
    count,
  }: Input<'operations.rows'>): Promise<Result<{ rows: (string | null)[][] }>> {
    const known = findAnswer(answerId);
    if (!known.ok) return known;
    const apart = await takeApart(known.value);
    return apart.ok ? ok({ rows: apart.value.tables[table]?.rows.slice(from, from + count) ?? [] }) : apart;
  }

  const raw = createRawTexts((id) => {
    const exchange = failed.get(id);
    if (exchange) return ok(exchange);
    const known = findAnswer(id);
    return known.ok ? ok({ request: known.value.answer.request, raw: known.value.answer.raw }) : known;
  });

  async function snippet({
    language,
    ...input
  }: Input<'operations.snippet'>): Promise<Result<{ text: string; placeholders: string[] }>> {
    if (isWrite(input.operation)) return refuseWrite();
    const prepared = prepare(input);
    if (!prepared.ok) return prepared;
    const { connection, callable, given } = prepared.value;
    return writeSnippet(connection, callable, given, descriptions.lastSeen(connection.id), language);
  }

  function history(input: Input<'operations.history'>): Result<{ rows: HistoryRow[]; next: string | null }> {
    return attempt(() => {
      const found = rows.history({ ...input, twin: `${input.operation}_Dataset` });
      return {
        rows: found.map(({ call, asked }) => ({
          call,
          asked: asked && { dataset: asked.dataset, fields: asked.fields },
          stored: asked !== null && asked.answerId !== '' && findAnswer(asked.answerId).ok,
        })),
        next: found.length === input.limit ? (found.at(-1)?.call.id ?? null) : null,
      };
    });
  }

  /** The answer of a call of the log, from what is held. */
  async function openStored(callId: string): Promise<Result<OperationAnswer>> {
    const asked = attempt(() => rows.findAsked(callId));
    if (!asked.ok) return asked;
    const known = findAnswer(asked.value?.answerId ?? '');
    return known.ok ? show(known.value, true) : known;
  }

  return { list, price, run, readRows, raw, snippet, history, openStored, saved };
}

const titleOf = ({ operation, subject }: { operation: string; subject: string }): string =>
  subject === operation ? operation : `${operation}, ${subject}`;

/** Elements that no definition knows stand beside the record's own, where a person looks for them. */
function withUnknown(value: object, unknown: readonly { path: string; value: unknown }[]): object {
  const extra = Object.fromEntries(unknown.map((one) => [one.path, one.value]));
  return { ...value, ...extra };
}
