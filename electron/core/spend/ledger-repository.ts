import type { DatabaseSync } from 'node:sqlite';
import type { Protocol } from '../../../shared/domain/connection.ts';
import type { LedgerEntry } from '../../../shared/domain/credits/credits.ts';
import { isUndecided } from '../storage/credit-history-repository.ts';
import { balancesOf } from '../storage/database/migrations/0028-spend-days-of-balances.ts';
import type { Condition } from '../storage/search/conditions.ts';
import { entriesOfServers, type Servers } from '../storage/servers.ts';
import { type Ending, horizonOf, type Moment } from './facts.ts';
import { ledgerColumns, openLedgerEntries, type Row, text } from './ledger-entries.ts';

/** A call as it is entered before it is sent. */
export interface NewCall {
  id: string;
  connectionId: string;
  run: string;
  at: string;
  callId: string | null;
  interface: Protocol;
  operation: string;
  subject: string;
  paidBy: string;
  /** Published price, in credits; null: none. */
  expected: number | null;
  /** Credits that the caps and the limit of its batch count: the published price, or the figure a person set; 0: neither. */
  admitted: number;
  fingerprint: string;
  origins: readonly string[];
  sent: Moment;
  /** How long after its end a charge is awaited if it brings no complete answer, in milliseconds (`horizonOf`). */
  horizonMs: number;
  /** The question of a batch that it asks. */
  batch?: { id: string; ask: number } | undefined;
}

/**
 * What calls that may have left count for, in credits; `unpriced`: those without a published price, whether or not a person set a figure.
 */
export interface SpendSum {
  credits: number;
  calls: number;
  unpriced: number;
  /** Calls for which a charge may still come, or whose cost no reading has shown. */
  open: number;
}

const sums = `SELECT coalesce(sum(counted), 0) AS credits, count(*) AS calls,
  count(*) FILTER (WHERE expected IS NULL) AS unpriced,
  count(*) FILTER (WHERE ${isUndecided}) AS open
  FROM ledger WHERE version > 1 AND sent_sequence IS NOT NULL AND ending IS NOT 'unsent'`;

export type LedgerRepository = ReturnType<typeof openLedgerRepository>;

