import { priceOf } from '../../../shared/catalogue/price.ts';
import type { Address } from '../../../shared/domain/address.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address-from-soap.ts';
import { compareNaturally } from '../../../shared/domain/address-order.ts';
import type { Connection, LookupInterface } from '../../../shared/domain/connection.ts';
import type { ShownPrice, SpendVerdict } from '../../../shared/domain/credits.ts';
import type { PremiseView, Provenance, SearchAnswer } from '../../../shared/domain/lookup.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext, Done } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { RestAnswer } from '../rest/client.ts';
import type { Settings } from '../settings/settings.ts';
import type { SoapAnswer } from '../soap/client.ts';
import { type HeldQuestion, heldKey } from '../storage/held-answers.ts';
import type { Answers, KnownAnswer } from './answers.ts';
import { viewPremise } from './premise-view.ts';
import { askPremise, askRest, askSearch, type PremiseQuestion, type SearchQuestion } from './questions.ts';
import type { AnswerContent, StoredAnswer } from './stored-answer.ts';
import { planUprn, type UprnWay } from './uprn-plan.ts';

export interface LookupParts {
  connections: Connections;
  clients: Clients;
  answers: Answers;
  settings: Settings;
  ledger: Ledger;
  log: ActivityLog;
}

export type Lookup = ReturnType<typeof createLookup>;

