import type { DatabaseSync } from 'node:sqlite';
import type { LedgerEntry, LedgerSums } from '../../../shared/domain/credits/credits.ts';
import type { FilterChoices, RowFilter } from '../../../shared/domain/row-filter.ts';
import { searchWords } from '../../../shared/domain/text/search-words.ts';
import type { SubjectsOf } from '../storage/call-words.ts';
import { foldFor } from '../storage/database/fold-case.ts';
import { balancesThatOverlap, movementColumns, readMovements } from '../storage/one-balance.ts';
import { endingCondition, groupCondition, groupSql } from '../storage/search/claim-groups.ts';
import { allOf, type Condition, distinctSql, isOneOf, preparedBy } from '../storage/search/conditions.ts';
import { type Stretch, windowsOf } from '../storage/search/windows.ts';
import { ledgerColumns, openLedgerEntries } from './ledger-entries.ts';

interface LedgerPage {
  entries: LedgerEntry[];
  /** Id of the last entry; null: nothing is left. */
  next: string | null;
}

/**
 * Which entries of a connection's ledger a filter lets through. A fall that no call explains passes every filter except day and key:
 * whatever a person looks for, what they cannot account for stays in sight.
 */
export function ledgerCondition(connectionId: string, filter: RowFilter, subjectsOf: SubjectsOf): Condition {
  const { from, to, keys, operations, people, outcomes, claims, search } = filter;
  const words = searchWords(search);
  const asked = allOf([
    isOneOf('ledger.operation', 'operations', operations),
    people.length === 0
      ? null
      : {
          sql: 'ledger.call_id IN (SELECT id FROM calls WHERE calls.id = ledger.call_id AND person IN (SELECT value FROM json_each(:people)))',
          params: { people: JSON.stringify(people) },
        },
    endingCondition(outcomes),
    groupCondition(claims),
    ...words.map(
      (word, index): Condition => ({
        sql: `instr(${foldFor(word)}(ledger.operation || ' ' || ledger.subject || ' ' || ledger.paid_by || ' ' || ledger.note), :word${index}) > 0
        OR ledger.subject IN (SELECT value FROM json_each(:about${index}))`,
        params: { [`word${index}`]: word, [`about${index}`]: JSON.stringify(subjectsOf(word)) },
      }),
    ),
  ]);
  return allOf([
    { sql: 'ledger.connection_id = :connectionId', params: { connectionId } },
    isOneOf('ledger.paid_by', 'keys', keys),
    from === null ? null : { sql: 'ledger.at >= :from', params: { from } },
    to === null ? null : { sql: 'ledger.at <= :to', params: { to } },
    { ...asked, sql: `(${groupSql['not-explained']}) OR (${asked.sql})` },
  ]);
}

/**
 * The ledger by filter. Long walks yield to other work in main; an aborted one returns what it had found. Throws where SQLite does.
 */
