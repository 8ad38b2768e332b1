import { useState } from 'react';
import { call } from '../calls/bridge.ts';

// The session state: what would be lost if the window's process ended. The main process keeps it (app.save-session) and hands it to the
// next window. It holds what is typed and not sent, which screen and tab are shown, and which answer; the answers themselves are in the
// main process's cache. Secrets never come here: a key goes from its field straight to the main process.

const pieces = new Map<string, string>();
const waiting = new Map<string, string | null>();
let sending: ReturnType<typeof setTimeout> | undefined;
/** Milliseconds of typing that may be lost, so that not every key press is a message. */
const gatherMs = 60;
/** Characters of one text; the channel takes no more. */
const longest = 200_000;

/** Reads what an earlier window left. Called before anything is drawn. Errors are ignored: the window then starts afresh. */
export async function restoreSession(): Promise<void> {
  try {
    for (const { name, text } of (await call('app.read-session', {})).pieces) pieces.set(name, text);
  } catch {
    // Nothing was kept, or the main process does not answer, which each screen reports for itself.
  }
}

/** The text stored under a key; undefined if there is none. */
export const readSessionText = (key: string): string | undefined => pieces.get(key);

/** All texts whose key begins with `start`, as pairs of the rest of the key and the text. */
export const listSessionTexts = (start: string): [string, string][] =>
  [...pieces].flatMap(([key, text]): [string, string][] =>
    key.startsWith(start) ? [[key.slice(start.length), text]] : [],
  );

/** Passes on what is still waiting. Resolves when the main process has it, and also if it could not take it. */
export async function flushSession(): Promise<void> {
  clearTimeout(sending);
  sending = undefined;
  const sent = [...waiting].map(([name, text]) => call('app.save-session', { name, text }));
  waiting.clear();
  await Promise.allSettled(sent);
}

/**
 * Stores a text under a key; null removes it. Does nothing if the key has more than 300 characters. A text of more than 200,000 is not
 * stored, and what was stored before is removed: an older text would come back as if it were current.
 */
export function saveSessionText(key: string, text: string | null): void {
  if (key.length > 300) return;
  const stored = text !== null && text.length > longest ? null : text;
  if (stored === null) pieces.delete(key);
  else if (pieces.get(key) === stored) return;
  else pieces.set(key, stored);
  waiting.set(key, stored);
  sending ??= setTimeout(() => void flushSession(), gatherMs);
}

/** The value stored as JSON under a key; undefined if there is none or it does not parse. */
export function readSessionValue<T>(key: string): T | undefined {
  const text = readSessionText(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Like useState for a value that is stored for the next window, such as the tab shown. `key` starts with the screen's id. */
export function useSessionState<T extends string | null>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => readSessionValue<T>(key) ?? initial);
  const change = (next: T) => {
    setValue(next);
    saveSessionText(key, next === initial ? null : JSON.stringify(next));
  };
  return [value, change];
}
