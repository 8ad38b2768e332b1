import { useEffect } from 'react';
import type { ScreenId } from '../../lib/window/routes.tsx';

/** The screen shown last. The first one of a window takes no focus. */
let last: ScreenId | null = null;

/**
 * Moves the focus to the heading of the screen just shown, so that its name is read and Tab starts there. Placed after the screen's
 * content: by then its script is loaded, and a screen that was asked to show something has already put the focus there.
 */
export function HeadingFocus({ screen }: { screen: ScreenId }): null {
  useEffect(() => {
    const before = last;
    last = screen;
    if (before === null || before === screen) return;
    const place = document.querySelector(`[data-screen="${screen}"]`);
    if (!place?.contains(document.activeElement)) place?.querySelector<HTMLElement>('h1')?.focus();
  }, [screen]);
  return null;
}
