import type { DatabaseSync } from 'node:sqlite';
import type { CallFold, CallRecord, CallSums } from '../../../../shared/domain/activity.ts';
import type { FilterChoices, RowFilter } from '../../../../shared/domain/row-filter.ts';
import { callColumns, matchWords, readCall } from '../calls-repository.ts';
import { groupCondition } from './claim-groups.ts';
import { allOf, type Condition, distinctSql, isOneOf, preparedBy } from './conditions.ts';
import { type Stretch, windowsOf } from './windows.ts';

/** The call that reads a key's balance, free by what is published: the console makes one each minute. */
const balanceRead = 'GetCredits';

export interface CallPage {
  calls: CallRecord[];
  /** Balance reads in one line, each under the call that it follows in the list. */
  folds: CallFold[];
  /** Id of the last row that the page took in; null: nothing is left. */
  next: string | null;
}

/** Ids of premises whose saved address has a word. */
export type SubjectsOf = (word: string) => readonly string[];

/** The activity log by what a person leaves of it. Long walks go in turns of main. Throws where SQLite does. */
export function openCallSearch(sql: DatabaseSync) {
  const prepared = preparedBy(sql);
  const numberOf = sql.prepare('SELECT sequence FROM calls WHERE id = ?');
  const newest = sql.prepare('SELECT max(sequence) AS sequence FROM calls');
  const between = sql.prepare(
    'SELECT min(sequence) AS low, max(sequence) AS high FROM calls WHERE at >= :from AND at <= :to',
  );
  const reads = sql.prepare(
    `SELECT sequence, id, at, outcome FROM calls c WHERE sequence > :low AND sequence < :high AND operation = '${balanceRead}'
     ORDER BY sequence DESC`,
  );

  /** A filter as SQL; null: no row can pass. Of words, the index of words leads. */
  function readFilter(filter: RowFilter, subjectsOf: SubjectsOf): { from: string; where: Condition } | null {
    const words = matchWords(filter.search, subjectsOf);
    if (words === undefined && filter.search.trim() !== '') return null;
    const claims = groupCondition(filter.claims);
    const conditions = [
      isOneOf('c.paid_by', 'keys', filter.keys),
      isOneOf('c.operation', 'operations', filter.operations),
      isOneOf('c.person', 'people', filter.people),
      isOneOf('c.outcome', 'outcomes', filter.outcomes),
      claims && {
        ...claims,
        sql: `EXISTS (SELECT 1 FROM ledger WHERE ledger.call_id = c.id AND (${claims.sql}))`,
      },
      filter.from === null ? null : { sql: 'c.at >= :from', params: { from: filter.from } },
      filter.to === null ? null : { sql: 'c.at <= :to', params: { to: filter.to } },
    ];
    if (words === undefined) return { from: 'calls c', where: allOf(conditions) };
    const matching = { sql: 'call_words MATCH :words', params: { words } };
    return { from: 'call_words w CROSS JOIN calls c ON c.sequence = w.rowid', where: allOf([matching, ...conditions]) };
  }

  /** The numbers among which rows of a filter lie. */
  function stretchOf({ from, to }: RowFilter, below: number | null): Stretch {
    const high = Math.min(below ?? Number.MAX_SAFE_INTEGER, Number(newest.get()?.sequence ?? 0) + 1);
    if (from === null) return { low: 1, high };
    // By the index of times; a clock that was set makes the stretch longer, never wrong.
    const found = between.get({ from, to: to ?? '9' });
    if (found?.low == null) return { low: 1, high: 1 };
    return { low: Number(found.low), high: Math.min(high, Number(found.high) + 1) };
  }

  const numbered = (from: string): string => (from.startsWith('call_words') ? 'w.rowid' : 'c.sequence');

  /** Newest first. `fold`: balance reads stand as one line for each stretch without another call. */
  async function list(
    filter: RowFilter,
    page: { before: string | null; limit: number; fold: boolean },
    subjectsOf: SubjectsOf,
    signal?: AbortSignal,
  ): Promise<CallPage> {
    const read = readFilter(filter, subjectsOf);
    const last = page.before === null ? undefined : numberOf.get(page.before);
    if (!read || (page.before !== null && !last)) return { calls: [], folds: [], next: null };
    const number = numbered(read.from);
    const shown = allOf([read.where, page.fold ? { sql: `c.operation != '${balanceRead}'`, params: {} } : null]);
    const statement = prepared(
      `SELECT c.sequence AS number, ${callColumns} FROM ${read.from}
       WHERE ${shown.sql} AND ${number} >= :low AND ${number} < :high ORDER BY ${number} DESC LIMIT :limit`,
    );
    const stretch = stretchOf(filter, last ? Number(last.sequence) : null);
    const rows: { number: number; call: CallRecord }[] = [];
    let reached = stretch.high;
    for await (const window of windowsOf(stretch, signal)) {
      const found = statement.all({ ...shown.params, ...window, limit: page.limit - rows.length });
      rows.push(...found.map((row) => ({ number: Number(row.number), call: readCall(row) })));
      reached = window.low;
      if (rows.length >= page.limit) break;
    }
    const full = rows.length >= page.limit;
    const lowest = full ? (rows.at(-1)?.number ?? reached) : stretch.low - 1;
    const folds = page.fold ? foldsIn(read, rows, stretch, lowest) : [];
    return { calls: rows.map(({ call }) => call), folds, next: full ? (rows.at(-1)?.call.id ?? null) : null };
  }

  /** Balance reads that pass the filter, in one line for each stretch that no other call, shown or not, lies in. */
  function foldsIn(
    read: { from: string; where: Condition },
    rows: readonly { number: number; call: CallRecord }[],
    { high }: Stretch,
    lowest: number,
  ): CallFold[] {
    const passing = prepared(
      `SELECT c.sequence AS number, c.id, c.at, c.outcome FROM ${read.from}
       WHERE ${read.where.sql} AND c.operation = '${balanceRead}'
         AND ${numbered(read.from)} > :low AND ${numbered(read.from)} < :high ORDER BY ${numbered(read.from)} DESC`,
    );
    const folds: CallFold[] = [];
    const tops = [
      { number: high, id: null as string | null },
      ...rows.map(({ number, call }) => ({ number, id: call.id })),
    ];
    for (const [index, top] of tops.entries()) {
      const low = tops[index + 1]?.number ?? lowest;
      let before = Number.NaN;
      for (const row of passing.iterate({ ...read.where.params, low, high: top.number })) {
        const number = Number(row.number);
        const last = folds.at(-1);
        const at = String(row.at);
        const answered = row.outcome === 'answered' ? 0 : 1;
        // Numbers without a gap: no other call was made between the two.
        if (last && last.under === top.id && number === before - 1)
          folds[folds.length - 1] = {
            ...last,
            oldestId: String(row.id),
            count: last.count + 1,
            unanswered: last.unanswered + answered,
            from: at,
          };
        else
          folds.push({
            under: top.id,
            newestId: String(row.id),
            oldestId: String(row.id),
            count: 1,
            unanswered: answered,
            from: at,
            to: at,
          });
        before = number;
      }
    }
    return folds;
  }

  /** The balance reads of a folded line, newest first. */
  function unfold(newestId: string, oldestId: string): CallRecord[] {
    const [high, low] = [numberOf.get(newestId), numberOf.get(oldestId)].map((row) => Number(row?.sequence));
    if (high === undefined || low === undefined || !(high >= low)) return [];
    return reads
      .all({ low: low - 1, high: high + 1 })
      .slice(0, 2000)
      .flatMap(({ id }) => {
        const row = prepared(`SELECT ${callColumns} FROM calls c WHERE c.id = ?`).get(String(id));
        return row ? [readCall(row)] : [];
      });
  }

  async function sums(filter: RowFilter, subjectsOf: SubjectsOf, signal?: AbortSignal): Promise<CallSums> {
    const total: CallSums = { calls: 0, reads: 0, price: 0, unpriced: 0, unanswered: 0, refused: 0, saved: 0 };
    const read = readFilter(filter, subjectsOf);
    if (!read) return total;
    const number = numbered(read.from);
    const statement = prepared(
      `SELECT count(*) AS calls, count(*) FILTER (WHERE c.operation = '${balanceRead}') AS reads,
         coalesce(sum(c.expected_credits), 0) AS price, count(*) FILTER (WHERE c.expected_credits IS NULL) AS unpriced,
         count(*) FILTER (WHERE c.outcome = 'unknown') AS unanswered, count(*) FILTER (WHERE c.outcome = 'refused') AS refused,
         count(*) FILTER (WHERE c.outcome = 'held') AS saved
       FROM ${read.from} WHERE ${read.where.sql} AND ${number} >= :low AND ${number} < :high`,
    );
    for await (const window of windowsOf(stretchOf(filter, null), signal)) {
      const part = statement.get({ ...read.where.params, ...window }) ?? {};
      for (const name of Object.keys(total) as (keyof CallSums)[]) total[name] += Number(part[name] ?? 0);
    }
    return total;
  }

  const valuesOf = (column: string) =>
    prepared(distinctSql('calls', column))
      .all()
      .map(({ value }) => String(value));

  return {
    list,
    unfold,
    sums,
    choices: (): FilterChoices => ({
      keys: valuesOf('paid_by'),
      operations: valuesOf('operation'),
      people: valuesOf('person'),
    }),
  };
}
