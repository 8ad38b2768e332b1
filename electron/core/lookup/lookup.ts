import { priceOf } from '../../../shared/catalogue/price.ts';
import type { Address } from '../../../shared/domain/address.ts';
import { fromSoapAddressPremise } from '../../../shared/domain/address-from-soap.ts';
import { type Connection, type LookupInterface, lookupInterfaces } from '../../../shared/domain/connection.ts';
import type { ShownPrice } from '../../../shared/domain/credits.ts';
import type { PremiseView, Provenance, SearchAnswer } from '../../../shared/domain/lookup.ts';
import { orderResults, sharedEnd } from '../../../shared/domain/order-results.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext } from '../calls/caller.ts';
import type { Clients } from '../calls/clients.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../credits/ledger.ts';
import type { Answers, KnownAnswer } from './answers.ts';
import type { AskOnce } from './ask-once.ts';
import { type Asked, createAsker } from './asker.ts';
import { compareAnswers } from './compare.ts';
import { storeRest, storeSoap, unexpectedAnswer } from './exchange.ts';
import { fromRestItem, fromSoapList, restOfLine } from './found-premises.ts';
import { createMeasure } from './measure.ts';
import { viewPremise } from './premise-view.ts';
import { provenanceOf } from './provenance.ts';
import { askPremise, askRest, askSearch, type PremiseQuestion, type SearchQuestion } from './questions.ts';
import type { ShapeWatch } from './shape-watch.ts';
import type { StoredAnswer } from './stored-answer.ts';
import { planUprn, type UprnWay } from './uprn-plan.ts';

export interface LookupParts {
  connections: Connections;
  clients: Clients;
  answers: Answers;
  shapes: ShapeWatch;
  ledger: Ledger;
  log: ActivityLog;
  /** Questions under way, of the operations explorer as well. */
  once: AskOnce<KnownAnswer>;
}

export type Lookup = ReturnType<typeof createLookup>;

