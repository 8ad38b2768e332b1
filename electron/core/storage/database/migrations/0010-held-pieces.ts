import type { Migration } from './migration.ts';

/**
 * The raw text of a long answer, and what was read from it, are stored beside its row in pieces, which are written one by one. The row is
 * written last; it makes the answer findable and has the number of its pieces. Pieces without a row, left by a run that was
 * killed, are removed.
 */
export const heldPieces: Migration = {
  number: 10,
  name: 'held-pieces',
  tables: '31b9bd85743741dd',
  sql: `
    CREATE TABLE held_pieces (
      answer_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      -- Of the program: only a dead one leaves pieces without an answer.
      run TEXT NOT NULL,
      -- A JSON string, so that every character comes back as it was.
      text TEXT NOT NULL,
      PRIMARY KEY (answer_id, position)
    ) STRICT;
    -- 0: all of it is in the value, as in answers of earlier versions and short ones.
    ALTER TABLE held_answers ADD COLUMN pieces INTEGER NOT NULL DEFAULT 0;
    CREATE TRIGGER held_pieces_go_with_their_answer AFTER DELETE ON held_answers WHEN old.pieces > 0
      BEGIN DELETE FROM held_pieces WHERE answer_id = old.id; END;
  `,
};
