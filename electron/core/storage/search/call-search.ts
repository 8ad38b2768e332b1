import type { DatabaseSync } from 'node:sqlite';
import type { CallFold, CallRecord, CallSums } from '../../../../shared/domain/activity.ts';
import type { FilterChoices, RowFilter } from '../../../../shared/domain/row-filter.ts';
import { failsBeforeSending } from '../../../../shared/errors.ts';
import { openWords, type PrefixQuery, rowNumber, type SubjectsOf } from '../call-words.ts';
import { callColumns, readCall, wordsOf } from '../calls-repository.ts';
import { groupCondition } from './claim-groups.ts';
import { allOf, type Condition, distinctSql, isOneOf, preparedBy } from './conditions.ts';
import { mostBeginnings, openGathering } from './gather-rows.ts';
import { type Stretch, widestWindow, windowsOf } from './windows.ts';

/** The call that reads a key's balance, free by what is published: the console makes one each minute. */
const balanceRead = 'GetCredits';

/** A call of which no request left this computer, as `neverLeft` says, but for a saved answer. */
const unsent = `coalesce(c.error_code, '') IN (${[...failsBeforeSending].map((code) => `'${code}'`).join(', ')})`;

export interface CallPage {
  calls: CallRecord[];
  /** Balance reads folded into one line, each under the call that it follows in the list. */
  folds: CallFold[];
  /** Id of the last row that the page includes; null: nothing is left. */
  next: string | null;
}

/** Newest rows that are scanned directly before an index is used that gathers every row of a prefix. */
const readFirst = 1000;

/** A filter as SQL. */
interface ReadFilter {
  from: string;
  where: Condition;
  /** For words that the index would gather: the same without them, and what scans a row directly. */
  wide: { where: Condition; passes: (text: string) => boolean; words: PrefixQuery } | null;
}

/**
 * The activity log by filter. Long walks yield to other work in main, after `placesInOneTurn` places of the index (a test gives fewer).
 * Throws where SQLite does.
 */
