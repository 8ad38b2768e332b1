import { ok, type Result } from '../../../shared/result.ts';
import type { Settings } from '../settings/settings.ts';
import { type HeldQuestion, heldKey, type openHeldAnswers } from '../storage/held-answers.ts';
import { readStoredAnswer, type StoredAnswer } from './stored-answer.ts';

export interface KnownAnswer {
  /** The key of its question: what the window asks for its raw text by. */
  answerId: string;
  answer: StoredAnswer;
  /** Until when it is held; null: for this run, or only for this view. */
  heldUntil: string | null;
}

export type Answers = ReturnType<typeof createAnswers>;

const hour = 3_600_000;
/** Answers just shown, so that their raw text can be opened even where nothing is held. */
const shownLately = 60;

/** Answers that have been paid for: held in the database as the policy allows, and those just shown in memory. */
export function createAnswers(held: ReturnType<typeof openHeldAnswers>, settings: Settings) {
  const shown = new Map<string, { question: HeldQuestion; subject: string; answer: StoredAnswer }>();

  const policy = () => settings.read('heldPolicy');

  function heldUntil(at: string): string | null {
    const read = policy();
    if (!read.ok || read.value.mode === 'off' || read.value.mode === 'run') return null;
    const hours = read.value.mode === 'days' ? read.value.amount * 24 : read.value.amount;
    return new Date(Date.parse(at) + hours * hour).toISOString();
  }

  const known = (answerId: string, answer: StoredAnswer): KnownAnswer => ({
    answerId,
    answer,
    heldUntil: heldUntil(answer.at),
  });

  /** The answer to a question, if the policy lets it be used again. */
  function find(question: HeldQuestion): Result<KnownAnswer | undefined> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const found = held.find(question, allowed.value);
    if (!found.ok) return found;
    const answer = found.value && readStoredAnswer(found.value.value);
    return ok(answer && known(heldKey(question), answer));
  }

  function keep(question: HeldQuestion, subject: string, answer: StoredAnswer): KnownAnswer {
    const answerId = heldKey(question);
    shown.delete(answerId);
    shown.set(answerId, { question, subject, answer });
    for (const oldest of shown.keys()) {
      if (shown.size <= shownLately) break;
      shown.delete(oldest);
    }
    // An answer that cannot be stored is still an answer: it was paid for, and is shown.
    const allowed = policy();
    if (allowed.ok && allowed.value.mode !== 'off') held.hold(question, subject, answer);
    return known(answerId, answer);
  }

  /** Everything known of one subject, newest first: held answers and those just shown. */
  function aboutSubject(connectionId: string, subject: string): Result<KnownAnswer[]> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const rows = held.listOfSubject(connectionId, subject, allowed.value);
    if (!rows.ok) return rows;
    const byId = new Map<string, KnownAnswer>();
    for (const row of rows.value) {
      const answer = readStoredAnswer(row.value);
      if (answer) byId.set(row.key, known(row.key, answer));
    }
    for (const [answerId, one] of shown)
      if (one.question.connectionId === connectionId && one.subject === subject && !byId.has(answerId))
        byId.set(answerId, known(answerId, one.answer));
    return ok([...byId.values()].sort((a, b) => b.answer.at.localeCompare(a.answer.at)));
  }

  /** One answer by its id, whatever the policy: it is on the screen. */
  function byId(answerId: string): Result<StoredAnswer | undefined> {
    const inMemory = shown.get(answerId);
    if (inMemory) return ok(inMemory.answer);
    const row = held.findByKey(answerId);
    return row.ok ? ok(row.value && readStoredAnswer(row.value.value)) : row;
  }

  /** The newest answers about premises, one a premise. */
  function recentPremises(connectionId: string, limit: number): Result<KnownAnswer[]> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const rows = held.listRecent(connectionId, allowed.value, limit * 8);
    if (!rows.ok) return rows;
    const found = new Map<string, KnownAnswer>();
    for (const { key } of rows.value) {
      if (found.size >= limit) break;
      const row = held.findByKey(key);
      const answer = row.ok && row.value ? readStoredAnswer(row.value.value) : undefined;
      if (answer?.content.kind !== 'premise') continue;
      const { premiseId } = answer.content.address;
      if (!found.has(premiseId)) found.set(premiseId, known(key, answer));
    }
    return ok([...found.values()]);
  }

  /** Which of some subjects have a held answer about their premise. */
  function heldSubjects(connectionId: string): Result<ReadonlySet<string>> {
    const allowed = policy();
    if (!allowed.ok) return allowed;
    const rows = held.listSubjects(connectionId, premiseOperations, allowed.value);
    return rows.ok ? ok(new Set(rows.value)) : rows;
  }

  return { find, keep, aboutSubject, byId, recentPremises, heldSubjects };
}

/** Operations whose answer opens a premise. */
const premiseOperations = ['GetPremise', 'GetPremiseAddress'] as const;
