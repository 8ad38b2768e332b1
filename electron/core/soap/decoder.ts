import { Worker } from 'node:worker_threads';
import { appError } from '../../../shared/errors.ts';
import { fail } from '../../../shared/result.ts';
import type { Redactor } from '../transport/redact.ts';
import { type DecodedAnswer, type DecodeJob, decodeAnswer } from './answer.ts';

export interface DecoderOptions {
  /** The built or source file of decode-worker; without one everything is decoded where it is. */
  workerPath?: string | URL;
  /** Longer answers go to the worker. Bytes; default 256 kB. */
  threshold?: number;
}

export interface Decoder {
  /** Never rejects. `redactor`: one made for the job's secrets, used where the answer is decoded here. Aborting stops the work at once; the call was sent by then, so it may have been charged. */
  decode(job: DecodeJob, signal?: AbortSignal, redactor?: Redactor): Promise<DecodedAnswer>;
  close(): Promise<void>;
}

const defaultThreshold = 256 * 1024;
/** Megabytes; an answer of the largest size allowed decodes in a fifth of it. */
const workerHeap = 1024;

interface Waiting {
  job: DecodeJob;
  resolve(answer: DecodedAnswer): void;
}

const failed = (error: ReturnType<typeof appError>): DecodedAnswer => ({ text: '', result: fail(error) });
const stopped = (): DecodedAnswer => failed(appError('cancelled-after-sending'));

/** Decodes long answers one after the other in one worker thread, so that the main thread stays responsive. */
export function createDecoder({ workerPath, threshold = defaultThreshold }: DecoderOptions = {}): Decoder {
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let running: Waiting | undefined;

  const finish = (answer: DecodedAnswer): void => {
    const done = running;
    running = undefined;
    done?.resolve(answer);
    startNext();
  };

  const discardWorker = (): Promise<unknown> => {
    const old = worker;
    worker = undefined;
    old?.removeAllListeners();
    old?.on('error', () => {});
    return old?.terminate() ?? Promise.resolve();
  };

  const openWorker = (path: string | URL): Worker => {
    const opened = new Worker(path, { resourceLimits: { maxOldGenerationSizeMb: workerHeap } });
    opened.on('message', (answer: DecodedAnswer) => finish(answer));
    opened.on('error', (error) => {
      void discardWorker();
      const tooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      finish(
        failed(
          tooLarge
            ? appError('answer-too-large')
            : appError('internal', {
                charge: 'may-have-been-charged',
                detail: `The decoder stopped: ${error.message}`,
              }),
        ),
      );
    });
    // A thread that ends by itself says nothing else, and its answer would be waited for without end.
    opened.on('exit', () => {
      if (worker !== opened) return;
      worker = undefined;
      finish(
        failed(
          appError('internal', {
            message: 'An answer came, and the part of the program that reads it ended.',
            next: 'Read the balance (free) before asking again.',
            charge: 'may-have-been-charged',
          }),
        ),
      );
    });
    return opened;
  };

  const startNext = (): void => {
    running = queue.shift();
    if (running === undefined || workerPath === undefined) {
      worker?.unref();
      return;
    }
    worker ??= openWorker(workerPath);
    worker.ref();
    worker.postMessage(running.job);
  };

  return {
    decode(job, signal, redactor) {
      if (signal?.aborted) return Promise.resolve(stopped());
      if (workerPath === undefined || job.body.byteLength <= threshold)
        return Promise.resolve(decodeAnswer(job, redactor));
      return new Promise((resolve) => {
        const waiting: Waiting = {
          job,
          resolve: (answer) => {
            signal?.removeEventListener('abort', stop);
            resolve(answer);
          },
        };
        const stop = (): void => {
          if (running === waiting) {
            void discardWorker();
            finish(stopped());
          } else {
            queue.splice(queue.indexOf(waiting), 1);
            waiting.resolve(stopped());
          }
        };
        signal?.addEventListener('abort', stop, { once: true });
        queue.push(waiting);
        if (running === undefined) startNext();
      });
    },
    async close() {
      for (const waiting of queue.splice(0)) waiting.resolve(stopped());
      const ended = discardWorker();
      if (running) finish(stopped());
      await ended;
    },
  };
}
