import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import { readSessionValue, saveSessionText } from './session-state.ts';

interface KeyedStore<State> {
  read: (key: string) => State;
  change: (key: string, patch: Partial<State>) => void;
  /** The state under a key, drawn again when it changes. */
  use: (key: string) => State;
}

interface KeyedStoreOptions<State> {
  /** How many keys are remembered. Beyond that the oldest go, so that a window open for weeks does not keep every answer it ever showed. */
  most?: number;
  /** Whether a state may be forgotten then; by default all may. */
  mayForget?: (state: State) => boolean;
  /** Called with each state that is forgotten. */
  onForget?: (state: State) => void;
  /** The name under which the main process stores the states for a later window. Never for anything that contains a secret. */
  sessionKey?: string;
}

/** State by key, such as a connection's id, that outlives the parts that show it. */
export function createKeyedStore<State>(
  initial: State,
  { most = 400, mayForget = () => true, onForget, sessionKey }: KeyedStoreOptions<State> = {},
): KeyedStore<State> {
  const states = new Map<string, State>();
  const restored = new Map<string, State>();
  const restore = (key: string): State => {
    const known = restored.get(key);
    if (known || sessionKey === undefined) return known ?? initial;
    const state = { ...initial, ...readSessionValue<Partial<State>>(`${sessionKey}/${key}`) };
    restored.set(key, state);
    return state;
  };
  const { subscribe, notify } = createListeners();
  const read = (key: string) => states.get(key) ?? restore(key);

  const forgetOldest = () => {
    for (const [key, state] of states) {
      if (states.size <= most) return;
      if (!mayForget(state)) continue;
      states.delete(key);
      onForget?.(state);
    }
  };

  return {
    read,
    change: (key, patch) => {
      const next = { ...read(key), ...patch };
      // A map keeps insertion order: by removing and reinserting, the key changed last is the youngest.
      states.delete(key);
      forgetOldest();
      states.set(key, next);
      if (sessionKey !== undefined) saveSessionText(`${sessionKey}/${key}`, JSON.stringify(next));
      notify();
    },
    use: (key) => useSyncExternalStore(subscribe, () => read(key)),
  };
}
