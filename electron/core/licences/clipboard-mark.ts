import type { DatabaseSync } from 'node:sqlite';
import { readOrDefault, type Settings } from '../settings/settings.ts';
import { openFingerprints } from '../storage/fingerprints.ts';

export type ClipboardMark = ReturnType<typeof createClipboardMark>;

/**
 * Records that a secret was put on the clipboard, in case the program is killed before removing it: a fingerprint, from which nothing can
 * be read. If it cannot be stored nothing is marked: the minute and the end of the program still remove the secret.
 */
export function createClipboardMark(sql: DatabaseSync, settings: Pick<Settings, 'read' | 'write'>) {
  const { ofSpellings } = openFingerprints(sql);
  /** As typed: it recognises its own text alone. */
  const markOf = (text: string): string | null => ofSpellings(text)[0] ?? null;
  const read = (): string | null => readOrDefault(settings, 'clipboardMark');
  return {
    set: (secret: string): void => void settings.write('clipboardMark', markOf(secret)),
    clear: (): void => void settings.write('clipboardMark', null),
    isSet: (): boolean => read() !== null,
    matches: (text: string): boolean => text !== '' && markOf(text) === read(),
  };
}
