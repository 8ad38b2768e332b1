import type { DatabaseSync } from 'node:sqlite';
import type { BalanceSource } from '../../../shared/domain/credits/credits.ts';
import type { BalanceStream, SpendGrouping } from '../../../shared/domain/credits/credits-history.ts';
import { keepDaysInZone } from './database/day-zone.ts';
import { isCallOfSegment } from './database/migrations/0028-spend-days-of-balances.ts';
import {
  balanceParameters,
  balancesThatOverlap,
  daysOfBalance,
  entriesOfBalance,
  movementColumns,
  type OneBalance,
  readMovements,
} from './one-balance.ts';
import { distinctSql } from './search/conditions.ts';
import { readingsOfServers, type Servers, serverParameters } from './servers.ts';

/**
 * One day of one series. `day`: YYYY-MM-DD in the computer's zone; `credits`: negative if `kind` is "added" (the balance rose); `unpriced`:
 * calls that are in no sum.
 */
export interface DaySum {
  day: string;
  kind: 'spend' | 'unexplained' | 'added';
  series: string;
  credits: number;
  unpriced: number;
}

/** One point for a stretch of readings: the first time in it, the last time and its figure. */
export interface Sample {
  firstAt: string;
  at: string;
  credits: number;
}

/** What the calls that a key paid for cost, at most their published prices. */
export interface Spent {
  paidBy: string;
  credits: number;
  calls: number;
  unpriced: number;
}

/** What a balance did between two readings of it (ISO 8601 UTC) that no price of this console's calls explains. */
export interface Movement {
  since: string;
  at: string;
  /** Credits by which it rose. */
  added: number;
  /** Credits of its fall that no price explains; `beside`: calls of this console may have drawn on it meanwhile. */
  fell: number;
  beside: boolean;
  /** Across the expiry date: it may be what expired. */
  expired: boolean;
  madeUp: boolean;
}

/** What the daily totals are grouped by; who asked is recorded with each call alone. */
export type DayGrouping = Exclude<SpendGrouping, 'person'>;

const columnOf: Readonly<Record<DayGrouping, string>> = {
  key: 'paid_by',
  operation: 'operation',
  source: "CASE interface WHEN 'rest' THEN 'REST' WHEN 'soap' THEN 'SOAP' ELSE 'none' END",
};

/**
 * In a condition on the ledger: calls for which a charge may still come, or whose cost no reading has shown. Written like the condition of
 * the index `ledger_undecided`: SQLite uses a partial index only if the two are the same.
 */
export const isUndecided = "verdict IN ('open', 'shared', 'between', 'rose', 'unclear')";

export const undecidedSql = `SELECT coalesce(sum(expected), 0) AS credits FROM ledger WHERE connection_id = :connectionId
  AND ${isUndecided} AND interface IN ('rest', 'soap') AND at > :from AND at <= :to AND ${entriesOfBalance}`;

/** Goes from one connection to the next in an index that begins with it, instead of through all of it. */
const ofAnyConnection = `connection_id IN (${distinctSql('spend_days', 'connection_id')})`;

const costNothing = ['held-free', 'not-charged', 'nothing-left', 'no-fall', 'unexplained'];
/** Entries of the ledger that may have cost something. */
const maySpend = `verdict NOT IN (${costNothing.map((verdict) => `'${verdict}'`).join(', ')})`;
/** What one of them cost: what was observed, at most the published price; that price if nothing was observed. */
const spentOfEntry = `CASE WHEN observed IS NULL THEN coalesce(expected, 0)
  WHEN expected IS NULL OR observed <= expected THEN observed ELSE expected END`;

