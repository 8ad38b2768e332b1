import { useSyncExternalStore } from 'react';

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
 * Has a result or a verdict read aloud: "34 premises, 4 held", "Licence 20418 is on HFD-LT-0219, confirmed". `urgent` interrupts what
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
        {now.polite}
      </div>
      <div className="spoken" role="alert" aria-live="assertive">
        {now.urgent}
      </div>
    </>
  );
}
