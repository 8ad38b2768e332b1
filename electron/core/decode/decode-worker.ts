import { parentPort } from 'node:worker_threads';
import { decodeTasks, type TaskInput, type TaskName } from './decode-tasks.ts';
import { parcel } from './parcels.ts';

export interface WorkerJob {
  task: TaskName;
  input: TaskInput<TaskName>;
}

/** Entry of the decoding thread: one job in, one answer out; long lists in it follow piece by piece, as they are requested. */
let pieces: Iterator<unknown> | undefined;
parentPort?.on('message', async (message: WorkerJob | 'next') => {
  if (message === 'next') {
    parentPort?.postMessage(pieces?.next().value);
    return;
  }
  const run = decodeTasks[message.task] as (input: unknown) => unknown;
  const packed = parcel(await run(message.input));
  pieces = packed.pieces;
  parentPort?.postMessage(packed.first);
});
