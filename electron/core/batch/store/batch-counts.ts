import type { DatabaseSync } from 'node:sqlite';
import { type RowProgress, rowProgresses, rowResults } from '../../../../shared/domain/batch.ts';
import { isOdd } from './batch-file-schema.ts';
import type { RowFilter } from './row-pages.ts';

/** Rows still to be asked, by kind. `bare`: they have their own identifier; `flat`: they may name one. */
export interface LeftRows {
  rows: number;
  /** Searches not asked yet; rows that need the same share one. */
  searches: number;
  bare: number;
  flat: number;
  plain: number;
}

/** Rows that a person runs again, beside those waiting or stopped. Identical rows go with the first. */
export interface Again {
  /** With an unknown outcome; any of identical rows names them all. */
  unknown: readonly number[];
  /** That failed: all but these, or none but these. */
  failed: { all: boolean; but: readonly number[] };
}

/** A failed row that is among those, by `:all` and `:but`. */
export const isChosen = `progress = 'failed' AND :all = (coalesce(same_as, row) NOT IN (SELECT value FROM json_each(:but)))`;
/** A search that was refused, and that such a row is about. */
export const isRefusedOfChosen = `state = 'refused' AND ${isOdd} AND (stage NOT IN ('search', 'search-free')
  OR id IN (SELECT ask FROM rows WHERE ask IS NOT NULL AND ${isChosen}))`;
/** The `:all` and `:but` of those. */
export const choiceParameters = ({ all, but }: Again['failed']) => ({ all: all ? 1 : 0, but: JSON.stringify(but) });

/** The totals of a batch's rows and questions, none of which reads every row. Throws where SQLite does. */
export function openBatchCounts(sql: DatabaseSync) {
  const tally = sql.prepare('SELECT name, rows FROM tally');
  const add = sql.prepare('UPDATE tally SET rows = rows + :rows WHERE name = :name');
  const unknownCredits = sql.prepare('SELECT coalesce(sum(unknown), 0) AS credits FROM asks WHERE unknown > 0');
  const again = sql.prepare('SELECT coalesce(sum(tries), 0) AS tries FROM asks WHERE tries > 0');
  const kinds = `count(*) AS rows,
    count(*) FILTER (WHERE same_as IS NULL AND ask IS NULL) AS bare,
    count(*) FILTER (WHERE same_as IS NULL AND ask IS NOT NULL AND flat = 1) AS flat,
    count(*) FILTER (WHERE same_as IS NULL AND ask IS NOT NULL AND flat = 0) AS plain`;
  const failed = sql.prepare(`SELECT ${kinds} FROM rows WHERE ${isChosen}`);
  const refused = sql.prepare(
    `SELECT count(*) AS searches FROM asks WHERE ${isRefusedOfChosen} AND stage IN ('search', 'search-free')`,
  );
  const unknown = sql.prepare(
    `SELECT ${kinds} FROM rows WHERE progress = 'unknown' AND coalesce(same_as, row) IN
       (SELECT coalesce(same_as, row) FROM rows WHERE row IN (SELECT value FROM json_each(:rows)))`,
  );
  const unknownSearches = sql.prepare(
    `SELECT count(*) AS searches FROM asks WHERE state = 'unknown' AND ${isOdd} AND id IN
       (SELECT ask FROM rows WHERE progress = 'unknown' AND row IN (SELECT value FROM json_each(:rows)))`,
  );
  /** Each question counts, also one that other rows have in common with these. */
  const ofAllUnknown = sql.prepare(
    `SELECT ${kinds}, count(DISTINCT ask) AS searches FROM rows WHERE progress = 'unknown'`,
  );
  const numbers = (row: Record<string, unknown> | undefined, names: readonly (keyof LeftRows)[]): Partial<LeftRows> =>
    Object.fromEntries(names.map((name) => [name, Number(row?.[name] ?? 0)]));
  const kindNames = ['rows', 'bare', 'flat', 'plain'] as const;
  const none: LeftRows = { rows: 0, searches: 0, bare: 0, flat: 0, plain: 0 };
  const plus = (one: LeftRows, other: Partial<LeftRows>): LeftRows => ({
    rows: one.rows + (other.rows ?? 0),
    searches: one.searches + (other.searches ?? 0),
    bare: one.bare + (other.bare ?? 0),
    flat: one.flat + (other.flat ?? 0),
    plain: one.plain + (other.plain ?? 0),
  });

  const counts = (): Map<string, number> => new Map(tally.all().map(({ name, rows }) => [String(name), Number(rows)]));
  const of = <K extends string>(all: ReadonlyMap<string, number>, names: readonly K[], prefix = '') =>
    Object.fromEntries(names.map((name) => [name, all.get(prefix + name) ?? 0])) as Record<K, number>;

  /** What waits or was stopped. */
  function left(): LeftRows {
    const all = counts();
    const rowsOf = (name: string): number => all.get(name) ?? 0;
    const open: readonly RowProgress[] = ['waiting', 'at-work', 'stopped'];
    return {
      rows: open.reduce((rows, progress) => rows + rowsOf(progress), 0),
      searches: rowsOf('searches waiting'),
      bare: rowsOf('open bare'),
      flat: rowsOf('open flat'),
      plain: rowsOf('open plain'),
    };
  }

  return {
    /** Credits that calls with an unknown outcome may have cost. */
    unknownCredits: (): number => Number(unknownCredits.get()?.credits),
    /** How often a question was asked again after 429. */
    again: (): number => Number(again.get()?.tries),
    tally() {
      const all = counts();
      return { progress: of(all, rowProgresses), results: of(all, rowResults, 'result ') };
    },
    left,
    /** That, with the rows that are named; `unknown`: how many of these are rows with an unknown outcome. */
    notDone(again: Again): LeftRows & { unknown: number } {
      const rows = JSON.stringify(again.unknown);
      const chosen = choiceParameters(again.failed);
      const withFailed = plus(
        plus(left(), numbers(failed.get(chosen), kindNames)),
        numbers(refused.get(chosen), ['searches']),
      );
      if (again.unknown.length === 0) return { ...withFailed, unknown: 0 };
      const named = numbers(unknown.get({ rows }), kindNames);
      const all = plus(plus(withFailed, named), numbers(unknownSearches.get({ rows }), ['searches']));
      return { ...all, unknown: named.rows ?? 0 };
    },
    /** All rows with an unknown outcome, as if each were asked again. */
    allUnknown: (): LeftRows => plus(none, numbers(ofAllUnknown.get(), ['searches', ...kindNames])),
    /** Rows that a filter without words lets through; null: it must be counted. */
    totalOf({ progress = [], result = [], search = '' }: RowFilter): number | null {
      if (search.trim() !== '' || (progress.length > 0 && result.length > 0)) return null;
      const all = counts();
      const names =
        result.length > 0 ? result.map((name) => `result ${name}`) : progress.length > 0 ? progress : rowProgresses;
      return [...new Set(names)].reduce((rows, name) => rows + (all.get(name) ?? 0), 0);
    },
    /** What was put in, once it is all there. */
    add: (name: string, rows: number): void => void add.run({ name, rows }),
  };
}
