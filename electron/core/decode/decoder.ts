import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type AppError, appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { loadPart } from '../load-part.ts';
import { type ReadAnswer, type RestJob, readAnswer } from '../rest/read-answer.ts';
import type { DecodedAnswer, DecodeJob } from '../soap/message/answer.ts';
import type { Redactor } from '../transport/redact/redact.ts';
import type { TaskInput, TaskName, TaskOutput } from './decode-tasks.ts';
import { type FirstPiece, type Piece, unpack } from './parcels.ts';

export interface DecoderOptions {
  /** The built or source file of decode-worker; without one everything is decoded in this thread. */
  workerPath?: string | URL;
  /** Longer answers go to the worker, and so do shorter ones that take long to parse. Bytes; default 64 kB. */
  threshold?: number;
}

export interface Decoder {
  /**
   * Never rejects; the job's bytes are transferred. `redactor`: one made for the job's secrets, used if the answer is decoded here.
   * Aborting stops the work at once; the call has been sent by then, so it may have been charged.
   */
  decode(job: DecodeJob, signal?: AbortSignal, redactor?: Redactor): Promise<DecodedAnswer>;
  /** The same of a REST answer. */
  decodeRest(job: RestJob, signal?: AbortSignal, redactor?: Redactor): Promise<ReadAnswer>;
  /** Work that belongs to no call, so no credits are involved: in the worker if there is one. Never rejects. */
  run<T extends 'description' | 'browse'>(
    task: T,
    input: TaskInput<T>,
    signal?: AbortSignal,
  ): Promise<Result<TaskOutput<T>>>;
  /** Whether a text of that many characters is taken apart in the worker and not in main. */
  isFar(length: number): boolean;
  /** Nothing is left in the worker of what it keeps under these names, nor of what was opened under one of them and a `/`. */
  release(names: readonly string[]): void;
  /** Ends the worker; jobs under way and waiting end as cancelled. */
  close(): Promise<void>;
}

const defaultThreshold = 64 * 1024;
/** One job may take so long (ms), so that an answer built to keep the decoder busy does not succeed. */
const limitMs = 60_000;
/** A worker that keeps nothing and has nothing to do is ended after so long (ms), with all its memory. */
const idleMs = 10_000;
/** Megabytes; an answer of the largest size allowed decodes in a fifth of it. */
const workerHeap = 1024;

interface Waiting {
  task: TaskName;
  input: TaskInput<TaskName>;
  resolve(answer: Result<unknown>): void;
}

// Of an answer that is here: that none came would be false.
const stopped = (): Result<never> =>
  fail(
    appError('unreadable-answer', {
      message: 'Reading the answer was stopped.',
      next: 'Ask again if you still need it.',
    }),
  );
const readerEnded = (detail?: string): Result<never> =>
  fail(
    appError('unreadable-answer', {
      message: 'The part of the program that reads answers stopped.',
      next: 'Ask again if you still need it.',
      detail,
    }),
  );

/** Characters that make a short text slow to parse: each begins a field, a tag, a level or an escape. */
const busy: ReadonlySet<number> = new Set([...',\\<[{&'].map((character) => character.charCodeAt(0)));
const mostBusy = 4000;

/** An answer of the service has a few hundred of them; 64 kB of nothing else would block main. */
function isBusy(body: Uint8Array): boolean {
  let count = 0;
  for (const byte of body) if (busy.has(byte)) count += 1;
  return count > mostBusy;
}

/** Bytes; the runtime's pool of small buffers is 64 kB. */
const longestShared = 256 * 1024;

/** The bytes of an answer are transferred to the worker: copying fifty megabytes would block main. Nobody here reads them afterwards. */
function givenAway(input: object): ArrayBuffer[] {
  if (!('body' in input) || !(input.body instanceof Uint8Array)) return [];
  const { buffer, byteOffset, byteLength } = input.body;
  // Short ones may share their memory with others.
  const isOwn = byteOffset === 0 && (byteLength === buffer.byteLength || byteLength > longestShared);
  return buffer instanceof ArrayBuffer && isOwn ? [buffer] : [];
}

