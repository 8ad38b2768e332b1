import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { z } from 'zod';

const anchorSchema = z.strictObject({ entries: z.number().int().min(0), lastHash: z.string().regex(/^[0-9a-f]{64}$/) });

/** Its name in the data folder. */
export const anchorName = 'licence-journal.anchor';

/** How many entries the journal had, and the hash of the last of them. */
export type JournalAnchor = z.infer<typeof anchorSchema>;

/**
 * Moves the anchor on to the journal's newest entry. `hashOf`: of an entry of the journal; undefined: it has none. An anchor that is further
 * on is another process's, or proves, as does one that names an entry which is not in the journal, that an older journal was put back: it
 * stays. A failure is ignored: the file is a lower bound, so one that is some entries behind still proves everything up to there, and the
 * entry itself is already in the database.
 */
export function advanceAnchorFile(file: string, newest: JournalAnchor, hashOf: (sequence: number) => unknown): void {
  try {
    const before = readAnchorFile(file);
    if (before === null) return;
    const { entries, lastHash } = before ?? { entries: 0, lastHash: '' };
    if (entries > newest.entries || (entries > 0 && hashOf(entries) !== lastHash)) return;
    const draft = `${file}.new`;
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeSync(handle, `${JSON.stringify(newest)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
  }
}

/** The anchor beside the database; undefined if there is none, null if the file is not an anchor. */
export function readAnchorFile(file: string): JournalAnchor | null | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined;
    return null;
  }
  try {
    const parsed = anchorSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
