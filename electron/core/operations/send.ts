import type { Exchange } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ShapeWatch } from '../answers/shape-watch.ts';
import { storeRest, storeSoap } from '../answers/store-exchange.ts';
import { type AnswerContent, mostFields, type StoredAnswer } from '../answers/stored-answer.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import type { ProfileFor } from '../connections/profiles.ts';
import { fieldsOf } from '../decode/browse/tables.ts';
import { type SoapValueOf, withUnknown } from '../decode/browse/take-apart.ts';
import { fromRestItem, fromSoapList, premiseIn } from '../lookup/found-premises.ts';
import { lookupKeyOf } from '../rest/choose-key.ts';
import type { RestAnswer } from '../rest/rest-answer.ts';
import type { SoapAnswer, SoapValue } from '../soap/client.ts';
import type { Prepared } from './prepare.ts';
import type { PreparedQuestion } from './question.ts';
import type { Callable } from './resolve.ts';
import { guideKeys } from './snippets.ts';

export interface SendParts {
  clients: Clients;
  /** For the one key that no client fills in: the guide's ApiKey. */
  profileFor: ProfileFor;
  shapes: ShapeWatch;
}

/** An answer to be cached and, for SOAP, its decoded value. */
export interface Sent {
  stored: StoredAnswer;
  fresh?: SoapValueOf;
}

/**
 * Sends a prepared form, once. `observe` receives what went over the wire, even if it fails; `key`: the name under which a long answer
 * stays with the decoder. Errors: those of the calls.
 */
export function sendPrepared(
  parts: SendParts,
  prepared: Prepared,
  { observe, key }: { observe: (exchange: Exchange) => void; key: string },
  context: CallContext,
): Promise<Result<Sent>> {
  const { connection, callable, given, asked } = prepared;
  const call = {
    connection,
    operation: callable.name,
    subject: given.subject || callable.name,
    observe,
    // The lookup screen shows a search whole.
    keep: { key, whole: asked.shared === 'search' },
  };
  return callable.interface === 'rest'
    ? sendRest(parts, call, prepared, context)
    : sendSoap(parts, call, prepared, context);
}

type Call = Omit<Parameters<Clients['rest']>[0], 'fields'>;

async function sendRest(
  { clients, shapes }: SendParts,
  call: Call,
  { given, asked }: Prepared,
  context: CallContext,
): Promise<Result<Sent>> {
  const done = await clients.rest({ ...call, fields: given.fields as Record<string, string> }, context);
  if (!done.ok) return done;
  const most = Number(given.input.maxresults ?? '');
  const content = await contentOfRest(asked, titleOf(call), done.value.value, most > 0 ? most : null);
  const { shape, address } = done.value.value;
  if (address) shapes.note(call.connection, call.operation, shape);
  return ok({ stored: storeRest(done.value, content) });
}

async function sendSoap(
  { clients, profileFor }: SendParts,
  call: Call,
  { callable, given, asked, connection }: Prepared,
  context: CallContext,
): Promise<Result<Sent>> {
  const guide = await readGuideKey(profileFor, connection, callable);
  if (!guide.ok) return guide;
  const done = await clients.soap({ ...call, fields: { ...given.fields, ...guide.value } }, context);
  if (!done.ok) return done;
  const { value, unknown, raw: _raw, request: _request, timings: _timings, ...outcome } = done.value.value;
  const content = await contentOfSoap(asked, titleOf(call), done.value.value);
  return ok({
    stored: storeSoap(done.value, callable.name, content),
    fresh: { value: withUnknown(value, unknown), outcome },
  });
}

async function readGuideKey(
  profileFor: ProfileFor,
  connection: Connection,
  callable: Callable,
): Promise<Result<Record<string, string>>> {
  if (Object.keys(guideKeys(callable, '')).length === 0) return ok({});
  const profile = await profileFor(connection, ['lookup-key', 'master-key']);
  if (!profile.ok) return profile;
  const key = lookupKeyOf(profile.value);
  return key.ok ? ok(guideKeys(callable, key.value)) : key;
}

const titleOf = ({ operation, subject }: { operation: string; subject: string }): string =>
  subject === operation ? operation : `${operation}, ${subject}`;

const contentOf = (title: string, value: unknown, isEmpty = false): AnswerContent => ({
  kind: 'operation',
  title,
  fields: fieldsOf(value, mostFields).fields,
  ...(isEmpty ? { empty: true } : {}),
});

/** What is cached of an answer besides its raw text: where the lookup screen asks the same question, in the form it reads. */
async function contentOfRest(
  asked: PreparedQuestion,
  title: string,
  answer: RestAnswer,
  maxResults: number | null,
): Promise<AnswerContent> {
  if (asked.shared === 'search' && answer.search) {
    const results = await mapInTurns(answer.search.items, fromRestItem);
    return { kind: 'search', results, total: answer.search.total, maxResults, text: asked.subject };
  }
  if (asked.shared === 'premise' && answer.address) return { kind: 'premise', address: answer.address };
  return contentOf(title, answer.value, answer.search?.items.length === 0);
}

/** The same of SOAP. */
async function contentOfSoap(asked: PreparedQuestion, title: string, answer: SoapAnswer): Promise<AnswerContent> {
  if (asked.shared === 'search') {
    const listed = await fromSoapList((answer.value as SoapValue<'SearchPremise_ByPostcode'>).List);
    return { kind: 'search', ...listed, maxResults: null, text: asked.subject };
  }
  if (asked.shared === 'premise' && answer.found === 'something') {
    const address = premiseIn(answer as SoapAnswer<SoapValue<'GetPremiseAddress'>>, asked.subject);
    if (address) return { kind: 'premise', address };
  }
  return contentOf(title, answer.value, answer.found === 'nothing');
}
