import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { addFoldCase, foldCase, foldFor } from '../../storage/database/fold-case.ts';

/** Which rows; what is left out leaves all. */
export interface RowFilter {
  progress?: readonly string[] | undefined;
  result?: readonly string[] | undefined;
  /** In what was given, or in what the service knows. */
  search?: string | undefined;
}

/** Rows searched for words before main yields to everything else. */
const searchedAtOnce = 5000;

function clauseOf({ progress = [], result = [], search = '' }: RowFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [name, wanted] of [
    ['progress', progress],
    ['result', result],
  ] as const) {
    if (wanted.length === 0) continue;
    parts.push(`${name} IN (${wanted.map(() => '?').join(', ')})`);
    values.push(...wanted);
  }
  const words = foldCase(search.trim());
  if (words !== '') {
    const fold = foldFor(words);
    parts.push(`(instr(${fold}(given), ?) > 0 OR instr(${fold}(text), ?) > 0)`);
    values.push(words, words);
  }
  return { where: parts.join(' AND ') || 'true', values };
}

/** Numbers of the rows that a filter lets through, one page of them, and how many there are. Throws where SQLite does. */
export function openRowPages(sql: DatabaseSync, totalOf: (filter: RowFilter) => number | null) {
  addFoldCase(sql);
  return async function page(
    filter: RowFilter,
    from: number,
    limit: number,
  ): Promise<{ rows: number[]; total: number }> {
    const { where, values } = clauseOf(filter);
    const known = totalOf(filter);
    if (known !== null) {
      const isAll = where === 'true';
      const found = isAll
        ? sql.prepare('SELECT row FROM rows WHERE row > ? ORDER BY row LIMIT ?').all(from, limit)
        : sql.prepare(`SELECT row FROM rows WHERE ${where} ORDER BY row LIMIT ? OFFSET ?`).all(...values, limit, from);
      return { rows: found.map(({ row }) => Number(row)), total: known };
    }
    const last = Number(sql.prepare('SELECT max(row) AS last FROM rows').get()?.last ?? 0);
    const some = sql.prepare(`SELECT row FROM rows WHERE row > ? AND row <= ? AND ${where} ORDER BY row`);
    const rows: number[] = [];
    let total = 0;
    for (let at = 0; at < last; at += searchedAtOnce) {
      for (const { row } of some.all(at, at + searchedAtOnce, ...values)) {
        if (total >= from && rows.length < limit) rows.push(Number(row));
        total += 1;
      }
      if (at + searchedAtOnce < last) await turn();
    }
    return { rows, total };
  };
}
