import { appError } from '../../../../shared/errors.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { attempt, attemptLater } from '../../storage/database/errors.ts';
import { type BatchFile, hasBatchFile, nameBatchFile, openBatchFile, removeBatchFile } from './batch-file.ts';

export const rowsGone = () =>
  appError('bad-input', {
    message: 'The rows of this batch are gone; the counts stay.',
    next: 'Look at the batch again.',
    charge: 'not-applicable',
  });

export type BatchFiles = ReturnType<typeof createBatchFiles>;

/** The files of the batches' rows: that of a batch running here stays open, any other is opened for one piece of work. */
export function createBatchFiles(folder: string) {
  const open = new Map<string, BatchFile>();

  /** Reads or changes the rows of a batch. Errors: 'storage-failed', 'bad-input' if they have been deleted. */
  function use<T>(batchId: string, work: (file: BatchFile) => T): Result<T> {
    const running = open.get(batchId);
    if (running) return attempt(() => work(running));
    if (!hasBatchFile(folder, batchId)) return fail(rowsGone());
    return attempt(() => {
      const file = openBatchFile(folder, batchId);
      try {
        return work(file);
      } finally {
        file.close();
      }
    });
  }

  /** The same for work that takes several turns, over a separate handle: the run may end meanwhile. */
  async function withHandle<T>(batchId: string, work: (file: BatchFile) => Promise<Result<T>>): Promise<Result<T>> {
    if (!hasBatchFile(folder, batchId)) return fail(rowsGone());
    const opened = attempt(() => openBatchFile(folder, batchId));
    if (!opened.ok) return opened;
    const done = await attemptLater(() => work(opened.value));
    opened.value.close();
    return done.ok ? done.value : done;
  }

  return {
    folder,
    use,
    withHandle,
    has: (batchId: string): boolean => hasBatchFile(folder, batchId),
    /** Opens it for a run. */
    open: (batchId: string): Result<BatchFile> =>
      attempt(() => {
        const file = openBatchFile(folder, batchId);
        open.set(batchId, file);
        return file;
      }),
    close(batchId: string): void {
      const file = open.get(batchId);
      open.delete(batchId);
      attempt(() => file?.close());
    },
    /** Called once a planned batch is entered. */
    name: (batchId: string): Result<void> => attempt(() => nameBatchFile(folder, batchId)),
    remove: (batchId: string): Result<void> => attempt(() => removeBatchFile(folder, batchId)),
  };
}
