import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type CallRecord, callRecordSchema } from '../../../shared/domain/activity.ts';
import { isTime, noTime, readRow } from './database/read-row.ts';

/** What is known of a call when it ends. */
export type CallEnd = Pick<CallRecord, 'outcome' | 'errorCode' | 'observedCredits' | 'durationMs'>;

/** The columns of a call as a record; `c` names its row. */
export const callColumns = `c.id, c.at, c.connection_id AS connectionId, c.connection_name AS connectionName, c.interface, c.operation,
  c.subject, c.paid_by AS paidBy, c.outcome, c.error_code AS errorCode, c.expected_credits AS expectedCredits,
  c.observed_credits AS observedCredits, c.duration_ms AS durationMs, c.person, c.source`;

/** `SearchPremise_ByPostcode` is also found by its parts, and a postcode without its space. */
export function wordsOf(call: Omit<CallRecord, 'id' | 'at'>): string {
  const parts = call.operation.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const joined = call.subject.length <= 10 ? call.subject.replaceAll(/\s/g, '') : '';
  return [
    call.subject,
    joined,
    call.operation,
    parts,
    call.connectionName,
    call.paidBy,
    call.interface,
    call.outcome,
    call.errorCode ?? '',
    call.person,
  ].join(' ');
}

const storedCall = callRecordSchema.extend({ at: z.string().refine(isTime) });

/** A call whose outcome cannot be read counts as unknown. */
export const readCall = (row: Record<string, unknown>): CallRecord =>
  readRow(storedCall, row, { at: noTime, interface: 'rest', outcome: 'unknown', source: '' }, (call, cells) => ({
    ...call,
    subject: `Damaged on the disk: ${cells}. ${call.subject}`,
  }));

/** Rows of the activity log. Throws where SQLite does. */
export function openCallsRepository(sql: DatabaseSync) {
  const insert = sql.prepare(
    `INSERT INTO calls (id, at, connection_id, connection_name, interface, operation, subject, paid_by, outcome, error_code,
       expected_credits, observed_credits, duration_ms, person, source)
     VALUES (:id, :at, :connectionId, :connectionName, :interface, :operation, :subject, :paidBy, :outcome, :errorCode,
       :expectedCredits, :observedCredits, :durationMs, :person, :source)`,
  );
  const addWords = sql.prepare('INSERT INTO call_words (rowid, words) VALUES (?, ?)');
  const removeWords = sql.prepare('DELETE FROM call_words WHERE rowid = ?');
  const find = sql.prepare(`SELECT c.sequence, ${callColumns} FROM calls c WHERE c.id = ?`);
  const finish = sql.prepare(
    `UPDATE calls SET outcome = :outcome, error_code = :errorCode, observed_credits = :observedCredits,
       duration_ms = :durationMs WHERE id = :id`,
  );
  const count = sql.prepare('SELECT count(*) AS calls FROM calls');

  return {
    insert(call: CallRecord): void {
      const { lastInsertRowid } = insert.run(call);
      addWords.run(lastInsertRowid, wordsOf(call));
    },
    /** False: no such call. */
    finish(id: string, end: CallEnd): boolean {
      const row = find.get(id);
      if (!row) return false;
      const sequence = Number(row.sequence);
      finish.run({ id, ...end });
      removeWords.run(sequence);
      addWords.run(sequence, wordsOf({ ...readCall(row), ...end }));
      return true;
    },
    find(id: string): CallRecord | undefined {
      const row = find.get(id);
      return row && readCall(row);
    },
    count: (): number => Number(count.get()?.calls),
  };
}
