import { setImmediate as turn } from 'node:timers/promises';
import type { CacheMode } from '../../../shared/domain/call.ts';
import type { Connection } from '../../../shared/domain/connection.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext } from '../calls/caller.ts';
import { stretchesOf } from '../decode/shared-text.ts';
import type { Settings } from '../settings/settings.ts';
import type { Accounts } from './accounts.ts';
import { type CacheKey, hashCacheKey } from './cache-key.ts';
import { emptyHours } from './cache-time.ts';
import {
  type CachedAnswer,
  type CachedDescription,
  type CachedSubject,
  type CacheSize,
  mostOfAnswer,
  type openCachedAnswers,
  type SubjectPage,
} from './cached-answers.ts';
import { writeContent } from './long-content.ts';
import { type CacheLife, inMemory, onDisk, type SavedAnswer } from './saved-answer.ts';
import { createSingleFlight } from './single-flight.ts';
import {
  type AnswerHead,
  isEmptyAnswer,
  type LongAnswer,
  type ReadAnswer,
  type StoredAnswer,
} from './stored-answer.ts';

/** An answer just received, or read from the cache. */
export interface KnownAnswer<A extends AnswerHead = StoredAnswer> extends CacheLife {
  /** Of this one asking. */
  answerId: string;
  answer: A;
}

/** An answer without its raw text, and whether it came from the cache. */
export type CachedResult = KnownAnswer<ReadAnswer> & { cached: boolean };

/** A question to the service, and how to send it if no stored answer will do. */
export interface AnswerRequest {
  connection: Connection;
  /** The question itself, followed by those whose answers contain everything this one's would. */
  questions: readonly [CacheKey, ...CacheKey[]];
  about: About;
  cache: CacheMode;
  send(context: CallContext): Promise<Result<StoredAnswer>>;
  /** How lists name the answer once it is there. */
  labelOf?(answer: StoredAnswer): string;
}

export type AnswerCache = ReturnType<typeof createAnswerCache>;
export type Topic = StoredAnswer['content']['kind'];
export type About = CachedDescription & { topic: Topic };

const hour = 3_600_000;
/** Answers just shown, so that their raw text can be opened even when nothing is cached. */
const shownLately = 60;
/** The most characters of raw text in memory altogether, except for a single one; none that is saved and longer than `longText`. */
const mostShown = 40_000_000;
/** Raw texts of more than this many characters are stored apart from their answer, with the content read from them. */
const longText = 100_000;
const notCached: CacheLife = { cachedFor: 'no', expiresAt: null };

/**
 * Answers that have been paid for: in the database as the policy allows, and those just shown in memory. One call per question: whoever
 * asks for something already under way shares that call, from whichever screen. Errors: `storage-failed`, and those of a question's `send`.
 */
