import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type BatchKind,
  type BatchWant,
  batchKinds,
  batchWants,
  type ColumnRole,
  type OpenTable,
  type PreviewRow,
  readingStopped,
  type TableColumn,
  type TableFormat,
} from '../../../shared/domain/batch.ts';
import type { TableForm, TableRow, TableSeparator } from '../../../shared/domain/text/table.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { loadPart } from '../load-part.ts';
import { priceWant } from './plan/plan.ts';
import type { Questions } from './run/questions.ts';
import { formatProblem, understand } from './survey/rows.ts';
import { openSavedAnswers } from './survey/saved-answers.ts';
import type { TableReadOptions, TableThread } from './survey/table-thread.ts';
import { recogniseColumns } from './table/recognise-columns.ts';
import { fileChanged, SourceFault } from './table/source.ts';
import { canRead } from './table/understand-row.ts';
import type { Workbooks } from './table/workbooks.ts';

/** The path without links, as the system writes it; of a file that is not there, the absolute path. */
export const realPath = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** How an open table is read now. */
export interface Opened {
  id: string;
  connectionId: string;
  name: string;
  /** Our copy of it: the original may change or vanish. */
  path: string;
  /** The original, by its real path; null: it was pasted, or came in parts. */
  original: string | null;
  bytes: number;
  form: TableForm;
  heads: string[];
  columns: TableColumn[];
  kind: BatchKind;
  /** The roles that a person gave, by column. */
  given: Map<number, ColumnRole>;
  /** How the sheet of the workbook it came from was read; null: it came as text. */
  sheetNotes: string[] | null;
  /** What a person should know of its rows, however it is read. */
  warning?: string | undefined;
  view: OpenTable;
}

export interface FormatChange {
  encoding?: TableFormat['encoding'] | undefined;
  separator?: string | undefined;
  header?: boolean | undefined;
  kind?: BatchKind | undefined;
  roles?: readonly { index: number; role: ColumnRole }[] | undefined;
}

const previewRows = 8;
const dayMs = 86_400_000;

const noTable = () =>
  appError('bad-input', { message: 'This table is no longer open.', next: 'Open it again.', charge: 'not-applicable' });

/**
 * Tables that a person has opened but not yet made into a batch: copied into the folder of the batches, read, and priced. Errors:
 * `file-failed`, `bad-input` for what is no table or not open, `no-connection`, `storage-failed`, `part-missing`, `cancelled`.
 */
