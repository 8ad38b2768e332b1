import { useEffect, useRef } from 'react';

/** Whether the focus is on nothing, on what was hidden just now, or on the heading, where it was put because what had it was removed. */
const isLost = (element: Element | null) =>
  element === null || element === document.body || element.matches('main h1') || !element.checkVisibility();

/**
 * If a change of `phase` removed what had the focus (its button was replaced by the answer), puts it on `target`: the keys would
 * otherwise start again at the top of the screen.
 */
export function useKeptFocus(phase: string, target: () => HTMLElement | null | undefined): void {
  const latest = useRef(target);
  const before = useRef(phase);
  useEffect(() => {
    latest.current = target;
  });
  useEffect(() => {
    if (before.current === phase) return;
    before.current = phase;
    if (isLost(document.activeElement)) latest.current()?.focus();
  }, [phase]);
}