export function createAnswerCache(
  cached: ReturnType<typeof openCachedAnswers>,
  { settings, log }: { settings: Settings; log: ActivityLog },
) {
  const underWay = createSingleFlight<KnownAnswer>();
  const shown = new Map<string, { question: CacheKey; about: About; answer: StoredAnswer; stored: boolean }>();

  const policy = () => settings.read('cachePolicy');

  /** How long the current policy lets an answer of a given time live. */
  function cacheLifeOf(answer: StoredAnswer | LongAnswer): CacheLife {
    const read = policy();
    if (!read.ok || read.value.mode === 'off') return notCached;
    const { mode, amount } = read.value;
    const isEmpty = answer.content === null ? answer.empty === true : isEmptyAnswer(answer);
    if (mode === 'run' && !isEmpty) return { cachedFor: 'run', expiresAt: null };
    const allowed = mode === 'run' ? emptyHours : mode === 'days' ? amount * 24 : amount;
    const until = Date.parse(answer.at) + (isEmpty ? Math.min(allowed, emptyHours) : allowed) * hour;
    return { cachedFor: 'time', expiresAt: new Date(until).toISOString() };
  }

  const lifeOf = (answer: StoredAnswer, stored: boolean): CacheLife => (stored ? cacheLifeOf(answer) : notCached);
  const savedOf = (row: CachedAnswer): SavedAnswer | undefined => onDisk(row, cacheLifeOf);

  /** Saves an answer if the policy allows it; otherwise it is among those just shown. Never fails. */
  async function store(question: CacheKey, asked: About, answer: StoredAnswer): Promise<KnownAnswer> {
    const paying = asked.accounts && cached.accountsPaying(asked.accounts, question.connectionId, answer);
    const about = paying?.ok ? { ...asked, accounts: paying.value } : asked;
    // An answer that cannot be stored is still shown: it was paid for.
    const allowed = policy();
    let id: string | null = null;
    if (allowed.ok && allowed.value.mode !== 'off') {
      cached.purgeSometimes(allowed.value);
      const described = {
        ...about,
        interface: answer.interface,
        empty: isEmptyAnswer(answer),
        identifiers: identifiersOf(answer),
      };
      // A long answer is written and shown in separate turns of the event loop: doing both at once would block main.
      const isLong = answer.raw.text.length > longText;
      const stored = isLong ? await storeLong(question, described, answer) : cached.store(question, described, answer);
      id = stored.ok ? stored.value : null;
      if (isLong) await turn();
    }
    const answerId = id ?? crypto.randomUUID();
    if (id === null || answer.raw.text.length <= longText)
      shown.set(answerId, { question, about, answer, stored: id !== null });
    let characters = [...shown.values()].reduce((sum, one) => sum + one.answer.raw.text.length, 0);
    for (const [oldest, one] of shown) {
      if (shown.size <= shownLately && (characters <= mostShown || shown.size === 1)) break;
      characters -= one.answer.raw.text.length;
      shown.delete(oldest);
    }
    return { answerId, answer, ...lifeOf(answer, id !== null) };
  }

  async function storeLong(question: CacheKey, about: About, answer: StoredAnswer): Promise<Result<string | null>> {
    const { raw, content } = answer;
    if (raw.text.length > mostOfAnswer) return ok(null);
    const contentText = await writeContent(content);
    await turn();
    const short: LongAnswer = {
      ...answer,
      raw: { ...raw, text: '' },
      content: null,
      rawLength: raw.text.length,
      ...(isEmptyAnswer(answer) ? { empty: true } : {}),
    };
    const parts = function* () {
      yield* stretchesOf(raw.text);
      yield contentText;
    };
    return cached.storeLong(question, about, short, {
      length: raw.text.length + contentText.length,
      parts: parts(),
    });
  }

  /** The newest stored answer to the first of these questions that has one which the policy lets be used again. */
  function findFirst(questions: AnswerRequest['questions'], accounts: Accounts): Result<SavedAnswer | undefined> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    for (const question of questions) {
      const found = cached.find(question, accounts, allowed.value);
      if (!found.ok) return found;
      const saved = found.value && savedOf(found.value);
      if (saved) return ok(saved);
    }
    return ok(undefined);
  }

  /** The same for a connection. */
  function find(connection: Connection, ...questions: AnswerRequest['questions']): Result<SavedAnswer | undefined> {
    const accounts = cached.accountsOf(connection);
    return accounts.ok ? findFirst(questions, accounts.value) : accounts;
  }

  /**
   * Answers from the cache, or sends one call. Errors: 'storage-failed', those of `send`, `cancelled` for one who stops waiting for a call
   * that others still wait for, and `not-cached`, with which nothing is sent.
   */
  async function ask(request: AnswerRequest, context: CallContext): Promise<Result<CachedResult>> {
    const { connection, questions, about, cache } = request;
    const [question] = questions;
    const accounts = cached.accountsOf(connection, context.keyLabel);
    if (!accounts.ok) return accounts;
    const key = flightOf(question, accounts.value);
    if (cache === 'only-if-cached' || (cache === 'default' && !underWay.has(key))) {
      const found = findFirst(questions, accounts.value);
      if (!found.ok) return found;
      const content = found.value ? await found.value.content() : ok(undefined);
      if (!content.ok) return content;
      if (found.value && content.value) {
        const { answerId, answer, cachedFor, expiresAt } = found.value;
        recordFree(connection, answer, about.subject);
        return ok({ answerId, answer: { ...answer, content: content.value }, cachedFor, expiresAt, cached: true });
      }
    }
    if (cache === 'only-if-cached') return fail(appError('not-cached'));
    let isOwn = false;
    const sent = await underWay.ask(key, context.signal, async (signal) => {
      isOwn = true;
      const result = await request.send({ ...context, signal });
      if (!result.ok) return result;
      const label = request.labelOf?.(result.value);
      const described = { ...about, accounts: accounts.value, ...(label === undefined ? {} : { label }) };
      return ok(await store(question, described, result.value));
    });
    if (sent.ok) return ok({ ...sent.value, cached: false });
    // Refused by the terms of the first caller, such as the limit of a batch, which do not apply to this one; nothing was sent.
    return sent.error.code === 'cap-reached' && !isOwn ? ask(request, context) : sent;
  }

  /** Sends what `ask` cannot: a question whose answer is stored differently, or not at all. Still one call per question. */
  async function askSingleFlight(
    connection: Connection,
    question: CacheKey,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal, accounts: Accounts) => Promise<Result<KnownAnswer>>,
  ): Promise<Result<KnownAnswer>> {
    const accounts = cached.accountsOf(connection);
    if (!accounts.ok) return accounts;
    return underWay.ask(flightOf(question, accounts.value), signal, (stop) => send(stop, accounts.value));
  }

  /** A stored answer costs nothing, and the log says so. Returns the log row. */
  const recordFree = (connection: Connection, answer: AnswerHead, subject: string) =>
    log.recordCached({
      connectionId: connection.id,
      connectionName: connection.name,
      interface: answer.interface,
      operation: answer.operation,
      subject,
      paidBy: answer.paidBy,
      expectedCredits: 0,
    });

  /** Everything known about one subject, newest first: the newest 100 cached answers, and those just shown that are not cached. */
  function aboutSubject(connectionId: string, topic: Topic, subject: string): Result<SavedAnswer[]> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const rows = cached.listOfSubject(connectionId, topic, subject, allowed.value);
    if (!rows.ok) return rows;
    const found = rows.value.flatMap((row) => savedOf(row) ?? []);
    const unsaved = [...shown].filter(
      ([, { question, about, stored }]) =>
        !stored && question.connectionId === connectionId && about.topic === topic && about.subject === subject,
    );
    if (unsaved.length > 0) {
      const accounts = cached.accountsOf(connectionId);
      if (!accounts.ok) return accounts;
      for (const [answerId, { about, answer }] of unsaved)
        if (accounts.value[answer.interface].includes(about.accounts?.[answer.interface][0] ?? ''))
          found.push(inMemory(answerId, notCached, answer));
    }
    return ok(found.sort((a, b) => b.answer.at.localeCompare(a.answer.at)));
  }

  /**
   * One answer by its id, whatever the policy says: it is on the screen. It is called saved only if it would answer its question again,
   * which one of an account that the connection no longer has, or of an earlier run, may not.
   */
  function byId(answerId: string): Result<SavedAnswer | undefined> {
    const lifeNow = (connectionId: string, answer: StoredAnswer | LongAnswer): CacheLife => {
      const allowed = policy();
      const reusable = allowed.ok ? cached.isReusable(answerId, connectionId, allowed.value) : allowed;
      return reusable.ok && reusable.value ? cacheLifeOf(answer) : notCached;
    };
    const one = shown.get(answerId);
    if (one)
      return ok(
        inMemory(answerId, one.stored ? lifeNow(one.question.connectionId, one.answer) : notCached, one.answer),
      );
    const found = cached.findById(answerId);
    if (!found.ok) return found;
    const row = found.value;
    return ok(row && onDisk(row, (answer) => lifeNow(row.connectionId, answer)));
  }

  /** Releases an answer that no window shows any more, if it is not stored and its raw text is longer than so many characters. */
  function forget(answerId: string, longerThan: number): void {
    const one = shown.get(answerId);
    if (one && !one.stored && one.answer.raw.text.length > longerThan) shown.delete(answerId);
  }

  /** Premises with a cached answer that opens them, by id, each with the interfaces over which it is free. */
  function cachedPremises(of: Connection | string, page?: SubjectPage): Result<CachedSubject[]> {
    const allowed = policy();
    return allowed.ok ? cached.listSubjects(of, 'premise', premiseOperations, allowed.value, page) : allowed;
  }

  /** Subjects of a topic with a cached answer from one of the given operations. */
  function subjectsOf(connectionId: string, topic: Topic, operations: readonly string[]): Result<CachedSubject[]> {
    const allowed = policy();
    return allowed.ok ? cached.listSubjects(connectionId, topic, operations, allowed.value) : allowed;
  }

  /** Cached answers whose label, subject or operation contains a text, newest first, as lists show them. */
  function list(connectionId: string, search: string, limit: number) {
    const allowed = policy();
    return allowed.ok ? cached.listRecent(connectionId, allowed.value, limit, search) : allowed;
  }

  /** Premises with a cached answer that have a number as their id, UPRN or UDPRN. */
  function identified(connectionId: string, digits: string) {
    const allowed = policy();
    return allowed.ok ? cached.listIdentified(connectionId, 'premise', digits, allowed.value) : allowed;
  }

  function size(): Result<CacheSize> {
    const allowed = policy();
    return allowed.ok ? cached.size(allowed.value) : allowed;
  }

  /** Removes what the policy no longer allows, or everything. Those answers were paid for; asking again costs again. */
  function remove(what: 'outdated' | 'all'): Result<number> {
    if (what === 'all') {
      shown.clear();
      return cached.clear(null);
    }
    const allowed = policy();
    return allowed.ok ? cached.purge(allowed.value) : allowed;
  }

  /** One turn of removing what the policy no longer allows; 0: nothing is left to remove. */
  function removeSome(): Result<number> {
    const allowed = policy();
    return allowed.ok ? cached.purgeSome(allowed.value) : allowed;
  }

  return {
    find,
    ask,
    askSingleFlight,
    store,
    recordFree,
    aboutSubject,
    subjectsOf,
    byId,
    forget,
    cachedPremises,
    list,
    identified,
    size,
    remove,
    removeSome,
    shrink: () => cached.shrink(),
  };
}

function identifiersOf({ content }: StoredAnswer): string[] {
  if (content.kind !== 'premise') return [];
  const { uprn, udprn } = content.address.fields;
  return [uprn, udprn].flatMap((field) => (field ? [field.value.trim()] : []));
}

/** One call per question and its accounts, whichever of them pays: after an address is edited, the same question goes to another service. */
const flightOf = (question: CacheKey, { rest, soap }: Accounts): string =>
  [hashCacheKey(question), ...[...rest, ...soap].sort()].join(' ');

/** Operations whose answer opens a premise. */
const premiseOperations = ['GetPremise', 'GetPremiseAddress'] as const;
