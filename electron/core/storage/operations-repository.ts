import type { DatabaseSync } from 'node:sqlite';
import type { GivenField, SavedLookup } from '../../../shared/contract/operations.ts';
import type { CallRecord } from '../../../shared/domain/activity.ts';
import { openWords, rowNumber } from './call-words.ts';
import { callColumns, readCall } from './calls-repository.ts';

/** The input of a call made from the explorer, and where its answer is. */
export interface CalledOperation {
  callId: string;
  /** Empty: no answer came. */
  answerId: string;
  dataset: boolean;
  fields: GivenField[];
}

export interface HistoryQuery {
  connectionId: string;
  operation: string;
  /** The data-set twin's name, whose calls belong to the same history; else the operation's again. */
  twin: string;
  search: string;
  /** Id of the last row shown. */
  before: string | null;
  limit: number;
}

const columns = `${callColumns}, a.answer_id AS answerId, a.dataset, a.fields`;

/**
 * A search is driven by the index of words, with the operation's own name added as a phrase; without a search, by the operation's index.
 */
export const historySql = {
  // Each name is walked down its own index, so that neither needs a sort of everything.
  all: `SELECT * FROM (
      SELECT c.sequence, ${columns} FROM calls c LEFT JOIN asked_operations a ON a.call_id = c.id
      WHERE c.connection_id = :connectionId AND c.operation = :operation AND c.sequence < :before
      ORDER BY c.sequence DESC LIMIT :limit)
    UNION SELECT * FROM (
      SELECT c.sequence, ${columns} FROM calls c LEFT JOIN asked_operations a ON a.call_id = c.id
      WHERE c.connection_id = :connectionId AND c.operation = :twin AND c.sequence < :before
      ORDER BY c.sequence DESC LIMIT :limit)
    ORDER BY 1 DESC LIMIT :limit`,
  search: `SELECT c.sequence, ${columns} FROM call_words w CROSS JOIN calls c ON c.sequence = w.rowid
    LEFT JOIN asked_operations a ON a.call_id = c.id
    WHERE call_words MATCH :words AND w.rowid < ${rowNumber(':before')} AND c.connection_id = :connectionId
      AND c.operation IN (:operation, :twin)
    ORDER BY w.rowid DESC LIMIT :limit`,
} as const;

/** Fields that cannot be read count as none: what was damaged on the disk hides no other row. */
function readFields(value: unknown): GivenField[] {
  try {
    return JSON.parse(String(value)) as GivenField[];
  } catch {
    return [];
  }
}

type Row = Record<string, unknown>;
const readSaved = (row: Row): SavedLookup => ({
  id: String(row.id),
  name: String(row.name),
  folder: String(row.folder),
  operation: String(row.operation),
  dataset: row.dataset === 1,
  fields: readFields(row.fields),
  createdAt: String(row.createdAt),
});

export interface HistoryEntry {
  call: CallRecord;
  asked: CalledOperation | null;
}