export function createOpenTables(parts: {
  folder: string;
  questions: Questions;
  workbooks: Workbooks;
  tableThread: TableThread;
}) {
  const { folder, questions } = parts;
  const opened = new Map<string, Opened>();
  const transfers = new Map<string, { path: string; bytes: number; from: number; name: string }>();
  const pathOf = (id: string): string => join(folder, `open-${id}.table`);

  const unreadable = (cause: unknown): Result<never> =>
    fail(
      appError('file-failed', {
        charge: 'not-applicable',
        money: 'Nothing was sent.',
        detail: cause instanceof Error && 'code' in cause ? String(cause.code) : undefined,
      }),
    );

  const remove = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined);

  /** A new copy of our own, written by `write`. Errors: 'file-failed', 'cancelled', and then nothing of it is left. */
  async function makeCopy(
    write: (path: string) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<Result<{ id: string; path: string }>> {
    const id = crypto.randomUUID();
    const path = pathOf(id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(path);
      return ok({ id, path });
    } catch (cause) {
      await remove(path);
      if (signal?.aborted) return fail(readingStopped());
      return cause instanceof SourceFault ? fail(cause.error) : unreadable(cause);
    }
  }

  /** Throws `SourceFault` if it is written meanwhile: half a line at the end may be the identifier of another premise. */
  async function copyFile(path: string, copy: string, signal: AbortSignal | undefined): Promise<void> {
    const file = await open(path);
    try {
      const before = await file.stat();
      const reading = file.createReadStream({ autoClose: false });
      await pipeline(reading, createWriteStream(copy, { mode: 0o600 }), { signal });
      const after = await file.stat();
      // A pipe, such as a shell gives for the output of a command, changes as it is read.
      if (before.isFile() && (after.size !== before.size || after.mtimeMs !== before.mtimeMs)) throw fileChanged();
    } finally {
      await file.close();
    }
  }

  async function openFile(
    connectionId: string,
    path: string,
    name: string,
    reading: TableReadOptions = {},
  ): Promise<Result<OpenTable>> {
    const { signal } = reading;
    const own = await makeCopy((copy) => copyFile(path, copy, signal), signal);
    return own.ok ? begin(connectionId, own.value, name, reading, { original: await realPath(path) }) : own;
  }

  async function openText(
    connectionId: string,
    text: string,
    reading: TableReadOptions = {},
    name = 'Pasted table',
    warning?: string,
  ): Promise<Result<OpenTable>> {
    const own = await makeCopy((copy) => writeFile(copy, text, { mode: 0o600 }));
    return own.ok ? begin(connectionId, own.value, name, reading, { warning }) : own;
  }

  /**
   * A file that arrives in parts, in order; returns the table with the last one. `transfer`: null for the first part, then as returned;
   * `bytes`: of the whole file; `from`: the byte at which the part begins; `part`: base64. Errors: 'bad-input' if a part is missing.
   */
  async function receive(
    connectionId: string,
    part: { transfer: string | null; name: string; bytes: number; from: number; part: string },
    reading: TableReadOptions = {},
  ): Promise<Result<{ transfer: string; table: OpenTable | null }>> {
    let id = part.transfer;
    if (id === null) {
      const own = await makeCopy((copy) => writeFile(copy, '', { mode: 0o600 }));
      if (!own.ok) return own;
      id = own.value.id;
      transfers.set(id, { path: own.value.path, bytes: part.bytes, from: 0, name: part.name });
    }
    const transfer = transfers.get(id);
    if (!transfer || transfer.from !== part.from) return fail(noTable());
    const bytes = Buffer.from(part.part, 'base64');
    try {
      await appendFile(transfer.path, bytes);
    } catch (cause) {
      transfers.delete(id);
      await remove(transfer.path);
      return unreadable(cause);
    }
    if (reading.signal?.aborted) {
      transfers.delete(id);
      await remove(transfer.path);
      return fail(readingStopped());
    }
    transfer.from += bytes.length;
    if (transfer.from < transfer.bytes) return ok({ transfer: id, table: null });
    transfers.delete(id);
    const table = await begin(connectionId, { id, path: transfer.path }, transfer.name, reading);
    return table.ok ? ok({ transfer: id, table: table.value }) : table;
  }

  async function begin(
    connectionId: string,
    { id, path }: { id: string; path: string },
    name: string,
    reading: TableReadOptions,
    from: Partial<Pick<Opened, 'original' | 'warning'>> = {},
  ): Promise<Result<OpenTable>> {
    const workbook = await takeSheet(path, reading.signal);
    const read = workbook.ok
      ? await readWith(
          { id, connectionId, name, path, original: null, ...from, given: new Map(), sheetNotes: workbook.value },
          {},
          reading,
        )
      : workbook;
    if (!read.ok) await remove(path);
    return read;
  }

  /** Turns our copy of a workbook into its first sheet in text form. Returns how it was read; null: it is no workbook. */
  async function takeSheet(path: string, signal: AbortSignal | undefined): Promise<Result<string[] | null>> {
    const start = Buffer.alloc(4);
    try {
      const file = await open(path);
      try {
        await file.read(start, 0, 4, 0);
      } finally {
        await file.close();
      }
      if (start.toString('latin1') !== 'PK\u0003\u0004') return ok(null);
      const sheet = `${path}.sheet`;
      const read = await parts.workbooks.read(path, sheet, signal);
      if (!read.ok) return read;
      await rename(sheet, path);
      return ok(read.value.notes);
    } catch (cause) {
      return unreadable(cause);
    }
  }

  /** Reads it with what was recognised and what a person changed. */
  async function readWith(
    table: Pick<Opened, 'id' | 'connectionId' | 'name' | 'path' | 'original' | 'given' | 'sheetNotes' | 'warning'>,
    change: FormatChange,
    reading: TableReadOptions,
    before?: Opened,
  ): Promise<Result<OpenTable>> {
    const recognising = await loadPart(() => import('./table/recognise-table.ts'));
    if (!recognising.ok) return recognising;
    const { recogniseTable } = recognising.value;
    // Our copy of a sheet has commas, whatever its first cell says.
    const separator = table.sheetNotes === null ? (change.separator ?? before?.form.separator) : ',';
    const recognised = await recogniseTable(table.path, {
      encoding: change.encoding ?? before?.form.encoding,
      separator: separator as TableSeparator | undefined,
      header: change.header ?? before?.form.header,
    });
    if (!recognised.ok) return recognised;
    if (reading.signal?.aborted) return fail(readingStopped());
    const { heads, firstRows, stamp, notUtf8 } = recognised.value;
    const form: TableForm = { ...recognised.value.form, kind: table.sheetNotes === null ? 'text' : 'workbook' };
    const seen = recogniseColumns(
      heads,
      form.header,
      firstRows.map(({ cells }) => cells),
    );
    // A copy: if this reading fails or is stopped, the table stays as it was.
    const given = new Map(table.given);
    for (const { index, role } of change.roles ?? []) given.set(index, role);
    const columns = heads.map((head, index): TableColumn => {
      const column = seen.columns[index];
      const byPerson = given.get(index);
      const by = column?.by === 'name-and-content' ? 'name' : (column?.by ?? 'none');
      const padded = column?.padded ?? 0;
      return {
        index,
        name: head,
        role: byPerson ?? column?.meaning ?? 'unused',
        by: byPerson === undefined ? by : 'person',
        notes:
          padded > 0
            ? [
                `${padded} of the first rows have fewer than 8 digits: they are read with the zeros that a spreadsheet took`,
              ]
            : [],
      };
    });
    const kind = change.kind ?? before?.kind ?? seen.kinds[0] ?? 'addresses';
    const opening = { ...table, given, bytes: stamp.bytes, form, heads, columns, kind };
    const why =
      notUtf8 === null
        ? []
        : form.encoding === 'utf-8'
          ? [`It is not UTF-8 throughout: letters are lost, first in line ${notUtf8.line}`]
          : [
              `It is not UTF-8, so it was read as Windows-1252: ${notUtf8.word && `“${notUtf8.word}” in `}line ${notUtf8.line}`,
            ];
    if (form.separatorLine) why.push('The first line only names the separator: it is not read as a row');
    why.push(...(table.sheetNotes ?? []));
    if (table.warning) why.push(table.warning);
    const view = await survey(opening, firstRows, why, reading);
    // Closed while it was read again: its copy is gone.
    if (before && !opened.has(table.id)) return fail(noTable());
    if (view.ok) opened.set(table.id, { ...opening, view: view.value });
    return view;
  }

  /** Reads every row once: how many can be asked as what, and what each want would cost. */
  async function survey(
    table: Omit<Opened, 'view'>,
    firstRows: readonly TableRow[],
    why: string[],
    reading: TableReadOptions,
  ): Promise<Result<OpenTable>> {
    const server = questions.server(table.connectionId);
    if (!server.ok) return server;
    const answers = openSavedAnswers(questions, table.connectionId, server.value.search?.call ?? null);
    if (!answers.ok) return answers;
    const roles = table.columns.map(({ role }) => role);
    const surveyed = await parts.tableThread.survey(
      { path: table.path, bytes: table.bytes, form: table.form, kind: table.kind, heads: table.heads, roles },
      answers.value,
      reading,
    );
    if (!surveyed.ok) return surveyed;
    const { counts, able, saved, done, earlierId } = surveyed.value;
    const { unknown } = counts;
    if (counts.total === 0)
      return fail(
        appError('bad-input', {
          message: 'The table has no rows.',
          next: 'Open or paste one with a row for each question.',
          charge: 'not-applicable',
          money: 'Nothing was sent.',
        }),
      );
    const format = { kind: table.kind, heads: table.heads, columns: roles };
    return ok({
      tableId: table.id,
      name: table.name,
      bytes: table.bytes,
      rows: counts.total,
      read: {
        format: table.form.kind === 'workbook' ? 'xlsx' : 'csv',
        encoding: table.form.encoding,
        separator: table.form.kind === 'workbook' ? '' : table.form.separator,
        header: table.form.header,
      },
      why,
      columns: table.columns,
      kind: table.kind,
      kinds: batchKinds.map((kind) => {
        const rows = able.get(kind) ?? 0;
        const none = canRead({ ...format, kind }) ? 'no row can be asked' : 'no such column';
        return { kind, rows, not: rows === 0 ? none : null };
      }),
      preview: firstRows.slice(0, previewRows).map((row): PreviewRow => {
        const understood = understand(row, format);
        return {
          row: row.row,
          cells: row.cells,
          understood: understood.ok ? understood.text.split(' · ') : [],
          malformed: understood.ok ? null : formatProblem(understood.problem).text,
        };
      }),
      malformed: counts.malformed,
      saved,
      wants: batchWants.map((want: BatchWant) => priceWant(counts, table.kind, want, server.value)),
      earlier:
        table.form.result === undefined || done + unknown === 0
          ? null
          : { batchId: earlierId, done, unknown, notDone: counts.total - done - unknown },
    });
  }

  return {
    openFile,
    openText,
    receive,
    async readAs(tableId: string, change: FormatChange, reading: TableReadOptions = {}): Promise<Result<OpenTable>> {
      const table = opened.get(tableId);
      return table ? readWith(table, change, reading, table) : fail(noTable());
    },
    find(tableId: string): Result<Opened> {
      const table = opened.get(tableId);
      return table ? ok(table) : fail(noTable());
    },
    /** Closes a table, or gives up the transfer of one: a batch has its own copy, or it is not wanted. */
    async close(tableId: string): Promise<void> {
      opened.delete(tableId);
      transfers.delete(tableId);
      await remove(pathOf(tableId));
    },
    /** Removes tables left open, and batches left half planned, by a program that has ended, and files of which no part has come for a day. */
    async sweep(now: number): Promise<void> {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) {
        const id = /^open-(.+)\.(?:table(?:\.sheet)?|sqlite(?:-wal|-shm)?)$/.exec(name)?.[1];
        if (id === undefined || opened.has(id)) continue;
        const file = await stat(join(folder, name)).catch(() => null);
        // Another process may have opened one just now.
        if (!file || now - file.mtimeMs <= dayMs) continue;
        transfers.delete(id);
        await remove(join(folder, name));
      }
    },
  };
}
