import { useEffect, useEffectEvent, useRef } from 'react';

/** Whether the focus is on nothing, on what was hidden just now, on a stand-in, or on the heading, which has it on a screen just shown. */
const isLost = (element: Element | null) =>
  element === null ||
  element === document.body ||
  element.matches('main h1, [data-stand-in]') ||
  !element.checkVisibility();

/** What has the focus in place of what was removed (keep-focus.ts) is a stand-in until a person goes on from there. */
function settle(): void {
  for (const one of document.querySelectorAll('[data-stand-in]')) one.removeAttribute('data-stand-in');
}

/**
 * If a change of `phase` removed what had the focus (its button was replaced by the answer), puts it on `target`: the keys would
 * otherwise start again at the top of the screen.
 */
export function useKeptFocus(phase: string, target: () => HTMLElement | null | undefined): void {
  const find = useEffectEvent(target);
  const before = useRef(phase);
  useEffect(() => {
    for (const press of ['keydown', 'pointerdown']) document.addEventListener(press, settle, true);
    return () => {
      for (const press of ['keydown', 'pointerdown']) document.removeEventListener(press, settle, true);
    };
  }, []);
  useEffect(() => {
    if (before.current === phase) return;
    before.current = phase;
    if (isLost(document.activeElement)) find()?.focus();
  }, [phase]);
}
