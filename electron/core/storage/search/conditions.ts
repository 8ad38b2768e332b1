import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A part of a WHERE and what it names. */
export interface Condition {
  sql: string;
  params: Record<string, SQLInputValue>;
}

/** `column` is one of the values, passed under `name`; null: there are none, and any will do. */
export const isOneOf = (column: string, name: string, values: readonly string[]): Condition | null =>
  values.length === 0
    ? null
    : { sql: `${column} IN (SELECT value FROM json_each(:${name}))`, params: { [name]: JSON.stringify(values) } };

/** All of them; if there is none, everything. */
export function allOf(conditions: readonly (Condition | null)[]): Condition {
  const some = conditions.filter((one) => one !== null);
  return {
    sql: some.length === 0 ? 'true' : some.map(({ sql }) => `(${sql})`).join(' AND '),
    params: Object.assign({}, ...some.map(({ params }) => params)),
  };
}

/** Statements by their text: there are few forms of a filter, used again and again. */
export function preparedBy(sql: DatabaseSync): (text: string) => StatementSync {
  const known = new Map<string, StatementSync>();
  return (text) => {
    const statement = known.get(text) ?? sql.prepare(text);
    known.set(text, statement);
    return statement;
  };
}

/**
 * The distinct values of an indexed column, by skipping over its index: a million rows with ten values take ten steps. `where` fixes the
 * columns before it in the index.
 */
export const distinctSql = (table: string, column: string, where = 'true'): string =>
  `WITH RECURSIVE found (value) AS (
     SELECT min(${column}) FROM ${table} WHERE ${where}
     UNION ALL
     SELECT (SELECT min(${column}) FROM ${table} WHERE ${where} AND ${column} > found.value) FROM found WHERE found.value IS NOT NULL
   ) SELECT value FROM found WHERE value IS NOT NULL AND value != ''`;
