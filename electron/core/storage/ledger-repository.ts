import type { DatabaseSync } from 'node:sqlite';
import { type LedgerEntry, ledgerEntrySchema } from '../../../shared/domain/credits.ts';

export interface LedgerRow extends LedgerEntry {
  connectionId: string;
  run: string;
  interface: 'rest' | 'soap' | null;
  alone: boolean;
}

/** What becomes known of a spend after its call. */
export type Settlement = Pick<LedgerRow, 'observed' | 'balanceBefore' | 'balanceAfter' | 'alone' | 'verdict'>;

export interface SpendSum {
  credits: number;
  unpriced: number;
  unsettled: number;
}

/** A spend that may have happened counts in full until it is settled: caps must not be passed on a hope. */
const spent = `verdict NOT IN ('held-free', 'not-charged', 'unexplained')`;
const sums = `SELECT coalesce(sum(coalesce(observed, expected, 0)), 0) AS credits,
  count(*) FILTER (WHERE observed IS NULL AND expected IS NULL) AS unpriced,
  count(*) FILTER (WHERE verdict = 'unsettled') AS unsettled
  FROM ledger WHERE connection_id = ? AND ${spent}`;

export const ledgerColumns = `id, at, call_id AS callId, operation, subject, paid_by AS paidBy, expected, observed,
  balance_before AS balanceBefore, balance_after AS balanceAfter, verdict, since, explained, note, made_up AS madeUp`;

export const readEntry = ({ madeUp, ...row }: Record<string, unknown>): LedgerEntry =>
  ledgerEntrySchema.parse({ ...row, madeUp: madeUp === 1 });
const readSum = (row: Record<string, unknown> | undefined): SpendSum => ({
  credits: Number(row?.credits),
  unpriced: Number(row?.unpriced),
  unsettled: Number(row?.unsettled),
});