/** Sums and samples of a connection's history, made by SQLite from its daily rows. Throws where SQLite does. */
export function openCreditHistoryRepository(sql: DatabaseSync) {
  const spendBy = (grouping: DayGrouping) =>
    sql.prepare(
      `SELECT day, kind, CASE kind WHEN 'spend' THEN ${columnOf[grouping]} ELSE '' END AS series,
         sum(credits) AS credits, sum(unpriced) AS unpriced
       FROM spend_days WHERE connection_id = :connectionId AND day >= :from AND day <= :to
       GROUP BY 1, 2, 3 HAVING sum(calls) > 0 ORDER BY 1`,
    );
  const spend = { key: spendBy('key'), operation: spendBy('operation'), source: spendBy('source') };
  const streams = sql.prepare(
    `SELECT DISTINCT source, label, key_last_four AS keyLastFour FROM reading_days
     WHERE connection_id = :connectionId AND day >= :from AND day <= :to AND ${readingsOfServers} ORDER BY source, label, key_last_four`,
  );
  const elsewhere = sql.prepare(
    `SELECT 1 FROM reading_days WHERE connection_id = :connectionId AND day >= :from AND day <= :to AND NOT ${readingsOfServers} LIMIT 1`,
  );
  const ofStream = `connection_id = :connectionId AND source = :source AND label = :label AND key_last_four = :keyLastFour`;
  const days = sql.prepare(
    `SELECT first_at AS firstAt, last_at AS at, last_credits AS credits FROM reading_days
     WHERE ${ofStream} AND day >= :from AND day <= :to AND ${readingsOfServers} ORDER BY last_at`,
  );
  const buckets = sql.prepare(
    `SELECT bucket.first_at AS firstAt, sample.at, sample.credits FROM (
       SELECT min(at) AS first_at, max(sequence) AS sequence FROM balance_readings
       WHERE ${ofStream} AND at >= :from AND at <= :to AND credits IS NOT NULL AND ${readingsOfServers}
       GROUP BY CAST((unixepoch(at) - unixepoch(:from)) / :seconds AS INTEGER)
     ) bucket JOIN balance_readings sample USING (sequence) ORDER BY sample.at`,
  );
  const first = sql.prepare(
    `SELECT min(at) AS at FROM (SELECT (SELECT at FROM ledger WHERE connection_id = :connectionId ORDER BY at LIMIT 1) AS at
       UNION ALL SELECT (SELECT at FROM balance_readings WHERE connection_id = :connectionId ORDER BY at LIMIT 1))`,
  );
  const firstRead = sql.prepare(
    `SELECT min(first_at) AS at FROM reading_days WHERE connection_id = :connectionId AND source = :source AND ${readingsOfServers}`,
  );
  const quiet = sql.prepare(
    `SELECT coalesce(sum(quiet), 0) AS windows, coalesce(sum(still), 0) AS still, coalesce(sum(quiet_seconds), 0) AS seconds
     FROM reading_days WHERE connection_id = :connectionId AND source = :source AND origin IN ('', :origin) AND day >= :from AND day <= :to`,
  );
  const ofPeople = sql.prepare(
    `SELECT coalesce((SELECT person FROM calls WHERE calls.id = ledger.call_id), '') AS series,
       sum(${spentOfEntry}) AS credits,
       sum(observed IS NULL AND expected IS NULL) AS unpriced
     FROM ledger WHERE connection_id = :connectionId AND at >= :from AND at <= :to
       AND ${maySpend} GROUP BY 1`,
  );
  // A window's edges cut days in two; whole days come from the daily table, the two partial ones from the entries themselves.
  const ofEntries = sql.prepare(
    `SELECT paid_by AS paidBy, sum(${spentOfEntry}) AS credits, count(*) AS calls, sum(observed IS NULL AND expected IS NULL) AS unpriced
     FROM ledger WHERE ${ofAnyConnection} AND at > :from AND at <= :to
       AND ${maySpend} AND ${entriesOfBalance} GROUP BY 1`,
  );
  const ofDays = sql.prepare(
    `SELECT paid_by AS paidBy, sum(credits) AS credits, sum(calls) AS calls, sum(unpriced) AS unpriced
     FROM spend_days WHERE ${ofAnyConnection} AND day > :from AND day < :to AND kind = 'spend' AND ${daysOfBalance} GROUP BY 1
     HAVING sum(calls) > 0`,
  );
  const moved = sql.prepare(
    `SELECT ${movementColumns} FROM ledger WHERE connection_id = :connectionId AND at >= :from AND at <= :to
       AND verdict = 'unexplained' AND observed != 0 AND fingerprint != ''`,
  );
  const undecided = sql.prepare(undecidedSql);
  const perDay = sql.prepare(
    `SELECT day, sum(credits) AS spent, sum(unpriced) AS unpriced
     FROM spend_days WHERE ${ofAnyConnection} AND day >= :from AND day <= :to AND kind = 'spend' AND ${daysOfBalance} GROUP BY 1`,
  );
  // What names no balance was entered for the key that was read.
  const unnamed = `connection_id = :connectionId AND verdict = 'unexplained' AND segment IS NULL AND observed != 0
    AND interface = :interface AND paid_by = :label`;
  // Prices of calls that are cleared explain nothing of a fall; of one call without a price, what it cost does.
  const beyondCalls = `SELECT iif(count(*) FILTER (WHERE verdict != 'no-fall') = 0, stretch.credits,
    max(0, stretch.credits - coalesce(prices, iif(calls = 1, max(observed), NULL), stretch.credits))) FROM ledger call WHERE ${isCallOfSegment}`;
  const movements = sql.prepare(
    `SELECT from_at AS since, to_at AS at, iif(kind = 'rose', stretch.credits, added) AS added,
       CASE WHEN kind = 'rose' THEN 0 WHEN calls = 0 THEN stretch.credits ELSE (${beyondCalls}) END AS fell,
       calls > 0 AS beside, expiry IS NOT NULL AS expired, 0 AS madeUp
     FROM segments stretch JOIN balance_readings opening ON opening.sequence = from_reading
       JOIN balance_readings closing ON closing.sequence = to_reading
     WHERE stretch.origin = :origin AND stretch.fingerprint = :fingerprint AND kind IN ('rose', 'fell')
       AND to_reading > :first AND to_reading <= :last AND from_reading >= :first
     UNION ALL
     SELECT coalesce(since, at), at, max(0, -observed), max(0, observed), coalesce(explained, 0) > 0, 0, made_up
     FROM ledger WHERE ${unnamed} AND at > :from AND at <= :to ORDER BY 2`,
  );
  const lastRise = sql.prepare(
    `SELECT closing.credits, to_at AS at FROM segments JOIN balance_readings closing ON closing.sequence = to_reading
     WHERE segments.origin = :origin AND segments.fingerprint = :fingerprint AND (kind = 'rose' OR added > 0)
       AND to_at <= :until
     UNION ALL
     SELECT balance_after, at FROM ledger WHERE ${unnamed} AND observed < 0 AND at <= :until ORDER BY 2 DESC LIMIT 1`,
  );
  // By the next clean reading: if the balance stood still up to it, nothing came off it; if it fell, part of that may be of
  // any whose cost is not known.
  const unseen = sql.prepare(
    `SELECT count(*) AS calls FROM ledger WHERE connection_id = :connectionId AND ${maySpend}
       AND interface = :other AND at > :from AND at <= :to AND :origin IN (origin, other_origin)
       AND (interface = 'soap' OR :origin NOT IN (SELECT origin FROM separate_purses)) AND NOT ${entriesOfBalance}
       AND CASE (SELECT kind FROM segments WHERE to_reading = (SELECT sequence FROM balance_readings reading
         WHERE version > 1 AND reading.origin = :origin AND reading.fingerprint = :fingerprint AND cut = 1
         AND answered_sequence > sent_sequence ORDER BY answered_sequence LIMIT 1))
         WHEN 'still' THEN 0 WHEN 'fell' THEN observed IS NULL ELSE ${isUndecided} AND drawn_on = '' AND balance_before IS NULL END`,
  );

  /** For a statement that reads daily totals: another process may have written some in another time zone since the program started. */
  const inZone = <T>(read: () => T): T => {
    keepDaysInZone(sql);
    return read();
  };

  return {
    /** Days from `from` to `to` (YYYY-MM-DD, inclusive), summed by kind and series. */
    spend: (connectionId: string, grouping: DayGrouping, from: string, to: string): DaySum[] =>
      inZone(() => spend[grouping].all({ connectionId, from, to })) as unknown as DaySum[],
    /** `balancesThatOverlap` in what was entered between two times (ISO 8601 UTC, inclusive). */
    balancesThatOverlap: (connectionId: string, from: string, to: string): number =>
      balancesThatOverlap(readMovements(moved.iterate({ connectionId, from, to }))),
    /** What calls cost between two times (ISO 8601 UTC, inclusive), by who asked; empty: not recorded. */
    spendByPerson: (connectionId: string, from: string, to: string) =>
      ofPeople.all({ connectionId, from, to }) as unknown as Pick<DaySum, 'series' | 'credits' | 'unpriced'>[],
    streams: (connectionId: string, from: string, to: string, servers: Servers | null): BalanceStream[] =>
      inZone(() => streams.all({ connectionId, from, to, ...serverParameters(servers) })) as unknown as BalanceStream[],
    /** Whether there are figures from other servers than these. */
    isReadElsewhere: (connectionId: string, from: string, to: string, servers: Servers): boolean =>
      inZone(() => elsewhere.get({ connectionId, from, to, ...servers })) !== undefined,
    /** One sample a day (YYYY-MM-DD, inclusive). */
    daySamples: (connectionId: string, stream: BalanceStream, from: string, to: string, servers: Servers): Sample[] =>
      inZone(() => days.all({ connectionId, ...stream, from, to, ...servers })) as unknown as Sample[],
    /** One sample for each stretch of that many seconds; times ISO 8601 UTC, inclusive. */
    samples: (
      connectionId: string,
      stream: BalanceStream,
      asked: { from: string; to: string; seconds: number },
      servers: Servers,
    ): Sample[] => buckets.all({ connectionId, ...stream, ...asked, ...servers }) as unknown as Sample[],
    /** Time of the first ledger entry or reading; null: there is none. */
    firstAt(connectionId: string): string | null {
      const at = first.get({ connectionId })?.at;
      return at == null ? null : String(at);
    },
    /** Time of the first figure of a source from these servers; null: there is none. */
    firstReadAt(connectionId: string, source: BalanceSource, servers: Servers): string | null {
      const at = inZone(() => firstRead.get({ connectionId, source, ...servers })?.at);
      return at == null ? null : String(at);
    },
    /**
     * Windows between readings of a server with no call of this connection over the balance’s interface begun in them (days inclusive): how
     * many, in how many of them the balance stood still, and how long they were together, in seconds.
     */
    quiet: (connectionId: string, source: string, origin: string, from: string, to: string) =>
      inZone(() => quiet.get({ connectionId, source, origin, from, to })) as {
        windows: number;
        still: number;
        seconds: number;
      },
    /** What calls cost that count against a balance, after `from` and up to `to` (ISO 8601 UTC), by key. */
    spentByEntries: (balance: OneBalance, from: string, to: string): Spent[] =>
      ofEntries.all({ ...balanceParameters(balance), from, to }) as unknown as Spent[],
    /** The same for whole days strictly between two. */
    spentByDays: (balance: OneBalance, from: string, to: string): Spent[] =>
      inZone(() => ofDays.all({ ...balanceParameters(balance), from, to })) as unknown as Spent[],
    /** The same on each day (YYYY-MM-DD, inclusive). */
    perDay: (balance: OneBalance, from: string, to: string) =>
      inZone(() => perDay.all({ ...balanceParameters(balance), from, to })) as unknown as {
        day: string;
        spent: number;
        unpriced: number;
      }[],
    /** Published prices, in credits, of the calls after `from` and up to `to` whose cost no reading has shown. */
    undecided: (balance: OneBalance, from: string, to: string): number =>
      Number(undecided.get({ ...balanceParameters(balance), from, to })?.credits),
    /** What the balance did from one of its readings (`first`, by sequence) to another, and by the time what names no balance. */
    movements: (
      { connectionId, interface: protocol, label, origin, fingerprint }: OneBalance,
      range: { first: number; last: number; from: string; to: string },
    ): Movement[] =>
      movements.all({ connectionId, interface: protocol, label, origin, fingerprint, ...range }).map((row) => ({
        since: String(row.since),
        at: String(row.at),
        added: Number(row.added),
        fell: Number(row.fell),
        beside: row.beside === 1,
        expired: row.expired === 1,
        madeUp: row.madeUp === 1,
      })),
    /** The figure that closed the balance's last rise up to a time (ISO 8601 UTC); null: none was seen. */
    figureAfterRise(
      { connectionId, interface: protocol, label, origin, fingerprint }: OneBalance,
      until: string,
    ): number | null {
      const row = lastRise.get({ connectionId, interface: protocol, label, origin, fingerprint, until });
      return row?.credits == null ? null : Number(row.credits);
    },
    /**
     * Calls over the other interface that do not count against the balance and may have drawn on it: it fell beside them, or no balance shows
     * them and this one did not stand still.
     */
    mayHaveDrawn: (balance: OneBalance, from: string, to: string): number =>
      Number(
        unseen.get({
          ...balanceParameters(balance),
          other: balance.interface === 'rest' ? 'soap' : 'rest',
          origin: balance.origin,
          fingerprint: balance.fingerprint,
          from,
          to,
        })?.calls,
      ),
  };
}
