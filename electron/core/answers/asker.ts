import type { Connection } from '../../../shared/domain/connection.ts';
import { ok, type Result } from '../../../shared/result.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { CallContext } from '../calls/caller.ts';
import type { HeldQuestion } from '../storage/cache-key.ts';
import type { About, Answers, KnownAnswer } from './answer-cache.ts';
import { type AskOnce, createAskOnce } from './single-flight.ts';
import type { StoredAnswer } from './stored-answer.ts';

/** An answer, and whether it was given from what is held. */
export type Told = KnownAnswer & { held: boolean };

export interface Asked {
  connection: Connection;
  /** The question itself; after it those whose answers hold everything this one's would. */
  questions: readonly [HeldQuestion, ...HeldQuestion[]];
  about: About;
  /** Spend even though an answer is held. */
  fresh: boolean;
  send(context: CallContext): Promise<Result<StoredAnswer>>;
  /** How lists name the answer, once it is there. */
  labelOf?(answer: StoredAnswer): string;
}

export type Asker = ReturnType<typeof createAsker>;

/** Answers from what is held, or asks, once: identical questions under way share one call. */
export function createAsker({
  answers,
  log,
  once = createAskOnce<KnownAnswer>(),
}: {
  answers: Answers;
  log: ActivityLog;
  /** Shared with whatever else asks such questions. */
  once?: AskOnce<KnownAnswer>;
}) {
  async function ask(asked: Asked, context: CallContext): Promise<Result<Told>> {
    const { connection, questions, about, fresh } = asked;
    const [question] = questions;
    const key = answers.keyOf(question);
    if (!fresh && !once.isUnderWay(key)) {
      const held = findHeld(answers, questions);
      if (!held.ok) return held;
      if (held.value) {
        noteHeld(log, connection, held.value.answer, about.subject);
        return ok({ ...held.value, held: true });
      }
    }
    const told = await once.ask(key, context.signal, async (signal) => {
      const result = await asked.send({ ...context, signal });
      if (!result.ok) return result;
      const label = asked.labelOf?.(result.value);
      return ok(answers.keep(question, label === undefined ? about : { ...about, label }, result.value));
    });
    return told.ok ? ok({ ...told.value, held: false }) : told;
  }

  return { ask };
}

/** The first held answer to any of these questions, as the policy allows. */
export function findHeld(
  answers: Pick<Answers, 'find'>,
  questions: Asked['questions'],
): Result<KnownAnswer | undefined> {
  for (const question of questions) {
    const held = answers.find(question);
    if (!held.ok || held.value) return held;
  }
  return ok(undefined);
}

/** A held answer costs nothing, and the log says so. */
export function noteHeld(log: ActivityLog, connection: Connection, answer: StoredAnswer, subject: string) {
  return log.recordHeld({
    connectionId: connection.id,
    connectionName: connection.name,
    interface: answer.interface,
    operation: answer.operation,
    subject,
    paidBy: answer.paidBy,
    expectedCredits: 0,
  });
}
