import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { type PrefixQuery, rowNumber } from '../call-words.ts';
import { windowsOf } from './windows.ts';

/** Places of the index that are read in one turn of main. */
const placesInOneTurn = 12_000;
/** A row has a bit for each beginning. */
export const mostBeginnings = 8;

interface Gathering {
  slots: Map<number, Uint8Array>;
  last: number;
}
/** A database has its functions once, whoever searches in it. */
const gatherings = new WeakMap<DatabaseSync, Gathering>();

function gatheringOf(sql: DatabaseSync): Gathering {
  const known = gatherings.get(sql);
  if (known) return known;
  const made: Gathering = { slots: new Map(), last: 0 };
  gatherings.set(sql, made);
  sql.function('gather_mark', (slot, bit, row) => {
    const rows = made.slots.get(Number(slot));
    const at = Number(row);
    if (rows && at < rows.length) rows[at] = (rows[at] ?? 0) | (1 << Number(bit));
    return 0;
  });
  sql.function('gather_has', (slot, bits, row) => (made.slots.get(Number(slot))?.[Number(row)] === bits ? 1 : 0));
  return made;
}

/**
 * The rows of beginnings that thousands of words have. FTS5 gathers all of them before it gives the first, a quarter of a second for a
 * million rows; here the index's own list of words is read a piece a turn. Needs the table `call_terms` (call-words.ts).
 */
export function openGathering(sql: DatabaseSync, inOneTurn = placesInOneTurn) {
  const { slots } = gatheringOf(sql);
  const piece = sql.prepare(
    `SELECT count(*) AS places, max(term) AS last, sum(gather_mark(:slot, :bit, doc)) FROM
       (SELECT term, doc FROM temp.call_terms WHERE term >= :from AND term < :end LIMIT :limit)`,
  );
  const word = sql.prepare(
    `SELECT sum(gather_mark(:slot, :bit, rowid)) FROM call_words
     WHERE call_words MATCH :match AND rowid >= ${rowNumber(':low')} AND rowid < ${rowNumber(':high')}`,
  );
  const phrases = sql.prepare(
    'SELECT sum(gather_mark(:slot, :bit, rowid)) FROM call_words WHERE call_words MATCH :match',
  );

  /** `high`: above every row that counts. Returns the condition that a row passes, and what to call at the end; null: it was stopped. */
  return async (
    { beginnings }: Pick<PrefixQuery, 'beginnings'>,
    high: number,
    signal?: AbortSignal,
  ): Promise<{ condition: { sql: string; params: Record<string, number> }; end(): void } | null> => {
    // The newest rows may have been read in this turn.
    await turn();
    const gathering = gatheringOf(sql);
    gathering.last += 1;
    const slot = gathering.last;
    slots.set(slot, new Uint8Array(high));
    const end = () => void slots.delete(slot);
    try {
      for (const [bit, { beginning, instead }] of beginnings.entries()) {
        if (instead !== null) phrases.get({ slot, bit, match: instead });
        const after = `${beginning}\u{10FFFF}`;
        for (let from = beginning; ; ) {
          const read = piece.get({ slot, bit, from, end: after, limit: inOneTurn });
          if (Number(read?.places ?? 0) < inOneTurn) break;
          const last = String(read?.last);
          if (last === from) {
            // A word of more than a piece: its rows are walked by their numbers. Then the next word; none has this character.
            for await (const window of windowsOf({ low: 1, high }, signal))
              word.get({ slot, bit, match: `"${last}"`, ...window });
            from = `${last}\u0001`;
          } else from = last;
          await turn();
          if (signal?.aborted) {
            end();
            return null;
          }
        }
      }
    } catch (cause) {
      end();
      throw cause;
    }
    return {
      condition: {
        sql: 'gather_has(:slot, :bits, c.sequence)',
        params: { slot, bits: (1 << beginnings.length) - 1 },
      },
      end,
    };
  };
}
