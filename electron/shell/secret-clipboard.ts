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
 * its next start; only if it is still there. What somebody has copied since stays. `sees`: whether the system lets the program see and clear
 * the clipboard now. GNOME's Wayland lets only who has the focus (mutter's meta-wayland-data-device.c) and puts back what it has kept
 * (meta-clipboard-manager.c): what seems to be gone meanwhile is looked at once more (`clearLeft`) when a window is in front again.
 * `readsOwn`: what cannot be read is not the program's own. macOS asks before a program reads what another has copied, and whoever refuses
 * keeps it from being read.
 */
export function createSecretClipboard(
  clipboard: Clipboard,
  mark: ClipboardMark,
  sees: () => boolean,
  readsOwn: boolean,
  after: After = timer,
  now: () => number = Date.now,
  rest: Rest = pause,
) {
  let there: string | null = null;
  let until = Number.POSITIVE_INFINITY;
  let forget = (): void => {};

  async function clear(): Promise<void> {
    const secret = there;
    forget();
    there = null;
    until = Number.POSITIVE_INFINITY;
    if (secret !== null && (await remove((text) => text === secret)) && there === null) mark.clear();
  }

  /**
   * Clears the clipboard until the secret is seen to be gone; false: it was not, or the clipboard could not be seen all the time. One that
   * cannot be read may have it, so it is cleared, unless `readsOwn`. Where a clipboard manager puts the last text back into one that is empty
   * (KDE), a blank takes its place.
   */
  async function remove(isSecret: (text: string) => boolean): Promise<boolean> {
    let wasCleared = false;
    const saw = sees();
    for (let left = triesAtClipboard; ; left -= 1) {
      const text = await readClipboard(clipboard);
      if (text === null ? readsOwn : !isSecret(text)) return saw && sees();
      if (left === 0) return false;
      if (wasCleared && text !== null) await clipboard.writeText(' ');
      else clipboard.clear();
      wasCleared ||= text !== null;
      await rest(restMs);
    }
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
      until = now() + keptMs;
      return until;
    },
    clear,
    /**
     * At the start, when the computer wakes, and when a window comes to the front: clears what a killed run left, a minute in which the
     * clipboard could not be seen, or a timer that stood still in sleep. If it cannot be read or seen now either, the next time tries again.
     */
    async clearLeft(): Promise<void> {
      if (now() >= until) await clear();
      if (there !== null || !mark.isSet() || !sees()) return;
      const text = await readClipboard(clipboard);
      // One that was copied meanwhile belongs to this run.
      if ((text === null && !readsOwn) || there !== null) return;
      const isGone = text !== null && mark.matches(text) ? await remove(mark.matches) : sees();
      if (isGone && there === null) mark.clear();
    },
  };
}
