import type { MoneyClaim } from '../../../shared/claims/money-claims.ts';
import type { Batch, BatchRow, BatchWant, Bounds, Choice, OpenTable } from '../../../shared/domain/batch.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Clock, isoNow, type Pauses } from '../../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Secrets } from '../connections/secrets.ts';
import type { Ledger } from '../spend/ledger.ts';
import type { Database } from '../storage/database/database.ts';
import { attempt } from '../storage/database/errors.ts';
import { createBatchRows } from './batch-rows.ts';
import { createBatchRuns, notNow, type Running } from './batch-runs.ts';
import { createBatchView } from './batch-view.ts';
import { makeBatch } from './make-batch.ts';
import { createOpenTables } from './open-tables.ts';
import type { Questions } from './run/questions.ts';
import { sampleName, sampleTable } from './sample-table.ts';
import type { Again } from './store/batch-counts.ts';
import { draftOf } from './store/batch-file.ts';
import { createBatchFiles } from './store/batch-files.ts';
import { type BatchRecord, openBatchesRepository } from './store/batches-repository.ts';
import type { TableReadOptions, TableThread } from './survey/table-thread.ts';
import type { Workbooks } from './table/workbooks.ts';

export interface BatchesParts {
  /** The program's data folder; the batches have a folder of their own in it. */
  folder: string;
  db: Database;
  clock: Clock;
  pauses: Pauses;
  connections: Pick<Connections, 'find'>;
  secrets: Pick<Secrets, 'list'>;
  questions: Questions;
  ledger: Ledger;
  workbooks: Workbooks;
  tableThread: TableThread;
  userName: string;
  /** Days for which rows are kept after their batch has ended. */
  keptDays(): number;
  /** Reads the balance of a connection, if that is free. Never rejects. */
  sampleBalance(connectionId: string): Promise<void>;
  onChange(batch: Batch): void;
  /** Whether this process runs any that does not wait for long, each time that one begins, ends or waits. */
  onRunning(isAny: boolean): void;
}

const dayMs = 86_400_000;
/** Days after which a batch that was planned and never run is removed. */
const plannedDays = 7;
/** How long changes of a running batch are gathered before the window is notified of them (ms). */
const toldEveryMs = 200;

const unknownBatch = () =>
  appError('bad-input', {
    message: 'There is no such batch.',
    next: 'Open the list of batches again.',
    charge: 'not-applicable',
  });

export type Batches = ReturnType<typeof createBatches>;

/**
 * The batches of the data folder: made from a table, run by one process at a time, kept until their rows are deleted. A batch spends
 * through the caller and its ledger like every call. Errors: `bad-input` for a batch or table that is not known or not in that state,
 * `storage-failed`, and those said.
 */
