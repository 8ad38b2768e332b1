import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element when its part comes: the first field of the next step, so that its keys begin there. */
export function useFocusOnce<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
