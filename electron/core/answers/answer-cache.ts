import { ok, type Result } from '../../../shared/result.ts';
import type { Settings } from '../settings/settings.ts';
import { type HeldQuestion, heldKey } from '../storage/cache-key.ts';
import type { HeldDescription, HeldSize, HeldSubject, openHeldAnswers } from '../storage/cached-answers.ts';
import { readStoredAnswer, type StoredAnswer } from './stored-answer.ts';

/** Whether an answer is given again for nothing: not at all, until the program ends, or until a time. */
export interface Holding {
  heldFor: 'no' | 'run' | 'time';
  /** null unless for a time. */
  heldUntil: string | null;
}

export interface KnownAnswer extends Holding {
  /** Of this one asking. */
  answerId: string;
  answer: StoredAnswer;
}

export type Answers = ReturnType<typeof createAnswers>;
export type Topic = StoredAnswer['content']['kind'];
export type About = HeldDescription & { topic: Topic };

const hour = 3_600_000;
/** Answers just shown, so that their raw text can be opened even where nothing is held. */
const shownLately = 60;
const notHeld: Holding = { heldFor: 'no', heldUntil: null };

/** Answers that have been paid for: held in the database as the policy allows, and those just shown in memory. */
export function createAnswers(held: ReturnType<typeof openHeldAnswers>, settings: Settings) {
  const shown = new Map<string, { question: HeldQuestion; about: About; answer: StoredAnswer; stored: boolean }>();

  const policy = () => settings.read('heldPolicy');

  /** What the policy of now says of an answer of some time. */
  function holdingOf(at: string): Holding {
    const read = policy();
    if (!read.ok || read.value.mode === 'off') return notHeld;
    const { mode, amount } = read.value;
    if (mode === 'run') return { heldFor: 'run', heldUntil: null };
    const until = Date.parse(at) + (mode === 'days' ? amount * 24 : amount) * hour;
    return { heldFor: 'time', heldUntil: new Date(until).toISOString() };
  }

  const known = (answerId: string, answer: StoredAnswer, stored = true): KnownAnswer => ({
    answerId,
    answer,
    ...(stored ? holdingOf(answer.at) : notHeld),
  });

  /** The newest answer to a question, if the policy lets it be used again. */
  function find(question: HeldQuestion): Result<KnownAnswer | undefined> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const found = held.find(question, allowed.value);
    if (!found.ok) return found;
    const answer = found.value && readStoredAnswer(found.value.value);
    return ok(found.value && answer && known(found.value.id, answer));
  }

  function keep(question: HeldQuestion, about: About, answer: StoredAnswer): KnownAnswer {
    // An answer that cannot be stored is still an answer: it was paid for, and is shown.
    const allowed = policy();
    let id: string | null = null;
    if (allowed.ok && allowed.value.mode !== 'off') {
      held.purge(allowed.value);
      const stored = held.hold(question, { ...about, interface: answer.interface }, answer);
      id = stored.ok ? stored.value : null;
    }
    const answerId = id ?? crypto.randomUUID();
    shown.set(answerId, { question, about, answer, stored: id !== null });
    for (const oldest of shown.keys()) {
      if (shown.size <= shownLately) break;
      shown.delete(oldest);
    }
    return known(answerId, answer, id !== null);
  }

  /** Everything known of one subject, newest first: each held asking, and those just shown that are not held. */
  function aboutSubject(connectionId: string, topic: Topic, subject: string): Result<KnownAnswer[]> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const rows = held.listOfSubject(connectionId, topic, subject, allowed.value);
    if (!rows.ok) return rows;
    const found = rows.value.flatMap(({ id, value }) => {
      const answer = readStoredAnswer(value);
      return answer ? [known(id, answer)] : [];
    });
    for (const [answerId, { question, about, answer, stored }] of shown)
      if (!stored && question.connectionId === connectionId && about.topic === topic && about.subject === subject)
        found.push(known(answerId, answer, false));
    return ok(found.sort((a, b) => b.answer.at.localeCompare(a.answer.at)));
  }

  /** One answer by its id, whatever the policy: it is on the screen. */
  function byId(answerId: string): Result<KnownAnswer | undefined> {
    const inMemory = shown.get(answerId);
    if (inMemory) return ok(known(answerId, inMemory.answer, inMemory.stored));
    const row = held.findById(answerId);
    if (!row.ok) return row;
    const answer = row.value && readStoredAnswer(row.value.value);
    return ok(answer && known(answerId, answer));
  }

  /** Premises with a held answer that opens them, newest first, each with the interfaces it is free over. */
  function heldPremises(connectionId: string): Result<HeldSubject[]> {
    const allowed = policy();
    return allowed.ok ? held.listSubjects(connectionId, 'premise', premiseOperations, allowed.value) : allowed;
  }

  /** Held answers whose name holds a text, newest first, as lists show them. */
  function list(connectionId: string, search: string, limit: number) {
    const allowed = policy();
    return allowed.ok ? held.listRecent(connectionId, allowed.value, limit, search) : allowed;
  }

  function size(): Result<HeldSize> {
    const allowed = policy();
    return allowed.ok ? held.size(allowed.value) : allowed;
  }

  /** Removes what the policy no longer allows, or everything. Paid answers are gone then: asking again costs again. */
  function remove(what: 'outdated' | 'all'): Result<number> {
    if (what === 'all') {
      shown.clear();
      return held.clear(null);
    }
    const allowed = policy();
    return allowed.ok ? held.purge(allowed.value) : allowed;
  }

  return {
    find,
    keep,
    aboutSubject,
    byId,
    heldPremises,
    list,
    size,
    remove,
    shrink: () => held.shrink(),
    keyOf: heldKey,
  };
}

/** Operations whose answer opens a premise. */
const premiseOperations = ['GetPremise', 'GetPremiseAddress'] as const;
