import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { z } from 'zod';

const anchorSchema = z.strictObject({ entries: z.number().int().min(0), lastHash: z.string().regex(/^[0-9a-f]{64}$/) });

/** Its name in the data folder. */
export const anchorName = 'licence-journal.anchor';

/** How many entries the journal had, and the hash of the last of them. */
export type JournalAnchor = z.infer<typeof anchorSchema>;

/**
 * Replaces the whole file. A failure is ignored: the file is a lower bound, so one that is some entries behind still proves everything up
 * to there, and the entry itself is already in the database.
 */
export function writeAnchorFile(file: string, anchor: JournalAnchor): void {
  try {
    const draft = `${file}.new`;
    const handle = openSync(draft, 'w', 0o600);
    try {
      writeSync(handle, `${JSON.stringify(anchor)}\n`);
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