/** Does long work, one job after the other, in one worker thread, so that the main thread stays responsive. */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  const { workerPath, threshold = defaultThreshold } = options;
  const queue: Waiting[] = [];
  let worker: Worker | undefined;
  let running: Waiting | undefined;
  let arriving: unknown;
  let limit: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Something may be kept in the worker. */
  let keeps = false;

  const finish = (answer: Result<unknown>): void => {
    const done = running;
    running = undefined;
    arriving = undefined;
    clearTimeout(limit);
    if (done?.task === 'release' && answer.ok && answer.value === 0) keeps = false;
    done?.resolve(answer);
    startNext();
  };

  const discardWorker = (): Promise<unknown> => {
    const old = worker;
    worker = undefined;
    keeps = false;
    clearTimeout(idle);
    old?.removeAllListeners();
    old?.on('error', () => {});
    return old?.terminate() ?? Promise.resolve();
  };

  const receive = (from: Worker, message: FirstPiece | Piece): void => {
    if ('answer' in message) arriving = message.answer;
    else unpack(arriving, message);
    // The next piece is requested in a separate turn, with room for everything else between the two.
    if (message.more) setImmediate(() => worker === from && from.postMessage('next'));
    else finish(ok(arriving));
  };

  const openWorker = (path: string | URL): Worker => {
    const opened = new Worker(path, { resourceLimits: { maxOldGenerationSizeMb: workerHeap } });
    opened.on('message', (message: FirstPiece | Piece) => receive(opened, message));
    opened.on('error', (error) => {
      void discardWorker();
      const tooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      finish(tooLarge ? fail(appError('answer-too-large')) : readerEnded(error.message));
    });
    // A thread that ends by itself says nothing else, and its answer would be awaited for ever.
    opened.on('exit', () => {
      if (worker !== opened) return;
      worker = undefined;
      keeps = false;
      finish(readerEnded());
    });
    return opened;
  };

  const startNext = (): void => {
    running = queue.shift();
    if (running === undefined || workerPath === undefined) {
      worker?.unref();
      if (worker !== undefined && !keeps) idle = setTimeout(discardWorker, idleMs).unref();
      return;
    }
    clearTimeout(idle);
    worker ??= openWorker(workerPath);
    worker.ref();
    const { task, input } = running;
    keeps ||= task === 'browse' || (typeof input === 'object' && 'keep' in input && input.keep !== undefined);
    limit = setTimeout(() => {
      void discardWorker();
      finish(fail(appError('answer-too-large', { detail: `Reading it took more than ${limitMs / 1000} s.` })));
    }, limitMs);
    worker.postMessage({ task, input }, givenAway(input));
  };

  function submit<T extends TaskName>(
    task: T,
    input: TaskInput<T>,
    signal: AbortSignal | undefined,
  ): Promise<Result<TaskOutput<T>>> {
    if (signal?.aborted) return Promise.resolve(stopped());
    return new Promise((resolve) => {
      const waiting: Waiting = {
        task,
        input,
        resolve: (answer) => {
          signal?.removeEventListener('abort', stop);
          resolve(answer as Result<TaskOutput<T>>);
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
  }

  /** Its file may be gone if the program was replaced while it ran: what has been paid for is then read here. */
  const hasWorker = (): boolean => worker !== undefined || (workerPath !== undefined && existsSync(workerPath));
  const staysHere = (body: Uint8Array): boolean => !hasWorker() || (body.byteLength <= threshold && !isBusy(body));

  return {
    async decode(job, signal, redactor) {
      if (staysHere(job.body) && !signal?.aborted) {
        // Loaded before the call left (soap/client.ts).
        const { decodeAnswer } = await import('../soap/message/answer.ts');
        return decodeAnswer(job, redactor);
      }
      const decoded = await submit('soap', job, signal);
      return decoded.ok ? decoded.value : unread(decoded.error);
    },
    async decodeRest(job, signal, redactor) {
      if (staysHere(job.body) && !signal?.aborted) return readAnswer(job, redactor);
      const bytes = job.body.byteLength;
      const decoded = await submit('rest', job, signal);
      if (decoded.ok) return decoded.value;
      const headers = redactor?.headers(job.headers, 'answer') ?? {};
      const raw = { status: job.status, headers, text: '', bytes };
      return { raw, result: decoded };
    },
    async run(task, input, signal) {
      if (!hasWorker()) {
        const loaded = await loadPart(() => import('./decode-tasks.ts'));
        if (!loaded.ok) return loaded;
        const here = loaded.value.decodeTasks[task] as (input: unknown) => Promise<TaskOutput<typeof task>>;
        return ok(await here(input));
      }
      const done = await submit(task, input, signal);
      return done.ok ? done : fail({ ...done.error, charge: 'not-applicable', money: 'No credits are involved.' });
    },
    isFar: (length) => length > threshold && hasWorker(),
    release(names) {
      if (worker === undefined || !keeps) return;
      void submit('release', names, undefined);
    },
    async close() {
      for (const waiting of queue.splice(0)) waiting.resolve(stopped());
      const ended = discardWorker();
      if (running) finish(stopped());
      await ended;
    },
  };
}

const unread = (error: AppError): DecodedAnswer => ({ text: '', result: fail(error) });
