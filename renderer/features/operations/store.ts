import { useCallback, useSyncExternalStore } from 'react';

/** State by key that outlives the parts that show it; past a number of keys the oldest that may go are forgotten. */
export function createStore<State>(initial: State, mayForget: (state: State) => boolean = () => true, most = 200) {
  const states = new Map<string, State>();
  const listeners = new Set<() => void>();
  const read = (key: string): State => states.get(key) ?? initial;
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
      for (const listener of listeners) listener();
    },
    use: (key: string): State =>
      useSyncExternalStore(
        subscribe,
        useCallback(() => read(key), [key]),
      ),
  };
}
