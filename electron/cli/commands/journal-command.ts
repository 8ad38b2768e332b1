import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JournalCheck } from '../../../shared/domain/licences/licence-journal.ts';
import { decodeTextFile } from '../../../shared/domain/text/text-file.ts';
import { appError } from '../../../shared/errors.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { anchorName, readAnchorFile } from '../../core/licences/journal/journal-anchor.ts';
import { verifyExport, verifyJournal } from '../../core/licences/journal/journal-verify.ts';
import { databaseName } from '../../core/storage/database/database.ts';
import { storageError } from '../../core/storage/database/errors.ts';
import type { Arguments } from '../arguments.ts';
import { findDataFolder } from '../data-folder.ts';
import { type Failure, type Printed, usageError } from '../printed.ts';
import type { Session } from '../session.ts';

const faultMessages = {
  changed: 'was changed',
  missing: 'was removed, or one before it',
  'out-of-order': 'is not in its place',
  'cut-short': 'and what followed were removed',
  replaced: 'is not the one that the anchor file names: entries up to it were replaced, or that file was',
  unreadable: 'cannot be read',
} as const;

const endOfExport =
  'Entries cut off at the end of an export do not show: the number above says how many it has, and the journal of the computer that it came from whether there are more.';

const askAgain = 'Check the journal of the computer that it came from, or ask for the file again.';

/** `journal verify` checks the hash chain of the licence journal, `journal verify file.jsonl` that of an export. It only reads and makes no network call. */
export async function journalCommand(
  { words: [what, file] }: Arguments,
  session: Pick<Session, 'env' | 'folderName'>,
): Promise<Result<Printed, Failure>> {
  if (what !== 'verify')
    return fail(
      appError('bad-input', {
        message: what === undefined ? 'Say what to do with the journal.' : `There is no “journal ${what}”.`,
        next: 'Write journal verify, or journal verify FILE for an export.',
        charge: 'not-applicable',
      }),
    );
  const check = file === undefined ? verifyOwn(findDataFolder(session)) : await verifyFile(file);
  if (!check.ok) return check;
  if (check.value.intact) return ok({ ...check.value, ...(file === undefined ? {} : { note: endOfExport }) });
  const { fault, brokenAt } = check.value;
  const finding = `entry ${brokenAt} ${fault === null ? 'is wrong' : faultMessages[fault]}`;
  const said =
    file === undefined
      ? { message: `The licence journal is broken: ${finding}.` }
      : { message: `The export ${file} is broken: ${finding}.`, next: askAgain };
  return fail({ ...appError('journal-broken', { ...said, charge: 'not-applicable' }), printed: { ...check.value } });
}

/** Opens the database read-only, because a check must not repair, migrate or create anything. */
function verifyOwn(folder: string): Result<JournalCheck> {
  const path = join(folder, databaseName);
  const anchorFile = join(folder, anchorName);
  if (!existsSync(path)) {
    const anchor = readAnchorFile(anchorFile);
    return ok(verifyExport([], anchor === null ? { entries: 1, lastHash: '' } : anchor));
  }
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    return ok(verifyJournal(db, anchorFile));
  } catch (thrown) {
    return fail(storageError(thrown));
  } finally {
    db?.close();
  }
}

async function verifyFile(file: string): Promise<Result<JournalCheck>> {
  let lines: string[];
  try {
    // Not by readline, which also splits at U+2028 and U+2029: JSON has them in texts as they are.
    lines = decodeTextFile(await readFile(file)).split('\n');
  } catch {
    return fail(appError('file-failed', { message: 'The export cannot be read.', charge: 'not-applicable' }));
  }
  const check = verifyExport(lines);
  // A wrong path says nothing of a journal.
  if (check.intact || lines.some((line) => line.trim() !== '' && verifyExport([line]).fault !== 'unreadable'))
    return ok(check);
  return usageError(
    `No line of ${file} is an entry of a licence journal.`,
    'Name a file that “Export the whole journal” has saved.',
  );
}
