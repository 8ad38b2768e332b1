import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { RowProgress } from '../../../../shared/domain/batch.ts';
import { makePrivate } from '../../storage/database/file-lock.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SearchCall } from '../plan/plan.ts';
import { type Again, choiceParameters, isChosen, isRefusedOfChosen, openBatchCounts } from './batch-counts.ts';
import { isOdd, prepareBatchFile } from './batch-file-schema.ts';
import {
  type Ask,
  type AskState,
  askColumns,
  columnOf,
  type FileRow,
  type LedgerSeen,
  type RowChange,
  rowColumns,
} from './batch-records.ts';
import { openRowPages, type RowFilter } from './row-pages.ts';

/**
 * The rows and questions of one batch, in a file of its own: deleting the texts deletes one file, and a million rows do not slow down
 * copies of the program's database. Each change of a row's progress is written before the step it describes; what a power cut may take is
 * said in `openBatchFile`.
 */

/** In the totals: 1 if a person stopped the batch with rows waiting. */
const allStoppedName = 'all stopped';
/** Rows changed before main yields to everything else. */
const changedAtOnce = 1000;

export const fileOf = (folder: string, batchId: string): string => join(folder, `${batchId}.sqlite`);

export type BatchFile = ReturnType<typeof openBatchFile>;

/** Deletes all of a batch: its rows, and the copy of its table. */
export function removeBatchFile(folder: string, batchId: string): void {
  for (const name of [batchId, draftOf(batchId)])
    for (const end of ['.sqlite', '.sqlite-wal', '.sqlite-shm', '.table'])
      rmSync(join(folder, name + end), { force: true });
}

/** The copy of the table as it was opened, from which the result file is made. */
export const tableCopyOf = (folder: string, batchId: string): string => join(folder, `${batchId}.table`);

/**
 * What stands for a batch's id in the names of its files while it is planned: what a killed program leaves of it is swept like a table left
 * open. A file under the id itself never is: it may have been paid for.
 */
export const draftOf = (batchId: string): string => `open-${batchId}`;

/** Gives the files of a batch that is entered in the database their own names; the rows come last. Throws if that cannot be done. */
export function nameBatchFile(folder: string, batchId: string): void {
  for (const end of ['.table', '.sqlite']) {
    const name = join(folder, batchId + end);
    try {
      renameSync(join(folder, draftOf(batchId) + end), name);
    } catch (cause) {
      // It has its name already: by another process, or before a kill.
      if (!existsSync(name)) throw cause;
    }
  }
}

/** Whether the rows of a batch are still there. One whose program was killed before its files had their names gets them now. */
export function hasBatchFile(folder: string, batchId: string): boolean {
  if (existsSync(fileOf(folder, batchId))) return true;
  if (!existsSync(fileOf(folder, draftOf(batchId)))) return false;
  try {
    nameBatchFile(folder, batchId);
    return true;
  } catch {
    return false;
  }
}

