import type { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../settings/settings.ts';
import { openFingerprints } from '../storage/fingerprints.ts';

export type ClipboardMark = ReturnType<typeof createClipboardMark>;

/**
 * That a secret was put on the clipboard, for the case that the program is killed before it is taken off: its fingerprint, of which
 * nothing can be read. What cannot be stored is not marked: the minute and the end of the program still take it off.
 */
export function createClipboardMark(sql: DatabaseSync, settings: Pick<Settings, 'read' | 'write'>) {
  const fingerprint = openFingerprints(sql);
  const read = (): string | null => {
    const mark = settings.read('clipboardMark');
    return mark.ok ? mark.value : null;
  };
  return {
    set: (secret: string): void => void settings.write('clipboardMark', fingerprint(secret)),
    clear: (): void => void settings.write('clipboardMark', null),
    isSet: (): boolean => read() !== null,
    matches: (text: string): boolean => text !== '' && fingerprint(text) === read(),
  };
}
