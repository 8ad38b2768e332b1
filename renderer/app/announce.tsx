import { useSyncExternalStore } from 'react';
import { drawable } from '../../shared/domain/visible-text.ts';

/** Characters; nobody listens to more. */
const longestSaid = 500;

interface Said {
  polite: string;
  urgent: string;
}

let said: Said = { polite: '', urgent: '' };
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Has a result read aloud: "34 premises, 4 saved", "The balance fell by 1 …". `urgent` interrupts what
 * is being read: for failures that touch money or licences.
 */
export function announce(text: string, urgent = false): void {
  // A no-break space makes the same sentence twice two different texts, or it would be read once only.
  const kind = urgent ? 'urgent' : 'polite';
  said = { ...said, [kind]: said[kind] === text ? `${text}\u00a0` : text };
  for (const listener of listeners) listener();
}

/** Where announcements are put. Once, at the top of the window. */
export function LiveRegion() {
  const now = useSyncExternalStore(subscribe, () => said);
  return (
    <>
      <div className="spoken" role="status" aria-live="polite">
        {drawable(now.polite, longestSaid)}
      </div>
      <div className="spoken" role="alert" aria-live="assertive">
        {drawable(now.urgent, longestSaid)}
      </div>
    </>
  );
}
