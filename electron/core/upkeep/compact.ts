import type { DatabaseSync } from 'node:sqlite';

/** Pages given back in one turn: what main can do between two frames, with the wait for the disk. */
const pagesAtOnce = 40;
/** Less than this, of bytes and of the file, is left for what is written next. */
const leastBytes = 4 * 2 ** 20;
const leastShare = 0.1;

/** Gives pages that nothing uses back to the disk, from the end of the file. Throws where SQLite does. */
export function openCompactor(sql: DatabaseSync) {
  const number = (name: string): number => Number(Object.values(sql.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const pageSize = number('page_size');
  const unused = (): number => number('freelist_count') * pageSize;
  const size = (): number => number('page_count') * pageSize;

  return {
    size,
    unused,
    /** Whether it is worth while by itself. */
    isDue: (): boolean => unused() >= Math.max(leastBytes, size() * leastShare),
    /** One turn; gives the bytes that are still unused. */
    turn(): number {
      const before = unused();
      sql.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      const after = unused();
      // A file that cannot be made smaller in pieces stays as it is.
      return after < before ? after : 0;
    },
  };
}