export function createBatches(parts: BatchesParts) {
  const { db, clock, questions, ledger, tableThread } = parts;
  const files = createBatchFiles(`${parts.folder}/batches`);
  const { folder } = files;
  const records = openBatchesRepository(db);
  const running = new Map<string, Running>();
  /** A notification that is to come, by batch. */
  const due = new Map<string, NodeJS.Timeout>();
  const tables = createOpenTables({
    folder,
    questions,
    workbooks: parts.workbooks,
    tableThread,
  });

  const claimsOfCall = (callId: string): MoneyClaim[] => {
    const entry = ledger.findOfCall(callId);
    return entry.ok && entry.value ? entry.value.claims : [];
  };
  const view = createBatchView({ ...parts, files, runningHere: (batchId) => running.get(batchId) });
  const batchRows = createBatchRows(files, { userName: parts.userName, claimsOf: claimsOfCall });

  function find(batchId: string): Result<BatchRecord> {
    const found = attempt(() => records.find(batchId));
    if (!found.ok) return found;
    return found.value ? ok(found.value) : fail(unknownBatch());
  }

  function notify(batchId: string): void {
    clearTimeout(due.get(batchId));
    due.delete(batchId);
    const record = find(batchId);
    if (record.ok) parts.onChange(view.describe(record.value));
  }

  /** Of what changes often; the last change is never left out. */
  function notifySoon(batchId: string): void {
    if (!due.has(batchId)) due.set(batchId, setTimeout(notify, toldEveryMs, batchId).unref());
  }

  /** Stores what `next` makes of a batch as it is at that moment: another process may have begun it since it was read. */
  function change(batchId: string, next: (record: BatchRecord) => Result<BatchRecord>): Result<Batch> {
    const changed = db.transaction(() => {
      const found = find(batchId);
      const record = found.ok ? next(found.value) : found;
      if (record.ok) records.update(record.value);
      return record;
    });
    if (!changed.ok) return changed;
    notify(batchId);
    return ok(view.describe(changed.value));
  }

  const runs = createBatchRuns(running, {
    ...parts,
    files,
    records,
    view,
    find,
    claimsOfCall,
    change,
    onChange: notify,
    onProgress: notifySoon,
  });

  /**
   * Opens the sample as if it had been chosen. Its addresses are the demo service's, and the screen says so where another service is asked.
   */
  async function openSample(connectionId: string, reading?: TableReadOptions): Promise<Result<OpenTable>> {
    const connection = parts.connections.find(connectionId);
    if (!connection.ok) return connection;
    const warning =
      connection.value.kind === 'demo'
        ? undefined
        : 'Its addresses are invented: your service may find none of them, and each call has its price all the same.';
    return tables.openText(connectionId, sampleTable().text, reading, sampleName, warning);
  }

  /** Makes a batch of an open table. Sends nothing. Errors: those of `makeBatch`, and `bad-input` for what cannot be asked of its rows. */
  async function plan(
    request: { tableId: string; wants: readonly BatchWant[] },
    reading: TableReadOptions = {},
  ): Promise<Result<Batch>> {
    const table = tables.find(request.tableId);
    if (!table.ok) return table;
    const { kind, connectionId, view: open } = table.value;
    for (const want of request.wants) {
      const price = open.wants.find((one) => one.want === want);
      if (price?.not)
        return fail(appError('bad-input', { message: price.not, field: 'wants', charge: 'not-applicable' }));
    }
    const id = crypto.randomUUID();
    const wants = [...new Set(request.wants)];
    const made = await makeBatch({ folder, questions, tableThread }, id, table.value, wants, reading);
    if (!made.ok) return made;
    const counts = files.use(draftOf(id), (file) => ({ ...file.tally() }));
    if (!counts.ok) {
      files.remove(id);
      return counts;
    }
    const { plan, earlier } = made.value;
    const record: BatchRecord = {
      id,
      connectionId,
      createdAt: isoNow(clock),
      state: 'planned',
      runner: null,
      facts: {
        name: table.value.name,
        original: table.value.original,
        kind,
        wants,
        form: table.value.form,
        heads: table.value.heads,
        columns: table.value.columns.map(({ role }) => role),
        plan,
        earlier,
        startedAt: null,
        endedAt: null,
        wait: null,
        limit: plan.credits?.most ?? 0,
        minimumBalance: null,
        rate: 5,
        keyLabel: null,
        goOnUntil: null,
        seenSegment: 0,
        ...counts.value,
        unknown: 0,
        again: 0,
        left: { rows: counts.value.progress.waiting, credits: plan.credits },
        forgotten: false,
      },
    };
    const entered = db.transaction(() => {
      records.insert(record);
      return ok(undefined);
    });
    // Not before: a file under a batch's own name that is in no database would stay for ever.
    const named = entered.ok ? files.name(id) : entered;
    if (!named.ok) {
      attempt(() => records.remove(id));
      files.remove(id);
      return named;
    }
    return ok(view.describe(record));
  }

  /**
   * What running the rows not done would take: those waiting or stopped, and those named, of which `unknown` have an unknown outcome.
   * `isUnknownFree`: by published prices, asking any such row again costs nothing.
   */
  function notDone(
    batchId: string,
    again: Again,
  ): Result<{ rows: number; credits: Bounds | null; unknown: number; isUnknownFree: boolean }> {
    const record = find(batchId);
    if (!record.ok) return record;
    return files.use(batchId, (file) => {
      const left = file.notDone(again);
      const ofUnknown = view.leftOf(file, file.allUnknown(), record.value);
      return {
        ...view.leftOf(file, left, record.value),
        unknown: left.unknown,
        isUnknownFree: ofUnknown.credits?.most === 0,
      };
    });
  }

  function choose(batchId: string, row: number, choice: Choice | null): Result<{ row: BatchRow; batch: Batch }> {
    const chosen = batchRows.choose(batchId, row, choice);
    if (!chosen.ok) return chosen;
    const batch = change(batchId, (record) => {
      // Its run counts the rows when it ends.
      if (runs.isRunning(record)) return ok(record);
      const counts = files.use(batchId, (file) => view.countsOf(file, record));
      return counts.ok ? ok({ ...record, facts: { ...record.facts, ...counts.value } }) : counts;
    });
    return batch.ok ? ok({ row: chosen.value, batch: batch.value }) : batch;
  }

  /**
   * Ends all batches of a connection that is about to be removed: nothing could run them again, and rows of a batch that has not ended are
   * never deleted. Errors: those of `stop`; the connection stays then.
   */
  async function endAllOf(connectionId: string): Promise<Result<void>> {
    const all = attempt(() => records.all());
    if (!all.ok) return all;
    for (const { id, facts, connectionId: own } of all.value) {
      if (own !== connectionId || facts.forgotten || facts.endedAt !== null) continue;
      const ended = facts.startedAt === null ? discard(id) : files.has(id) ? await runs.stop(id) : ok(undefined);
      if (!ended.ok) return ended;
    }
    return ok(undefined);
  }

  /** Deletes the texts of its rows now; counts stay. Refused for a batch that is running. */
  function forget(batchId: string): Result<Batch> {
    return change(batchId, (record) => {
      if (runs.isRunning(record)) return fail(notNow('This batch is running. Stop it first.'));
      const gone = files.remove(batchId);
      if (!gone.ok) return gone;
      const { state, facts } = record;
      return ok({
        ...record,
        state: state === 'done' ? 'done' : 'stopped',
        runner: null,
        facts: {
          ...facts,
          forgotten: true,
          wait: null,
          endedAt: facts.endedAt ?? isoNow(clock),
          plan: { ...facts.plan, malformed: [] },
          left: { rows: 0, credits: { least: 0, most: 0 } },
        },
      });
    });
  }

  /** Removes one that was planned and never run. */
  function discard(batchId: string): Result<void> {
    return db.transaction(() => {
      const record = find(batchId);
      if (!record.ok) return record;
      if (record.value.facts.startedAt !== null) return fail(notNow('This batch has run.'));
      const gone = files.remove(batchId);
      if (gone.ok) records.remove(batchId);
      return gone;
    });
  }

  /**
   * Removes what has been kept long enough, with what a program that has ended left open; returns how many batches. Errors are ignored: the
   * next hour tries again.
   */
  async function purge(): Promise<number> {
    let gone = 0;
    const all = attempt(() => records.all());
    if (!all.ok) return gone;
    // Those of a killed program get their names: what keeps that of a draft is swept.
    for (const { id } of all.value) files.has(id);
    await tables.sweep(clock.now());
    const isOver = (since: string, days: number): boolean => clock.now() - Date.parse(since) > days * dayMs;
    for (const { id, createdAt, facts } of all.value)
      if (facts.startedAt === null) {
        if (isOver(createdAt, plannedDays) && discard(id).ok) gone += 1;
      } else if (!facts.forgotten && facts.endedAt !== null && isOver(facts.endedAt, parts.keptDays()))
        if (forget(id).ok) gone += 1;
    return gone;
  }

  /**
   * At most 200, of those planned or ended the newest: those that wait for a person, running, paused, planned, then ended ones; the newest
   * first in each. Without claims.
   */
  function list(connectionId: string): Result<Batch[]> {
    const found = attempt(() => records.list(connectionId));
    if (!found.ok) return found;
    const order: Readonly<Record<Batch['state'], number>> = {
      waiting: 0,
      running: 1,
      paused: 2,
      planned: 3,
      stopped: 4,
      done: 4,
    };
    return ok(found.value.map(view.describeInList).sort((a, b) => order[a.state] - order[b.state]));
  }

  return {
    openFile: tables.openFile,
    openText: tables.openText,
    openSample,
    receive: tables.receive,
    readAs: tables.readAs,
    closeTable: tables.close,
    plan,
    run: runs.run,
    pause: runs.pause,
    stop: runs.stop,
    endAllOf,
    goOn: runs.goOn,
    ended: runs.ended,
    /** Whether this process runs one. */
    isAnyRunning: (): boolean => running.size > 0,
    notDone,
    rows: batchRows.page,
    several: batchRows.several,
    choose,
    forget,
    discard,
    purge,
    list,
    get: (batchId: string): Result<Batch> => {
      const record = find(batchId);
      return record.ok ? ok(view.describe(record.value)) : record;
    },
    record: find,
    /** What a person last asked of it that its next run has not answered; null: nothing. Errors: `storage-failed`. */
    requestOf: (batchId: string) => attempt(() => records.requestOf(batchId)),
    files,
    workbooks: parts.workbooks,
    /** `byPerson`: no start resumes by itself what is under way. */
    async close(byPerson = false): Promise<void> {
      // Before it waits: a person who interrupts twice ends the process at once.
      const ended = runs.close(byPerson);
      await tableThread.close();
      await ended;
    },
  };
}