/** Searching and opening premises over either interface: held answers first, one call for one question, provenance on everything. */
export function createLookup(parts: LookupParts) {
  const { connections, clients, answers, settings, ledger, log } = parts;
  /** Questions under way: a second one of the same waits for the first (safety.md 3). */
  const inFlight = new Map<string, Promise<Result<KnownAnswer>>>();

  /** Answers from what is held, or asks, once. `fresh`: spend even though an answer is held. */
  function answer(
    question: HeldQuestion,
    subject: string,
    fresh: boolean,
    ask: () => Promise<Result<StoredAnswer>>,
  ): Promise<Result<Told>> {
    const key = heldKey(question);
    const underWay = inFlight.get(key);
    if (underWay) return underWay.then((result) => (result.ok ? ok({ ...result.value, held: false }) : result));
    if (!fresh) {
      const held = answers.find(question);
      if (!held.ok) return Promise.resolve(held);
      if (held.value) return Promise.resolve(ok({ ...held.value, held: true }));
    }
    const asking = ask()
      .then((result): Result<KnownAnswer> => (result.ok ? ok(answers.keep(question, subject, result.value)) : result))
      .finally(() => inFlight.delete(key));
    inFlight.set(key, asking);
    return asking.then((result) => (result.ok ? ok({ ...result.value, held: false }) : result));
  }

  async function search(
    input: { connectionId: string; text: string; maxResults: number | null; askAgain: boolean },
    context: CallContext,
  ): Promise<Result<SearchAnswer>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, input.text, input.maxResults);
    const told = await answer(asked.question, asked.subject, input.askAgain, () => sendSearch(asked, context));
    if (!told.ok) return told;
    noteHeld(connection.value, told.value, asked.subject);
    const { content } = told.value.answer;
    if (content.kind !== 'search') return fail(appError('internal', { detail: 'a held search is no search' }));
    const opened = answers.heldSubjects(input.connectionId);
    const heldIds = opened.ok ? opened.value : new Set<string>();
    const provenance = provenanceOf(told.value);
    return ok({
      text: asked.subject,
      results: [...content.results]
        .sort((a, b) => compareNaturally(a.line, b.line))
        .map((row) => ({ ...row, organisation: '', held: heldIds.has(row.premiseId) })),
      total: content.total,
      maxResults: content.maxResults,
      cutOff: content.total !== null && content.total > content.results.length,
      provenance,
    });
  }

  async function sendSearch(asked: SearchQuestion, context: CallContext): Promise<Result<StoredAnswer>> {
    const { connectionId } = asked.question;
    const call = { connectionId, operation: asked.operation, subject: asked.subject };
    if (asked.interface === 'rest') {
      const done = await clients.rest({ ...call, fields: asked.fields }, context);
      if (!done.ok) return done;
      const { search } = done.value.value;
      if (!search) return fail(unexpected(done.value.call.id));
      const results = search.items.map(({ premiseId, line, kind }) => ({ premiseId, line, kind }));
      const maxResults = typeof asked.fields.maxresults === 'number' ? asked.fields.maxresults : null;
      return ok(
        storeRest(done.value, { kind: 'search', results, total: search.total, maxResults, text: asked.subject }),
      );
    }
    const operation = asked.operation === 'Search' ? 'SearchPremise_ByWordMatchOnAll' : asked.operation;
    const done = await clients.soap({ ...call, operation, fields: asked.fields }, context);
    if (!done.ok) return done;
    const results = done.value.value.value.List.flatMap((row) =>
      (row.Unique_Delivery_Point ?? '').trim() === ''
        ? []
        : [
            {
              premiseId: (row.Unique_Delivery_Point ?? '').trim(),
              line: (row.List_Address ?? '').trim(),
              kind: 'premise' as const,
            },
          ],
    );
    return ok(
      storeSoap(done.value, operation, { kind: 'search', results, total: null, maxResults: null, text: asked.subject }),
    );
  }

  /** What a search would cost now. Asks nobody. */
  function searchPrice(connectionId: string, text: string): Result<{ price: ShownPrice; heldUntil: string | null }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, text, null);
    const held = answers.find(asked.question);
    if (!held.ok) return held;
    if (held.value) return ok({ price: { kind: 'held' }, heldUntil: held.value.heldUntil });
    const price = priceOf(asked.operation);
    return ok({
      price: price.kind === 'credits' ? { kind: 'credits', credits: price.credits } : { kind: 'not-published' },
      heldUntil: null,
    });
  }

  async function open(
    input: { connectionId: string; premiseId: string; interface: LookupInterface; askAgain: boolean },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    return openAsked(
      askPremise(input.connectionId, input.premiseId, input.interface),
      input.premiseId,
      input.askAgain,
      context,
    );
  }

  /** Gets the UPRN the cheapest way there is. */
  async function uprn(
    input: { connectionId: string; premiseId: string },
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const way = uprnWay(connection.value);
    if (!way)
      return fail(
        appError('not-configured', { message: 'The UPRN is a REST answer, and the connection has no REST address.' }),
      );
    return openAsked(
      askRest(input.connectionId, input.premiseId, way.operation, way.uprn),
      input.premiseId,
      false,
      context,
    );
  }

  async function openAsked(
    asked: PremiseQuestion,
    premiseId: string,
    fresh: boolean,
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId } = asked.question;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const told = await answer(asked.question, premiseId, fresh, () => sendPremise(asked, premiseId, context));
    if (!told.ok) return told;
    noteHeld(connection.value, told.value, premiseId);
    const known = answers.aboutSubject(connectionId, premiseId);
    if (!known.ok) return known;
    const others = known.value.filter(({ answerId }) => answerId !== told.value.answerId);
    const view = viewPremise({
      premiseId,
      // Geo data alone is no address: it completes the one opened before.
      addresses: addressesOf([told.value, ...others]),
      provenance: provenanceOf(told.value),
      heldAnswers: known.value.map((one) => provenanceOf({ ...one, held: true })),
      uprnWay: uprnWay(connection.value),
    });
    return view ? ok(view) : fail(unexpected(told.value.answer.callId));
  }

  async function sendPremise(
    asked: PremiseQuestion,
    premiseId: string,
    context: CallContext,
  ): Promise<Result<StoredAnswer>> {
    const { connectionId } = asked.question;
    if (asked.interface === 'rest') {
      const done = await clients.rest(
        { connectionId, operation: asked.operation, subject: premiseId, fields: asked.fields },
        context,
      );
      if (!done.ok) return done;
      const { address, shape } = done.value.value;
      if (!address) return fail(unexpected(done.value.call.id));
      noteShape(connectionId, shape);
      return ok(storeRest(done.value, { kind: 'premise', address }));
    }
    const operation = 'GetPremiseAddress';
    const fields = { sUniqueDeliveryPointID: premiseId };
    const done = await clients.soap({ connectionId, operation, subject: premiseId, fields }, context);
    if (!done.ok) return done;
    const [record] = done.value.value.value.List;
    if (!record || done.value.value.found === 'nothing')
      return fail(appError('not-found', { charge: 'may-have-been-charged', callId: done.value.call.id }));
    return ok(
      storeSoap(done.value, operation, { kind: 'premise', address: fromSoapAddressPremise(record, operation) }),
    );
  }

  function noteShape(connectionId: string, shape: string): void {
    if (shape !== 'A' && shape !== 'B') return;
    const shapes = settings.read('lastShapes');
    if (shapes.ok && shapes.value[connectionId] !== shape)
      settings.write('lastShapes', { ...shapes.value, [connectionId]: shape });
  }

  function lastShape(connectionId: string): 'A' | 'B' | null {
    const shapes = settings.read('lastShapes');
    return shapes.ok ? (shapes.value[connectionId] ?? null) : null;
  }

  const uprnWay = (connection: Connection): UprnWay | null =>
    planUprn(connection.restBaseUrl !== '', lastShape(connection.id));

  /** A held answer costs nothing, and the log says so. */
  function noteHeld(connection: Connection, told: Told, subject: string): void {
    if (!told.held) return;
    const { interface: face, operation, paidBy } = told.answer;
    log.recordHeld({
      connectionId: connection.id,
      connectionName: connection.name,
      interface: face,
      operation,
      subject,
      paidBy,
      expectedCredits: 0,
    });
  }

  function provenanceOf({ answerId, answer: stored, held, heldUntil }: Told): Provenance {
    const entry = ledger.findOfCall(stored.callId);
    const spend = entry.ok ? entry.value : undefined;
    const verdict: SpendVerdict = spend?.verdict ?? (stored.expectedCredits === 0 ? 'matches' : 'not-read');
    return {
      answerId,
      callId: stored.callId,
      interface: stored.interface,
      operation: stored.operation,
      shape: stored.shape,
      at: stored.at,
      durationMs: stored.durationMs,
      keyLastFour: stored.keyLastFour,
      paidBy: stored.paidBy,
      expectedCredits: stored.expectedCredits,
      observedCredits: spend?.observed ?? null,
      verdict,
      held,
      heldUntil,
    };
  }

  /** The premises opened last, for opening again for nothing. */
  function heldPremises(
    connectionId: string,
    limit: number,
  ): Result<{ premiseId: string; line: string; at: string }[]> {
    const recent = answers.recentPremises(connectionId, limit);
    if (!recent.ok) return recent;
    return ok(
      recent.value.flatMap((known) => {
        const [address] = addressesOf([known]);
        const view =
          address &&
          viewPremise({
            premiseId: address.premiseId,
            addresses: [address],
            provenance: provenanceOf({ ...known, held: true }),
            heldAnswers: [],
            uprnWay: null,
          });
        return view ? [{ premiseId: view.premiseId, line: shortLine(view), at: known.answer.at }] : [];
      }),
    );
  }

  const raw = (answerId: string): Result<StoredAnswer | undefined> => answers.byId(answerId);

  return { search, searchPrice, open, uprn, heldPremises, raw, lastShape };
}

