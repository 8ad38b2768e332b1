import { useCallback, useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import { flushSession, listSessionTexts, saveSessionText } from './session-state.ts';

// What is typed and not yet sent, outside the components that show it: one that fails and is drawn again finds it here. Never for secrets:
// a key goes from its field straight to the main process.

const start = 'draft/';

/** Read at first use: by then what an earlier window left has arrived. */
let known: Map<string, string> | undefined;
const drafts = (): Map<string, string> => {
  known ??= new Map(listSessionTexts(start));
  return known;
};

const { subscribe, notify } = createListeners();

const asIs = (text: string): string => text;

const setDraft = (key: string, value: string | null, toKeep: (text: string) => string) => {
  if (value === null) drafts().delete(key);
  else if (drafts().get(key) === value) return;
  else drafts().set(key, value);
  saveSessionText(`${start}${key}`, value === null ? null : toKeep(value));
  notify();
};

/**
 * Like useState for text a person types; `key` starts with the screen's id ("lookup/search"). Not for secrets: if one may be among what is
 * pasted, `toKeep` masks it in what outlives the window's process. The setter stays the same function; with null it forgets what was typed,
 * as when it was saved: what is stored may then be changed elsewhere.
 */
export function useDraft(key: string, initial = '', toKeep = asIs): [string, (value: string | null) => void] {
  const value = useSyncExternalStore(subscribe, () => drafts().get(key) ?? initial);
  return [value, useCallback((next: string | null) => setDraft(key, next, toKeep), [key, toKeep])];
}

/** Forgets what was typed under a key if it is what was sent; what was typed there since stays. */
export function forgetSent(key: string, sent: string): void {
  if (drafts().get(key)?.trim() === sent) setDraft(key, null, asIs);
}

/** What is typed on a screen, for showing it when the screen itself cannot. */
export function draftsOf(screen: string): string[] {
  return [...drafts()]
    .filter(([key, text]) => key.startsWith(`${screen}/`) && text.trim() !== '')
    .map(([, text]) => text);
}

/** Reloads the window; what is typed is with the main process by then. */
export function reloadWithDrafts(): void {
  void flushSession().then(() => location.reload());
}
