import { useCallback, useSyncExternalStore } from 'react';

// What is typed and not yet sent, outside of the parts that show it: a part that fails and is drawn again finds it here.
// Never for secrets: a key goes from its field straight to the main process.

const handOver = 'drafts-over-reload';

const readHandOver = (): Map<string, string> => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(handOver) ?? '[]');
    sessionStorage.removeItem(handOver);
    return new Map(Array.isArray(kept) ? kept.filter((pair) => Array.isArray(pair) && pair.length === 2) : []);
  } catch {
    return new Map();
  }
};

const drafts = readHandOver();
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const setDraft = (key: string, value: string) => {
  if (drafts.get(key) === value) return;
  drafts.set(key, value);
  for (const listener of listeners) listener();
};

/** Like useState for text a person types; `key` starts with the screen's id ("lookup/search"). Not for secrets. */
export function useDraft(key: string, initial = ''): [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => drafts.get(key) ?? initial);
  return [value, useCallback((next: string) => setDraft(key, next), [key])];
}

/** What is typed on a screen, for showing it when the screen itself cannot. */
export function draftsOf(screen: string): string[] {
  return [...drafts]
    .filter(([key, text]) => key.startsWith(`${screen}/`) && text.trim() !== '')
    .map(([, text]) => text);
}

/** Reloads the window with what is typed handed over: kept in the window's session for that moment only. */
export function reloadWithDrafts(): void {
  try {
    sessionStorage.setItem(handOver, JSON.stringify([...drafts]));
  } catch {
    // The session keeps nothing: the text has been shown for copying before this.
  }
  location.reload();
}
