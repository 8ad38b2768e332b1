import type { ClipboardMark } from '../core/licences/clipboard-mark.ts';

/** The part of the system's clipboard that is used. */
interface Clipboard {
  writeText(text: string): Promise<void>;
  readText(): Promise<string>;
  clear(): void;
}

const keptMs = 60_000;

/** Does something once, later; the returned function cancels it. */
type After = (ms: number, work: () => void) => () => void;

const timer: After = (ms, work) => {
  const timeout = setTimeout(work, ms);
  timeout.unref();
  return () => clearTimeout(timeout);
};

/**
 * Puts a secret on the clipboard and removes it after a minute or when the program ends, or, if it was killed, at its next
 * start; only if it is still there. What somebody has copied since stays.
 */
export function createSecretClipboard(
  clipboard: Clipboard,
  mark: ClipboardMark,
  after: After = timer,
  now: () => number = Date.now,
) {
  let there: string | null = null;
  let forget = (): void => {};

  async function clear(): Promise<void> {
    const secret = there;
    forget();
    there = null;
    if (secret === null) return;
    try {
      if ((await clipboard.readText()) === secret) clipboard.clear();
    } catch {
      // If the clipboard cannot be read, it may still have the secret, so it is cleared.
      clipboard.clear();
    }
    mark.clear();
  }

  return {
    /** Resolves with the time (ms since 1970) at which it will be removed. */
    async copy(text: string): Promise<number> {
      await clear();
      // Noted before it is written, so that a half-written one is removed as well.
      there = text;
      mark.set(text);
      await clipboard.writeText(text);
      forget = after(keptMs, () => void clear());
      return now() + keptMs;
    },
    clear,
    /** At the start: clears what a killed run left. If the clipboard cannot be read, the next start tries again. */
    async clearLeft(): Promise<void> {
      if (!mark.isSet()) return;
      const text = await clipboard.readText().catch(() => null);
      // One that was copied meanwhile belongs to this run.
      if (text === null || there !== null) return;
      if (mark.matches(text)) clipboard.clear();
      mark.clear();
    },
  };
}
