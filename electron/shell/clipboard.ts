import { setTimeout as pause } from 'node:timers/promises';
import { ClipboardItem } from 'electron';

/** The part of the system's clipboard that is used. */
export interface Clipboard {
  writeText(text: string): Promise<void>;
  readText(): Promise<string>;
  has(type: string): Promise<boolean>;
  clear(): void;
}

/** What beside a text asks each system's histories of the clipboard not to keep it: a format and what is in it. */
const keptOutBy: Partial<Record<NodeJS.Platform, readonly [format: string, content: string]>> = {
  win32: ['ExcludeClipboardContentFromMonitorProcessing', '1'],
  darwin: ['org.nspasteboard.ConcealedType', '1'],
  linux: ['x-kde-passwordManagerHint', 'secret'],
};

/** The clipboard for secrets: each text is written together with that mark. */
export function outOfHistories(
  clipboard: Omit<Clipboard, 'writeText'> & { write(items: ClipboardItem[]): Promise<void> },
  platform: NodeJS.Platform = process.platform,
): Clipboard {
  const [format, content] = keptOutBy[platform] ?? [];
  const mark = format === undefined ? {} : { [`electron application/osclipboard;format="${format}"`]: content ?? '' };
  return {
    writeText: (text) => clipboard.write([new ClipboardItem({ 'text/plain': text, ...mark })]),
    readText: () => clipboard.readText(),
    has: (type) => clipboard.has(type),
    clear: () => clipboard.clear(),
  };
}

/** How it waits between two tries (ms): another program has the clipboard open for a moment only. */
export type Rest = (ms: number) => Promise<unknown>;
export const triesAtClipboard = 5;
export const restMs = 100;

/** The same text, whatever the system makes of its line ends and of halves of characters. */
const asRead = (text: string): string => text.replaceAll('\r\n', '\n').toWellFormed();

/**
 * Puts a text on the clipboard and reads it back: while another program has the clipboard open, Windows takes nothing and reports nothing.
 * Rejects if it is not there after some tries.
 */
export async function copyText(clipboard: Clipboard, text: string, rest: Rest = pause): Promise<void> {
  for (let left = triesAtClipboard; left > 0; left -= 1) {
    await clipboard.writeText(text);
    if (asRead(await clipboard.readText()) === asRead(text)) return;
    await rest(restMs);
  }
  throw new Error('The clipboard did not take it.');
}

/** The text on the clipboard; null: it cannot be read, because another program has it open or for another reason. */
export async function readClipboard(clipboard: Clipboard): Promise<string | null> {
  try {
    const text = await clipboard.readText();
    // One that another program has open reads as empty, though it has a text.
    return text === '' && (await clipboard.has('text/plain')) ? null : text;
  } catch {
    return null;
  }
}
