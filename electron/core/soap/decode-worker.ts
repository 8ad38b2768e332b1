import { parentPort } from 'node:worker_threads';
import { type DecodeJob, decodeAnswer } from './answer.ts';

/** Entry of the decoding thread: one job in, one answer out. */
parentPort?.on('message', (job: DecodeJob) => parentPort?.postMessage(decodeAnswer(job)));