/** Rows of the ledger. Throws where SQLite does. */
export function openLedgerRepository(sql: DatabaseSync) {
  const insert = sql.prepare(
    `INSERT INTO ledger (id, run, connection_id, at, call_id, interface, operation, subject, paid_by, expected, observed,
       balance_before, balance_after, alone, verdict, since, explained, note, made_up)
     VALUES (:id, :run, :connectionId, :at, :callId, :interface, :operation, :subject, :paidBy, :expected, :observed,
       :balanceBefore, :balanceAfter, :alone, :verdict, :since, :explained, :note, :madeUp)`,
  );
  const settle = sql.prepare(
    `UPDATE ledger SET observed = :observed, balance_before = coalesce(:balanceBefore, balance_before),
       balance_after = :balanceAfter, alone = :alone, verdict = :verdict WHERE id = :id`,
  );
  const find = sql.prepare(`SELECT sequence, ${ledgerColumns} FROM ledger WHERE id = ?`);
  const list = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND sequence < :before
     ORDER BY sequence DESC LIMIT :limit`,
  );
  const unsettled = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = ? AND verdict = 'unsettled' ORDER BY sequence`,
  );
  const between = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND interface = :interface
     AND at >= :from AND at <= :to ORDER BY sequence`,
  );
  const ofCall = sql.prepare(`SELECT connection_id AS connectionId, ${ledgerColumns} FROM ledger WHERE call_id = ?`);
  const since = sql.prepare(`${sums} AND at >= ? AND at <= ?`);
  // Two sums and not one with OR, and a plus that hides a column: each is found by its own index, however long the ledger is.
  const afterReading = sql.prepare(
    `SELECT sum(credits) AS credits, sum(unpriced) AS unpriced, sum(unsettled) AS unsettled FROM (
       ${sums} AND at >= :at AND at <= :until
       UNION ALL ${sums} AND verdict = 'unsettled' AND run = :run AND +at < :at)`.replaceAll(
      'connection_id = ?',
      'connection_id = :connectionId',
    ),
  );
  const ofRun = sql.prepare(`${sums} AND run = ?`);
  const measured = sql.prepare(
    `SELECT observed, at FROM ledger
     WHERE alone = 1 AND connection_id = ? AND operation = ? AND observed >= 0 ORDER BY sequence DESC LIMIT ?`,
  );

  const annotate = sql.prepare(`UPDATE ledger SET note = :note WHERE id = :id AND connection_id = :connectionId`);
  const unexplained = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND verdict = 'unexplained'
     AND at >= :from AND at <= :to ORDER BY at`,
  );
  const measuredOperations = sql.prepare(
    'SELECT DISTINCT operation FROM ledger WHERE alone = 1 AND connection_id = ? AND observed >= 0 ORDER BY operation',
  );
  const any = sql.prepare('SELECT 1 FROM ledger WHERE connection_id = ? LIMIT 1');
  const pages = sql.prepare(
    `SELECT sequence, ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND at >= :from AND at <= :to
     AND (at, sequence) > (:afterAt, :afterSequence) ORDER BY at, sequence LIMIT :limit`,
  );

  return {
    insert: (row: LedgerRow): void => void insert.run({ ...row, alone: row.alone ? 1 : 0, madeUp: row.madeUp ? 1 : 0 }),
    annotate: (connectionId: string, id: string, note: string): boolean =>
      annotate.run({ connectionId, id, note }).changes > 0,
    /** Movements that no call explains, oldest first. */
    unexplained: (connectionId: string, from: string, to: string): LedgerEntry[] =>
      unexplained.all({ connectionId, from, to }).map(readEntry),
    measuredOperations: (connectionId: string): string[] =>
      measuredOperations.all(connectionId).map(({ operation }) => String(operation)),
    isEmpty: (connectionId: string): boolean => any.get(connectionId) === undefined,
    /** Pages of a range in the order of time, each after the last row of the one before. */
    *pages(connectionId: string, from: string, to: string, limit: number): Generator<LedgerEntry[]> {
      let after = { afterAt: '', afterSequence: 0 };
      for (;;) {
        const rows = pages.all({ connectionId, from, to, limit, ...after });
        const last = rows.at(-1);
        if (!last) return;
        yield rows.map(({ sequence: _sequence, ...row }) => readEntry(row));
        after = { afterAt: String(last.at), afterSequence: Number(last.sequence) };
      }
    },
    settle: (id: string, settlement: Settlement): boolean =>
      settle.run({ id, ...settlement, alone: settlement.alone ? 1 : 0 }).changes > 0,
    find(id: string): LedgerEntry | undefined {
      const row = find.get(id);
      return row && readEntry(row);
    },
    /** Newest first; before: id of the last row shown. */
    list(connectionId: string, before: string | undefined, limit: number): LedgerEntry[] {
      const last = before === undefined ? undefined : find.get(before);
      if (before !== undefined && !last) return [];
      const sequence = last ? Number(last.sequence) : Number.MAX_SAFE_INTEGER;
      return list.all({ connectionId, before: sequence, limit }).map(readEntry);
    },
    /** Oldest first. */
    unsettled: (connectionId: string): LedgerEntry[] => unsettled.all(connectionId).map(readEntry),
    /** Of one interface, oldest first; both times ISO 8601 UTC, inclusive. */
    between: (connectionId: string, face: string, from: string, to: string): LedgerEntry[] =>
      between.all({ connectionId, interface: face, from, to }).map(readEntry),
    ofCall(callId: string): (LedgerEntry & { connectionId: string }) | undefined {
      const row = ofCall.get(callId);
      return row && { ...readEntry(row), connectionId: String(row.connectionId) };
    },
    sumSince: (connectionId: string, at: string, until = '9999'): SpendSum =>
      readSum(since.get(connectionId, at, until)),
    /** What a balance read at `at` cannot show yet: spends since, and calls of this run that were still under way. */
    sumAfterReading: (connectionId: string, at: string, run: string, until = '9999'): SpendSum =>
      readSum(afterReading.get({ connectionId, at, run, until })),
    sumOfRun: (connectionId: string, run: string): SpendSum => readSum(ofRun.get(connectionId, run)),
    /** Prices proved by two readings around a single call, newest first. */
    measured: (connectionId: string, operation: string, limit: number): { credits: number; at: string }[] =>
      measured
        .all(connectionId, operation, limit)
        .map((row) => ({ credits: Number(row.observed), at: String(row.at) })),
  };
}
