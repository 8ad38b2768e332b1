import { type RefObject, useEffect, useRef } from 'react';

const isSeen = (element: Element | null): boolean => element instanceof HTMLElement && element.offsetParent !== null;

/**
 * For the heading of a detail pane: takes the focus if a narrow window has just hidden the list that had it, so that Escape and
 * Tab go on from here. In a wide window the focus stays in the list.
 */
export function useArrivalFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body || !isSeen(document.activeElement)) heading.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return heading;
}

/** After a pane has closed: the focus goes to the table that is in sight, or else to the screen's heading. */
export function focusList(screen: string): void {
  requestAnimationFrame(() => {
    const box = document.querySelector(`[data-screen="${screen}"]`);
    const targets = box?.querySelectorAll<HTMLElement>('[role="grid"], h1') ?? [];
    const seen = [...targets].filter(isSeen);
    (seen.find((target) => target.getAttribute('role') === 'grid') ?? seen[0])?.focus();
  });
}
