import { useCallback, useSyncExternalStore } from 'react';
import { keepWork, readKeptValue } from '../../lib/window/kept-work.ts';

export interface KeyedStore<State> {
  read: (key: string) => State;
  change: (key: string, patch: Partial<State>) => void;
  /** The state under a key, drawn again when it changes. */
  use: (key: string) => State;
}

/**
 * State by key that outlives the parts that show it. Past `limit` keys the oldest that `mayForget` lets go are forgotten, so that
 * a window open for weeks does not keep every answer it ever showed.
 */
export function createKeyedStore<State>(
  initial: State,
  limit = 400,
  mayForget: (state: State) => boolean = () => true,
  /** Under this name the main process keeps the states, for a window that comes again. Never for what holds a secret. */
  kept?: string,
): KeyedStore<State> {
  const states = new Map<string, State>();
  const restored = new Map<string, State>();
  const restore = (key: string): State => {
    const known = restored.get(key);
    if (known || kept === undefined) return known ?? initial;
    const state = { ...initial, ...readKeptValue<Partial<State>>(`${kept}/${key}`) };
    restored.set(key, state);
    return state;
  };
  const listeners = new Set<() => void>();
  const read = (key: string) => states.get(key) ?? restore(key);

  const forgetOldest = () => {
    for (const [key, state] of states) {
      if (states.size <= limit) return;
      if (mayForget(state)) states.delete(key);
    }
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    read,
    change: (key, patch) => {
      const next = { ...read(key), ...patch };
      states.delete(key);
      forgetOldest();
      states.set(key, next);
      if (kept !== undefined) keepWork(`${kept}/${key}`, JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    use: (key) =>
      useSyncExternalStore(
        subscribe,
        useCallback(() => read(key), [key]),
      ),
  };
}
