import { parentPort, workerData } from 'node:worker_threads';
import { fillBatch } from './fill-batch.ts';
import type { SavedAnswers } from './saved-answers.ts';
import { surveyTable } from './survey-table.ts';
import type { FromThread, SavedQuestion, ThreadJob, ToThread } from './table-thread.ts';

// A thread that ends: what reading a million rows leaves behind goes with it, and main has no turn of it.

const { job, searches, premises } = workerData as ThreadJob;
const send = (message: FromThread): void => parentPort?.postMessage(message);

/** Questions about saved answers that main has not answered yet. */
const asked = new Map<number, (answer: unknown) => void>();
let last = 0;
parentPort?.on('message', ({ id, answer }: ToThread) => {
  asked.get(id)?.(answer);
  asked.delete(id);
});
const ask = <T>(question: SavedQuestion): Promise<T> =>
  new Promise((done) => {
    last += 1;
    asked.set(last, done as (answer: unknown) => void);
    send({ is: 'asked', id: last, question });
  });

const saved: SavedAnswers = {
  searches,
  premises,
  content: (text) => ask({ content: text }),
  fields: (premiseId) => ask({ fields: premiseId }),
};
const onRows = (rows: number): void => send({ is: 'rows', rows });
const result =
  job.does === 'fill' ? await fillBatch(job.job, saved, onRows) : await surveyTable(job.job, saved, onRows);
send({ is: 'done', result });
parentPort?.close();