/** Rows of the ledger: calls as facts, and movements of a balance as they were computed. Throws where SQLite does. */
export function openLedgerRepository(sql: DatabaseSync) {
  const { readEntry, readEntries } = openLedgerEntries(sql);
  const insertCall = sql.prepare(
    `INSERT INTO ledger (id, run, connection_id, at, call_id, interface, operation, subject, paid_by, expected, alone, verdict,
       version, fingerprint, origin, other_origin, admitted, counted, sent_sequence, sent_boot, sent_elapsed, horizon_ms, batch, batch_ask)
     VALUES (:id, :run, :connectionId, :at, :callId, :interface, :operation, :subject, :paidBy, :expected, 0, 'open',
       2, :fingerprint, :origin, :otherOrigin, :admitted, :admitted, :sequence, :boot, :elapsed, :horizonMs, :batch, :batchAsk)`,
  );
  // An earlier version wrote the horizon with the end.
  const endCall = sql.prepare(
    `UPDATE ledger SET ending = :how, ending_code = :code, ended_sequence = :sequence, ended_at = :at, ended_boot = :boot,
       ended_elapsed = :elapsed, horizon_ms = coalesce(horizon_ms, ${horizonOf(0)}) WHERE id = :id AND ending IS NULL`,
  );
  const neverLeft = sql.prepare(
    `UPDATE ledger SET ending = 'unsent', verdict = 'nothing-left', counted = 0 WHERE id = ? AND ending IS NULL`,
  );
  // By the index of open calls, which SQLite does not choose by itself: it went through all calls ever made, at each call.
  const openRuns = sql.prepare(
    `SELECT DISTINCT run FROM ledger INDEXED BY ledger_open WHERE sent_sequence IS NOT NULL AND ending IS NULL AND segment IS NULL
       AND (ending IS NULL OR ending IN ('lost', 'dead'))`,
  );
  const openOfRun = sql.prepare(
    `SELECT id FROM ledger INDEXED BY ledger_open WHERE sent_sequence IS NOT NULL AND ending IS NULL AND segment IS NULL
       AND (ending IS NULL OR ending IN ('lost', 'dead')) AND run = ?`,
  );
  const insertRow = sql.prepare(
    `INSERT INTO ledger (id, run, connection_id, at, interface, operation, subject, paid_by, expected, observed, balance_before,
       balance_after, verdict, since, explained, note, made_up, version, segment, origin, fingerprint)
     VALUES (:id, :run, :connectionId, :at, :interface, :operation, :subject, :paidBy, :expected, :observed, :balanceBefore,
       :balanceAfter, :verdict, :since, :explained, :note, :madeUp, 2, :segment, :origin, :fingerprint)
     ON CONFLICT (id) DO UPDATE SET observed = :observed, balance_before = :balanceBefore, balance_after = :balanceAfter,
       since = :since, explained = :explained, segment = :segment`,
  );
  const finishCall = sql.prepare(
    `UPDATE ledger SET verdict = :verdict, observed = :observed, balance_before = :balanceBefore, balance_after = :balanceAfter,
       segment = :segment, drawn_on = :drawnOn, counted = CASE :verdict WHEN 'no-fall' THEN 0 ELSE admitted END, alone = :alone WHERE id = :id`,
  );
  const drawOn = sql.prepare(
    `UPDATE ledger SET drawn_on = ${balancesOf('ledger')} || :balance
     WHERE id IN (SELECT value FROM json_each(:ids))`,
  );
  const find = sql.prepare(`SELECT ${ledgerColumns} FROM ledger WHERE id = ?`);
  const ofCall = sql.prepare(`SELECT ${ledgerColumns} FROM ledger WHERE call_id = ?`);
  const annotate = sql.prepare(`UPDATE ledger SET note = :note WHERE id = :id AND connection_id = :connectionId`);
  const any = sql.prepare('SELECT 1 FROM ledger WHERE connection_id = ? LIMIT 1');
  const withdraw = sql.prepare(
    `UPDATE ledger SET segment = NULL, observed = 0, explained = 0 WHERE verdict = 'unexplained' AND version > 1 AND made_up = 0`,
  );
  const removeWithdrawn = sql.prepare(
    `DELETE FROM ledger WHERE verdict = 'unexplained' AND version > 1 AND made_up = 0 AND segment IS NULL AND note = ''
     AND id NOT IN (SELECT about FROM said)`,
  );
  const pages = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND at >= :from AND at <= :to
     AND coalesce(sent_sequence, (SELECT answered_sequence FROM balance_readings WHERE sequence = segment), 0) <= :asOf
     AND (at, sequence) > (:afterAt, :afterSequence) ORDER BY at, sequence LIMIT :limit`,
  );
  const between = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE connection_id = :connectionId AND interface = :interface
     AND at >= :from AND at <= :to ORDER BY sequence LIMIT :limit`,
  );
  const newestCall = sql.prepare(
    'SELECT id FROM ledger WHERE sent_sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1',
  );
  const ofBatch = sql.prepare('SELECT credits FROM batch_spend WHERE batch = ?');
  const spansOfBatch = sql.prepare(
    `SELECT origin, fingerprint, min(sent_sequence) AS first, CASE WHEN count(ended_sequence) = count(*) THEN max(ended_sequence) END AS last
     FROM ledger WHERE batch = ? AND ending IS NOT 'unsent' AND sent_sequence IS NOT NULL GROUP BY 1, 2`,
  );
  const ofAsk = sql.prepare(
    `SELECT call_id AS callId, ending FROM ledger WHERE batch = :batch AND batch_ask = :ask AND ending IS NOT 'unsent'
     ORDER BY sequence DESC LIMIT 1`,
  );
  // As many as a file can have lost in a power cut, and far more: what is written to it reaches the disk every thousand pages.
  const callsOfBatch = sql.prepare(
    `SELECT batch_ask AS ask, call_id AS callId, at, ending FROM ledger WHERE batch = ? ORDER BY sequence DESC LIMIT 10000`,
  );
  // A call of the batch that cost more than its price, alone or among the others of its stretch; or, if the batch has sent calls that are
  // free by published prices and so in no ledger, whatever no call explains of a balance they might draw on.
  const beyondBatch = sql.prepare(
    `SELECT ${ledgerColumns} FROM ledger WHERE segment > :after AND ((batch = :batch AND observed > expected)
       OR (verdict = 'unexplained' AND observed > 0
         AND (origin IN (:free, :otherFree) OR segment IN (SELECT segment FROM ledger WHERE batch = :batch))))
     ORDER BY segment LIMIT 1`,
  );
  const sumOfDay = sql.prepare(`${sums} AND connection_id = :connectionId AND at >= :from AND at <= :to`);
  const falls = sql.prepare(
    `SELECT observed, at FROM ledger WHERE alone = 1 AND version > 1 AND connection_id = :connectionId AND operation = :operation
     AND observed > 0 AND ${entriesOfServers}
     ORDER BY sequence DESC LIMIT :limit`,
  );
  const learned = sql.prepare(
    `SELECT DISTINCT operation FROM ledger WHERE alone = 1 AND version > 1 AND connection_id = ? AND observed > 0
     ORDER BY operation`,
  );
  // Of one balance, the stretches of two keys in which nothing but this moved it begin or end at the same figure. A call may lie in one of
  // them alone, and credits that were added.
  const seenElsewhere = sql.prepare(
    `SELECT 1 FROM ledger INDEXED BY ledger_by_segment WHERE verdict = 'unexplained' AND version > 1 AND origin = :origin AND fingerprint != :fingerprint
     AND observed IS :observed AND (balance_after = :balanceAfter
       OR (observed IS NOT NULL AND (balance_before = :balanceBefore OR explained > 0 OR :explained > 0)))
     AND segment > :from AND since <= :at LIMIT 1`,
  );
  const readSum = (row: Row | undefined): SpendSum => ({
    credits: Number(row?.credits),
    calls: Number(row?.calls),
    unpriced: Number(row?.unpriced),
    open: Number(row?.open),
  });

  return {
    insertCall({ sent, origins, batch, ...call }: NewCall): void {
      const [origin = '', otherOrigin = ''] = origins;
      insertCall.run({
        ...call,
        origin,
        otherOrigin,
        sequence: sent.sequence,
        boot: sent.boot,
        elapsed: sent.elapsedMs,
        batch: batch?.id ?? null,
        batchAsk: batch?.ask ?? null,
      });
    },
    /** Once: a known end is not changed. False: it was known already. */
    endCall: (id: string, how: Ending, code: string | null, ended: Moment): boolean =>
      endCall.run({
        id,
        how,
        code,
        sequence: ended.sequence,
        at: ended.at,
        boot: ended.boot,
        elapsed: ended.elapsedMs,
      }).changes > 0,
    neverLeft: (id: string): void => void neverLeft.run(id),
    runsWithoutEnd: (): string[] => openRuns.all().map(({ run }) => String(run)),
    withoutEnd: (run: string): string[] => openOfRun.all(run).map(({ id }) => String(id)),
    /** A movement that no call explains, or a row of the demo's made-up year. Repeated with the same id it updates the figures. */
    insertRow: (row: {
      id: string;
      run: string;
      connectionId: string;
      at: string;
      interface: Protocol;
      operation: string;
      subject: string;
      paidBy: string;
      expected: number | null;
      /** null: of what kind the movement is does not follow. */
      observed: number | null;
      balanceBefore: number | null;
      balanceAfter: number | null;
      verdict: string;
      since: string | null;
      explained: number | null;
      note: string;
      madeUp: boolean;
      segment: number | null;
      origin: string;
      fingerprint: string;
    }): void => void insertRow.run({ ...row, madeUp: row.madeUp ? 1 : 0 }),
    /** Writes what a closed segment says of a call into the cache of its row. */
    finishCall: (row: {
      id: string;
      verdict: string;
      observed: number | null;
      balanceBefore: number | null;
      balanceAfter: number | null;
      segment: number;
      /** Names of its own balance and of those whose falls show it (`nameOfBalance`); empty: its own alone. */
      drawnOn: string;
      alone: boolean;
    }): void => void finishCall.run({ ...row, alone: row.alone ? 1 : 0 }),
    /** The fall of another balance shows calls that one has judged: they count against both, which may be one. */
    drawOn: (ids: readonly string[], balance: string): void => void drawOn.run({ ids: JSON.stringify(ids), balance }),
    /** The same movement was seen with another key of the origin, in an overlapping stretch: they may share a balance. */
    isSeenElsewhere: (row: {
      origin: string;
      fingerprint: string;
      observed: number | null;
      balanceBefore: number;
      balanceAfter: number;
      /** Credits of the same fall that the prices of calls account for. */
      explained: number;
      /** Sequence of the reading that opens the stretch, and when the one that closes it was answered. */
      from: number;
      at: string;
    }): boolean => seenElsewhere.get(row) !== undefined,
    annotate: (connectionId: string, id: string, note: string): boolean =>
      annotate.run({ connectionId, id, note }).changes > 0,
    /** Falls that each belonged to one call alone, which went to one of these servers, newest first. */
    fallsOf: (
      connectionId: string,
      operation: string,
      limit: number,
      servers: Servers,
    ): { credits: number; at: string }[] =>
      falls
        .all({ connectionId, operation, limit, ...servers })
        .map((row) => ({ credits: Number(row.observed), at: String(row.at) })),
    /** Operations with such a fall, by name. */
    operationsThatFell: (connectionId: string): string[] =>
      learned.all(connectionId).map(({ operation }) => String(operation)),
    isEmpty: (connectionId: string): boolean => any.get(connectionId) === undefined,
    /** Before everything is computed anew: what no call explains is withdrawn until it is found again. */
    withdrawMovements: (): void => void withdraw.run(),
    /** Movements that were not found again, except those that a person explained or that left the program. */
    removeWithdrawn: (): void => void removeWithdrawn.run(),
    /**
     * Pages of a range in order of time, each after the last row of the one before, by the facts up to `asOf`: what is sent or computed
     * while the pages are read is in none of them. `limit`: rows of a page before `passing`, which may leave none of them.
     */
    *pages(
      range: { connectionId: string; from: string; to: string },
      limit: number,
      asOf: number,
      passing?: Condition,
    ): Generator<LedgerEntry[]> {
      let after = { afterAt: '', afterSequence: 0 };
      const passes = passing && sql.prepare(`SELECT 1 FROM ledger WHERE sequence = :sequence AND (${passing.sql})`);
      for (;;) {
        const rows = pages.all({ ...range, limit, asOf, ...after });
        const end = rows.at(-1);
        if (!end) return;
        const left = passes
          ? rows.filter(({ sequence }) => passes.get({ ...passing.params, sequence: Number(sequence) }) !== undefined)
          : rows;
        yield readEntries(left, asOf);
        after = { afterAt: String(end.at), afterSequence: Number(end.sequence) };
      }
    },
    find(id: string): LedgerEntry | undefined {
      const row = find.get(id);
      return row && readEntry(row);
    },
    /** Of one interface, oldest first; both times ISO 8601 UTC, inclusive. */
    between: (connectionId: string, protocol: string, from: string, to: string, limit: number): LedgerEntry[] =>
      readEntries(between.all({ connectionId, interface: protocol, from, to, limit })),
    ofCall(callId: string): (LedgerEntry & { connectionId: string }) | undefined {
      const row = ofCall.get(callId);
      return row && { ...readEntry(row), connectionId: String(row.connection_id) };
    },
    /** Id of the last call that was entered; null: none was. */
    newestCall: (): string | null => text(newestCall.get()?.id ?? null),
    /** Credits that the calls of a batch count for: each that may have left, at its highest price. */
    countedOfBatch: (batch: string): number => Number(ofBatch.get(batch)?.credits ?? 0),
    /** Each balance that the calls of a batch may draw on, from its first fact to its last; `last` null: one has no end yet. */
    spansOfBatch: (batch: string) =>
      spansOfBatch.all(batch).map(({ origin, fingerprint, first, last }) => ({
        origin: String(origin),
        fingerprint: String(fingerprint),
        first: Number(first),
        last: last === null ? null : Number(last),
      })),
    /** The last call that may have left for a question of a batch; undefined: none did. */
    callOfAsk(batch: string, ask: number): { callId: string | null; ending: string | null } | undefined {
      const row = ofAsk.get({ batch, ask });
      return row && { callId: text(row.callId), ending: text(row.ending) };
    },
    /** Questions of a batch whose last call may have left and was not refused, from its last 10,000 calls; newest first. */
    callsOfBatch(batch: string): { ask: number; callId: string | null; at: string }[] {
      const seen = new Set<number>();
      return callsOfBatch.all(batch).flatMap(({ ask, callId, at, ending }) => {
        if (seen.has(Number(ask))) return [];
        seen.add(Number(ask));
        return ending === 'unsent' || ending === 'refused'
          ? []
          : [{ ask: Number(ask), callId: text(callId), at: String(at) }];
      });
    },
    /** The first fall beyond what the calls of a batch count for, after a segment. `free`: origins of its calls that are in no ledger. */
    beyondBatch(
      batch: string,
      after: number,
      [free, otherFree]: readonly string[],
    ): { segment: number; entry: LedgerEntry } | undefined {
      const row = beyondBatch.get({ batch, after, free: free ?? null, otherFree: otherFree ?? null });
      return row && { segment: Number(row.segment), entry: readEntry(row) };
    },
    sumBetween: (connectionId: string, from: string, to: string): SpendSum =>
      readSum(sumOfDay.get({ connectionId, from, to })),
  };
}