type Told = KnownAnswer & { held: boolean };

/** Full addresses before geo data, whichever was asked for: the first one's values stand. */
function addressesOf(known: readonly KnownAnswer[]): Address[] {
  const addresses = known.flatMap(({ answer }) => (answer.content.kind === 'premise' ? [answer.content.address] : []));
  const isGeo = (address: Address) => address.origin.operation === 'GetPremiseGeoData';
  return [...addresses.filter((one) => !isGeo(one)), ...addresses.filter(isGeo)];
}

const shortLine = ({ title, fields }: PremiseView): string =>
  [title, fields.find(({ name }) => name === 'postcode')?.value].filter(Boolean).join(', ');

const unexpected = (callId: string) =>
  appError('unreadable-answer', { message: 'The service answered with something else than was asked for.', callId });

function storeRest(done: Done<RestAnswer>, content: AnswerContent): StoredAnswer {
  const { value, call } = done;
  return {
    ...exchange(done, 'rest'),
    operation: call.operation,
    shape: value.shape,
    content,
    request: value.request,
    raw: value.raw,
  };
}

function storeSoap(done: Done<SoapAnswer<unknown>>, operation: string, content: AnswerContent): StoredAnswer {
  const { value } = done;
  return { ...exchange(done, 'soap'), operation, shape: null, content, request: value.request, raw: value.raw };
}

const exchange = ({ call, paidBy, keyLastFour }: Done<unknown>, face: 'rest' | 'soap') => ({
  interface: face,
  at: call.at,
  durationMs: call.durationMs,
  callId: call.id,
  paidBy,
  keyLastFour,
  expectedCredits: call.expectedCredits,
});
