import { useEffect } from 'react';

const isLost = () => document.activeElement === document.body;
/** Not a tab that is no longer chosen: Tab does not come to it, and Enter would go back to what it shows. */
const canTake = (element: HTMLElement) =>
  !element.matches(':disabled, [role="tab"][aria-selected="false"]') &&
  element.checkVisibility({ visibilityProperty: true });

/** The heading of the screen, where keyboard focus restarts when nothing that had the focus is left. */
const findHeading = () => [...document.querySelectorAll<HTMLElement>('main h1[tabindex]')].find(canTake);

/** More than there are tab stops in a dialog, so that what opened it is among them. */
const rememberedCount = 64;

/**
 * Preserves keyboard focus. A pressed button is disabled while its call runs, or disappears with what it closed, and the browser then drops
 * the focus on the page itself. It comes back to the button when that is enabled again; if the button was removed, to what had the focus
 * before it, such as what opened the dialog. A part that knows better moves it first. Clicking beside everything releases it, as anywhere.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    let earlier: HTMLElement[] = [];
    let waiting = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === last) return;
      last = target;
      earlier = [target, ...earlier.filter((one) => one !== target && one.isConnected)].slice(0, rememberedCount);
    };
    const onPointer = () => {
      last = null;
    };
    const putBack = () => {
      waiting = 0;
      if (!last || !isLost()) return;
      // Disabled only while its call runs: it is waited for.
      if (last.matches(':disabled') && last.checkVisibility()) return;
      const next = earlier.find(canTake) ?? findHeading();
      next?.toggleAttribute('data-stand-in', next !== last);
      next?.focus({ preventScroll: true });
    };
    // Two frames later: a screen, dialog or menu that closes puts the focus where it wants it in the first.
    const later = () => {
      if (waiting !== 0 || !last || !isLost()) return;
      waiting = requestAnimationFrame(() => {
        waiting = requestAnimationFrame(putBack);
      });
    };
    const changes = new MutationObserver(later);
    changes.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled', 'style', 'hidden'],
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      cancelAnimationFrame(waiting);
      changes.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, []);
}
