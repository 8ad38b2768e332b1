import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to an element when its component is mounted: for the first field of a next step. */
export function useFocusOnce<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
