import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Content } from '../../../electron/core/batch/run/questions.ts';
import { openBatchFile } from '../../../electron/core/batch/store/batch-file.ts';
import type { FillJob } from '../../../electron/core/batch/survey/fill-batch.ts';
import type { SavedAnswers } from '../../../electron/core/batch/survey/saved-answers.ts';
import { surveyTable, type TableJob } from '../../../electron/core/batch/survey/survey-table.ts';
import { createTableThread } from '../../../electron/core/batch/survey/table-thread.ts';
import type { TableForm } from '../../../shared/domain/text/table.ts';
import { mostRows } from '../../../shared/domain/text/table.ts';
import { removeFolder } from '../../helpers/folders.ts';
import { unwrap } from '../../helpers/temp-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'address-console-table-thread-'));
afterAll(() => removeFolder(folder));
const entry = new URL('../../../electron/core/batch/survey/table-worker.ts', import.meta.url);
const [inThread, inMain] = [createTableThread(entry, 0), createTableThread(entry, Number.POSITIVE_INFINITY)];

const form: TableForm = {
  kind: 'text',
  encoding: 'utf-8',
  byteOrderMark: false,
  separator: ',',
  lineEnd: '\n',
  header: true,
  blanksBeforeQuotes: false,
};

/** Addresses in 40 postcodes: some twice, some malformed, a stray quote, some that name a flat. */
const lines = Array.from({ length: 900 }, (_, at) => {
  if (at % 97 === 0) return `"${at} High Street,AB10 1AA`;
  const postcode = at % 31 === 0 ? 'nonsense' : `AB${10 + (at % 40)} 1AA`;
  return `${at % 7 === 0 ? 'Flat 2; ' : ''}${1 + (at % 60)} High Street,${postcode}`;
});
const path = join(folder, 'table.csv');
writeFileSync(path, `Address,Postcode\n${lines.join('\n')}\n`);
const job: TableJob = {
  path,
  bytes: statSync(path).size,
  form,
  kind: 'addresses',
  heads: ['Address', 'Postcode'],
  roles: ['address', 'postcode'],
};

/** Saved answers: two searches, and the address of one premise in them. */
function savedAnswers(): SavedAnswers & { asked: string[] } {
  const asked: string[] = [];
  const results = Array.from({ length: 60 }, (_, at) => ({
    premiseId: `000000${10 + at}`,
    line: `${at + 1} High Street, Aberdeen, AB11 1AA`,
  }));
  return {
    asked,
    searches: new Set(['ab11 1aa', 'ab12 1aa']),
    premises: new Set(['00000011', '00000012', '00000021']),
    async content(text): Promise<Content | null> {
      asked.push(text);
      return text === 'AB11 1AA' ? { kind: 'search', results, cut: false, namesFlats: true } : null;
    },
    async fields(premiseId) {
      asked.push(premiseId);
      return ['full', 'coordinates'];
    },
  };
}

test('a table is read in the thread as it is in main: what can be asked, what is saved, and every row of the batch’s file', async () => {
  const [main, thread] = [savedAnswers(), savedAnswers()];
  const rows: number[] = [];
  const surveyed = unwrap(await inThread.survey(job, thread, { onRows: (count) => rows.push(count) }));
  expect(surveyed).toEqual(unwrap(await inMain.survey(job, main, {})));
  expect(thread.asked).toEqual(main.asked);
  expect(thread.asked).toContain('AB11 1AA');
  expect(surveyed.counts.total).toBe(lines.length);
  expect(surveyed.saved).toBeGreaterThan(0);
  expect(rows.at(-1)).toBe(lines.length);
  mkdirSync(join(folder, 'batches'));
  const fill = (batchId: string): FillJob => ({ ...job, folder: join(folder, 'batches'), batchId, search: 'search' });
  const filled = unwrap(await inThread.fill(fill('thread'), savedAnswers(), {}));
  expect(filled).toEqual(unwrap(await inMain.fill(fill('main'), savedAnswers(), {})));
  expect(filled.rows).toBe(lines.length);
  const readAll = (batchId: string) => {
    const file = openBatchFile(join(folder, 'batches'), batchId);
    const all = { rows: file.rowsFrom(1, 5000), tally: file.tally(), left: file.left() };
    file.close();
    return all;
  };
  expect(readAll('thread')).toEqual(readAll('main'));
});

test('a missing table is an error and not a plan, and stopping the thread ends its task', async () => {
  const gone = await inThread.survey({ ...job, path: join(folder, 'gone.csv') }, savedAnswers(), {});
  expect(gone).toMatchObject({ ok: false, error: { code: 'file-failed', message: 'The file is no longer there.' } });
  const never: SavedAnswers = { ...savedAnswers(), content: () => new Promise(() => {}) };
  const waiting = inThread.survey(job, never, {});
  await inThread.close();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'file-failed' } });
});

test('a table is taken to its most rows, which is what a sheet has, and refused beyond', async () => {
  const surveyTo = (most?: number) => surveyTable(job, savedAnswers(), () => {}, most);
  expect(unwrap(await surveyTo()).counts.total).toBe(lines.length);
  expect(unwrap(await surveyTo(lines.length)).counts.total).toBe(lines.length);
  const message = 'A table may have 1,048,576 rows at most, as a sheet has.';
  expect(await surveyTo(lines.length - 1)).toMatchObject({ ok: false, error: { code: 'bad-input', message } });
  expect(mostRows).toBe(1_048_576);
});
