/** What a click acts on. Fields are left out: a click on a label goes on as one on its field. */
const pressed = 'button, a, summary, tr, [role="option"], [role="treeitem"]';
const hitBy = ({ target }: Event): Element | null => (target instanceof Element ? target.closest(pressed) : null);

/**
 * Makes the second click of a double click act only on what the first one hit, in the whole window. Chromium goes on counting the clicks at one
 * place when something else is drawn there in between: the second click on “Pause” was one on “Resume”. A button that was disabled since has
 * made its call, and the second click on “Ask again” would have paid for another.
 */
export function keepDoubleClickOnOne(): void {
  let first: Element | null = null;
  let wasDisabled = false;
  const changes = new MutationObserver(() => {
    wasDisabled = true;
  });
  const begin = (hit: Element | null): void => {
    changes.disconnect();
    first = hit;
    wasDisabled = false;
  };
  window.addEventListener(
    'pointerdown',
    (event) => {
      // Of a press on a disabled button no click comes, yet Chromium counts it: the next one, once it is enabled, is a first.
      const hit = hitBy(event);
      if (hit !== first && hit?.matches(':disabled')) begin(hit);
    },
    { capture: true },
  );
  window.addEventListener(
    'click',
    (event) => {
      const hit = hitBy(event);
      // 1: a first click; 0: by keys.
      if (event.detail > 1 && (hit !== first || wasDisabled)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.detail > 0) {
        begin(hit);
        if (hit) changes.observe(hit, { attributeFilter: ['disabled', 'data-disabled'] });
      }
    },
    { capture: true },
  );
}
