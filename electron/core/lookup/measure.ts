import type { CacheMode } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits/credits.ts';
import { publishedPrice } from '../../../shared/domain/credits/published-price.ts';
import type { DistanceAnswer, DistanceRow } from '../../../shared/domain/lookup/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { provenanceOf } from '../answers/provenance.ts';
import { storeSoap, unexpectedAnswer } from '../answers/store-exchange.ts';
import type { StoredAnswer } from '../answers/stored-answer.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../spend/ledger.ts';
import { askDistances, type DistanceQuestion, readDistances } from './distances.ts';
import { gridPosition } from './position.ts';

export interface MeasureParts {
  connections: Connections;
  clients: Clients;
  answers: AnswerCache;
  ledger: Ledger;
}

interface Wanted {
  connectionId: string;
  from: string;
  to: string[];
}

/**
 * Distances between postcodes over SOAP: cached answers first, one call per question. Errors besides those of the calls: 'bad-input'
 * without a postcode to measure to, 'not-found' if the answer has no distance.
 */
export function createMeasure({ connections, clients, answers, ledger }: MeasureParts) {
  async function measure(input: Wanted & { cache: CacheMode }, context: CallContext): Promise<Result<DistanceAnswer>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askDistances(connection.value, input.from, input.to);
    if (!asked.ok) return asked;
    const result = await answers.ask(
      {
        connection: connection.value,
        questions: [asked.value.question],
        about: { subject: asked.value.subject, topic: 'distances' },
        cache: input.cache,
        send: (calling) => send(connection.value, asked.value, calling),
      },
      context,
    );
    if (!result.ok) return result;
    const { content, callId } = result.value.answer;
    if (content.kind !== 'distances') return fail(unexpectedAnswer(callId));
    const rows: DistanceAnswer['rows'] = [];
    for (const row of content.rows) rows.push({ ...row, place: await placeOf(input.connectionId, row) });
    return ok({
      from: content.from,
      rows,
      provenance: provenanceOf(ledger, result.value),
    });
  }

  async function send(
    connection: Connection,
    asked: DistanceQuestion,
    context: CallContext,
  ): Promise<Result<StoredAnswer>> {
    const { operation, fields, subject, from, to } = asked;
    const done = await clients.soap({ connection, operation, fields, subject }, context);
    if (!done.ok) return done;
    const { value } = done.value;
    const rows = value.found === 'nothing' ? [] : readDistances(value.value.List, to);
    if (rows.length === 0)
      return fail(
        appError('not-found', {
          message: 'The service gave no distance for these postcodes.',
          next: 'Check the postcodes; the service may not know them.',
          charge: 'may-have-been-charged',
          callId: done.value.call.id,
        }),
      );
    return ok(storeSoap(done.value, operation, { kind: 'distances', from, rows }));
  }

  /** Where a cached answer locates a premise of that postcode. */
  async function placeOf(connectionId: string, { postcode }: DistanceRow): Promise<DistanceRow['place']> {
    const listed = answers.list(connectionId, postcode, 20);
    if (!listed.ok) return null;
    for (const { id, topic } of listed.value) {
      if (topic !== 'premise') continue;
      const known = answers.byId(id);
      const content = known.ok ? await known.value?.content() : undefined;
      if (!content?.ok || content.value?.kind !== 'premise') continue;
      const { address } = content.value;
      const place = gridPosition(address);
      if (place && address.fields.postcode?.value === postcode) return place;
    }
    return null;
  }

  /** What measuring would cost now. Makes no network call. */
  function price(input: Wanted): Result<{ price: ShownPrice; operation: string }> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askDistances(connection.value, input.from, input.to);
    if (!asked.ok) return asked;
    const { operation, question } = asked.value;
    const cached = answers.find(connection.value, question);
    if (!cached.ok) return cached;
    return ok({ price: cached.value ? { kind: 'cached' } : publishedPrice(operation), operation });
  }

  return { measure, price };
}
