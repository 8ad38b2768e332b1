import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredPart, StoredSizes } from '../../../shared/domain/stored-data.ts';
import { databaseName } from '../storage/database/database.ts';

/** Which part a table belongs to, by how its name begins; the first that fits. */
const partOfTable: readonly (readonly [RegExp, StoredPart])[] = [
  [/^call/, 'activity'],
  [/^(?:balance_readings|segments)$/, 'readings'],
  [/^(?:ledger|said|spend_days|reading_days|counted_quarters|purse_|key_uses|separate_|credit_alerts)/, 'ledger'],
  [/^held_/, 'answers'],
  [/^(?:licence|machine)_/, 'licences'],
];
const partOf = (table: string): StoredPart => partOfTable.find(([name]) => name.test(table))?.[1] ?? 'other';

const countedTable: Partial<Record<StoredPart, string>> = {
  activity: 'calls',
  readings: 'balance_readings',
  ledger: 'ledger',
  answers: 'held_answers',
};

function filesIn(folder: string): { files: number; bytes: number } {
  let found: Dirent[] = [];
  try {
    found = readdirSync(folder, { withFileTypes: true });
  } catch {
    // There is none yet.
  }
  const files = found.filter((one) => one.isFile());
  const bytes = files.reduce(
    (sum, { name }) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return { files: files.length, bytes };
}

/** How large each part is. Looks at every page of the database, so it belongs into a thread of its own. Throws where SQLite does. */
export function readSizes(folder: string): StoredSizes {
  const sql = new DatabaseSync(join(folder, databaseName), { readOnly: true, timeout: 5000 });
  try {
    const number = (query: string): number => Number(Object.values(sql.prepare(query).get() ?? {})[0]);
    const bytes = new Map<StoredPart, number>();
    const add = (part: StoredPart, more: number) => bytes.set(part, (bytes.get(part) ?? 0) + more);
    const tables = sql
      .prepare(
        `SELECT coalesce((SELECT tbl_name FROM sqlite_schema WHERE sqlite_schema.name = dbstat.name), dbstat.name) AS name,
           pgsize AS bytes FROM dbstat WHERE aggregate = TRUE`,
      )
      .all();
    for (const { name, bytes: size } of tables) add(partOf(String(name)), Number(size));
    const pageSize = number('PRAGMA page_size');
    add('unused', number('PRAGMA freelist_count') * pageSize);
    const known = [...bytes.values()].reduce((sum, one) => sum + one, 0);
    // Pages of the file's own bookkeeping (pointer map, lock page).
    add('other', Math.max(0, number('PRAGMA page_count') * pageSize - known));
    return {
      parts: [...bytes].map(([part, size]) => {
        const table = countedTable[part];
        return { part, bytes: size, rows: table === undefined ? null : number(`SELECT count(*) FROM ${table}`) };
      }),
      readingsRemoved: number('SELECT coalesce(sum(stands_for - 1), 0) FROM balance_readings'),
      batches: filesIn(join(folder, 'batches')),
      copies: filesIn(join(folder, 'backups')),
    };
  } finally {
    sql.close();
  }
}
