import { Worker } from 'node:worker_threads';
import { readingStopped } from '../../../../shared/domain/batch.ts';
import { appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { loadPart } from '../../load-part.ts';
import type { Filled, FillJob } from './fill-batch.ts';
import type { SavedAnswers } from './saved-answers.ts';
import type { Survey, TableJob } from './survey-table.ts';

/** Shorter tables are read in main, in turns: a thread takes longer to start. */
const threadFrom = 512 * 1024;
/** Megabytes of the thread's own heap. Little room for what is young keeps the memory of a million rows small. */
const room = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };

export interface ThreadJob extends Pick<SavedAnswers, 'searches' | 'premises'> {
  job: { does: 'survey'; job: TableJob } | { does: 'fill'; job: FillJob };
}
/** What is saved of a search, by its text, or of a premise, by its id; see `SavedAnswers`. */
export type SavedQuestion = { content: string } | { fields: string };
/** asked: main answers with a `ToThread` of the same id. done: the last message. */
export type FromThread =
  | { is: 'rows'; rows: number }
  | { is: 'asked'; id: number; question: SavedQuestion }
  | { is: 'done'; result: Result<unknown> };
export interface ToThread {
  id: number;
  answer: unknown;
}

/** How a table is read whole. Stopped by `signal`, it ends with `cancelled`; `onRows` is called now and then with how many rows are read. */
export interface TableReadOptions {
  signal?: AbortSignal | undefined;
  onRows?: ((rows: number) => void) | undefined;
}

const untold = () => {};

export type TableThread = ReturnType<typeof createTableThread>;

/**
 * Reads whole tables off the main thread. `from`: bytes from which on a table is worth a thread. Errors: those of `surveyTable` and
 * `fillBatch`, `file-failed` if a thread ends early, `part-missing`, `cancelled`.
 */
export function createTableThread(workerPath: string | URL, from = threadFrom) {
  const running = new Set<Worker>();

  function run<T>(
    job: ThreadJob['job'],
    saved: SavedAnswers,
    { signal, onRows = untold }: TableReadOptions,
  ): Promise<Result<T>> {
    if (signal?.aborted) return Promise.resolve(fail(readingStopped()));
    const { searches, premises } = saved;
    return new Promise((done) => {
      const worker = new Worker(workerPath, {
        workerData: { job, searches, premises } satisfies ThreadJob,
        resourceLimits: room,
      });
      running.add(worker);
      const stop = () => {
        result = fail(readingStopped());
        void worker.terminate();
      };
      signal?.addEventListener('abort', stop);
      let why = 'the thread ended';
      let result: Result<unknown> | undefined;
      worker.on('message', (message: FromThread) => {
        if (message.is === 'rows') onRows(message.rows);
        else if (message.is === 'done') result ??= message.result;
        else void answer(worker, message, saved);
      });
      worker.on('error', (error) => {
        why = error.message;
      });
      worker.on('exit', () => {
        running.delete(worker);
        signal?.removeEventListener('abort', stop);
        done(
          (result ??
            fail(
              appError('file-failed', { charge: 'not-applicable', money: 'Nothing was sent.', detail: why }),
            )) as Result<T>,
        );
      });
    });
  }

  async function answer(
    worker: Worker,
    { id, question }: Extract<FromThread, { is: 'asked' }>,
    saved: SavedAnswers,
  ): Promise<void> {
    const found = 'content' in question ? await saved.content(question.content) : await saved.fields(question.fields);
    worker.postMessage({ id, answer: found } satisfies ToThread);
  }

  return {
    async survey(job: TableJob, saved: SavedAnswers, reading: TableReadOptions): Promise<Result<Survey>> {
      if (job.bytes >= from) return run({ does: 'survey', job }, saved, reading);
      const here = await loadPart(() => import('./survey-table.ts'));
      return here.ok ? here.value.surveyTable(job, saved, reading.onRows ?? untold) : here;
    },
    async fill(job: FillJob, saved: SavedAnswers, reading: TableReadOptions): Promise<Result<Filled>> {
      if (job.bytes >= from) return run({ does: 'fill', job }, saved, reading);
      const here = await loadPart(() => import('./fill-batch.ts'));
      return here.ok ? here.value.fillBatch(job, saved, reading.onRows ?? untold) : here;
    },
    /** What is read now is given up. */
    async close(): Promise<void> {
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}
