import { useCallback, useState } from 'react';
import { call } from '../calls/bridge.ts';

// What would be lost with the window's process: main keeps it (app.keep-work) and gives it back to the window that comes after.
// Kept are what is typed and not sent, where one is, and which answer is shown; answers themselves are held by main, and secrets
// are never handed here: a key goes from its field straight to the main process.

const pieces = new Map<string, string>();
const waiting = new Map<string, string | null>();
let sending: ReturnType<typeof setTimeout> | undefined;
/** So much typing may be lost: a message for each key pressed would be many for little. */
const gatherMs = 60;
const longest = 200_000;

/** Reads what an earlier window left. Before anything is drawn; where it fails, one starts anew. */
export async function takeKeptWork(): Promise<void> {
  try {
    for (const { name, text } of (await call('app.kept-work', {})).pieces) pieces.set(name, text);
  } catch {
    // Nothing was kept, or main cannot be asked: the screens then say so themselves.
  }
}

/** What is kept under a key; undefined: nothing. */
export const readKept = (key: string): string | undefined => pieces.get(key);

/** Everything kept whose key begins so, without that beginning. */
export const listKept = (start: string): [string, string][] =>
  [...pieces].flatMap(([key, text]): [string, string][] =>
    key.startsWith(start) ? [[key.slice(start.length), text]] : [],
  );

/** Hands over what is still waiting; when it is there. */
export async function flushKept(): Promise<void> {
  clearTimeout(sending);
  sending = undefined;
  const sent = [...waiting].map(([name, text]) => call('app.keep-work', { name, text }));
  waiting.clear();
  await Promise.allSettled(sent);
}

/** Keeps a piece of work; null: it is over. What is too long to keep stays with the window alone. */
export function keepWork(key: string, text: string | null): void {
  if (key.length > 300 || (text?.length ?? 0) > longest) return;
  if (text === null) pieces.delete(key);
  else if (pieces.get(key) === text) return;
  else pieces.set(key, text);
  waiting.set(key, text);
  sending ??= setTimeout(() => void flushKept(), gatherMs);
}

/** The same for a value that is no text; what does not read as one is passed over. */
export function readKeptValue<T>(key: string): T | undefined {
  const text = readKept(key);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** Like useState for one of a few words: a tab, a form that is open. */
export function useKept<T extends string | null>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => readKeptValue<T>(key) ?? initial);
  const change = useCallback(
    (next: T) => {
      setValue(next);
      keepWork(key, next === initial ? null : JSON.stringify(next));
    },
    [key, initial],
  );
  return [value, change];
}
