import { Worker } from 'node:worker_threads';
import type { StoredSizes } from '../../../shared/domain/stored-data.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { storageError } from '../storage/database/errors.ts';

/** Reads the sizes of a data folder in a thread; one at a time: who asks meanwhile gets the same. Errors: `storage-failed`. */
export function createMeasure(worker: string, folder: string): () => Promise<Result<StoredSizes>> {
  let underWay: Promise<Result<StoredSizes>> | null = null;
  const read = () =>
    new Promise<Result<StoredSizes>>((done) => {
      const thread = new Worker(worker, { workerData: folder });
      thread.unref();
      let sizes: Result<StoredSizes> = fail(storageError(new Error('the thread that measures it ended')));
      thread.on('message', (message: StoredSizes) => {
        sizes = ok(message);
      });
      thread.on('error', (error) => {
        sizes = fail(storageError(error));
      });
      thread.on('exit', () => done(sizes));
    });
  return () => {
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
