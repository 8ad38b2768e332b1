/** What a click acts on. Fields are left out: a click on a label goes on as one on its field. */
const pressed = 'button, a, summary, tr, [role="option"], [role="treeitem"]';

/**
 * Makes the second click of a double click act only on what the first one hit, in the whole window. Chromium goes on counting the clicks at one
 * place when something else is drawn there in between: the second click on “Pause” was one on “Resume”.
 */
export function keepDoubleClickOnOne(): void {
  let first: Element | null = null;
  window.addEventListener(
    'click',
    (event) => {
      const hit = event.target instanceof Element ? event.target.closest(pressed) : null;
      // 0: by keys.
      if (event.detail === 1) first = hit;
      if (event.detail <= 1 || hit === first) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
