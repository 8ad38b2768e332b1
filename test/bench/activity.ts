import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../electron/core/storage/database/database.ts';
import { removeFolder } from '../helpers/folders.ts';
import { unwrap } from '../helpers/temp-database.ts';
import { timeActivityScreen } from './support/activity-screen.ts';
import { connectionId, writeConnection } from './support/bench-window.ts';
import { writeCallHistory } from './support/call-history.ts';
import { median } from './support/interleave.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row, reportFigure } from './support/rows.ts';

/** Milliseconds that a person perceives as immediate. */
const limit = 100;

/** The Activity screen with a million calls, a fifth of them balance reads: the time from a key to the rows, and to the sums of the filtered rows. */
export async function measureActivity({ quick }: BenchOptions): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'address-console-bench-'));
  const rows = quick ? 100_000 : 1_000_000;
  try {
    const db = unwrap(openDatabase({ folder, clock: { now: () => Date.now() } }));
    writeConnection(db);
    writeCallHistory(db, { rows, until: Date.now(), connectionId, readEvery: 5, refuseEvery: 997 });
    db.close();
    const times = await timeActivityScreen(folder, quick ? 1 : 3);
    const of = rows.toLocaleString('en-GB');
    const held = (name: string, took: number[]) => compareWithLimit(name, median(took), limit, milliseconds);
    return [
      held(`Activity opens, key to rows, ${of} calls`, times.open),
      held('search of a rare word, key to rows', times.rare),
      held('search of a common word, key to rows', times.common),
      held('search of three common words, key to rows', times.three),
      held('refused ones only, click to rows', times.chip),
      held('all again, click to rows', times.unchip),
      held('earlier calls, scroll to rows', times.scroll),
      reportFigure('sums of all, click to figures', milliseconds(median(times.counted))),
      reportFigure('sums of three common words, key to figures', milliseconds(median(times.countedWords))),
    ];
  } finally {
    removeFolder(folder);
  }
}
