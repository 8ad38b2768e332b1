import { createActivityLog } from '../../electron/core/activity/activity-log.ts';
import { openLedgerRepository } from '../../electron/core/spend/ledger-repository.ts';
import { openCallSearch } from '../../electron/core/storage/search/call-search.ts';
import { wholeTable } from '../../shared/domain/row-filter.ts';
import { entriesReader } from '../helpers/spend-facts.ts';
import { openTempDatabase, type TempDatabase, unwrap } from '../helpers/temp-database.ts';
import { writeCallHistory } from './support/call-history.ts';
import { interleave, median } from './support/interleave.ts';
import { type BenchOptions, compareWithLimit, milliseconds, type Row, times } from './support/rows.ts';

const connectionId = 'bench';
const day = 86_400_000;
/** A frame of the window in milliseconds: a page that is read within it is in the next frame. */
const limit = 16;

/** The queries of the screens with a million rows in each table, compared with a thousand. */
export async function measureDatabase({ quick }: BenchOptions): Promise<Row[]> {
  const few = openTempDatabase();
  const many = openTempDatabase();
  try {
    const fill = ({ db, clock }: TempDatabase, rows: number) =>
      writeCallHistory(db, { rows, until: clock.time, connectionId });
    fill(few, 1000);
    const rows = quick ? 100_000 : 1_000_000;
    fill(many, rows);
    const asked = { few: questionsOf(few), many: questionsOf(many) };
    const results: Row[] = [];
    for (const [name, { limit: most }] of Object.entries(questions)) {
      const key = name as keyof typeof questions;
      const samples = await interleave(
        { few: asked.few[key], many: asked.many[key] },
        { rounds: quick ? 10 : 40, warmUp: 2 },
      );
      const [small, large] = [median(samples.few), median(samples.many)];
      results.push({
        ...compareWithLimit(`${name}, ${rows.toLocaleString('en-GB')} rows`, large, most, milliseconds),
        other: `${milliseconds(small)} at 1,000`,
        ratio: times(large / small),
      });
    }
    return results;
  } finally {
    few.remove();
    many.remove();
  }
}

const questions = {
  'activity, first page': { limit },
  'activity, page in the middle': { limit },
  'activity, search of a rare word': { limit },
  'activity, search of a common word': { limit },
  'activity, search of what every row begins with': { limit },
  'activity, search of two common words': { limit },
  'activity, rows counted': { limit: 50 },
  'ledger, first page': { limit },
  'ledger, sum of today': { limit },
} as const;

function questionsOf({ db, clock }: TempDatabase): Record<keyof typeof questions, () => unknown> {
  const log = createActivityLog(db, clock);
  const ledger = openLedgerRepository(db.sql);
  const entriesOf = entriesReader(db);
  const total = unwrap(log.countCalls());
  const middle = `call-${Math.floor(total / 2)}`;
  const today = new Date(clock.time - day / 2).toISOString();
  const search = openCallSearch(db.sql);
  // As the screen asks for it: balance reads folded, words also those of saved addresses.
  const page = ({ search: text = '', before = null as string | null }) =>
    search.list({ ...wholeTable, search: text }, { before, limit: 100, fold: true }, () => []);
  return {
    'activity, first page': () => page({}),
    'activity, page in the middle': () => page({ before: middle }),
    'activity, search of a rare word': () => page({ search: 'premise00000420' }),
    'activity, search of a common word': () => page({ search: 'getpremise' }),
    'activity, search of what every row begins with': () => page({ search: 'premise' }),
    'activity, search of two common words': () => page({ search: 'premise contact ans' }),
    'activity, rows counted': () => unwrap(log.countCalls()),
    'ledger, first page': () => entriesOf(connectionId, 100),
    'ledger, sum of today': () => ledger.sumBetween(connectionId, today, '9999'),
  };
}
