import { useEffect, useRef } from 'react';

/**
 * When what had the focus is gone after a change of `phase` (its button was replaced by the answer), puts it on `target`: the keys would
 * otherwise start again at the top of the window.
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
    if (document.activeElement === null || document.activeElement === document.body) latest.current()?.focus();
  }, [phase]);
}
