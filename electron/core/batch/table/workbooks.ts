import { rm, stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { readingStopped } from '../../../../shared/domain/batch.ts';
import { type AppError, appError } from '../../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { writeError } from '../../write-error.ts';
import { mostPackedBytes, mostWorkbookRows, type WorkbookJob, type WorkbookReport } from './workbook-job.ts';
import { nameTable, savingIsFree, savingStopped, writeTable } from './write-table.ts';

/** Megabytes of the thread's own heap; the sheet's bytes come on top of it, bounded by the archive's directory. */
const workerHeap = 2048;
const limitMs = 5 * 60_000;

const refuse = (message: string): AppError =>
  appError('bad-input', {
    message,
    next: 'Save it as CSV, then open that file.',
    charge: 'not-applicable',
    money: 'Nothing was sent.',
  });

/** Why a result is not written as a workbook. */
const whyNotWritten = {
  'too-long': 'A workbook takes 200,000 rows at most.',
  'too-large': 'This result is too large to be written as a workbook here.',
  'row-too-long':
    'A row is too long to be written as a workbook here: 16,384 columns, 32,767 characters in a cell, or 20 lines or 64 KB in cells with line breaks are the most.',
} as const;

const notWritten = (why: keyof typeof whyNotWritten): AppError =>
  appError('bad-input', {
    message: whyNotWritten[why],
    next: 'Save it as CSV: a spreadsheet opens that.',
    charge: 'not-applicable',
    money: savingIsFree,
  });

export const tooLongForWorkbook = (): AppError => notWritten('too-long');

const tooLarge =
  'This workbook is too large to read here: 200,000 rows in one sheet, 50 MB, or 500 MB unpacked are the most.';

export interface Workbooks {
  /**
   * The first sheet of a workbook that is not hidden, as a table in text form: UTF-8, commas. Returns what a person should know of how it
   * was read. Errors: `bad-input`, `file-failed`, `cancelled`.
   */
  read(from: string, to: string, signal?: AbortSignal): Promise<Result<{ notes: string[] }>>;
  /** Like `writeTable`, into a workbook in which every cell is text. The same errors, and `bad-input` for what a workbook does not take. */
  writeTable: typeof writeTable;
}

/**
 * Reads and writes workbooks, each in a thread that ends and returns its memory. A thread and not a process: the packaged program may not
 * be started as a Node (its fuse is off), the command line is one, and a thread that runs out of memory ends alone.
 */
export function createWorkbooks(workerPath: string | URL, mostRows = mostWorkbookRows): Workbooks {
  const run = (job: Omit<WorkbookJob, 'mostRows'>, signal?: AbortSignal): Promise<WorkbookReport> =>
    new Promise((done) => {
      // An abort that has happened is no event any more.
      if (signal?.aborted) return done({ is: 'failed', why: 'stopped' });
      const worker = new Worker(workerPath, {
        workerData: { ...job, mostRows } satisfies WorkbookJob,
        resourceLimits: { maxOldGenerationSizeMb: workerHeap },
      });
      let report: WorkbookReport = { is: 'failed', why: 'the thread ended' };
      const stop = () => void worker.terminate();
      const limit = setTimeout(stop, limitMs);
      signal?.addEventListener('abort', stop);
      worker.on('message', (message: WorkbookReport) => {
        report = message;
      });
      worker.on('error', (error) => {
        const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        report = isFull ? { is: 'too-large' } : { is: 'failed', why: error.name };
      });
      worker.on('exit', () => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', stop);
        done(report);
      });
    });

  const errorOf = (report: Exclude<WorkbookReport, { is: 'done' }>): AppError => {
    if (report.is === 'no-workbook') return refuse('This is not a workbook that can be read.');
    if (report.is === 'failed') return appError('file-failed', { charge: 'not-applicable', detail: report.why });
    return refuse(tooLarge);
  };

  return {
    async read(from, to, signal) {
      const size = await stat(from).catch(() => null);
      if (size === null) return fail(appError('file-failed', { charge: 'not-applicable' }));
      if (size.size > mostPackedBytes) return fail(refuse(tooLarge));
      const report = await run({ does: 'read', from, to }, signal);
      if (report.is === 'done') return ok({ notes: report.notes });
      await rm(to, { force: true });
      return fail(signal?.aborted ? readingStopped() : errorOf(report));
    },
    async writeTable(path, table, signal) {
      const text = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
      const draft = `${text}.xlsx`;
      const written = await writeTable(text, table, signal);
      if (!written.ok) return written;
      const report = await run({ does: 'write', from: text, to: draft }, signal);
      await rm(text, { force: true });
      if (report.is === 'done') {
        const { size } = await stat(draft);
        const named = await nameTable(draft, path);
        return named.ok ? ok({ rows: written.value.rows, bytes: size }) : named;
      }
      await rm(draft, { force: true });
      if (signal?.aborted) return fail(savingStopped());
      if (report.is in whyNotWritten) return fail(notWritten(report.is as keyof typeof whyNotWritten));
      const code = report.is === 'failed' ? report.why : report.is;
      return fail(writeError(Object.assign(new Error(), { code }), savingIsFree));
    },
  };
}
