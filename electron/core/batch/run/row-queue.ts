import type { BatchFile } from '../store/batch-file.ts';
import type { FileRow } from '../store/batch-records.ts';

/** The waiting rows, each worked on by one lane at a time together with those that share its question. */
export function createRowQueue(file: Pick<BatchFile, 'nextWaiting'>) {
  const busy = new Set<string>();
  let cursor = 0;
  let waiting: (() => void)[] = [];

  const keyOf = (row: FileRow): string => (row.ask === null ? `row ${row.row}` : `ask ${row.ask}`);

  /** The next row nobody works on; later: only such rows are left; null: none. */
  function next(): FileRow | 'later' | null {
    let isFromStart = cursor === 0;
    for (;;) {
      const row = file.nextWaiting(cursor);
      if (row) {
        cursor = row.row;
        const key = keyOf(row);
        if (busy.has(key)) continue;
        busy.add(key);
        return row;
      }
      if (busy.size > 0) return 'later';
      if (isFromStart) return null;
      cursor = 0;
      isFromStart = true;
    }
  }

  function release(row: FileRow): void {
    busy.delete(keyOf(row));
    // A row that was skipped while its question was under way lies before the cursor.
    cursor = Math.min(cursor, row.row - 1);
    const woken = waiting;
    waiting = [];
    for (const one of woken) one();
  }

  return {
    next,
    release,
    /** Until a row is released. */
    changed: (): Promise<void> => new Promise((done) => waiting.push(done)),
  };
}