/** Searching and opening premises over either interface: held answers first, one call for one question, provenance on everything. */
export function createLookup(parts: LookupParts) {
  const { connections, clients, answers, shapes, ledger, log } = parts;
  const asker = createAsker({ answers, log, once: parts.once });
  const measure = createMeasure({ connections, clients, answers, asker, ledger });
  const describe = (known: KnownAnswer): Provenance => provenanceOf(ledger, { ...known, held: true });

  async function search(
    input: { connectionId: string; text: string; maxResults: number | null; askAgain: boolean },
    context: CallContext,
  ): Promise<Result<SearchAnswer>> {
    const connection = connections.find(input.connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, input.text, input.maxResults);
    const told = await asker.ask(
      {
        connection: connection.value,
        questions: [asked.question],
        about: { subject: asked.subject, topic: 'search' },
        fresh: input.askAgain,
        send: (calling) => sendSearch(asked, calling),
      },
      context,
    );
    if (!told.ok) return told;
    const { content } = told.value.answer;
    if (content.kind !== 'search') return fail(appError('internal', { detail: 'a held search is no search' }));
    const free = freePremises(connection.value);
    // Ordered here: the window draws a list of any length at once, and this is the long part of it.
    const results = orderResults(
      content.results.map((row) => ({
        premiseId: row.premiseId,
        kind: row.kind,
        organisation: row.organisation ?? '',
        line: restOfLine(row),
        held: free.has(row.premiseId),
      })),
    );
    return ok({
      text: asked.subject,
      results,
      sharedEnd: sharedEnd(results),
      total: content.total,
      maxResults: content.maxResults,
      cutOff: content.total !== null && content.total > content.results.length,
      provenance: provenanceOf(ledger, told.value),
    });
  }

  async function sendSearch(asked: SearchQuestion, context: CallContext): Promise<Result<StoredAnswer>> {
    const { connectionId } = asked.question;
    const call = { connectionId, operation: asked.operation, subject: asked.subject };
    if (asked.interface === 'rest') {
      const done = await clients.rest({ ...call, fields: asked.fields }, context);
      if (!done.ok) return done;
      const { search } = done.value.value;
      if (!search) return fail(unexpectedAnswer(done.value.call.id));
      const results = search.items.map(fromRestItem);
      const maxResults = typeof asked.fields.maxresults === 'number' ? asked.fields.maxresults : null;
      return ok(
        storeRest(done.value, { kind: 'search', results, total: search.total, maxResults, text: asked.subject }),
      );
    }
    const operation = asked.operation === 'Search' ? 'SearchPremise_ByWordMatchOnAll' : asked.operation;
    const done = await clients.soap({ ...call, operation, fields: asked.fields }, context);
    if (!done.ok) return done;
    const results = fromSoapList(done.value.value.value.List);
    return ok(
      storeSoap(done.value, operation, { kind: 'search', results, total: null, maxResults: null, text: asked.subject }),
    );
  }

  /** What a search would cost now. Asks nobody. */
  function searchPrice(
    connectionId: string,
    text: string,
    maxResults: number | null,
  ): Result<{ price: ShownPrice; heldUntil: string | null }> {
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const asked = askSearch(connection.value, text, maxResults);
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
    const { connectionId, premiseId, interface: face, askAgain } = input;
    const asked = askPremise(connectionId, premiseId, face);
    // An answer with the UPRN holds everything that one without it would.
    const fuller = face === 'rest' ? [askRest(connectionId, premiseId, 'GetPremise', true).question] : [];
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
    questions: Asked['questions'],
    premiseId: string,
    fresh: boolean,
    context: CallContext,
  ): Promise<Result<PremiseView>> {
    const { connectionId } = asked.question;
    const connection = connections.find(connectionId);
    if (!connection.ok) return connection;
    const told = await asker.ask(
      {
        connection: connection.value,
        questions,
        about: { subject: premiseId, topic: 'premise' },
        fresh,
        send: (calling) => sendPremise(asked, premiseId, calling),
        labelOf: (answer) => labelOf(premiseId, answer),
      },
      context,
    );
    if (!told.ok) return told;
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const others = known.value.filter(({ answerId }) => answerId !== told.value.answerId);
    const view = viewPremise({
      premiseId,
      // Geo data alone is no address: it completes the one opened before.
      addresses: addressesOf([told.value, ...others]),
      provenance: provenanceOf(ledger, told.value),
      heldAnswers: known.value.map(describe),
      uprnWay: uprnWay(connection.value),
    });
    return view ? ok(view) : fail(unexpectedAnswer(told.value.answer.callId));
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
      if (!address) return fail(unexpectedAnswer(done.value.call.id));
      shapes.note(connectionId, shape);
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

  const uprnWay = (connection: Connection): UprnWay | null =>
    planUprn(connection.restBaseUrl !== '', shapes.last(connection.id));

  /** Ids of the premises that Enter opens for nothing: over the interface that the connection prefers. */
  function freePremises(connection: Connection): ReadonlySet<string> {
    const held = answers.heldPremises(connection.id);
    if (!held.ok) return new Set();
    return new Set(
      held.value
        .filter(({ interfaces }) => interfaces.includes(connection.preferredInterface))
        .map(({ subject }) => subject),
    );
  }

  /** Every premise with a held answer, newest first. */
  function heldPremises(connectionId: string) {
    const held = answers.heldPremises(connectionId);
    if (!held.ok) return held;
    return ok(
      held.value.map(({ subject, label, at, interfaces }) => ({
        premiseId: subject,
        line: label,
        at,
        free: lookupInterfaces.filter((face) => interfaces.includes(face)),
      })),
    );
  }

  /** What is held of one premise, with how it is called. Asks nobody. */
  function premiseAnswers(connectionId: string, premiseId: string) {
    const known = answers.aboutSubject(connectionId, 'premise', premiseId);
    if (!known.ok) return known;
    const [address] = addressesOf(known.value);
    const view = address ? viewOf(premiseId, address, known.value) : null;
    return ok({
      title: view?.title ?? `Premise ${premiseId}`,
      subtitle: view?.fields.find(({ name }) => name === 'postcode')?.value ?? '',
      answers: known.value.map(describe),
    });
  }

  function viewOf(premiseId: string, address: Address, known: readonly KnownAnswer[]): PremiseView | null {
    const [first] = known;
    if (!first) return null;
    return viewPremise({
      premiseId,
      addresses: [address],
      provenance: describe(first),
      heldAnswers: [],
      uprnWay: null,
    });
  }

  /** How lists name the answer about a premise. */
  function labelOf(premiseId: string, answer: StoredAnswer): string {
    const { content } = answer;
    const unnamed = `Premise ${premiseId}`;
    if (content.kind !== 'premise' || content.address.origin.operation === 'GetPremiseGeoData') return unnamed;
    const view = viewOf(premiseId, content.address, [{ answerId: '', answer, heldFor: 'no', heldUntil: null }]);
    return view ? shortLine(view) : unnamed;
  }

  /** What is known now of answers shown earlier, for verdicts that settled since. */
  function provenance(answerIds: readonly string[]): Result<{ answers: Provenance[] }> {
    const found: Provenance[] = [];
    for (const answerId of answerIds) {
      const known = answers.byId(answerId);
      if (!known.ok) return known;
      if (known.value) found.push(describe(known.value));
    }
    return ok({ answers: found });
  }

  function listHeld(connectionId: string, text: string, limit: number) {
    const listed = answers.list(connectionId, text, limit);
    if (!listed.ok) return listed;
    return ok({ answers: listed.value.map(({ id, ...answer }) => ({ ...answer, answerId: id })) });
  }

  function raw(answerId: string): Result<StoredAnswer | undefined> {
    const known = answers.byId(answerId);
    return known.ok ? ok(known.value?.answer) : known;
  }

  return {
    search,
    searchPrice,
    open,
    uprn,
    heldPremises,
    premiseAnswers,
    provenance,
    listHeld,
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

/** Full addresses before geo data, whichever was asked for: the first one's values stand. */
function addressesOf(known: readonly KnownAnswer[]): Address[] {
  const addresses = known.flatMap(({ answer }) => (answer.content.kind === 'premise' ? [answer.content.address] : []));
  const isGeo = (address: Address) => address.origin.operation === 'GetPremiseGeoData';
  return [...addresses.filter((one) => !isGeo(one)), ...addresses.filter(isGeo)];
}

const shortLine = ({ title, fields }: PremiseView): string =>
  [title, fields.find(({ name }) => name === 'postcode')?.value].filter(Boolean).join(', ');
