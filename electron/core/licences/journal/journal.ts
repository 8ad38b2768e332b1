import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { LicenceChange } from '../../../../shared/domain/licences/licence-change.ts';
import { type JournalEntry, journalEntrySchema } from '../../../../shared/domain/licences/licence-journal.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { advanceAnchorFile } from './journal-anchor.ts';

/** `previousHash` of the first entry. */
export const firstPreviousHash = '0'.repeat(64);

/** An entry before it has its place in the chain. */
export type JournalDraft = Omit<JournalEntry, 'sequence' | 'hash' | 'previousHash'>;

export interface Journal {
  /**
   * Appends one entry and runs `alongside` in the same transaction, on disk (synchronous=FULL) when it returns. Throws where SQLite does,
   * with nothing of it kept; a throw of `check` or `alongside` leaves nothing either.
   */
  append(draft: JournalDraft, alongside: (entry: JournalEntry) => void, check?: () => void): JournalEntry;
  /** Entries newest first, below `before` where given. */
  list(before: number | null, limit: number): JournalEntry[];
  /** Entries of one change, oldest first. */
  ofChange(changeId: string): JournalEntry[];
  /** The last entry of each change that began and was neither finished nor dismissed, in the order of those entries. */
  unfinished(): JournalEntry[];
  /** All entries as JSON lines, oldest first, each with its hash: the input of `verifyExport` in journal-verify.ts. */
  exportLines(): Generator<string>;
}

/** SHA-256 over the canonical JSON of everything in the entry except its own hash. */
export function hashEntry(entry: Omit<JournalEntry, 'hash'>): string {
  const { hash: _, ...content } = entry as JournalEntry;
  return hash('sha256', toCanonicalJson(content));
}

/**
 * The journal in a database that has migration 2. `anchorFile`: a file beside the database that also keeps count and last hash, so that a
 * database with both its tail and its own anchor cut is still found out.
 */
export function openJournal(db: DatabaseSync, anchorFile?: string): Journal {
  const last = db.prepare('SELECT sequence, hash FROM licence_journal ORDER BY sequence DESC LIMIT 1');
  const hashOf = db.prepare('SELECT hash FROM licence_journal WHERE sequence = ?');
  const insert = db.prepare(
    'INSERT INTO licence_journal (sequence, change_id, connection_id, licence_id, state, body, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const anchor = db.prepare('UPDATE licence_journal_anchor SET entries = entries + 1, last_hash = ? WHERE id = 1');
  const page = db.prepare('SELECT body, hash FROM licence_journal WHERE sequence < ? ORDER BY sequence DESC LIMIT ?');
  const change = db.prepare('SELECT body, hash FROM licence_journal WHERE change_id = ? ORDER BY sequence');
  const open = db.prepare(`SELECT body, hash FROM licence_journal
    WHERE sequence IN (SELECT max(sequence) FROM licence_journal GROUP BY change_id)
      AND state IN ('running', 'interrupted')
    ORDER BY sequence`);
  const read = (rows: Record<string, unknown>[]): JournalEntry[] =>
    rows.map((row) => journalEntrySchema.parse({ ...JSON.parse(String(row.body)), hash: row.hash }));

  return {
    append(draft, alongside, check) {
      const entry = inFullTransaction(db, () => {
        check?.();
        const before = last.get() as { sequence: number; hash: string } | undefined;
        const content = {
          ...draft,
          sequence: (before?.sequence ?? 0) + 1,
          previousHash: before?.hash ?? firstPreviousHash,
        };
        const hash = hashEntry(content);
        const body = toCanonicalJson(content);
        insert.run(
          content.sequence,
          content.changeId,
          content.connectionId,
          content.licenceNumber,
          content.state,
          body,
          content.previousHash,
          hash,
        );
        anchor.run(hash);
        const written = { ...content, hash };
        alongside(written);
        return written;
      });
      if (anchorFile !== undefined)
        advanceAnchorFile(
          anchorFile,
          { entries: entry.sequence, lastHash: entry.hash },
          (sequence) => hashOf.get(sequence)?.hash,
        );
      return entry;
    },
    list: (before, limit) => read(page.all(before ?? Number.MAX_SAFE_INTEGER, limit)),
    ofChange: (changeId) => read(change.all(changeId)),
    unfinished: () => read(open.all()),
    *exportLines() {
      for (const row of db.prepare('SELECT body, hash FROM licence_journal ORDER BY sequence').iterate()) {
        yield toCanonicalJson({ ...JSON.parse(String(row.body)), hash: row.hash });
      }
    },
  };
}

/** The part of an entry that every entry of a change has in common. */
export function draftFor(
  change: LicenceChange,
  at: string,
  rest: Pick<JournalDraft, 'event' | 'step' | 'text' | 'by'>,
): JournalDraft {
  return {
    ...rest,
    at,
    changeId: change.id,
    connectionId: change.connectionId,
    connectionName: change.connectionName,
    kind: change.kind,
    licenceNumber: change.licenceNumber,
    machine: change.machine,
    fromMachine: change.fromMachine,
    before: change.before,
    after: change.after,
    state: change.state,
    verdict: change.verdict,
  };
}

/**
 * Commits reach the disk before this returns; the connection's own setting is restored afterwards. Joins no transaction: SQLite refuses the
 * setting inside one.
 */
function inFullTransaction<T>(db: DatabaseSync, work: () => T): T {
  const setting = (db.prepare('PRAGMA synchronous').get() as { synchronous: number }).synchronous;
  db.exec('PRAGMA synchronous = FULL');
  try {
    return inTransaction(db, work);
  } finally {
    db.exec(`PRAGMA synchronous = ${setting}`);
  }
}
