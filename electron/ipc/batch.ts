import { basename } from 'node:path';
import type { batchChannels } from '../../shared/contract/batch.ts';
import { resultColumns } from '../../shared/domain/batch.ts';
import { mapResult, ok, type Result } from '../../shared/result.ts';
import type { AppCore } from '../core/app-core.ts';
import { sampleName, sampleTable } from '../core/batch/sample-table.ts';
import { loadPart } from '../core/load-part.ts';
import { writeTextFile } from '../platform/write-file.ts';
import type { HandlersOf } from './dispatcher.ts';
import { type Shell, saveAs } from './shell.ts';

export function batchHandlers(
  { batches, policy, emit }: AppCore,
  shell: Pick<Shell, 'chooseFile' | 'chooseSaveFile'>,
): HandlersOf<typeof batchChannels> {
  /** Tells the windows how many rows a call has read; the one that made it knows it by its id, and may stop it. */
  const reading = ({ requestId, signal }: { requestId: string; signal: AbortSignal }) => ({
    signal,
    onRows: (rows: number) => emit('batch.rows-read', { requestId, rows }),
  });
  const tableOf = <T>(opened: Result<T>) => mapResult(opened, (table) => ({ table }));
  return {
    'batch.list': ({ connectionId }) => mapResult(batches.list(connectionId), (found) => ({ batches: found })),
    'batch.get': ({ batchId }) => batches.get(batchId),
    'batch.open': async ({ connectionId }, call) => {
      const path = await shell.chooseFile({ title: 'Open a table', extensions: ['csv', 'tsv', 'txt', 'xlsx'] });
      if (path === null) return ok({ table: null });
      return tableOf(await batches.openFile(connectionId, path, basename(path), reading(call)));
    },
    'batch.open-sample': async ({ connectionId }, call) =>
      tableOf(await batches.openSample(connectionId, reading(call))),
    'batch.paste': async ({ connectionId, text }, call) =>
      tableOf(await batches.openText(connectionId, text, reading(call))),
    'batch.drop': ({ connectionId, ...part }, call) => batches.receive(connectionId, part, reading(call)),
    'batch.read-as': ({ tableId, ...change }, call) => batches.readAs(tableId, change, reading(call)),
    'batch.close-table': async ({ tableId }) => {
      await batches.closeTable(tableId);
      return ok({});
    },
    'batch.plan': (request, call) => batches.plan(request, reading(call)),
    'batch.run': ({ batchId, ...terms }) => batches.run(batchId, terms),
    'batch.pause': ({ batchId }) => batches.pause(batchId),
    'batch.stop': ({ batchId }) => batches.stop(batchId),
    'batch.not-done': ({ batchId, ...again }) => batches.notDone(batchId, again),
    'batch.run-not-done': ({ batchId, unknown, failed, ...terms }) =>
      batches.run(batchId, terms, { again: { unknown, failed } }),
    'batch.rows': ({ batchId, filter, from, limit }) => batches.rows(batchId, filter, from, limit),
    'batch.several': ({ batchId, row }) => batches.several(batchId, row),
    'batch.choose': ({ batchId, row, choice }) => batches.choose(batchId, row, choice),
    'batch.result-sample': async ({ batchId, row }) => {
      const result = await loadPart(() => import('../core/batch/save-result.ts'));
      if (!result.ok) return result;
      const sample = result.value.sampleOf(batches, batchId, row);
      if (!sample.ok) return sample;
      const { values, ...rest } = sample.value;
      return ok({ ...rest, columns: resultColumns.map((column) => ({ column, value: values[column] })) });
    },
    'batch.save': async (request, { requestId, signal }) => {
      const allowed = policy.checkExport();
      if (!allowed.ok) return allowed;
      const record = batches.record(request.batchId);
      if (!record.ok) return record;
      const result = await loadPart(() => import('../core/batch/save-result.ts'));
      if (!result.ok) return result;
      const { isSavedAsWorkbook, saveResult } = result.value;
      const { facts } = record.value;
      const name = facts.name.replace(/\.[a-z]+$/i, '');
      const extension = isSavedAsWorkbook(facts.form, request.format) ? 'xlsx' : 'csv';
      const { total } = facts.plan.rows;
      const onRow = (done: number) => {
        if (done < total) emit('app.saving', { requestId, done, total });
      };
      return saveAs(shell, { title: 'Save the result', name: `${name}.result.${extension}`, extension }, (path) =>
        saveResult(batches, request, path, signal, onRow),
      );
    },
    'batch.forget': ({ batchId }) => batches.forget(batchId),
    'batch.discard': ({ batchId }) => mapResult(batches.discard(batchId), () => ({})),
    'batch.sample': (_, { signal }) =>
      saveAs(shell, { title: 'Save a sample table', name: sampleName, extension: 'csv' }, (path) =>
        writeTextFile(path, [sampleTable()], signal),
      ),
  };
}