export function openCallSearch(sql: DatabaseSync, placesInOneTurn?: number) {
  const prepared = preparedBy(sql);
  const readWords = openWords(sql);
  const gather = openGathering(sql, placesInOneTurn);
  const numberOf = sql.prepare('SELECT sequence FROM calls WHERE id = ?');
  const newest = sql.prepare('SELECT max(sequence) AS sequence FROM calls');
  const between = sql.prepare(
    'SELECT min(sequence) AS low, max(sequence) AS high FROM calls WHERE at >= :from AND at <= :to',
  );
  const reads = sql.prepare(
    `SELECT sequence, id, at, outcome FROM calls c WHERE sequence > :low AND sequence < :high AND operation = '${balanceRead}'
     ORDER BY sequence DESC`,
  );

  /** A filter as SQL; null: no row can pass. With words, the index of words drives the query. */
  function readFilter(filter: RowFilter, subjectsOf: SubjectsOf): ReadFilter | null {
    const text = filter.search.trim();
    // A call's own id, by which another screen leads to it, is no word of the index.
    const own = text === '' ? undefined : numberOf.get(text);
    const words = own ? undefined : readWords(text, subjectsOf);
    if (!own && words === undefined && text !== '') return null;
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
      own ? { sql: 'c.sequence = :own', params: { own: Number(own.sequence) } } : null,
    ];
    const others = allOf(conditions);
    if (words === undefined) return { from: 'calls c', where: others, wide: null };
    return {
      ...matching(words.match, others),
      wide: words.passes && words.wide && { where: others, passes: words.passes, words: words.wide },
    };
  }

  /** Rows of a query of the index of words. */
  const matching = (words: string, others: Condition) => ({
    from: 'call_words w CROSS JOIN calls c ON c.sequence = w.rowid',
    where: allOf([{ sql: 'call_words MATCH :words', params: { words } }, others]),
  });

  /** The row numbers between which rows of a filter lie. */
  function stretchOf({ from, to }: RowFilter, below: number | null): Stretch {
    const high = Math.min(below ?? Number.MAX_SAFE_INTEGER, Number(newest.get()?.sequence ?? 0) + 1);
    if (from === null) return { low: 1, high };
    // By the index of times; a clock that was changed makes the stretch longer, never wrong.
    const found = between.get({ from, to: to ?? '9' });
    if (found?.low == null) return { low: 1, high: 1 };
    return { low: Number(found.low), high: Math.min(high, Number(found.high) + 1) };
  }

  const windowOf = ({ wide }: ReadFilter) => (wide ? widestWindow : undefined);
  const numbered = (from: string): string => (from.startsWith('call_words') ? 'w.rowid' : 'c.sequence');

  /** Newest first. `fold`: balance reads become one line for each stretch without another call. */
  async function list(
    filter: RowFilter,
    page: { before: string | null; limit: number; fold: boolean },
    subjectsOf: SubjectsOf,
    signal?: AbortSignal,
  ): Promise<CallPage> {
    const read = readFilter(filter, subjectsOf);
    const last = page.before === null ? undefined : numberOf.get(page.before);
    if (!read || (page.before !== null && !last)) return { calls: [], folds: [], next: null };
    const unfolded = page.fold ? { sql: `c.operation != '${balanceRead}'`, params: {} } : null;
    const stretch = stretchOf(filter, last ? Number(last.sequence) : null);
    const rows: { number: number; call: CallRecord }[] = [];
    let reached = stretch.high;
    if (read.wide) {
      reached = Math.max(stretch.low, stretch.high - readFirst);
      for (const one of readThemselves(read.wide, unfolded, { low: reached, high: stretch.high })) {
        rows.push(one);
        if (rows.length >= page.limit) break;
      }
    }
    const older = rows.length < page.limit && reached > stretch.low ? await gatherAhead(read, reached, signal) : null;
    try {
      if (older)
        for await (const window of windowsOf({ ...stretch, high: reached }, signal, windowOf(older.read))) {
          rows.push(...rowsIn(older.read, unfolded, window, page.limit - rows.length));
          reached = window.low;
          if (rows.length >= page.limit) break;
        }
      const full = rows.length >= page.limit;
      const lowest = full ? (rows.at(-1)?.number ?? reached) : stretch.low - 1;
      const folds = page.fold ? await foldsIn(read, older?.read ?? null, rows, stretch, lowest, signal) : [];
      return { calls: rows.map(({ call }) => call), folds, next: full ? (rows.at(-1)?.call.id ?? null) : null };
    } finally {
      older?.end();
    }
  }

  /** The newest rows of a window that pass. */
  function rowsIn({ from, where }: ReadFilter, also: Condition | null, window: Stretch, limit: number) {
    const shown = allOf([where, also]);
    const number = numbered(from);
    const statement = prepared(
      `SELECT c.sequence AS number, ${callColumns} FROM ${from}
       WHERE ${shown.sql} AND ${number} >= ${rowNumber(':low')} AND ${number} < ${rowNumber(':high')} ORDER BY ${number} DESC LIMIT :limit`,
    );
    return statement
      .all({ ...shown.params, ...window, limit })
      .map((row) => ({ number: Number(row.number), call: readCall(row) }));
  }

  /** How to find the rows below `high` without blocking main; `end` is called when they have been read. null: it was stopped. */
  async function gatherAhead(
    read: ReadFilter,
    high: number,
    signal?: AbortSignal,
  ): Promise<{ read: ReadFilter; end(): void } | null> {
    const { wide } = read;
    if (!wide || wide.words.beginnings.length > mostBeginnings) return { read, end: () => {} };
    const gathered = await gather(wide.words, high, signal);
    if (!gathered) return null;
    const where = allOf([wide.where, gathered.condition]);
    const { match } = wide.words;
    const from = match === null ? { from: 'calls c', where } : matching(match, where);
    return { read: { ...from, wide: null }, end: gathered.end };
  }

  /** The rows of a stretch that pass, newest first, without the index of words. */
  function* readThemselves(
    { where, passes }: NonNullable<ReadFilter['wide']>,
    also: Condition | null,
    stretch: Stretch,
  ): Generator<{ number: number; call: CallRecord }> {
    const shown = allOf([where, also]);
    const statement = prepared(
      `SELECT c.sequence AS number, ${callColumns} FROM calls c
       WHERE ${shown.sql} AND c.sequence >= :low AND c.sequence < :high ORDER BY c.sequence DESC`,
    );
    for (const row of statement.iterate({ ...shown.params, ...stretch })) {
      const call = readCall(row);
      if (passes(wordsOf(call))) yield { number: Number(row.number), call };
    }
  }

  /** The balance reads of a stretch that pass, newest first. */
  async function* readsIn(read: ReadFilter, older: ReadFilter | null, { low, high }: Stretch, signal?: AbortSignal) {
    const only = { sql: `c.operation = '${balanceRead}'`, params: {} };
    const own = read.wide ? Math.max(low, high - readFirst) : high;
    if (read.wide)
      for (const { number, call } of [...readThemselves(read.wide, only, { low: own, high })])
        yield { number, id: call.id, at: call.at, answered: call.outcome === 'answered' };
    if (!older) return;
    const shown = allOf([older.where, only]);
    const number = numbered(older.from);
    const statement = prepared(
      `SELECT c.sequence AS number, c.id, c.at, c.outcome FROM ${older.from}
       WHERE ${shown.sql} AND ${number} >= ${rowNumber(':low')} AND ${number} < ${rowNumber(':high')} ORDER BY ${number} DESC`,
    );
    // All at once, since another search may use the statement between two rows.
    for await (const window of windowsOf({ low, high: own }, signal, windowOf(older)))
      for (const row of statement.all({ ...shown.params, ...window }))
        yield {
          number: Number(row.number),
          id: String(row.id),
          at: String(row.at),
          answered: row.outcome === 'answered',
        };
  }

  /** Balance reads that pass the filter, one line for each stretch that contains no other call, shown or not. */
  async function foldsIn(
    read: ReadFilter,
    /** Of the rows below the first ones; null: the page does not reach them. */
    older: ReadFilter | null,
    rows: readonly { number: number; call: CallRecord }[],
    { high }: Stretch,
    lowest: number,
    signal?: AbortSignal,
  ): Promise<CallFold[]> {
    const folds: CallFold[] = [];
    // How many of the shown rows are above it, and the number of the read before.
    let over = 0;
    let before = Number.NaN;
    for await (const { number, id, at, answered } of readsIn(read, older, { low: lowest + 1, high }, signal)) {
      while ((rows[over]?.number ?? 0) > number) over += 1;
      const under = rows[over - 1]?.call.id ?? null;
      const last = folds.at(-1);
      // Numbers without a gap: no other call was made between the two.
      if (last && last.under === under && number === before - 1)
        folds[folds.length - 1] = {
          ...last,
          oldestId: id,
          count: last.count + 1,
          unanswered: last.unanswered + (answered ? 0 : 1),
          from: at,
        };
      else
        folds.push({
          under,
          newestId: id,
          oldestId: id,
          count: 1,
          unanswered: answered ? 0 : 1,
          from: at,
          to: at,
        });
      before = number;
    }
    return folds;
  }

  /** The balance reads of a folded line, newest first, at most 2,000. */
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

  /** Counts of a filter's rows; `price`: published credits. If it is aborted, of the rows seen until then. */
  async function sums(filter: RowFilter, subjectsOf: SubjectsOf, signal?: AbortSignal): Promise<CallSums> {
    const total: CallSums = {
      calls: 0,
      reads: 0,
      price: 0,
      unpriced: 0,
      unanswered: 0,
      refused: 0,
      saved: 0,
      unsent: 0,
    };
    const found = readFilter(filter, subjectsOf);
    if (!found) return total;
    const stretch = stretchOf(filter, null);
    const gathered = await gatherAhead(found, stretch.high, signal);
    if (!gathered) return total;
    try {
      return await sumUp(total, gathered.read, stretch, signal);
    } finally {
      gathered.end();
    }
  }

  async function sumUp(total: CallSums, read: ReadFilter, stretch: Stretch, signal?: AbortSignal): Promise<CallSums> {
    const number = numbered(read.from);
    const statement = prepared(
      `SELECT count(*) AS calls, count(*) FILTER (WHERE c.operation = '${balanceRead}') AS reads,
         coalesce(sum(c.expected_credits) FILTER (WHERE NOT ${unsent}), 0) AS price,
         count(*) FILTER (WHERE c.expected_credits IS NULL AND NOT ${unsent}) AS unpriced, count(*) FILTER (WHERE ${unsent}) AS unsent,
         count(*) FILTER (WHERE c.outcome = 'unknown') AS unanswered, count(*) FILTER (WHERE c.outcome = 'refused') AS refused,
         count(*) FILTER (WHERE c.outcome = 'held') AS saved
       FROM ${read.from} WHERE ${read.where.sql} AND ${number} >= ${rowNumber(':low')} AND ${number} < ${rowNumber(':high')}`,
    );
    for await (const window of windowsOf(stretch, signal, windowOf(read))) {
      const part = statement.get({ ...read.where.params, ...window }) ?? {};
      for (const name of Object.keys(total) as (keyof CallSums)[]) total[name] += Number(part[name] ?? 0);
    }
    return total;
  }

  const valuesOf = (column: string) =>
    prepared(`${distinctSql('calls', column)} LIMIT 500`)
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