export function openLedgerSearch(sql: DatabaseSync) {
  const { readEntries } = openLedgerEntries(sql);
  const prepared = preparedBy(sql);
  const numberOf = sql.prepare('SELECT sequence FROM ledger WHERE id = ?');
  const newest = sql.prepare('SELECT max(sequence) AS sequence FROM ledger WHERE connection_id = ?');
  const between = sql.prepare(
    `SELECT min(sequence) AS low, max(sequence) AS high FROM ledger
     WHERE connection_id = :connectionId AND at >= :from AND at <= :to`,
  );
  const count = sql.prepare('SELECT count(*) AS entries FROM ledger WHERE connection_id = ?');
  const fallOf = sql.prepare('SELECT credits FROM segments WHERE to_reading = ?');

  function stretchOf(connectionId: string, { from, to }: RowFilter, below: number | null): Stretch {
    const high = Math.min(below ?? Number.MAX_SAFE_INTEGER, Number(newest.get(connectionId)?.sequence ?? 0) + 1);
    if (from === null) return { low: 1, high };
    const found = between.get({ connectionId, from, to: to ?? '9' });
    if (found?.low == null) return { low: 1, high: 1 };
    return { low: Number(found.low), high: Math.min(high, Number(found.high) + 1) };
  }

  /** Newest first. */
  async function list(
    connectionId: string,
    filter: RowFilter,
    page: { before: string | null; limit: number },
    subjectsOf: SubjectsOf,
    signal?: AbortSignal,
  ): Promise<LedgerPage> {
    const last = page.before === null ? undefined : numberOf.get(page.before);
    if (page.before !== null && !last) return { entries: [], next: null };
    const where = ledgerCondition(connectionId, filter, subjectsOf);
    const statement = prepared(
      `SELECT ${ledgerColumns} FROM ledger WHERE ${where.sql} AND sequence >= :low AND sequence < :high
       ORDER BY sequence DESC LIMIT :limit`,
    );
    const entries: LedgerEntry[] = [];
    for await (const window of windowsOf(
      stretchOf(connectionId, filter, last ? Number(last.sequence) : null),
      signal,
    )) {
      entries.push(...readEntries(statement.all({ ...where.params, ...window, limit: page.limit - entries.length })));
      if (entries.length >= page.limit) break;
    }
    return { entries, next: entries.length >= page.limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /**
   * What the entries come to, each kind of figure by itself: a price is what is published, a fall what the balance did. A fall shared by
   * several calls counts once, however many of them the filter lets through.
   */
  async function sums(
    connectionId: string,
    filter: RowFilter,
    subjectsOf: SubjectsOf,
    signal?: AbortSignal,
  ): Promise<LedgerSums> {
    const where = ledgerCondition(connectionId, filter, subjectsOf);
    const isCall = "verdict NOT IN ('unexplained', 'nothing-left') AND made_up = 0";
    const statement = prepared(
      `SELECT count(*) AS entries, count(*) FILTER (WHERE ${isCall}) AS calls,
         coalesce(sum(expected) FILTER (WHERE ${isCall}), 0) AS price,
         count(*) FILTER (WHERE ${isCall} AND expected IS NULL) AS unpriced,
         coalesce(sum(observed) FILTER (WHERE ${groupSql.alone}), 0) AS alone,
         coalesce(sum(observed) FILTER (WHERE ${groupSql['by-price']}), 0) AS byPrice,
         count(*) FILTER (WHERE ${isCall} AND (${groupSql['not-known']} OR ${groupSql['not-read']})) AS open,
         coalesce(sum(observed) FILTER (WHERE ${groupSql['not-explained']} AND made_up = 0), 0) AS notExplained,
         coalesce(-sum(observed) FILTER (WHERE ${groupSql.added} AND made_up = 0), 0) AS added,
         count(*) FILTER (WHERE made_up = 1) AS madeUp
       FROM ledger WHERE ${where.sql} AND sequence >= :low AND sequence < :high`,
    );
    const shared = prepared(
      `SELECT segment, count(*) AS calls FROM ledger WHERE ${where.sql} AND sequence >= :low AND sequence < :high
         AND ${groupSql.shared} GROUP BY segment`,
    );
    const moved = prepared(
      `SELECT ${movementColumns} FROM ledger WHERE ${where.sql} AND sequence >= :low AND sequence < :high
         AND (${groupSql['not-explained']} OR ${groupSql.added}) AND fingerprint != ''`,
    );
    const total: LedgerSums = {
      entries: 0,
      of: Number(count.get(connectionId)?.entries ?? 0),
      calls: 0,
      price: 0,
      unpriced: 0,
      alone: 0,
      byPrice: 0,
      shared: 0,
      sharedBy: 0,
      open: 0,
      notExplained: 0,
      added: 0,
      balances: 0,
      madeUp: 0,
    };
    const segments = new Set<number>();
    const movements: ReturnType<typeof readMovements> = [];
    for await (const window of windowsOf(stretchOf(connectionId, filter, null), signal)) {
      const part = statement.get({ ...where.params, ...window }) ?? {};
      for (const name of Object.keys(total) as (keyof LedgerSums)[])
        if (typeof part[name] === 'number') total[name] += part[name];
      movements.push(...readMovements(moved.iterate({ ...where.params, ...window })));
      for (const { segment, calls } of shared.iterate({ ...where.params, ...window })) {
        total.sharedBy += Number(calls);
        if (segments.has(Number(segment))) continue;
        segments.add(Number(segment));
        total.shared += Number(fallOf.get(Number(segment))?.credits ?? 0);
      }
    }
    total.balances = balancesThatOverlap(movements);
    return total;
  }

  const valuesOf = (column: string, connectionId: string) =>
    prepared(`${distinctSql('ledger', column, 'connection_id = :connectionId')} LIMIT 500`)
      .all({ connectionId })
      .map(({ value }) => String(value));

  return {
    list,
    sums,
    choices: (connectionId: string): FilterChoices => ({
      keys: valuesOf('paid_by', connectionId),
      operations: valuesOf('operation', connectionId),
      people: prepared(`${distinctSql('calls', 'person')} LIMIT 500`)
        .all()
        .map(({ value }) => String(value)),
    }),
  };
}