/** Opens or makes the file of a batch; whoever opens it closes it. Throws where SQLite does, as does all of it. */
export function openBatchFile(folder: string, batchId: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = fileOf(folder, batchId);
  makePrivate(file);
  const sql = new DatabaseSync(file, { timeout: 5000 });
  try {
    sql.exec('PRAGMA journal_mode = WAL');
    // A kill loses nothing of this. A power cut may lose the end of a question: it is then answered from the saved answers, or is unknown.
    // That a call leaves is on disk before it does, here (`markAsked`) or in the ledger.
    sql.exec('PRAGMA synchronous = NORMAL');
    // What is on disk is to be so on macOS as well: see `openFile` of the program's database.
    sql.exec('PRAGMA fullfsync = ON');
    prepareBatchFile(sql);
  } catch (cause) {
    // Else its transaction would keep the file locked for this program, until memory is tidied up.
    sql.close();
    throw cause;
  }

  const insertRow = sql.prepare(
    `INSERT INTO rows (row, ask, key, same_as, flat, given, understood, progress, reason, text)
     VALUES (:row, :ask, :key, :sameAs, :flat, :given, :understood, :progress, :reason, :text)`,
  );
  const firstWith = sql.prepare('SELECT row FROM rows WHERE key = ? AND same_as IS NULL');
  const findAsk = sql.prepare(`SELECT ${askColumns} FROM asks WHERE id = ?`);
  const askByKey = sql.prepare(`SELECT ${askColumns} FROM asks WHERE key = ?`);
  const insertAsk = sql.prepare(
    'INSERT INTO asks (key, stage, text) VALUES (:key, :stage, :text) ON CONFLICT DO NOTHING',
  );
  const askIdByKey = sql.prepare('SELECT id FROM asks WHERE key = ?');
  const setAskState = sql.prepare('UPDATE asks SET state = :state WHERE id = :id');
  /** Searches of rows put in that only rows with an unknown outcome need. */
  const unknownSearches = new Set<number>();
  const counts = openBatchCounts(sql);
  const pageOf = openRowPages(sql, counts.totalOf);
  /** What was inserted, by the totals it belongs to. */
  const inserted = new Map<string, number>();
  const countInserted = (name: string): void => void inserted.set(name, (inserted.get(name) ?? 0) + 1);
  const findRow = sql.prepare(`SELECT ${rowColumns} FROM rows WHERE row = ?`);
  const nextRow = sql.prepare(
    `SELECT ${rowColumns} FROM rows WHERE progress = 'waiting' AND row > ? AND same_as IS NULL ORDER BY row LIMIT 1`,
  );
  const firstDone = sql.prepare(`SELECT ${rowColumns} FROM rows WHERE progress = 'done' ORDER BY row LIMIT 1`);
  const openOfAsk = sql.prepare(
    `SELECT ${rowColumns} FROM rows WHERE ask = :ask AND row > :after AND same_as IS NULL
       AND progress IN ('waiting', 'at-work') ORDER BY row LIMIT 100`,
  );
  const markAsked = sql.prepare(
    `UPDATE asks SET state = 'asked', row = :row, at = :at, most = most - under_way + :most, under_way = :most WHERE id = :id`,
  );
  const seeLedger = sql.prepare('UPDATE ledger_seen SET run = :run, call = :call');
  const ledgerSeen = sql.prepare('SELECT run, call FROM ledger_seen');
  const lost = sql.prepare('SELECT lost FROM ledger_seen');
  const loseCalls = sql.prepare('UPDATE ledger_seen SET lost = max(0, most - :counted)');
  const atWork = sql.prepare(
    `UPDATE rows SET progress = 'at-work' WHERE row = ? AND progress IN ('waiting', 'at-work')`,
  );
  const endAsk = sql.prepare(
    `UPDATE asks SET state = :state, source = :source, at = :at, call_id = coalesce(:callId, call_id),
       own_call = coalesce(:ownCall, own_call), tries = tries + :tries, least = least + :least, most = most - under_way + :most,
       under_way = 0, unknown = unknown + :unknown, code = :code, words = :words, content = :content WHERE id = :id`,
  );
  // A row whose outcome is unknown is opened again by the call that its question had last, whichever row asked it.
  const linkLastCall = sql.prepare(
    `UPDATE rows SET call_id = :callId WHERE progress = 'unknown' AND call_id = (SELECT call_id FROM asks WHERE id = :id)`,
  );
  const firstAsk = sql.prepare('SELECT stage FROM asks ORDER BY id LIMIT 1');
  const anyAnswer = sql.prepare("SELECT 1 FROM asks WHERE state = 'answered' LIMIT 1");
  const asksUnderWay = sql.prepare(`SELECT ${askColumns} FROM asks WHERE state = 'asked' AND ${isOdd}`);
  const backToWaiting = sql.prepare(
    `UPDATE rows SET progress = 'waiting' WHERE progress = 'at-work' AND (:row IS NULL OR row = :row)`,
  );
  const reopenFailedAsks = sql.prepare(`UPDATE asks SET state = 'waiting', tries = 0 WHERE ${isRefusedOfChosen}`);
  const failedRows = sql.prepare(`SELECT row FROM rows WHERE ${isChosen} LIMIT ${changedAtOnce}`);
  const firstOf = sql.prepare('SELECT coalesce(same_as, row) AS row FROM rows WHERE row = ?');
  const reopenUnknownAsk = sql.prepare(
    `UPDATE asks SET state = 'waiting' WHERE state = 'unknown' AND ${isOdd} AND (id = (SELECT ask FROM rows WHERE row = :row) OR row = :row
       OR call_id = (SELECT call_id FROM rows WHERE row = :row))`,
  );
  const reopenUnknown = sql.prepare(
    `UPDATE rows SET progress = 'waiting', reason = '', text = '' WHERE progress = 'unknown' AND (row = :row OR same_as = :row)`,
  );
  const allStopped = sql.prepare(`SELECT rows FROM tally WHERE name = '${allStoppedName}'`);
  const setAllStopped = sql.prepare(
    `INSERT INTO tally VALUES ('${allStoppedName}', :rows) ON CONFLICT DO UPDATE SET rows = :rows`,
  );
  const stoppedRows = sql.prepare(`SELECT row FROM rows WHERE progress = 'stopped' LIMIT ${changedAtOnce}`);
  const isAllStopped = (): boolean => allStopped.get()?.rows === 1;
  const read = (row: Record<string, unknown>): FileRow => ({ ...(row as unknown as FileRow), flat: row.flat === 1 });
  /** Rows as they are shown: those that wait in a stopped batch are stopped. */
  const readAsTheyStand = (rows: Record<string, unknown>[]): FileRow[] => {
    const isStopped = isAllStopped();
    return rows.map((row) =>
      isStopped && row.progress === 'waiting'
        ? { ...read(row), progress: 'stopped', reason: 'not-asked', text: '' }
        : read(row),
    );
  };
  /** A filter of rows as they stand, in the words of the table. */
  const asStored = (filter: RowFilter): RowFilter =>
    filter.progress && isAllStopped()
      ? {
          ...filter,
          progress: filter.progress.flatMap((one) =>
            one === 'stopped' ? ['stopped', 'waiting'] : one === 'waiting' ? ['none'] : [one],
          ),
        }
      : filter;

  const transaction = <T>(work: () => T): T => inTransaction(sql, work);

  const changes = new Map<string, StatementSync>();

  function change(where: string, what: RowChange, values: Record<string, SQLInputValue>): void {
    const names = Object.keys(what) as (keyof RowChange)[];
    const text = `UPDATE rows SET ${names.map((name) => `${columnOf[name]} = :${name}`).join(', ')} WHERE ${where}`;
    let statement = changes.get(text);
    if (!statement) {
      statement = sql.prepare(text);
      changes.set(text, statement);
    }
    statement.run({ ...(what as Record<string, SQLInputValue>), ...values });
  }

  /** Changes rows until none is left to be. */
  async function changeInTurns(next: () => Record<string, unknown>[], what: RowChange): Promise<void> {
    for (;;) {
      const rows = next().map(({ row }) => Number(row));
      transaction(() => {
        for (const row of rows) change('row = :at_row', what, { at_row: row });
      });
      if (rows.length < changedAtOnce) return;
      await turn();
    }
  }

  return {
    transaction,
    insertRow: (row: {
      row: number;
      ask: number | null;
      key: string | null;
      sameAs: number | null;
      flat: boolean;
      given: string;
      understood: string;
      progress: RowProgress;
      reason: string;
      text: string;
    }): void => {
      insertRow.run({ ...row, flat: row.flat ? 1 : 0 });
      countInserted(row.progress);
      countInserted('result not-asked');
      if (row.progress === 'waiting' && row.sameAs === null)
        countInserted(row.ask === null ? 'open bare' : row.flat ? 'open flat' : 'open plain');
    },
    /**
     * Before the rows of a new batch are written: none of it needs to survive a crash, so nothing waits for the disk. `endFill` counts them
     * and ends it. With a write-ahead log the end would copy the whole file in one turn; the runtime does not accept `OFF`.
     */
    beginFill: (): void =>
      sql.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -4096; BEGIN IMMEDIATE'),
    endFill(): void {
      for (const [name, rows] of inserted) counts.add(name, rows);
      sql.exec('COMMIT');
    },
    /**
     * The number of the search under a key, created if there is none. Only while rows are put in. `isUnknown`: of a row whose outcome is
     * unknown; a search that only such rows need waits for a tick. `isNew`: it is the first row for which it is to be asked.
     */
    searchIdFor(key: string, stage: string, text: string, isUnknown: boolean): { id: number; isNew: boolean } {
      const { changes, lastInsertRowid } = insertAsk.run({ key, stage, text });
      const isFirst = changes > 0;
      const id = isFirst ? Number(lastInsertRowid) : Number(askIdByKey.get(key)?.id);
      if (isFirst && isUnknown) {
        unknownSearches.add(id);
        setAskState.run({ id, state: 'unknown' });
      }
      const isNew = !isUnknown && (isFirst || unknownSearches.delete(id));
      if (isNew && !isFirst) setAskState.run({ id, state: 'waiting' });
      if (isFirst) countInserted('searches waiting');
      return { id, isNew };
    },
    /** The first row that says the same; null: none does. */
    firstWith: (key: string): number | null => {
      const found = firstWith.get(key);
      return found ? Number(found.row) : null;
    },
    /** The question under a key, created if there is none. */
    askFor(key: string, stage: string, text: string): Ask {
      insertAsk.run({ key, stage, text });
      return askByKey.get(key) as unknown as Ask;
    },
    ask: (id: number): Ask => findAsk.get(id) as unknown as Ask,
    askByKey: (key: string): Ask | undefined => askByKey.get(key) as unknown as Ask | undefined,
    /** The search that its rows were planned with, which was put in before any other question; null: they have none. */
    searchCall(): SearchCall | null {
      const stage = firstAsk.get()?.stage;
      return stage === 'search' || stage === 'search-free' ? stage : null;
    },
    hasAnswers: (): boolean => anyAnswer.get() !== undefined,
    /** Questions that may have left, without an end. */
    asksUnderWay: (): Ask[] => asksUnderWay.all() as unknown as Ask[],
    /**
     * Called before a question leaves: it and its row say so, with the credits that its call may cost. `isOnDisk`: a power cut loses neither
     * it nor anything written before. A search that is in the ledger need not wait for the disk a second time: `recoverQuestions` finds it
     * there. `seen`: as it is now.
     */
    markAsked(
      id: number,
      row: number,
      at: string,
      most: number,
      isOnDisk: boolean,
      seen: LedgerSeen | null = null,
    ): void {
      if (isOnDisk) sql.exec('PRAGMA synchronous = FULL');
      try {
        transaction(() => {
          markAsked.run({ id, row, at, most });
          if (seen) seeLedger.run({ ...seen });
          atWork.run(row);
        });
      } finally {
        if (isOnDisk) sql.exec('PRAGMA synchronous = NORMAL');
      }
    },
    /** Writes how a question ended. `least` and `most` (credits) are added to what its calls counted for before. */
    endAsk(
      id: number,
      end: {
        state: AskState;
        source?: 'asked' | 'saved' | null;
        at: string;
        callId?: string | null;
        /** False: another one's, who asked the same. */
        isOwn?: boolean;
        isTry?: boolean;
        least: number;
        most: number;
        code?: string;
        words?: string;
        content?: string | null;
      },
    ): void {
      if (end.state === 'unknown' && end.callId) linkLastCall.run({ id, callId: end.callId });
      endAsk.run({
        id,
        state: end.state,
        source: end.source ?? null,
        at: end.at,
        callId: end.callId ?? null,
        ownCall: end.isOwn === false ? null : (end.callId ?? null),
        tries: end.isTry ? 1 : 0,
        least: end.least,
        most: end.most,
        unknown: end.state === 'unknown' ? end.most : 0,
        code: end.code ?? '',
        words: end.words ?? '',
        content: end.content ?? null,
      });
    },
    row(row: number): FileRow | undefined {
      const found = findRow.get(row);
      return found && readAsTheyStand([found])[0];
    },
    firstDone(): FileRow | undefined {
      const found = firstDone.get();
      return found && read(found);
    },
    nextWaiting(after: number): FileRow | undefined {
      const found = nextRow.get(after);
      return found && read(found);
    },
    /** Rows of a question that have not ended yet, a limited number, after a given row. */
    openOfAsk: (ask: number, after = 0): FileRow[] => openOfAsk.all({ ask, after }).map(read),
    /**
     * Changes a row; if that ends it, also the rows that say the same and have not ended, or have the same premises to choose from, except for
     * what is its own alone.
     */
    changeRow(row: number, what: RowChange): void {
      transaction(() => {
        change('row = :at_row', what, { at_row: row });
        const { source: _own, least: _least, most: _most, callId: _call, ...shared } = what;
        if (Object.keys(shared).length === 0) return;
        const isEnd = what.progress !== undefined && what.progress !== 'waiting' && what.progress !== 'at-work';
        if (isEnd)
          change(
            `same_as = :at_row AND (progress IN ('waiting', 'at-work', 'stopped') OR candidates IS NOT NULL)`,
            { ...shared, source: 'same' },
            { at_row: row },
          );
      });
    },
    /** Stops every row that waits or is being worked on. A note in the totals, rather than a change of a million rows. */
    stopAll: (): void =>
      transaction(() => {
        backToWaiting.run({ row: null });
        setAllStopped.run({ rows: 1 });
      }),
    /** What was stopped waits again. */
    async goOn(): Promise<void> {
      setAllStopped.run({ rows: 0 });
      await changeInTurns(() => stoppedRows.all(), { progress: 'waiting', reason: '', text: '' });
    },
    /** Reopens rows that ended without an answer, the named ones; their questions wait again. */
    async openAgain({ unknown, failed }: Again): Promise<void> {
      const chosen = choiceParameters(failed);
      reopenFailedAsks.run(chosen);
      for (let from = 0; from < unknown.length; from += changedAtOnce) {
        transaction(() => {
          for (const named of unknown.slice(from, from + changedAtOnce)) {
            const row = Number(firstOf.get(named)?.row ?? named);
            reopenUnknownAsk.run({ row });
            reopenUnknown.run({ row });
          }
        });
        await turn();
      }
      await changeInTurns(() => failedRows.all(chosen), { progress: 'waiting', reason: '', text: '' });
    },
    /** One row, or all, that are no longer being worked on. */
    backToWaiting: (row: number | null = null): void => void backToWaiting.run({ row }),
    /** What the program's database knew when a question was last marked as asked. */
    ledgerSeen: (): LedgerSeen => ledgerSeen.get() as unknown as LedgerSeen,
    seeLedger: (seen: LedgerSeen): void => void seeLedger.run({ ...seen }),
    /** Called when the ledger turns out to be an older copy, with what it counts: the rest of the credits is of calls that it lacks. */
    loseCalls: (counted: number): void => void loseCalls.run({ counted }),
    /** Credits of calls that the ledger lacks. */
    lost: (): number => Number(lost.get()?.lost),
    unknownCredits: counts.unknownCredits,
    again: counts.again,
    tally() {
      const { progress, results } = counts.tally();
      const stopped = isAllStopped() ? progress.waiting : 0;
      return {
        progress: { ...progress, waiting: progress.waiting - stopped, stopped: progress.stopped + stopped },
        results,
      };
    },
    left: counts.left,
    notDone: counts.notDone,
    allUnknown: counts.allUnknown,
    async page(filter: RowFilter, from: number, limit: number): Promise<{ rows: FileRow[]; total: number }> {
      const { rows, total } = await pageOf(asStored(filter), from, limit);
      return { rows: readAsTheyStand(rows.flatMap((row) => findRow.all(row))), total };
    },
    /** Rows in their order from one on, for the result file. */
    rowsFrom: (from: number, limit: number): FileRow[] =>
      readAsTheyStand(
        sql.prepare(`SELECT ${rowColumns} FROM rows WHERE row >= ? ORDER BY row LIMIT ?`).all(from, limit),
      ),
    close: (): void => {
      if (sql.isOpen) sql.close();
    },
  };
}
