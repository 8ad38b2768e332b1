import { ok } from '../../../shared/result.ts';
import { firstValues } from '../rest/bound-answer.ts';
import { type ReadAnswer, type RestJob, readAnswer } from '../rest/read-answer.ts';
import { readGathered } from '../soap/description/gathered-description.ts';
import { type DecodedAnswer, type DecodeJob, decodeAnswer } from '../soap/message/answer.ts';
import { createShelf } from './browse/browse.ts';
import { withUnknown } from './browse/take-apart.ts';
import { shareText } from './shared-text.ts';

/** Keeps decoded answers and laid-out raw texts, so that they are paged through in this thread. */
const shelf = createShelf();

/** What the decoding thread can do: each task takes and returns plain data, and depends on nothing else. */
export const decodeTasks = {
  /** Of what is kept here, and of a result whose form is not published, main takes the first values; the rest is browsed. */
  soap(job: DecodeJob): DecodedAnswer {
    const here = decodeAnswer(job);
    const decoded = { ...here, text: shareText(here.text) };
    if (!decoded.result.ok) return decoded;
    const { value, unknown, revealedGuid: _, ...outcome } = decoded.result.value;
    const { keep, operation, result } = job;
    if (keep)
      shelf.keep(keep.key, {
        kind: 'value',
        value: { value: withUnknown(value, unknown), outcome },
        operation,
        length: here.text.length,
      });
    const isCut = result === 'described' || result === 'not-shown' || keep?.whole === false;
    return isCut ? { ...decoded, result: ok({ ...decoded.result.value, value: firstValues(value) }) } : decoded;
  },
  rest(job: RestJob): ReadAnswer {
    const read = readAnswer(job);
    if (job.keep !== undefined && read.result.ok)
      shelf.keep(job.keep, { kind: 'json', text: read.raw.text, operation: job.endpoint });
    return { ...read, raw: { ...read.raw, text: shareText(read.raw.text) } };
  },
  description: readGathered,
  browse: shelf.ask,
  release: shelf.release,
};

type DecodeTasks = typeof decodeTasks;
export type TaskName = keyof DecodeTasks;
export type TaskInput<T extends TaskName> = Parameters<DecodeTasks[T]>[0];
export type TaskOutput<T extends TaskName> = Awaited<ReturnType<DecodeTasks[T]>>;
