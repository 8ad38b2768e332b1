import { ok } from '../../../shared/result.ts';
import { firstValues } from '../rest/bound-answer.ts';
import { readAnswer } from '../rest/read-answer.ts';
import { readGathered } from '../soap/description/gathered-description.ts';
import { type DecodedAnswer, type DecodeJob, decodeAnswer } from '../soap/message/answer.ts';
import { createShelf } from './browse/browse.ts';

/** What the decoding thread can do: each takes and gives plain data, and depends on nothing else. */
export const decodeTasks = {
  /** Of a result whose form is not published main takes the first fields; the rest is browsed in its raw text. */
  soap(job: DecodeJob): DecodedAnswer {
    const decoded = decodeAnswer(job);
    if (!decoded.result.ok || (job.result !== 'described' && job.result !== 'not-shown')) return decoded;
    const { value, ...outcome } = decoded.result.value;
    return { ...decoded, result: ok({ ...outcome, value: firstValues(value) }) };
  },
  rest: readAnswer,
  description: readGathered,
  /** Keeps what it laid out, so that it is paged through where it is. */
  browse: createShelf(),
};

type DecodeTasks = typeof decodeTasks;
export type TaskName = keyof DecodeTasks;
export type TaskInput<T extends TaskName> = Parameters<DecodeTasks[T]>[0];
export type TaskOutput<T extends TaskName> = Awaited<ReturnType<DecodeTasks[T]>>;
