import type { Connection } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ShapeWatch } from '../answers/shape-watch.ts';
import { storeRest, storeSoap, unexpectedAnswer } from '../answers/store-exchange.ts';
import type { StoredAnswer } from '../answers/stored-answer.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import { mapInTurns } from '../concurrency/map-in-turns.ts';
import { fromRestItem, fromSoapList, fromStreetList, premiseIn } from './found-premises.ts';
import type { PremiseQuestion, SearchQuestion } from './questions.ts';

/** Sends a search, once, and decodes its answer. Errors: those of the calls; 'unreadable-answer' if it is no list of premises. */
export async function sendSearch(
  clients: Clients,
  connection: Connection,
  asked: SearchQuestion,
  context: CallContext,
): Promise<Result<StoredAnswer>> {
  const call = { connection, operation: asked.operation, subject: asked.subject };
  if (asked.interface === 'rest') {
    const done = await clients.rest({ ...call, fields: asked.fields }, context);
    if (!done.ok) return done;
    const { search } = done.value.value;
    if (!search) return fail(unexpectedAnswer(done.value.call.id));
    const results = await mapInTurns(search.items, fromRestItem);
    const maxResults = typeof asked.fields.maxresults === 'number' ? asked.fields.maxresults : null;
    return ok(storeRest(done.value, { kind: 'search', results, total: search.total, maxResults, text: asked.subject }));
  }
  const operation = asked.operation === 'Search' ? 'SearchPremise_ByWordMatchOnAll' : asked.operation;
  const done = await clients.soap({ ...call, operation, fields: asked.fields }, context);
  if (!done.ok) return done;
  const { value } = done.value.value;
  const { results, total } =
    asked.of.kind === 'streets' ? await fromStreetList(value.List) : await fromSoapList(value.List);
  return ok(
    storeSoap(done.value, operation, {
      kind: 'search',
      results,
      total,
      maxResults: null,
      text: asked.subject,
      ...(asked.of.kind === 'text' ? {} : { of: asked.of }),
    }),
  );
}

/** Opens a premise, once, and decodes its answer. Errors: those of the calls; 'not-found'; 'unreadable-answer' if it is no address. */
export async function sendPremise(
  { clients, shapes }: { clients: Clients; shapes: ShapeWatch },
  connection: Connection,
  asked: PremiseQuestion,
  premiseId: string,
  context: CallContext,
): Promise<Result<StoredAnswer>> {
  if (asked.interface === 'rest') {
    const done = await clients.rest(
      { connection, operation: asked.operation, subject: premiseId, fields: asked.fields },
      context,
    );
    if (!done.ok) return done;
    const { address, shape } = done.value.value;
    if (!address) return fail(unexpectedAnswer(done.value.call.id));
    shapes.note(connection, asked.operation, shape);
    return ok(storeRest(done.value, { kind: 'premise', address }));
  }
  const operation = 'GetPremiseAddress';
  const fields = { sUniqueDeliveryPointID: premiseId };
  const done = await clients.soap({ connection, operation, subject: premiseId, fields }, context);
  if (!done.ok) return done;
  const address = premiseIn(done.value.value, premiseId);
  if (!address || done.value.value.found === 'nothing')
    return fail(appError('not-found', { charge: 'may-have-been-charged', callId: done.value.call.id }));
  return ok(storeSoap(done.value, operation, { kind: 'premise', address }));
}