/** Saved lookups, the inputs of calls, and the calls of one operation. Throws where SQLite does. */
export function openOperationsRepository(sql: DatabaseSync) {
  const savedColumns = 'id, name, folder, operation, dataset, fields, created_at AS createdAt';
  const readWords = openWords(sql);
  const saved = sql.prepare(
    `SELECT ${savedColumns} FROM saved_lookups WHERE removed_at IS NULL ORDER BY folder COLLATE NOCASE, name COLLATE NOCASE`,
  );
  const findSaved = sql.prepare(`SELECT ${savedColumns} FROM saved_lookups WHERE id = ?`);
  const sameName = sql.prepare(
    `SELECT id FROM saved_lookups WHERE removed_at IS NULL AND name = :name COLLATE NOCASE
     AND folder = :folder COLLATE NOCASE AND id <> :id`,
  );
  const insertSaved = sql.prepare(
    `INSERT INTO saved_lookups (id, name, folder, operation, dataset, fields, created_at)
     VALUES (:id, :name, :folder, :operation, :dataset, :fields, :createdAt)`,
  );
  const replaceSaved = sql.prepare(
    'UPDATE saved_lookups SET operation = :operation, dataset = :dataset, fields = :fields WHERE id = :id',
  );
  const rename = sql.prepare('UPDATE saved_lookups SET name = :name, folder = :folder WHERE id = :id');
  const setRemoved = sql.prepare('UPDATE saved_lookups SET removed_at = :at WHERE id = :id');
  const forget = sql.prepare('DELETE FROM saved_lookups WHERE removed_at < ?');
  const insertAsked = sql.prepare(
    `INSERT OR REPLACE INTO asked_operations (call_id, answer_id, dataset, fields)
     VALUES (:callId, :answerId, :dataset, :fields)`,
  );
  const findAsked = sql.prepare(
    'SELECT call_id AS callId, answer_id AS answerId, dataset, fields FROM asked_operations WHERE call_id = ?',
  );
  const sequenceOf = sql.prepare('SELECT sequence FROM calls WHERE id = ?');
  const all = sql.prepare(historySql.all);
  const search = sql.prepare(historySql.search);

  const readAsked = (row: Row, callId: string): CalledOperation | null =>
    row.fields === null || row.fields === undefined
      ? null
      : { callId, answerId: String(row.answerId), dataset: row.dataset === 1, fields: readFields(row.fields) };

  return {
    listSaved: (): SavedLookup[] => saved.all().map(readSaved),
    findSaved(id: string): SavedLookup | undefined {
      const row = findSaved.get(id);
      return row && readSaved(row);
    },
    /** Whether another one has this name in this folder. */
    isTaken: (name: string, folder: string, id: string): boolean => sameName.get({ name, folder, id }) !== undefined,
    insertSaved({ fields, dataset, ...lookup }: SavedLookup): void {
      insertSaved.run({ ...lookup, dataset: dataset ? 1 : 0, fields: JSON.stringify(fields) });
    },
    findSavedByName(name: string, folder: string): SavedLookup | undefined {
      const row = sameName.get({ name, folder, id: '' });
      const found = row && findSaved.get(String(row.id));
      return found && readSaved(found);
    },
    /** What it asks, under the same name. */
    replaceSaved(
      id: string,
      { operation, dataset, fields }: Pick<SavedLookup, 'operation' | 'dataset' | 'fields'>,
    ): void {
      replaceSaved.run({ id, operation, dataset: dataset ? 1 : 0, fields: JSON.stringify(fields) });
    },
    rename: (id: string, name: string, folder: string): boolean => rename.run({ id, name, folder }).changes > 0,
    remove: (id: string, at: string): boolean => setRemoved.run({ id, at }).changes > 0,
    restore: (id: string): boolean => setRemoved.run({ id, at: null }).changes > 0,
    /** Those removed before a time go for good. */
    forgetRemoved: (before: string): void => void forget.run(before),
    insertAsked({ callId, answerId, dataset, fields }: CalledOperation): void {
      insertAsked.run({ callId, answerId, dataset: dataset ? 1 : 0, fields: JSON.stringify(fields) });
    },
    findAsked(callId: string): CalledOperation | null {
      const row = findAsked.get(callId);
      return row ? readAsked(row, callId) : null;
    },
    /** Newest first. */
    history({ before, search: typed, limit, ...which }: HistoryQuery): HistoryEntry[] {
      const last = before === null ? undefined : sequenceOf.get(before);
      if (before !== null && !last) return [];
      const page = { ...which, limit, before: last ? Number(last.sequence) : Number.MAX_SAFE_INTEGER };
      const words = readWords(typed)?.match;
      if (words === undefined && typed.trim() !== '') return [];
      const own = (name: string) => `"${name.replaceAll('"', '')}"`;
      const names = `(${[...new Set([which.operation, which.twin])].map(own).join(' OR ')})`;
      const rows = words === undefined ? all.all(page) : search.all({ ...page, words: `${words} AND ${names}` });
      return rows.map((row) => {
        const call = readCall(row);
        return { call, asked: readAsked(row, call.id) };
      });
    },
  };
}
