import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { createListeners } from '../listeners.ts';

interface Said {
  polite: string;
  urgent: string;
}

let said: Said = { polite: '', urgent: '' };
const { subscribe, notify } = createListeners();

/**
 * Has a result read aloud: "34 premises, 4 saved", "The balance fell by 1 …". `urgent` interrupts what is being read: for failures that
 * affect money or licences.
 */
export function announce(text: string, urgent = false): void {
  // A screen reader reads only what changes: a no-break space makes a sentence that is announced twice in a row a new text.
  const kind = urgent ? 'urgent' : 'polite';
  said = { ...said, [kind]: said[kind] === text ? `${text}\u00a0` : text };
  notify();
}

/**
 * Has a failure read aloud as the place that shows it would, unless that is on the screen: then it is read as it appears there.
 */
export function announceFailure({ message, money, next }: AppError): void {
  // By then the place is drawn, if its screen is shown.
  setTimeout(() => {
    const isShown = (one: Element) => one.ariaLabel === message && one.checkVisibility();
    if (![...document.querySelectorAll('.failure')].some(isShown)) announce(`${message} ${money} ${next}`, true);
  });
}

/** What is to be read aloud now, for the live region of the frame. */
export const useSaid = (): Said => useSyncExternalStore(subscribe, () => said);
