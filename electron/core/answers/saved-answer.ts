import { ok, type Result } from '../../../shared/result.ts';
import { attemptLater } from '../storage/database/errors.ts';
import type { LongText } from './answer-pieces.ts';
import type { CachedAnswer } from './cached-answers.ts';
import { readContentText } from './long-content.ts';
import {
  type AnswerContent,
  type AnswerHead,
  type LongAnswer,
  readLongAnswer,
  readStoredAnswer,
  type StoredAnswer,
} from './stored-answer.ts';

/** Whether an answer is returned again for nothing: not at all, until the program ends, or until a time. */
export interface CacheLife {
  cachedFor: 'no' | 'run' | 'time';
  /** null unless for a time. */
  expiresAt: string | null;
}

/** A known answer without its bulk, which is read when wanted, over several turns of main. */
export interface SavedAnswer extends CacheLife {
  /** Of this one asking. */
  answerId: string;
  answer: AnswerHead;
  /** Characters of the raw text. */
  rawLength: number;
  /** What was read from it; undefined: removed meanwhile, or not in the current form. Error `storage-failed`, as of `whole`. */
  content(): Promise<Result<AnswerContent | undefined>>;
  /** All of it, with its raw text. */
  whole(): Promise<Result<StoredAnswer | undefined>>;
}

/** One that is in memory. */
export const inMemory = (answerId: string, { cachedFor, expiresAt }: CacheLife, answer: StoredAnswer): SavedAnswer => ({
  answerId,
  cachedFor,
  expiresAt,
  answer,
  rawLength: answer.raw.text.length,
  content: () => Promise.resolve(ok(answer.content)),
  whole: () => Promise.resolve(ok(answer)),
});

/**
 * One from the database, or undefined if it is not in the current form. `lifeOf`: how long it is saved, by its time and whether it is
 * empty.
 */
export function onDisk(
  { id, value, longText }: CachedAnswer,
  lifeOf: (answer: StoredAnswer | LongAnswer) => CacheLife,
): SavedAnswer | undefined {
  if (longText === null) {
    const answer = readStoredAnswer(value);
    return answer && inMemory(id, lifeOf(answer), answer);
  }
  const long = readLongAnswer(value);
  if (!long) return undefined;
  const { rawLength, content: _, ...answer } = long;
  return {
    answerId: id,
    ...lifeOf(long),
    answer,
    rawLength,
    content: () => attemptLater(() => contentOf(longText, rawLength)),
    whole: () =>
      attemptLater(async () => {
        const text = await longText.read(0, rawLength);
        const content = await contentOf(longText, rawLength);
        return text === undefined || !content ? undefined : { ...answer, raw: { ...answer.raw, text }, content };
      }),
  };
}

async function contentOf(longText: LongText, from: number): Promise<AnswerContent | undefined> {
  const text = await longText.read(from);
  return text === undefined ? undefined : readContentText(text);
}
