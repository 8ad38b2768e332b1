import type { DatabaseSync } from 'node:sqlite';
import {
  type JournalCheck,
  type JournalEntry,
  type JournalFault,
  journalEntrySchema,
} from '../../../../shared/domain/licences/licence-journal.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { firstPreviousHash, hashEntry } from './journal.ts';
import { type JournalAnchor, readAnchorFile } from './journal-anchor.ts';

/**
 * Walks the chain and checks it against its anchors. Found: an entry changed, removed or moved, a column that no longer says what its entry
 * says, and a cut tail as long as one anchor is left. Not found: a journal rewritten whole together with both anchors. Throws where SQLite
 * does. Entries that another process appends meanwhile are not looked at.
 */
export function verifyJournal(db: DatabaseSync, anchorFile?: string): JournalCheck {
  // Before the transaction: what was in the file then is in what the transaction sees.
  const outside = anchorFile === undefined ? undefined : readAnchorFile(anchorFile);
  const begins = !db.isTransaction;
  if (begins) db.exec('BEGIN');
  try {
    const rows = db
      .prepare(
        'SELECT sequence, change_id, connection_id, licence_id, state, body, previous_hash, hash FROM licence_journal ORDER BY sequence',
      )
      .iterate();
    return checkChain(readRows(rows), { exact: readInsideAnchor(db), atLeast: outside });
  } finally {
    if (begins) db.exec('ROLLBACK');
  }
}

/** Checks an export of `Journal.exportLines`; `anchor`, if known, reveals a cut tail: without it entries cut off at the end do not show. */
export function verifyExport(lines: Iterable<string>, anchor?: JournalAnchor): JournalCheck {
  return checkChain(readLines(lines), { exact: undefined, atLeast: anchor });
}

type Read = { sequence: number; entry: JournalEntry | null };
/** undefined: there is none. null: there is one, and it cannot be read. */
type Anchor = JournalAnchor | null | undefined;

function checkChain(reads: Iterable<Read>, anchors: { exact: Anchor; atLeast: Anchor }): JournalCheck {
  let count = 0;
  let lastHash = firstPreviousHash;
  let lastSequence = 0;
  let broken: { at: number; fault: JournalFault } | null = null;
  let hashAtLeast: string | undefined;
  for (const { sequence, entry } of reads) {
    count += 1;
    if (broken === null) {
      const fault = findFault(sequence, entry, lastSequence, lastHash);
      if (fault !== null) broken = { at: fault === 'missing' ? lastSequence + 1 : sequence, fault };
    }
    lastSequence = sequence;
    lastHash = entry?.hash ?? '';
    if (count === anchors.atLeast?.entries) hashAtLeast = lastHash;
  }
  const isShort =
    anchors.exact === null ||
    anchors.atLeast === null ||
    (anchors.exact !== undefined && (anchors.exact.entries !== count || anchors.exact.lastHash !== lastHash));
  const known = anchors.atLeast?.entries ?? 0;
  // An older journal that was put back may have grown to the entry that it lacks. From which entry on they differ is then not known.
  if (known > 0 && anchors.atLeast?.lastHash !== hashAtLeast)
    broken ??= count < known ? { at: count + 1, fault: 'cut-short' } : { at: known, fault: 'replaced' };
  if (isShort) broken ??= { at: count + 1, fault: 'cut-short' };
  return {
    entries: count,
    intact: broken === null,
    brokenAt: broken?.at ?? null,
    fault: broken?.fault ?? null,
    lastHash,
  };
}

function findFault(
  sequence: number,
  entry: JournalEntry | null,
  lastSequence: number,
  lastHash: string,
): JournalFault | null {
  if (sequence !== lastSequence + 1) return sequence > lastSequence ? 'missing' : 'out-of-order';
  if (entry === null) return 'unreadable';
  // The number is part of what is hashed: an entry that is intact under another number was moved there.
  if (entry.sequence !== sequence) return hashEntry(entry) === entry.hash ? 'out-of-order' : 'changed';
  if (hashEntry(entry) !== entry.hash) return 'changed';
  return entry.previousHash === lastHash ? null : 'missing';
}

function* readRows(rows: Iterable<Record<string, unknown>>): Generator<Read> {
  for (const row of rows) {
    const entry = parseEntry(String(row.body), row.hash);
    const agrees =
      entry !== null &&
      entry.changeId === row.change_id &&
      entry.connectionId === row.connection_id &&
      entry.licenceNumber === row.licence_id &&
      entry.state === row.state &&
      entry.previousHash === row.previous_hash;
    // Queries look at the columns: one that was changed alone counts as a changed entry.
    yield { sequence: Number(row.sequence), entry: entry === null || agrees ? entry : { ...entry, hash: '' } };
  }
}

function* readLines(lines: Iterable<string>): Generator<Read> {
  let place = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    place += 1;
    const entry = parseEntry(line.trim());
    yield { sequence: entry !== null && entry.sequence > place ? entry.sequence : place, entry };
  }
}

function parseEntry(text: string, hash?: unknown): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(text);
    const whole = hash === undefined || typeof value !== 'object' ? value : { ...value, hash };
    const parsed = journalEntrySchema.safeParse(whole);
    if (!parsed.success) return null;
    // Byte for byte: what the schema would drop, or JSON that parses the same, must not escape the hash.
    const { hash: _, ...content } = parsed.data;
    return text === toCanonicalJson(hash === undefined ? parsed.data : content) ? parsed.data : null;
  } catch {
    return null;
  }
}

function readInsideAnchor(db: DatabaseSync): Anchor {
  const row = db.prepare('SELECT entries, last_hash FROM licence_journal_anchor WHERE id = 1').get();
  return row === undefined ? null : { entries: Number(row.entries), lastHash: String(row.last_hash) };
}
