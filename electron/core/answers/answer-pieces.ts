import { setImmediate as turn } from 'node:timers/promises';
import { ok, type Result } from '../../../shared/result.ts';
import type { Database } from '../storage/database/database.ts';

/** Characters written in one turn of main. */
const inOnePiece = 1_000_000;

/** A long text written before the answer it belongs to. */
export interface WrittenPieces {
  /** Of the answer. */
  id: string;
  pieces: number;
  bytes: number;
}

/** A stored long text, read from one character to another; undefined if it has been removed meanwhile. */
export interface LongText {
  /** In turns of main. `to` is not included; absent: to the end. Rejects where SQLite throws. */
  read(from: number, to?: number): Promise<string | undefined>;
}

/**
 * The long texts of cached answers, in pieces that main writes in separate turns of the event loop. Errors: `storage-failed`; what returns
 * no `Result` throws where SQLite does.
 */
export function openAnswerPieces(db: Database) {
  const add = db.sql.prepare('INSERT INTO held_pieces (answer_id, position, run, text) VALUES (?, ?, ?, ?)');
  const ofAnswer = db.sql.prepare(
    'SELECT text FROM held_pieces WHERE answer_id = ? AND position >= ? AND position < ? ORDER BY position',
  );
  const count = db.sql.prepare('SELECT count(*) AS pieces FROM held_pieces WHERE answer_id = ?');
  const remove = db.sql.prepare('DELETE FROM held_pieces WHERE answer_id = ?');
  const withoutAnswer = db.sql.prepare(
    'SELECT DISTINCT answer_id AS id, run FROM held_pieces WHERE answer_id NOT IN (SELECT id FROM held_answers)',
  );
  /** Answers of this run whose row has not been written yet. */
  const underWay = new Set<string>();

  const drop = (id: string): void => {
    underWay.delete(id);
    remove.run(id);
  };

  return {
    /** Writes a text, given in parts, piece by piece, yielding in between. Call `close` once the answer has its row, or will not get one. */
    async write(parts: Iterable<string>): Promise<Result<WrittenPieces>> {
      const written: WrittenPieces = { id: crypto.randomUUID(), pieces: 0, bytes: 0 };
      underWay.add(written.id);
      for (const text of ofLength(parts, inOnePiece)) {
        const piece = JSON.stringify(text);
        const added = db.transaction(() => ok(add.run(written.id, written.pieces, db.run, piece)));
        if (!added.ok) {
          underWay.delete(written.id);
          return added;
        }
        written.pieces += 1;
        written.bytes += Buffer.byteLength(piece);
        await turn();
      }
      return ok(written);
    },
    /** Whether all of it is still there: another process may have swept it away. */
    isWhole: ({ id, pieces }: WrittenPieces): boolean => count.get(id)?.pieces === pieces,
    /** Ends the writing of an answer; without a row its pieces are removed. */
    close({ id }: WrittenPieces, hasRow: boolean): Result<void> {
      if (!hasRow) return db.transaction(() => ok(drop(id)));
      underWay.delete(id);
      return ok(undefined);
    },
    /** The text of an answer; undefined if pieces are missing, as after damage to the file. */
    open(id: string, pieces: number): LongText | undefined {
      if (Number(count.get(id)?.pieces) !== pieces) return undefined;
      const rowsOf = (from: number, to: number): string[] | undefined => {
        const first = Math.floor(from / inOnePiece);
        const last = Math.min(pieces, Math.ceil(to / inOnePiece));
        const rows = ofAnswer.all(id, first, last).map(({ text }) => String(text));
        return rows.length === Math.max(0, last - first) ? rows : undefined;
      };
      const cut = (texts: readonly string[], from: number, to: number): string => {
        const start = Math.floor(from / inOnePiece) * inOnePiece;
        return texts.join('').slice(from - start, to - start);
      };
      const end = pieces * inOnePiece;
      return {
        async read(from, to = end) {
          const rows = rowsOf(from, to);
          const texts: string[] = [];
          for (const row of rows ?? []) {
            await turn();
            texts.push(JSON.parse(row));
          }
          return rows && cut(texts, from, to);
        },
      };
    },
    /** Removes what a killed run wrote for answers that never got their row. */
    sweep(): void {
      for (const { id, run } of withoutAnswer.all()) {
        const isWanted = run === db.run ? underWay.has(String(id)) : db.isRunAlive(String(run));
        if (!isWanted) drop(String(id));
      }
    },
  };
}

/** Parts of a text put together and cut anew, all but the last one of the same length. */
function* ofLength(parts: Iterable<string>, length: number): Generator<string> {
  let waiting = '';
  for (const part of parts) {
    waiting += part;
    while (waiting.length >= length) {
      yield waiting.slice(0, length);
      waiting = waiting.slice(length);
    }
  }
  if (waiting !== '') yield waiting;
}
