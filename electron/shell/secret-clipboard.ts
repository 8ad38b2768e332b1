import { setTimeout as pause } from 'node:timers/promises';
import type { ClipboardMark } from '../core/licences/clipboard-mark.ts';
import { type Clipboard, copyText, type Rest, readClipboard, restMs, triesAtClipboard } from './clipboard.ts';

const keptMs = 60_000;

/** Does something once, later; the returned function cancels it. */
type After = (ms: number, work: () => void) => () => void;

const timer: After = (ms, work) => {
  const timeout = setTimeout(work, ms);
  timeout.unref();
  return () => clearTimeout(timeout);
};

/**
 * Puts a secret on the clipboard and removes it after a minute or when the program ends, or, if it was killed or could not remove it, at
 * its next start; only if it is still there. What somebody has copied since stays.
 */
export function createSecretClipboard(
  clipboard: Clipboard,
  mark: ClipboardMark,
  after: After = timer,
  now: () => number = Date.now,
  rest: Rest = pause,
) {
  let there: string | null = null;
  let forget = (): void => {};

  async function clear(): Promise<void> {
    const secret = there;
    forget();
    there = null;
    if (secret !== null && (await remove((text) => text === secret))) mark.clear();
  }

  /** Clears the clipboard until the secret is seen to be gone; false: it was not. One that cannot be read may have it, so it is cleared. */
  async function remove(isSecret: (text: string) => boolean): Promise<boolean> {
    for (let left = triesAtClipboard; left > 0; left -= 1) {
      const text = await readClipboard(clipboard);
      if (text !== null && !isSecret(text)) return true;
      clipboard.clear();
      const after = await readClipboard(clipboard);
      if (after !== null && !isSecret(after)) return true;
      await rest(restMs);
    }
    return false;
  }

  return {
    /** Resolves with the time (ms since 1970) at which it will be removed. */
    async copy(text: string): Promise<number> {
      await clear();
      // Noted before it is written, so that a half-written one is removed as well.
      there = text;
      mark.set(text);
      try {
        await copyText(clipboard, text, rest);
      } catch (error) {
        // It may be there all the same, such as in a clipboard that another program changes.
        await clear();
        throw error;
      }
      forget = after(keptMs, () => void clear());
      return now() + keptMs;
    },
    clear,
    /** At the start: clears what a killed run left. If the clipboard cannot be read, the next start tries again. */
    async clearLeft(): Promise<void> {
      if (!mark.isSet()) return;
      const text = await readClipboard(clipboard);
      // One that was copied meanwhile belongs to this run.
      if (text === null || there !== null) return;
      if (!mark.matches(text) || (await remove(mark.matches))) mark.clear();
    },
  };
}
