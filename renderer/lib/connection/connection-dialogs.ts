import { createContext, useContext } from 'react';
import type { ConnectionView } from '../../../shared/contract/connections.ts';
import { roleNames, type SecretRole } from '../../../shared/domain/connection.ts';
import { useGo } from '../window/routes.tsx';

/** Which key a new value is for, as far as it is known, and why. */
export interface KeyToReplace {
  view: ConnectionView;
  why: string;
  secretId?: string | undefined;
  role?: string | undefined;
  label?: string | undefined;
}

/**
 * Opens a dialog for what a connection lacks or has wrong over the screen that says so: what was typed and asked there stays. Provided by
 * the frame.
 */
export interface ConnectionDialogs {
  replaceKey(key: KeyToReplace): void;
  addKey(view: ConnectionView, role: SecretRole): void;
  edit(view: ConnectionView): void;
}

export const ConnectionDialogsContext = createContext<ConnectionDialogs | null>(null);

/** null: none are provided above this part, and the way is the Connections screen. */
export const useConnectionDialogs = (): ConnectionDialogs | null => useContext(ConnectionDialogsContext);

/** What a connection lacks for a call, in words. */
export interface Missing {
  words: string;
  /** The key that is given first; null: an address or a name comes before any key. */
  key: SecretRole | null;
}

/** `settings` and `keys`: each entry is what is missing, in words, or false if it is present. null: nothing is missing. */
export function missingOf(
  settings: readonly (string | false)[],
  keys: readonly ({ role: SecretRole; words: string } | false)[],
): Missing | null {
  const lacks = keys.filter((one) => one !== false);
  const set = settings.filter((one) => one !== false);
  const words = [...set, ...lacks.map((one) => one.words)];
  if (words.length === 0) return null;
  return { words: new Intl.ListFormat('en-GB').format(words), key: set.length > 0 ? null : (lacks[0]?.role ?? null) };
}

/** The button with which a person adds what is missing: its label and what it opens. */
export function useCompletion(
  view: ConnectionView | null,
  missing: Missing | null,
): { label: string; open: () => void } {
  const dialogs = useConnectionDialogs();
  const go = useGo();
  const key = missing?.key ?? null;
  return {
    label: key === null ? 'Complete the connection…' : `Add the ${roleNames[key]}…`,
    open: () => {
      if (dialogs === null || view === null || view.connection.kind === 'demo') go('connections');
      else if (key === null) dialogs.edit(view);
      else dialogs.addKey(view, key);
    },
  };
}
