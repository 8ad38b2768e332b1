import { useCallback, useSyncExternalStore } from 'react';
import { keepWork, readKeptValue } from '../../lib/window/kept-work.ts';

/**
 * State by key that outlives the parts that show it; past a number of keys the oldest that may go are forgotten. Under the name
 * `kept` the main process keeps it too, for a window that comes again; never for what holds a secret.
 */
export function createStore<State>(
  initial: State,
  mayForget: (state: State) => boolean = () => true,
  most = 200,
  kept?: string,
) {
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
  const read = (key: string): State => states.get(key) ?? restore(key);
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    read,
    change(key: string, patch: Partial<State>): void {
      const next = { ...read(key), ...patch };
      states.delete(key);
      for (const [old, state] of states) {
        if (states.size < most) break;
        if (mayForget(state)) states.delete(old);
      }
      states.set(key, next);
      if (kept !== undefined) keepWork(`${kept}/${key}`, JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    use: (key: string): State =>
      useSyncExternalStore(
        subscribe,
        useCallback(() => read(key), [key]),
      ),
  };
}
