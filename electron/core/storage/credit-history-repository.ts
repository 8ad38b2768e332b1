import type { DatabaseSync } from 'node:sqlite';
import type { BalanceSource } from '../../../shared/domain/credits/credits.ts';
import type { BalanceStream, SpendGrouping } from '../../../shared/domain/credits/credits-history.ts';
import { keepDaysInZone } from './database/day-zone.ts';
import { entriesOfServers, readingsOfServers, type Servers, serverParameters } from './servers.ts';

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

/** What the calls that a key paid for cost. `credits`: at most their published prices; `more`: what was observed beyond them. */
export interface Spent {
  paidBy: string;
  credits: number;
  more: number;
  calls: number;
  unpriced: number;
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
  AND ${isUndecided} AND interface = :interface AND at > :from AND at <= :to`;

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
    `SELECT paid_by AS paidBy, sum(${spentOfEntry}) AS credits,
       sum(CASE WHEN observed > expected THEN observed - expected ELSE 0 END) AS more,
       count(*) AS calls, sum(observed IS NULL AND expected IS NULL) AS unpriced
     FROM ledger WHERE connection_id = :connectionId AND interface = :interface AND at > :from AND at <= :to
       AND ${maySpend} AND ${entriesOfServers} GROUP BY 1`,
  );
  const ofDays = sql.prepare(
    `SELECT paid_by AS paidBy, sum(CASE kind WHEN 'spend' THEN credits ELSE 0 END) AS credits,
       sum(CASE WHEN kind = 'unexplained' AND operation != :movement THEN credits ELSE 0 END) AS more,
       sum(CASE kind WHEN 'spend' THEN calls ELSE 0 END) AS calls, sum(unpriced) AS unpriced
     FROM spend_days WHERE connection_id = :connectionId AND interface = :interface AND day > :from AND day < :to
       AND (kind = 'spend' OR operation != :movement) GROUP BY 1`,
  );
  const undecided = sql.prepare(undecidedSql);
  const perDay = sql.prepare(
    `SELECT day, sum(CASE kind WHEN 'spend' THEN credits ELSE 0 END) AS spent,
       sum(CASE WHEN kind = 'unexplained' AND operation != :movement THEN credits ELSE 0 END) AS more, sum(unpriced) AS unpriced
     FROM spend_days WHERE connection_id = :connectionId AND interface = :interface AND day >= :from AND day <= :to
       AND (:paidBy IS NULL OR paid_by = :paidBy) GROUP BY 1`,
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
     * Between two readings of a server without a call of this program (days inclusive): how many such windows, in how many of them the
     * balance stood still, and how long they were together, in seconds.
     */
    quiet: (connectionId: string, source: string, origin: string, from: string, to: string) =>
      inZone(() => quiet.get({ connectionId, source, origin, from, to })) as {
        windows: number;
        still: number;
        seconds: number;
      },
    /**
     * What calls cost after `from` and up to `to` (ISO 8601 UTC), by key. `credits`: what was observed, at most the published
     * price, and that price if nothing was; `more`: what was observed beyond it.
     */
    spentByEntries: (
      connectionId: string,
      protocol: string,
      from: string,
      to: string,
      servers: Servers | null,
    ): Spent[] =>
      ofEntries.all({
        connectionId,
        interface: protocol,
        from,
        to,
        ...serverParameters(servers),
      }) as unknown as Spent[],
    /** The same for whole days strictly between two; `movement`: the operation by which rows without a call are named. */
    spentByDays: (connectionId: string, protocol: string, from: string, to: string, movement: string): Spent[] =>
      inZone(() => ofDays.all({ connectionId, interface: protocol, from, to, movement })) as unknown as Spent[],
    /** What calls cost on each day (YYYY-MM-DD, inclusive), what fell besides, and calls of unknown cost. `paidBy`: of one key; null: of all. */
    perDay: (
      connectionId: string,
      protocol: string,
      asked: { from: string; to: string; movement: string; paidBy: string | null },
    ) =>
      inZone(() => perDay.all({ connectionId, interface: protocol, ...asked })) as unknown as {
        day: string;
        spent: number;
        more: number;
        unpriced: number;
      }[],
    /** Published prices, in credits, of the calls after `from` and up to `to` whose cost no reading has shown. */
    undecided: (connectionId: string, protocol: string, from: string, to: string): number =>
      Number(undecided.get({ connectionId, interface: protocol, from, to })?.credits),
  };
}
